"""The type names of values for errors: a stand-in has the type name of the user's value."""

from __future__ import annotations

from autograph.operators.user_classes import is_of_package


def type_name(value: object) -> str:
    """Return the name of a value's type, as the user knows it.

    >>> type_name([1]), type_name(None)
    ('list', 'NoneType')
    """
    kind = type(value)
    if not is_of_package(kind, "autograph"):
        return kind.__name__
    if "stands_for" in dir(kind):
        return type_name(value.stands_for)  # type: ignore[attr-defined]
    if hasattr(kind, "objects_behind"):
        words = dict.fromkeys(map(type_name, value.objects_behind()))  # type: ignore[attr-defined]
        return " or ".join(words)
    name = getattr(kind, "name", None)
    return name if isinstance(name, str) else "value of the graph"
