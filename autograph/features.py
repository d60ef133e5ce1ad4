"""Optional features of a conversion.

ag.function(experimental_autograph_options=ag.Feature.BUILTIN_FUNCTIONS)
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

from autograph.errors import ConversionError


class Feature(enum.Enum):
    """An optional feature of a conversion, as in TensorFlow.

    Most features are always on. With `BUILTIN_FUNCTIONS`, `print` of tensors runs with the graph,
    not in the trace.

    >>> import autograph as ag
    >>> feature = ag.Feature.BUILTIN_FUNCTIONS
    >>> ag.to_graph(lambda x: abs(x), experimental_optional_features=feature)(-3)
    3
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all_but(cls, exclude: Feature | Iterable[Feature]) -> tuple[Feature, ...]:
        """Return every feature but these.

        >>> Feature.LISTS in Feature.all_but(Feature.LISTS)
        False
        """
        left_out = {exclude} if isinstance(exclude, Feature) else set(exclude)
        return tuple(each for each in cls if each not in left_out and each is not cls.ALL)


def feature_names(features: Feature | Iterable[Feature] | None) -> tuple[str, ...]:
    """Return the names of features, in the order of `Feature`, for conversion options.

    Raises:
        ConversionError: one of them is no feature.

    >>> feature_names(Feature.LISTS), feature_names(None)
    (('LISTS',), ())
    """
    if features is None:
        return ()
    several = isinstance(features, Iterable) and not isinstance(features, str)
    given: tuple[object, ...] = tuple(features) if several else (features,)  # type: ignore[arg-type]
    for each in given:
        if not isinstance(each, Feature):
            known = ", ".join(feature.name for feature in Feature)
            raise ConversionError(f"{each!r} is not an ag.Feature; the features are {known}")
    return tuple(each.name for each in Feature if each in given)
