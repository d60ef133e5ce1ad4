"""Iteration over Python values, as generated code does it.

Compiled code holds the iterator of a loop over Python values, since an operator may continue the
loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from autograph.operators.user_classes import mro_of, own_attributes


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
            return _IteratorWrapper(items) if type(found) is FunctionType else items
    return items


def user_iterator(items: Any) -> Any:
    """Return the user's iterator in one of ours; other iterators themselves."""
    while type(items) is _IteratorWrapper:
        items = items._items
    return items


class _IteratorWrapper:
    """An iterator over a user's iterator, whose `__iter__` is not called a second time."""

    __slots__ = ("_items",)

    def __init__(self, items: Iterator[Any]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._items)
