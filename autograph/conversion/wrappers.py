"""The functions `convert` and `do_not_convert` put in place of the user's.

Each keeps in its closure what stands behind it, so that converted code, which would otherwise go
through the wrapper on every level of a recursion, can step over it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, Protocol, cast

from autograph.conversion.tracebacks import drop_internal_frames

AnyCall = Callable[..., Any]


class Standing(Protocol):
    """What stands behind a wrapper."""

    @property
    def function(self) -> FunctionType:
        """The user's function."""

    def target(self) -> AnyCall:
        """Return what a call of the wrapper runs."""


class Exempt:
    """A function that runs as it is.

    Attributes:
        function: the user's function.
    """

    __slots__ = ("function",)

    def __init__(self, function: FunctionType) -> None:
        self.function = function

    def target(self) -> AnyCall:
        """Return the user's function."""
        return self.function


class Converting:
    """A function that is converted when it is called for the first time.

    Attributes:
        function: the user's function.
    """

    __slots__ = ("function", "_convert", "_target")

    def __init__(self, function: FunctionType, convert: Callable[[FunctionType], AnyCall]) -> None:
        self.function = function
        self._convert = convert
        self._target: AnyCall | None = None

    def target(self) -> AnyCall:
        """Return the converted form of the user's function, made now or before."""
        target = self._target
        if target is None:
            target = self._target = self._convert(self.function)
        return target


def exempting(standing: Exempt) -> FunctionType:
    """Return a function that calls the user's as it is."""

    @functools.wraps(standing.function)
    def unconverted(*args: object, **kwargs: object) -> object:
        return standing.function(*args, **kwargs)

    return cast(FunctionType, unconverted)


def converting(standing: Converting) -> FunctionType:
    """Return a function that calls the converted form and shows errors as the user's own."""

    @functools.wraps(standing.function)
    def converted(*args: object, **kwargs: object) -> object:
        try:
            return standing.target()(*args, **kwargs)
        except BaseException as error:
            drop_internal_frames(error)
            raise

    return cast(FunctionType, converted)


def standing_behind(fn: object) -> Standing | None:
    """Return what stands behind `fn`, if it is one of the wrappers made here.

    >>> standing_behind(exempting(Exempt(standing_behind))).function is standing_behind
    True
    >>> standing_behind(len) is None
    True
    """
    if not isinstance(fn, FunctionType) or fn.__code__ not in _WRAPPER_CODES:
        return None
    (cell,) = fn.__closure__ or ()
    standing: Standing = cell.cell_contents
    return standing


def _sample() -> None:
    """Be wrapped once, so that the code of the wrappers is known."""


_WRAPPER_CODES = (
    exempting(Exempt(cast(FunctionType, _sample))).__code__,
    converting(Converting(cast(FunctionType, _sample), lambda fn: fn)).__code__,
)
