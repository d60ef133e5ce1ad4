"""Comparisons, such as `a < b` and `a == b`, of tuples, lists and dicts that contain tensors.

    (n, 1) < (1, 2)     n == 1 decides which items are compared: where(n == 1, 1 < 2, n < 1)
    [n, 1] == [1, 1]    logical_and(n == 1, 1 == 1)

As in Python, the first items that differ decide an order, and identical objects count as equal.
"""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.stale_reads import check_read
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.alias_state import present_value
from autograph.backends.graph.values.dynamic_items import is_staged
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.truth import as_python_bool, truth
from autograph.backends.protocol import Compare
from autograph.errors import StagingError
from autograph.operators.compared_containers import (
    SYMBOLS,
    common_kind,
    fields_of,
    ordering_fields_of,
    orders_fields,
)
from autograph.operators.user_classes import type_name
from runtime.ops.effects.checks import check

_STAGED = (rt.Tensor, rt.Variable, OptionalValue)
_MISSING = object()


def compare_containers(compare: Compare, left: object, right: object) -> object:
    """Return `compare(left, right)` for a comparison operator: a bool, or a weak tensor.

    Raises:
        StagingError: if it orders staged lists.
        TypeError: if Python cannot order the items; at run time, if only a run compares them.
    """
    answer = _answer(compare, left, right)
    return as_python_bool(answer) if isinstance(answer, rt.Tensor) else answer


def compares_parts(left: object, right: object) -> bool:
    """Return whether Python compares the contents of two values, one of which may be None."""
    if not isinstance(left, OptionalValue) and not isinstance(right, OptionalValue):
        return False
    kinds = (type(present_value(left)), type(present_value(right)))
    return common_kind(*kinds) is not None


def equal(left: object, right: object) -> Any:
    """Return whether two items are the same object or equal, as a bool or a tensor.

    >>> equal((1, 2), (1, 2)), equal([1], [2, 1]), equal({"a": 1}, {"b": 1})
    (True, False, False)
    """
    if left is right:
        return True
    if compares_parts(left, right):
        return _equal_if_there(left, right)
    if isinstance(left, _STAGED) or isinstance(right, _STAGED):
        return _truth_of(left == right)
    pairs = _paired(left, right)
    if pairs is None:
        return _truth_of(left == right)
    same: Any = True
    for pair in pairs:
        same = _both(same, equal(*pair))
        if same is False:
            break  # Python compares no further items.
    return same


def _equal_if_there(left: object, right: object) -> Any:
    """Return whether two containers are equal, each of which may be None."""
    there = [value.present for value in (left, right) if isinstance(value, OptionalValue)]
    values = present_value(left), present_value(right)
    for each in values:
        check_read(each)
    same = equal(*values)
    both = reduce(rt.logical_and, there, rt.convert_to_tensor(same))
    return both if len(there) == 1 else rt.logical_or(both, rt.logical_not(rt.logical_or(*there)))


def before(compare: Compare, left: Any, right: Any) -> Any:
    """Return `compare(left, right)` for an ordering operator, such as `<`.

    Raises:
        StagingError: one of them is a staged list.
    """
    if compares_parts(left, right):
        return before(compare, *_needed(compare, left, right))
    if type(left) is type(right) and orders_fields(type(left)):
        left, right = ordering_fields_of(left), ordering_fields_of(right)
    if not _are_sequences(left, right):
        return _truth_of(compare(left, right))
    if is_staged(left) or is_staged(right):
        raise StagingError(
            "a list that grew in a staged statement is compared with another one to see which "
            "comes first, and its length is known only when the graph runs: compare items",
            user_location(),
        )
    return _first_difference(compare, left, right)


def _needed(compare: Compare, *values: object) -> list[object]:
    """Return two values to order, after run-time checks that they are not None."""
    kinds = ["NoneType" if isinstance(each, OptionalValue) else type_name(each) for each in values]
    symbol = next(symbol for symbol, pythons in SYMBOLS.items() if pythons is compare)
    words = f"'{symbol}' not supported between instances of '{kinds[0]}' and '{kinds[1]}'"
    return [
        each.require_value(words) if isinstance(each, OptionalValue) else each for each in values
    ]


def _answer(compare: Compare, left: object, right: object) -> Any:
    if compare in (operator.eq, operator.ne):
        same = equal(left, right)
        return same if compare is operator.eq else _opposite(same)
    return before(compare, left, right)


def _first_difference(compare: Compare, left: Sequence[Any], right: Sequence[Any]) -> Any:
    """Return the order of the first two items that differ, or of the lengths if none do."""
    answers, so_far = [], True
    for pair in zip(left, right):
        same = equal(*pair)
        if same is True:
            continue
        answers.append((same, _compare_items(compare, pair, _both(so_far, _opposite(same)))))
        so_far = _both(so_far, same)
        if same is False:
            break
    result: Any = compare(len(left), len(right))
    for same, answer in reversed(answers):
        result = answer if same is False else rt.where(same, result, answer)
    return result


def _compare_items(compare: Compare, pair: tuple[Any, Any], is_asked: Any) -> Any:
    """Return the order of two items; a TypeError is raised only if the run compares them."""
    try:
        return before(compare, *pair)
    except TypeError as error:
        if is_asked is True or isinstance(error, StagingError):
            raise
        check(rt.logical_not(is_asked), TypeError, str(error))
        return False


def _paired(left: Any, right: Any) -> Iterator[tuple[Any, Any]] | None:
    """Return the pairs of parts to compare of two containers; None for other values."""
    if is_staged(left) or is_staged(right):
        return iter([(StagedList(left) == right, True)])
    if isinstance(left, dict) and isinstance(right, dict):
        in_order = isinstance(left, OrderedDict) and isinstance(right, OrderedDict)
        if len(left) != len(right) or (in_order and list(left) != list(right)):
            return iter([(False, True)])
        return _values_by_key(left, right)
    kind = common_kind(type(left), type(right))
    if kind is None:
        return None
    first, second = (left, right) if kind in (list, tuple) else (fields_of(left), fields_of(right))
    return zip(first, second) if len(first) == len(second) else iter([(False, True)])


def _values_by_key(left: dict[Any, Any], right: dict[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the two values under each key; values that differ if a key is missing.

    Each key is looked up when it is its turn, and once: keys have an `==` of the user's, which may
    change the dicts. Python's comparison then ends as well.
    """
    entries = iter(left.items())
    while True:
        try:
            key, value = next(entries)
        except (StopIteration, RuntimeError):
            return
        other = dict.get(right, key, _MISSING)
        yield (value, other) if other is not _MISSING else (False, True)


def _are_sequences(left: object, right: object) -> bool:
    return common_kind(type(left), type(right)) in (list, tuple)


def _truth_of(answer: Any) -> Any:
    is_staged = isinstance(answer, (rt.Tensor, OptionalValue))
    return truth(answer, "the comparison of two items") if is_staged else bool(answer)


def _both(first: Any, second: Any) -> Any:
    if first is True or second is False:
        return second
    if first is False or second is True:
        return first
    return rt.logical_and(first, second)


def _opposite(value: Any) -> Any:
    return not value if isinstance(value, bool) else rt.logical_not(value)
