"""Watched objects, with their access paths and former contents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import CellType, FunctionType
from typing import Protocol

from autograph.backends.graph.arrays.staged_array import is_array
from autograph.backends.graph.objects.object_contents import Contents, is_indexed
from autograph.backends.graph.source.library_boundary import is_library_file
from autograph.operators.call_listeners import CACHED_FUNCTION
from autograph.operators.user_classes import own_attributes


@dataclass(slots=True, eq=False, repr=False)
class AccessPath:
    """The access path of an object: a variable or a known object, then keys."""

    HOLDS_FOR_TRACE = True

    root: object
    keys: tuple[object, ...]

    def to(self, key: object) -> AccessPath:
        """Return the path to the value under `key` of the object."""
        return AccessPath(self.root, (*self.keys, key))


@dataclass(slots=True, eq=False, repr=False)
class WatchedObject:
    """A mutable object that code can reach, with its former contents.

    Attributes:
        name: the object as the user writes it.
        value: the object, or a stand-in for some of its variables.
        contents: its former contents, by key.
        path: its access path; None for an object that is reached directly.
    """

    HOLDS_FOR_TRACE = True

    name: str
    value: object
    contents: Contents
    path: AccessPath | None = None


class ContentsKeeper(Protocol):
    """Stores the contents that objects had when watching began."""

    def note(self, each: WatchedObject) -> None:
        """Store the contents of an object that is watched from now on."""

    def add(self, values: Iterable[object]) -> None:
        """Store the contents of values, and of all objects in them."""

    def knows(self, value: object) -> bool:
        """Return whether the contents of an object are stored."""

    def check_streams(self, is_once: bool) -> None:
        """Check which streams of random numbers have advanced; `is_once` if by one-time code."""


def entry_name(each: WatchedObject, key: object) -> str:
    """Return the place as the user writes it: `x`, `l[0]`, `d['k']`, `o.x`."""
    if type(each.value) is CellType:
        return each.name
    if is_array(each.value):
        return f"{each.name}[:]"
    return f"{each.name}[{key!r}]" if is_indexed(each.value) else f"{each.name}.{key}"


def without_cells(function: FunctionType) -> FunctionType:
    """Return a function of the same code and module, with empty cells."""
    code = function.__code__
    cells = tuple(CellType() for _ in code.co_freevars)
    bare = FunctionType(code, function.__globals__, function.__name__, None, cells)
    bare.__qualname__ = function.__qualname__
    return bare


def decorated_function(value: object) -> FunctionType | None:
    """Return the user's function inside a library's decorator, which runs it unconverted.

    >>> import functools
    >>> decorated_function(functools.lru_cache(decorated_function)) is decorated_function
    True
    >>> decorated_function(len) is None
    True
    """
    is_function = type(value) is FunctionType
    if not is_function and type(value) is not CACHED_FUNCTION:
        return None
    function = getattr(value, "__wrapped__", None)
    if is_function and not is_library_file(value.__code__.co_filename):  # type: ignore[attr-defined]
        return None
    return function if type(function) is FunctionType else None


def function_inside(value: object) -> object | None:
    """Return the user's function of a `Function`; None for any other value."""
    module = str(own_attributes(type(value)).get("__module__"))
    if not module.startswith("autograph.functions."):
        return None
    return getattr(value, "python_function", None)
