"""Staged loops over all items of an iterable of dynamic length: collecting, folding, searching.

The iterable is a tensor, a range, a staged list, a dataset, or a staged iterator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.item_containers import mutable_parts
from autograph.backends.graph.aliases.stale_reads import record_copied
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.control.callback_loops import Step, Test, appending, fold_watched
from autograph.backends.graph.control.loop_source import Functions, Iteration, LoopSource
from autograph.backends.graph.iterators.iterator_parts import is_tensor, staged_list
from autograph.backends.graph.iterators.staged_iterators import (
    can_iterate_in_python,
    loop_source_of,
)
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.alias_state import recorded_alias_sets
from autograph.backends.graph.tracing.value_tensors import tensor_count, to_tensors
from autograph.backends.graph.values.container_snapshot import with_contents
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.iterables import as_weak
from autograph.backends.graph.values.join import by_value_in_iterations, widen
from autograph.backends.graph.values.leaf_spec import TracedSpec
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.value_spec import ValueSpec
from autograph.errors import StagingError
from runtime.ops.containers.lists import (
    list_append,
    list_from_rows,
    list_length,
    list_new,
    list_stack,
)

Function = Callable[[Any], object] | None


def rows(values: Any, most: int | None = None) -> list[Any]:
    """Return `list(values)`: the items if they are known, else dynamic items.

    No more than `most` items are taken from an iterator.
    """
    grown = staged_list(values)
    if grown is not None:
        return StagedList.copy(grown)
    if can_iterate_in_python(values):
        return list(rt.convert_to_tensor(values) if is_tensor(values) else values)
    if is_tensor(values):
        tensor = rt.convert_to_tensor(values)
        shape = None if tensor.shape.rank is None else tensor.shape[1:]
        row = TracedSpec(rt.TensorSpec(shape, tensor.dtype))
        return [DynamicItems(list_from_rows(tensor), row)]
    return [_collected(loop_source_of(values), None, (), most)]


def tuple_of_rows(values: Any) -> tuple[Any, ...]:
    """Return `tuple(values)`.

    Raises:
        StagingError: if only the graph knows the number of items.
    """
    if not can_iterate_in_python(values):
        raise StagingError(
            "the length of a tuple must be known while tracing, and the length of this is "
            "known only when the graph runs: make a list of it",
            user_location(),
        )
    return tuple(rows(values))


def collected(function: Function, values: object) -> DynamicItems:
    """Return the items of `values`, or the results of `function` for them, as dynamic items."""
    return _collected(loop_source_of(values), function, () if function is None else (function,))


def items_tensor(values: object) -> rt.Tensor:
    """Return the items of `values` as one tensor; a weak one, if they stand for Python numbers.

    Raises:
        StagingError: if an item is no tensor.
    """
    return stacked(collected_present(values))


def collected_present(values: object) -> DynamicItems:
    """Return the items of `values` as dynamic items, optional ones as their values."""
    return _collected(loop_source_of(values), require_present)


def stacked(items: DynamicItems) -> rt.Tensor:
    """Return dynamic items as one tensor, which is weak if they stand for Python numbers.

    Raises:
        StagingError: if an item is no tensor.
    """
    if not isinstance(items.element, TracedSpec):
        leaves = tensor_count(items.element)
        raise StagingError(f"an item must be one tensor here, not {leaves}", user_location())
    stacked: rt.Tensor = list_stack(items.handle, 0, items.element.tensor_spec)
    return as_weak(stacked) if items.element.weak and stacked.dtype.kind in "biufc" else stacked


def fold(
    function: Callable[[Any, Any], object], values: object, start: object, called: Functions
) -> object:
    """Return `function(... function(start, first) ..., last)`, computed in a staged loop.

    Args:
        function: takes the accumulated value and an item.
        values: the iterable.
        start: the accumulated value before the first item.
        called: the user's functions that `function` calls.
    """
    source = loop_source_of(values)
    step = lambda iteration, so_far: function(so_far, iteration.item())  # noqa: E731
    return fold_watched(source, step, start, (*called, *source.functions))


def require_present(item: Any) -> Any:
    """Return the value of an optional item, after a run-time check that it is not None."""
    while isinstance(item, OptionalValue):
        item = item.require_value("an item is None where a number is needed")
    return item


def search_items(values: object, found_in: Callable[[Any], rt.Tensor], by: bool) -> rt.Tensor:
    """Return `by` if an item decides, else its opposite; the loop ends at that item.

    Args:
        values: the iterable.
        found_in: returns whether an item decides, as a scalar bool tensor.
        by: the result if an item decides.
    """
    source = loop_source_of(values)
    step = lambda iteration, _: found_in(iteration.item())  # noqa: E731
    if source.functions:
        found = fold_watched(source, step, rt.constant(False), source.functions, rt.logical_not)
    else:
        found = _looped(source, step, rt.constant(False), rt.logical_not)
    return found if by else rt.logical_not(found)


def _collected(
    source: LoopSource, function: Function, called: Functions = (), most: int | None = None
) -> DynamicItems:
    """Return the results of `function` for all items, or for the first `most` ones.

    `called` are the user's functions that it calls.
    """
    functions = (*called, *source.functions)
    make = (lambda item: item) if function is None else function
    if functions:
        few = None if most is None else lambda items: rt.less(StagedList(items).length(), most)
        return StagedList(fold_watched(source, appending(make), [], functions, few)).as_dynamic()
    specs = list[ValueSpec]()

    def append(iteration: Iteration, items: Any) -> Any:
        item = make(iteration.item())
        now = with_contents(item, _there_before(item))
        specs.append(widen(by_value_in_iterations(spec_of(now))))
        more = list_append(items, *to_tensors(specs[-1], now))
        record_copied([item], more)
        return more

    short = None if most is None else lambda items: rt.less(list_length(items), most)
    return DynamicItems(_looped(source, append, list_new(), short), specs[-1])


def _there_before(item: object) -> set[int]:
    """Return the identities of the objects in an item that are from before its iteration."""
    picked = {
        id(alias_set.members[0].value) for alias_set in recorded_alias_sets() if not alias_set.name
    }
    return {id(part.value) for part in mutable_parts(item)} - picked


def _looped(source: LoopSource, step: Step, start: rt.Tensor, goes_on: Test | None = None) -> Any:
    def body(*state: Any) -> tuple[Any, ...]:
        iteration, so_far = source.iteration(state[:-1]), state[-1]
        if iteration.has_item is None:
            after = step(iteration, so_far)
        else:
            after = rt.cond(iteration.has_item, lambda: step(iteration, so_far), lambda: so_far)
        return (*iteration.following(), after)

    def test(*state: Any) -> rt.Tensor:
        hidden = state[:-1]
        if goes_on is None:
            return source.more(hidden)
        return source.more_if(lambda: goes_on(state[-1]), hidden)

    *hidden, result = rt.while_loop(test, body, (*source.hidden, start))
    source.at_end(hidden)
    return result
