"""Iteration over Python values and unpacking, as generated code does them.

Compiled code holds the iterator of a loop over Python values, since an operator may continue the
loop. It unpacks owned values, whose number of items may be unknown, by operators:

    a, (b, *c) = l    ->    a, (b, *c) = ag__.unpack_items(l, (None, (None, "*")))

`[*it]` and `f(*l)` have operators, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import FunctionType
from typing import Any, TypeVar

from autograph.backends.protocol import Backends, Pattern
from autograph.operators.user_classes import mro_of, own_attributes
from autograph.operators.variables import ld


def iterator_of(value: Iterable[Any]) -> Iterator[Any]:
    """Return `iter(value)`, of which `for` can call `iter` without running the user's code.

    >>> list(iterator_of([1, 2]))
    [1, 2]
    """
    return held_iterator(iter(value))


def held_iterator(items: Iterator[Any]) -> Iterator[Any]:
    """Return an iterator whose `__iter__` is no user code: that was called already."""
    for kind in mro_of(type(items)):
        found = own_attributes(kind).get("__iter__")
        if found is not None:
            return _Items(items) if type(found) is FunctionType else items
    return items


def user_iterator(items: Any) -> Any:
    """Return the user's iterator in one of ours; other iterators themselves."""
    while type(items) is _Items:
        items = items._items
    return items


class _Items:
    """An iterator over a user's iterator, whose `__iter__` is not called a second time."""

    __slots__ = ("_items",)

    def __init__(self, items: Iterator[Any]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._items)


# -- unpacking -------------------------------------------------------------------------------------


T = TypeVar("T")
_PYTHONS = (tuple, list)


def make_unpack_items(backends: Backends) -> Callable[[Any, Pattern], Any]:
    """Return an operator that returns an iterable of the items to assign.

    >>> make_unpack_items(Backends(()))([1, 2], (None, None))
    [1, 2]
    """

    def unpack_items(value: Any, pattern: Pattern) -> Any:
        value = backends.operand(ld(value))
        if backends.recorder() is None:
            return value
        backend = backends.of(value)
        items = value if backend is None else backend.call("unpack_items", (value, pattern), {})
        if not any(type(each) is tuple for each in pattern):
            return items
        if isinstance(items, Iterator):
            # One item more than there are targets makes Python raise its error.
            items = list(islice(items, None if "*" in pattern else len(pattern) + 1))
        return _inside(items, pattern) if type(items) in _PYTHONS else items

    def _inside(items: Any, pattern: Pattern) -> Any:
        """Return the items; those with a pattern of their own are unpacked."""
        parts = pattern
        if "*" in pattern and len(items) >= len(pattern) - 1:
            at = pattern.index("*")
            rest = len(items) - len(pattern) + 1
            parts = (*pattern[:at], *[None] * rest, *pattern[at + 1 :])
        if len(items) != len(parts):
            return items
        return [
            unpack_items(item, part) if type(part) is tuple else item
            for item, part in zip(items, parts)
        ]

    return unpack_items


def make_unpack_each(
    backends: Backends, unpacked: Callable[[Any, Pattern], Any]
) -> Callable[[Any, Pattern], Any]:
    """Return an operator that applies `unpacked` to each item that a comprehension unpacks."""

    def each_unpacked(items: Any, pattern: Pattern) -> Any:
        if backends.recorder() is None or not _may_be_iterable(items):
            return items
        return (unpacked(item, pattern) for item in items)

    return each_unpacked


def _may_be_iterable(value: object) -> bool:
    """Return whether Python can iterate over a value; if it cannot, its own loop says so."""
    kind = type(value)
    return getattr(kind, "__iter__", None) is not None or hasattr(kind, "__getitem__")


def make_star_items(backends: Backends) -> Callable[[T], T]:
    """Return an operator that reads a value whose items go into a display or call: `[*x]`.

    A list stays itself: its dynamic items go into the display.
    """

    def star_items(value: Any) -> Any:
        operand = backends.operand(value)
        if type(value) is list:
            return value
        backend = backends.of(operand)
        return operand if backend is None else backend.call("star_items", (operand,), {})

    return star_items


def make_star_arguments(backends: Backends) -> Callable[[Any, str | None], Any]:
    """Return an operator that reads a value whose items go into a tuple or a call, by position.

    >>> make_star_arguments(Backends(()))([1, 2], "l")
    [1, 2]
    """

    def star_arguments(value: Any, text: str | None) -> Any:
        value = backends.operand(ld(value))
        backend = backends.of(value)
        return value if backend is None else backend.call("star_arguments", (value, text), {})

    return star_arguments
