"""Values of Python's that are formatted as only the run says: `f"{name:>{width}}"`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import runtime as rt
from autograph.backends.graph.functions.strings import OPENS, joined, mark, text_of
from autograph.backends.graph.program.places import user_place
from autograph.backends.graph.values.iteration import as_weak
from autograph.errors import StagingError
from runtime.errors import with_article

# Of values that a specification is known for only when the graph runs, and how they are kept.
_DTYPES = {str: rt.string, bool: rt.bool, int: rt.int64, float: rt.float64}


class SizedText:
    """What stands for a value of Python's that is formatted as the run says: `f"{name:>{width}}"`.

    Args:
        value: the value.
    """

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, spec: str) -> str:
        return _sized(self._value, spec)

    def __str__(self) -> str:
        return _SizedStr(self._value)

    def __repr__(self) -> str:
        return _SizedStr(repr(self._value))

    def __getattr__(self, name: str) -> Any:  # "{0.size}".format(x)
        return sized_text(getattr(self._value, name))

    def __getitem__(self, key: Any) -> Any:  # "{0[1]}".format(x)
        value: Any = self._value
        return sized_text(value[key])


class _SizedStr(str):
    """The text of such a value after `!r` or `!s`."""

    def __format__(self, spec: str) -> str:
        return _sized(str(self), spec)


def _sized(value: object, spec: str) -> str:
    if OPENS not in spec:
        return format(value, spec)
    if type(value) not in _DTYPES:
        raise StagingError(
            f"{with_article(type(value).__name__)} is formatted in a way that is known only when "
            "the graph runs: make a text of it first, as in f'{str(x):>{width}}'",
            user_place(),
        )
    return mark(as_weak(rt.constant(value, _DTYPES[type(value)])), "", spec)


def sized_text(value: object) -> Any:
    """Return a stand-in for a value that is formatted in a way which may be known late."""
    stand_in = text_of(value)
    return SizedText(value) if stand_in is value else stand_in


def formatted(template: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Return `template.format(*args, **kwargs)` where a tensor is among the arguments."""
    named = {name: sized_text(value) for name, value in kwargs.items()}
    return joined(template.format(*map(sized_text, args), **named))
