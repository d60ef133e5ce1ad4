"""Lists that are concatenated with items of their own, which they then contain twice.

few = rows + rows[:1]         few has one row twice in Python, and two copies in the graph
few[0].append(1)              refused; rows[1:] + rows[:1] has each row once
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import runtime as rt
from autograph.backends.graph.aliases.duplicate_items import is_same_index, without_steps
from autograph.backends.graph.aliases.list_provenance import source_handles
from autograph.backends.graph.aliases.repeated_insertion import handles_before
from autograph.backends.graph.state.alias_state import AliasState
from autograph.operators.call_listeners import is_within
from runtime.graph.graph import PLACEHOLDER, Graph
from runtime.graph.node import Node
from runtime.ops.arrays.index import Input
from runtime.ops.containers.list_kernels import (
    APPEND,
    DELETE_SLICE,
    EXTEND,
    INSERT,
    SET,
    SET_SLICE,
    SLICE,
)


class _Part(NamedTuple):
    """The items of a list handle between two bounds; None for an end of the list."""

    handle: rt.Tensor
    start: object = None
    stop: object = None


def has_joined_twice(aliases: AliasState, handles: Sequence[rt.Tensor]) -> bool:
    """Return whether these handles may have items of a list that was joined with its own items."""
    made = [each for handle in handles for each in source_handles(handle)]
    return any(
        _may_overlap(aliases, part, other, handle.graph)
        for handle in made
        for part, other in _joined_parts(aliases, handle.node)
    )


def _joined_parts(aliases: AliasState, node: Node) -> Iterator[tuple[_Part, _Part]]:
    """Yield the parts of the two lists that an op joins, each of the one with each of the other."""
    if node.op is EXTEND or node.op is SET_SLICE:
        first, second, *_ = node.inputs
        kept = _parts(aliases, first) if node.op is EXTEND else _around_slice(aliases, node)
        yield from ((part, other) for part in kept for other in _parts(aliases, second))


def _parts(aliases: AliasState, handle: Any) -> list[_Part]:
    """Return the parts of other lists that a list consists of, besides single items."""
    handle = _as_made(aliases, handle)
    if not isinstance(handle, rt.SymbolicTensor):
        return [_Part(handle)]
    node = handle.node
    if node.op is EXTEND:
        return [part for each in node.inputs for part in _parts(aliases, each)]
    if node.op in (APPEND, INSERT, SET):
        return _parts(aliases, node.inputs[0])
    if node.op is DELETE_SLICE:
        return _around_slice(aliases, node)
    if node.op is not SLICE:
        return [_Part(handle)]
    whole = _as_made(aliases, node.inputs[0])
    is_cut = isinstance(whole, rt.SymbolicTensor) and whole.node.op is SLICE
    return _parts(aliases, whole) if is_cut else [_Part(whole, *_bounds(node))]


def _around_slice(aliases: AliasState, node: Node) -> list[_Part]:
    """Return the parts of a list before and behind the slice that an op replaces or deletes."""
    before = _parts(aliases, node.inputs[0])
    span: Any = node.attrs["span"]
    if span.step is not None or before[0][1:] != (None, None) or len(before) > 1:
        return before
    start, stop = _bounds(node)
    kept = (before[0]._replace(stop=start), before[0]._replace(start=stop))
    return [each for each in kept if (each.start, each.stop) != (None, None)]


def _as_made(aliases: AliasState, handle: Any) -> Any:
    """Return a list handle as it was before its items were converted to another spec."""
    while id(handle) in aliases.converted_from:
        handle = aliases.converted_from[id(handle)][1]
    return handle


def _bounds(node: Node) -> tuple[object, object]:
    """Return the bounds of an op's slice; those of a slice with a step are the ends of the list."""
    span: Any = node.attrs["span"]
    given = [each for each in node.inputs if each.dtype != rt.variant]
    start, stop = (
        given[each.position] if isinstance(each, Input) else each
        for each in (span.start, span.stop)
    )
    return (start, stop) if span.step is None else (None, None)


def _may_overlap(aliases: AliasState, one: _Part, other: _Part, graph: Graph) -> bool:
    """Return whether two parts that are joined in a graph may have an item in common."""
    if one.handle is other.handle:
        return not (_is_before(one.stop, other.start) or _is_before(other.stop, one.start))
    first, second = (_made_of(aliases, each.handle, graph) for each in (one, other))
    return not first.isdisjoint(second)


def _made_of(aliases: AliasState, handle: Any, graph: Graph) -> set[int]:
    """Return the identities of the list handles that a list was made of.

    Those of earlier iterations of the loops around `graph` do not count: `repeated_insertion` looks
    at them.
    """
    found, waiting = set[int](), [handle]
    while waiting:
        one: Any = waiting.pop()
        if id(one) not in found and isinstance(one, rt.SymbolicTensor):
            found.add(id(one))
            is_begun = one.node.op is PLACEHOLDER and is_within(graph, one.graph)
            behind = handles_before(one)
            waiting += [each for each in behind if not is_begun or each.graph is not one.graph]
            waiting += [each for each, _ in aliases.initial_handles.get(id(one), (one, []))[1]]
            waiting += aliases.converted_from.get(id(one), ())
    return found


def _is_before(stop: object, start: object) -> bool:
    """Return whether a slice that ends at one bound is before one that starts at another."""
    if isinstance(stop, int) and isinstance(start, int):
        return (stop < 0) == (start < 0) and stop <= start
    (end, after), (begin, further) = without_steps(stop), without_steps(start)
    return is_same_index(end, begin) and bool(after <= further)
