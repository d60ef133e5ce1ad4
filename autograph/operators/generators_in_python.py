"""Builtins over a generator that a loop consumes, as generators, which are consumed in their place.

They are converted as code of the user's is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any


def enumerated(items: Iterable[Any], start: Any = 0) -> Iterator[Any]:
    """Yield what `enumerate` gives."""
    number = start
    for item in items:
        yield number, item
        number = number + 1


def mapped(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """Yield what `map` gives for one iterable."""
    for item in items:
        yield function(item)


def filtered(function: Callable[[Any], Any] | None, items: Iterable[Any]) -> Iterator[Any]:
    """Yield what `filter` gives."""
    for item in items:
        if item if function is None else function(item):
            yield item


def zipped(items: Iterable[Any], others: Sequence[Sequence[Any]]) -> Iterator[Any]:
    """Yield what `zip` gives for what is gone over and sequences of known lengths."""
    least, number = min([len(each) for each in others]), 0
    for item in items:
        if number >= least:
            return
        yield (item, *[each[number] for each in others])
        number = number + 1
