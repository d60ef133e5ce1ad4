"""Unpacking, `a, b = l`, of iterables of dynamic length.

a, b = l    ->    check(len(l) == 2); l[0], l[1]
"""

from __future__ import annotations

from functools import partial
from typing import Any

import runtime as rt
from autograph.backends.graph.arrays.array_elements import as_operand
from autograph.backends.graph.containers.dict_views import StagedDictView
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.control.conditional import NO_STATE, do_nothing, staged_if
from autograph.backends.graph.iterators.dynamic_loops import rows
from autograph.backends.graph.iterators.iterator_parts import is_tensor
from autograph.backends.graph.iterators.staged_iterators import can_iterate_in_python
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.dynamic_items import is_staged
from autograph.backends.graph.values.iterables import StagedIterable
from autograph.backends.lazy_iterator import LazyIterator
from autograph.backends.protocol import Pattern
from autograph.errors import StagingError
from runtime.data.base_types import AnyDataset, AnyIterator
from runtime.ops.effects.raising import raise_error
from runtime.ops.python.formatting import TemplateField, format_values

_RUNS = (StagedIterable, StagedList, StagedDictView, LazyIterator, AnyDataset, AnyIterator)


def unpack_items(value: object, pattern: Pattern) -> object:
    """Return the items to unpack: as many as there are targets, checked at run time."""
    value = as_operand(value)
    # Python takes one item more than there are targets, to detect too many.
    items = _listed(value, None if "*" in pattern else len(pattern) + 1)
    return value if items is None else _unpacked(items, pattern)


def star_items(value: object) -> object:
    """Return an iterable for `[*value]`: a list, where Python cannot iterate over the value."""
    value = as_operand(value)
    items = None if isinstance(value, StagedList) else _listed(value)
    return value if items is None else items


def add_operand(value: Any) -> Any:
    """Return an iterable as a list, for `list += iterable`; other values as operands."""
    return star_items(value) if isinstance(value, _RUNS) else as_operand(value)


def star_arguments(value: object, text: str | None) -> object:
    """Return an iterable for `*value` in a tuple or a call, or for `yield from`.

    Raises:
        StagingError: if only the graph knows the number of items.
    """
    value = as_operand(value)
    items = _listed(value)
    if items is None:
        return value
    if is_staged(items) and text is None:
        raise StagingError(
            "how many items this `yield from` gives is known only when the graph runs, and "
            "Python drives the generator: return a list of them instead",
            user_location(),
        )
    if is_staged(items):
        shown = "there are here" if text == "..." else f"'{text}' has"
        raise StagingError(
            f"how many items {shown} is known only when the graph runs, and must be known "
            f"while tracing for a tuple or a call: use a list, as in `[*{text}]` or "
            f"`f({text})`",
            user_location(),
        )
    return items


def _listed(value: Any, most: int | None = None) -> list[Any] | None:
    """Return the items of a staged iterable as a list; None for anything else.

    Args:
        value: the iterated value.
        most: the most items to take; an iterator computes no more.
    """
    if isinstance(value, StagedList):
        return value.items
    if isinstance(value, LazyIterator):
        return value.listed(most)
    unknown = isinstance(value, _RUNS) or is_tensor(value)
    return rows(value, most) if unknown and not can_iterate_in_python(value) else None


def _unpacked(items: list[Any], pattern: Pattern) -> list[Any]:
    if not is_staged(items):
        return items
    whole = StagedList(items)
    if "*" not in pattern:
        _check_count(whole, len(pattern))
        return [whole[at] for at in range(len(pattern))]
    before = pattern.index("*")
    after = len(pattern) - before - 1
    _check_least(whole, before + after)
    middle = whole[before : -after if after else None]
    first = [whole[at] for at in range(before)]
    return [*first, *middle, *(whole[at - after] for at in range(after))]


def _check_count(whole: StagedList, count: int) -> None:
    length: Any = whole.length()
    _check_least(whole, count, "")
    words = f"too many values to unpack (expected {count})"
    too_many = partial(raise_error, ValueError(words))
    staged_if(rt.greater(length, count), too_many, do_nothing, NO_STATE)


def _check_least(whole: StagedList, count: int, words: str = "at least ") -> None:
    length: Any = whole.length()
    start = f"not enough values to unpack (expected {words}{count}, got "

    def too_few() -> None:
        raise_error(
            ValueError(format_values((start, TemplateField(0, "", (), "python"), ")"), [length]))
        )

    staged_if(rt.less(length, count), too_few, do_nothing, NO_STATE)
