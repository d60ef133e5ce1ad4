"""Wrappers that `convert` and `do_not_convert` put in place of a user's function.

`convert` returns a function with placeholder code. At its first call it gets the converted code and
is called again: no wrapper remains. The wrapper of `do_not_convert` has the user's function in its
closure; converted code calls that function directly.
"""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable
from types import FunctionType
from typing import Any, Protocol, cast

from autograph.conversion.loader import dress
from autograph.operators.frames import code_info_of
from autograph.operators.tracebacks import drop_internal_frames
from runtime.core.lazy_imports import lazy_import

with_deferred_code = lazy_import("autograph.conversion.deferred_code:with_deferred_code")

AnyCall = Callable[..., Any]


class WrapperDescription(Protocol):
    """The description of a wrapper: the user's function, and the function that a call runs."""

    @property
    def function(self) -> FunctionType:
        """The user's function."""

    def target(self) -> AnyCall:
        """Return the function that a call of the wrapper runs."""


class UnconvertedFunction:
    """A function that runs unconverted.

    Attributes:
        function: the user's function.
    """

    __slots__ = ("function",)

    def __init__(self, function: FunctionType) -> None:
        self.function = function

    def target(self) -> AnyCall:
        """Return the user's function."""
        return self.function


class LazilyConverted:
    """A function that is converted at its first call.

    The placeholder code holds this object, and code objects take no part in garbage collection. So
    it holds the function only weakly, and creates the user's function from its parts when needed.
    """

    __slots__ = ("_code", "_convert", "_start")

    def __init__(self, function: FunctionType, convert: Callable[[FunctionType], Any]) -> None:
        self._code = function.__code__
        self._convert = convert
        self._start: Callable[[], FunctionType | None] = lambda: None

    def with_deferred_code(self, function: FunctionType) -> FunctionType:
        """Return the function with placeholder code, which is converted at its first call."""
        start = dress(with_deferred_code(function, self), function)
        self._start = weakref.ref(start)
        return start

    @property
    def function(self) -> FunctionType:
        """The user's function."""
        start: Any = self._start()
        assert start is not None, "a waiting function that is gone was called"
        made: Any = FunctionType(self._code, start.__globals__, closure=start.__closure__)
        made.__name__, made.__qualname__ = start.__name__, start.__qualname__
        made.__defaults__, made.__kwdefaults__ = start.__defaults__, start.__kwdefaults__
        return dress(made, start)

    def target(self) -> Any:
        """Return the converted form; if the cells fit, it is the same function with new code."""
        function: Any = self.function
        made, start = self._convert(function), self._start()
        if start is None or not _share_cells(start, made):
            return made
        start.__code__ = made.__code__
        return start

    def drop_frames(self) -> None:
        """Drop the frames of these packages from the exception that is being handled."""
        error = sys.exc_info()[1]
        assert error is not None
        drop_internal_frames(error)


def _share_cells(a: FunctionType, b: FunctionType) -> bool:
    # `==` would compare the contents of cells.
    return [*map(id, a.__closure__ or ())] == [*map(id, b.__closure__ or ())]


def converting(function: FunctionType, convert: Callable[[FunctionType], Any]) -> FunctionType:
    """Return a function like the user's that becomes `convert(function)` at its first call."""
    return LazilyConverted(function, convert).with_deferred_code(function)


def exempting(wrapper: UnconvertedFunction) -> FunctionType:
    """Return a function that calls the user's function, which is not converted."""

    @functools.wraps(wrapper.function)
    def unconverted(*args: object, **kwargs: object) -> object:
        return wrapper.function(*args, **kwargs)

    return cast(FunctionType, unconverted)


def wrapped_by(fn: object) -> WrapperDescription | None:
    """Return the wrapper object of `fn`, if `fn` is one of these wrappers.

    >>> wrapped_by(exempting(UnconvertedFunction(wrapped_by))).function is wrapped_by
    True
    >>> wrapped_by(len) is None
    True
    """
    if type(fn) is not FunctionType:  # a mock says it is an instance
        return None
    if fn.__code__ is _EXEMPTING:
        (cell,) = fn.__closure__ or ()
        exempt: WrapperDescription = cell.cell_contents
        return exempt
    part = code_info_of(fn.__code__)
    return None if part is None else cast("WrapperDescription | None", part.start)


def _sample() -> None:
    """A function to wrap, whose wrapper has the code of all wrappers of `do_not_convert`."""


_EXEMPTING = exempting(UnconvertedFunction(cast(FunctionType, _sample))).__code__
