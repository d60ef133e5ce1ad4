"""`sorted`, `max` and `min` of objects whose `__lt__` gives a tensor.

Each pair of items is compared once, the later one with the earlier one. The results give, for each
item, the number of items before it, and so Python's order, if they are consistent.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import combinations
from typing import Any

import runtime as rt
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.truth import truth
from autograph.backends.protocol import Compare
from autograph.errors import StagingError
from autograph.operators.user_classes import is_made_in_python, is_of_package, special_method
from runtime.ops.python.min_max import first_extreme, python_order

# For more items, the comparisons of all pairs would be a graph of thousands of nodes.
_MOST_ITEMS = 64
_NO_ORDER: Any = vars(object)["__lt__"]
_ASKED = "the result of `<` for two items"


class _TensorComparison(Exception):
    """Raised if a comparison returns a tensor."""


class _Probe:
    """A wrapper of an item: Python's sort ends at the first comparison that gives a tensor."""

    __slots__ = ("item",)

    def __init__(self, item: object) -> None:
        self.item = item

    def __lt__(self, other: _Probe) -> object:
        return _of_python(operator.lt, self.item, other.item)

    def __gt__(self, other: _Probe) -> object:
        return _of_python(operator.gt, self.item, other.item)


def define_order(items: Sequence[object]) -> bool:
    """Return whether an item is of a user class that defines its own order, or none."""
    return any(_defines_order(item) for item in items)


def _defines_order(item: object) -> bool:
    if isinstance(item, OneOfObjects):
        return any(map(_defines_order, item.options))
    kind = type(item)
    if not is_made_in_python(kind) or is_of_package(kind, "autograph", "runtime"):
        return False
    # A class without an order counts, too: Python raises its error.
    has_none = getattr(kind, "__lt__", None) is _NO_ORDER
    return has_none or special_method(item, "__lt__", "__gt__") is not None


def places_in_order(items: Sequence[Any], reverse: bool) -> Sequence[Any]:
    """Return the indices of `items` in the order of `sorted`: ints, or scalars of int32.

    Raises:
        StagingError: if there are too many items to compare all pairs.
    """
    try:
        probes: Any = list(map(_Probe, items))
        return sorted(range(len(items)), key=probes.__getitem__, reverse=reverse)
    except _TensorComparison:
        _refuse_many(items)
    before = [rt.constant(0) for _ in items]
    for i, j in combinations(range(len(items)), 2):
        pair = (items[i], items[j]) if reverse else (items[j], items[i])
        later_first = rt.cast(truth(operator.lt(*pair), _ASKED), rt.int32)
        before[i] = rt.add(before[i], later_first)
        before[j] = rt.add(before[j], rt.subtract(1, later_first))
    return rt.unstack(python_order(rt.stack(before)), num=len(items))


def place_of_extreme(items: Sequence[Any], name: str) -> Any:
    """Return the index of the item that `max` or `min` selects: an int, or a scalar of int32.

    Raises:
        StagingError: if there are too many items to compare all pairs.
    """
    compare, choose = (operator.gt, max) if name == "max" else (operator.lt, min)
    try:
        probes: Any = list(map(_Probe, items))
        return choose(range(len(items)), key=probes.__getitem__)
    except _TensorComparison:
        _refuse_many(items)
    wins = _victories(items, compare)
    chosen = [reduce(rt.logical_and, each, rt.constant(True)) for each in wins]
    return first_extreme(rt.cast(rt.stack(chosen), rt.int32))


def _victories(items: Sequence[Any], compare: Compare) -> list[list[rt.Tensor]]:
    """Return for each item the results of its comparisons: whether it precedes the other item."""
    wins: list[list[rt.Tensor]] = [[] for _ in items]
    for i, j in combinations(range(len(items)), 2):
        later_wins = truth(compare(items[j], items[i]), _ASKED)
        wins[j].append(later_wins)
        wins[i].append(rt.logical_not(later_wins))
    return wins


def _of_python(compare: Callable[[Any, Any], object], left: object, right: object) -> object:
    answer = compare(left, right)
    if isinstance(answer, (rt.Tensor, rt.Variable)):
        raise _TensorComparison
    return answer


def _refuse_many(items: Sequence[object]) -> None:
    if len(items) > _MOST_ITEMS:
        raise StagingError(
            f"{len(items)} objects are sorted by the `<` of their class when the graph runs, and "
            f"the limit is {_MOST_ITEMS}: give a key, as in key=lambda item: item.size",
            user_location(),
        )
