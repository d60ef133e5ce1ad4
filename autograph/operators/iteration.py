"""Iterating over Python values as compiled code does: an iterator it holds, and may hand over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from autograph.operators.user_classes import mro_of, own_attributes


def iterator_of(value: Iterable[Any]) -> Iterator[Any]:
    """Return `iter(value)`, of which `for` can ask for an iterator without the user's knowing.

    >>> list(iterator_of([1, 2]))
    [1, 2]
    """
    return held_iterator(iter(value))


def held_iterator(items: Iterator[Any]) -> Iterator[Any]:
    """Return an iterator whose `__iter__` is none of the user's: it has been called."""
    for kind in mro_of(type(items)):
        found = own_attributes(kind).get("__iter__")
        if found is not None:
            return _Items(items) if type(found) is FunctionType else items
    return items


def user_iterator(items: Any) -> Any:
    """Return the iterator that one of ours stands for."""
    while type(items) is _Items:
        items = items._items
    return items


class _Items:
    """The items of an iterator of the user's, whose `__iter__` is not called a second time."""

    __slots__ = ("_items",)

    def __init__(self, items: Iterator[Any]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._items)
