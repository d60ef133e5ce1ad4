"""Functions of a library that stand around one of the user's, which they call through a cell.

    @contextlib.contextmanager      ->   contextlib's `helper`, in whose cell `func` is the user's
    def scaled(x): ...

The library's function stays as it is; what it calls is converted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import CellType, FunctionType

Convert = Callable[[FunctionType], FunctionType]


@dataclass(frozen=True, slots=True)
class Around:
    """How functions that stand around others are called.

    Attributes:
        convert: takes a function of the user's to what is called in its place.
    """

    convert: Convert

    def instantiate(self, fn: FunctionType) -> FunctionType:
        """Return `fn` around the converted form of what it stands around."""
        inner = fn.__dict__.get("__wrapped__")
        if type(inner) is not FunctionType or not _holds(fn, inner):
            return fn
        converted = self.convert(inner)
        return fn if converted is inner else _with(converted, inner, fn)


def stands_around(fn: FunctionType) -> bool:
    """Tell whether `fn` says that it stands around another function, and could hold it.

    >>> import contextlib
    >>> stands_around(contextlib.contextmanager(stands_around)), stands_around(stands_around)
    (True, False)
    """
    return bool(fn.__code__.co_freevars) and "__wrapped__" in fn.__dict__


def _with(converted: FunctionType, inner: FunctionType, fn: FunctionType) -> FunctionType:
    cells = [CellType(converted) if _is_of(cell, inner) else cell for cell in fn.__closure__ or ()]
    made = FunctionType(fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, tuple(cells))
    made.__kwdefaults__ = fn.__kwdefaults__
    made.__qualname__ = fn.__qualname__
    return made


def _holds(fn: FunctionType, value: object) -> bool:
    return any(_is_of(cell, value) for cell in fn.__closure__ or ())


def _is_of(cell: CellType, value: object) -> bool:
    try:
        return cell.cell_contents is value
    except ValueError:
        return False
