"""Iterators of Python's over a list, made before only a graph knows what is in the list.

    pairs = zip(items, names)
    if x > 0:
        items.append(x)
    list(pairs)             Python goes over what is in `items` now: refused here

Python's iterator would give what stands for the items of the list as if it were one of them.
"""

from __future__ import annotations

import builtins
import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.backends.protocol import Backends

# What goes over its arguments later, when it is gone over itself.
LAZY = frozenset(
    {builtins.enumerate, builtins.filter, builtins.map, builtins.reversed, builtins.zip}
    | {each for each in vars(itertools).values() if isinstance(each, type)}
) - {itertools.product, itertools.repeat}
# So long a list is looked at in every turn, a longer one in some of them and in the last.
_SHORT, _SOMETIMES = 256, 64


class Guarded:
    """The items of a list, given as long as Python knows them all.

    Args:
        backends: who may come to own the list.
        values: the list.
        items: an iterator over it.
        name: of the builtin that goes over it.
    """

    __slots__ = ("_backends", "_items", "_left", "_name", "_values")

    def __init__(
        self, backends: Backends, values: Sequence[Any], items: Iterator[Any], name: str
    ) -> None:
        self._backends, self._values, self._items, self._name = backends, values, items, name
        self._left = 0

    def __iter__(self) -> Guarded:
        return self

    def __next__(self) -> Any:
        if self._left == 0:
            self._look()
            self._left = 0 if len(self._values) <= _SHORT else _SOMETIMES
        else:
            self._left -= 1
        try:
            return next(self._items)
        except StopIteration:
            self._look()
            raise

    def __length_hint__(self) -> int:
        return self._items.__length_hint__()  # type: ignore[attr-defined]

    def _look(self) -> None:
        backend = self._backends.of(self._values)
        if backend is not None:
            raise backend.refused_iteration(
                f"this {self._name} was made before its list changed, and what is in the list now "
                f"is known only when the graph runs: make the {self._name} after the change"
            )


def guarding(function: Callable[..., Any], backends: Backends) -> Callable[..., Any]:
    """Return what does as a lazy builtin does, and looks at the lists it goes over.

    >>> list(guarding(zip, Backends(()))([1, 2], "ab"))
    [(1, 'a'), (2, 'b')]
    """
    if function not in LAZY:
        return function
    name = function.__name__

    def guarded(value: Any) -> Any:
        is_list = type(value) in (list, deque)
        return Guarded(backends, value, iter(value), name) if is_list else value

    def answer(*args: Any, **kwargs: Any) -> Any:
        if backends.recorder() is None:
            return function(*args, **kwargs)
        if function is builtins.reversed and len(args) == 1 and type(args[0]) in (list, deque):
            return Guarded(backends, args[0], function(args[0]), name)
        return function(*map(guarded, args), **kwargs)

    return answer
