"""Library functions that wrap a user's function and call it through a cell.

    @contextlib.contextmanager      ->   contextlib's `helper`, in whose cell `func` is the user's
    def scaled(x): ...

    @functools.singledispatch       ->   its `wrapper`, whose cell `dispatch` finds the user's
    def shown(x): ...

The library's function stays unconverted; the function that it calls is converted.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import CellType, FunctionType, SimpleNamespace
from typing import Any, NamedTuple

Convert = Callable[[FunctionType], FunctionType]
_ABSENT = object()


class LibraryWrappers(NamedTuple):
    """The call plan of library functions that wrap a user's function.

    Attributes:
        convert: returns the replacement of a user's function.
    """

    convert: Convert

    def instantiate(self, fn: FunctionType) -> FunctionType:
        """Return a copy of `fn` that calls the converted form of the wrapped function."""
        cells = fn.__closure__ or ()
        named = zip(fn.__code__.co_freevars, cells)
        replaced = tuple([self._converted_cell(name, cell, fn) for name, cell in named])
        return fn if [*map(id, replaced)] == [*map(id, cells)] else _with_cells(fn, replaced)

    def _converted_cell(self, name: str, cell: CellType, fn: FunctionType) -> CellType:
        value: Any = _contents(cell)
        if value is fn.__dict__.get("__wrapped__") and isinstance(value, FunctionType):
            converted = self.convert(value)
            return cell if converted is value else CellType(converted)
        if fn.__globals__ is not vars(functools):
            return cell
        if name == "dispatch":
            return CellType(self._dispatching(value))
        if type(value) is functools.singledispatchmethod:
            dispatcher = SimpleNamespace(dispatch=self._dispatching(value.dispatcher.dispatch))
            return CellType(SimpleNamespace(dispatcher=dispatcher))
        return cell

    def _dispatching(self, dispatch: Any) -> Callable[[type], object]:
        """Return a `dispatch` that converts the function that it finds for a type."""

        def converted(kind: type) -> object:
            found = dispatch(kind)
            return self.convert(found) if type(found) is FunctionType else found

        return converted


def is_library_wrapper(fn: FunctionType) -> bool:
    """Return whether `fn` has a `__wrapped__`, and cells that may hold the wrapped function.

    >>> import contextlib
    >>> [is_library_wrapper(f) for f in (contextlib.contextmanager(len), is_library_wrapper)]
    [True, False]
    """
    return bool(fn.__code__.co_freevars) and "__wrapped__" in fn.__dict__


def _with_cells(fn: FunctionType, cells: tuple[CellType, ...]) -> FunctionType:
    made = FunctionType(fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, cells)
    made.__kwdefaults__ = fn.__kwdefaults__
    made.__qualname__ = fn.__qualname__
    return made


def _contents(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _ABSENT
