"""Items that are inserted into a list more than once, so that it may contain them twice.

for i in range(n):
    few.append(rows[0])      few has one row n times in Python, and n copies in the graph
few[k].append(1)             refused; rows[i] would be another row in each iteration

few[0] = rows[i]
few[1] = rows[j]             i and j may be one
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import origin_ids
from autograph.backends.graph.aliases.duplicate_items import differs_per_iteration
from autograph.backends.graph.aliases.item_containers import mutable_parts
from autograph.backends.graph.aliases.list_provenance import (
    are_made_apart,
    graphs_around,
    item_sources,
    node_of,
    source_handles,
    steps_to,
)
from autograph.backends.graph.state.alias_state import AliasSet, AliasState, ElementOrigin
from autograph.operators.call_listeners import is_within
from runtime.core.context import current_recorder
from runtime.graph.graph import PLACEHOLDER, Graph
from runtime.graph.region_ops import COND, WHILE
from runtime.ops.containers.list_kernels import EXTEND


def may_be_put_again(aliases: AliasState, handles: Sequence[rt.Tensor]) -> bool:
    """Return whether finished loops may have inserted one container twice in these handles."""
    inside = set[int]().union(*(item_sources(aliases, handle) for handle in handles))
    picked = {id(t.members[0].value) for t in aliases.alias_sets if not t.name}
    return any(
        _is_put_in_iterations(aliases, part.value, copied.handle)
        if id(part.value) in picked
        else _is_from_before(copied)
        for copied in aliases.copied
        if id(copied.handle) in inside
        for part in copied.members
    ) or any(map(_is_extended_in_iterations, handles))


def may_be_picked_twice(aliases: AliasState, owner: object, handles: Sequence[rt.Tensor]) -> bool:
    """Return whether two picks from one list, maybe of one item, were inserted in these handles."""
    inside = set[int]().union(*(item_sources(aliases, handle) for handle in handles))
    put = [(p.value, c.handle) for c in aliases.copied if id(c.handle) in inside for p in c.members]
    found = [(_origin(aliases, value), handle) for value, handle in put]
    picked = [(o, handle) for o, handle in found if o is not None and o.owner is not owner]
    return any(
        one.value is not other.value
        and not are_made_apart(handle, beside)
        and _may_be_one(aliases, one, other)
        for at, (one, handle) in enumerate(picked)
        for other, beside in picked[:at]
    )


def _may_be_one(aliases: AliasState, one: ElementOrigin, other: ElementOrigin) -> bool:
    """Return whether two picked items may be one container."""
    if not origin_ids(aliases, one.owner).isdisjoint(origin_ids(aliases, other.owner)):
        return not _are_apart(one.key, other.key)
    return not _sources_of(aliases, one).isdisjoint(_sources_of(aliases, other))


def _sources_of(aliases: AliasState, origin: ElementOrigin) -> set[int]:
    """Return the identities of the lists that may contain a picked item, and of their new items.

    Lists have an item in common where one container, or items of one list, were put in both.
    """
    found, waiting = set[int](), [origin]
    while waiting:
        one = waiting.pop()
        found |= origin_ids(aliases, one.owner)
        inside = item_sources(aliases, one.handle)
        put = [part.value for c in aliases.copied if id(c.handle) in inside for part in c.members]
        new = [each for each in put if id(each) not in found]
        found.update(map(id, new))
        waiting += [each for each in (_origin(aliases, value) for value in new) if each is not None]
    return found


def _are_apart(one: object, other: object) -> bool:
    """Return whether two indices are known to differ."""
    if not isinstance(one, int) or not isinstance(other, int):
        return False
    return one != other and (one < 0) == (other < 0)


def _is_put_in_iterations(aliases: AliasState, value: object, handle: Any) -> bool:
    """Return whether two iterations may have inserted the same picked item in one list."""
    origin = _origin(aliases, value)
    key = None if origin is None else origin.key
    for body in _loops_around(handle.graph):
        if not _persists(handle, body):
            continue
        if differs_per_iteration(key, body):
            key = None  # Each iteration of an outer loop counts separately.
        elif origin is None or not _is_made_in(origin, body):
            return True
    return False


def _is_from_before(copied: AliasSet) -> bool:
    """Return whether each iteration of a loop may have inserted a container from before it."""
    handle: Any = copied.handle
    made_in = copied.iteration
    return any(
        _persists(handle, body) and (made_in is None or not is_within(made_in, body))
        for body in _loops_around(handle.graph)
    )


def _is_extended_in_iterations(handle: rt.Tensor) -> bool:
    """Return whether each iteration of a loop may have extended a list by items from before it."""
    for each in source_handles(handle):
        if each.node.op is not WHILE:
            continue
        body, at = each.node.regions[1], each.index
        inside = _earlier(body.outputs[at])
        if id(body.parameters[at]) in inside:
            if any(_joins_earlier_items(one, body) for one in inside.values()):
                return True
    return False


def _joins_earlier_items(handle: Any, body: Graph) -> bool:
    """Return whether an op joins two lists with items from before an iteration."""
    return handle.node.op is EXTEND and all(
        any(not _is_inside(each, body) for each in _earlier(one).values())
        for one in handle.node.inputs[:2]
    )


def _origin(aliases: AliasState, value: object) -> ElementOrigin | None:
    """Return the origin of a container, or of the item that contains it."""
    found = (o for o in aliases.origins if any(p.value is value for p in mutable_parts(o.value)))
    return next(found, None)


def _loops_around(graph: Graph) -> Iterator[Graph]:
    """Yield the bodies of finished loops around a graph, the innermost first."""
    now: Any = current_recorder()
    for each in graphs_around(graph):
        if is_within(now, each):
            return
        node = node_of(each)
        if node is not None and node.op is WHILE and node.regions[1] is each:
            yield each


def _is_made_in(origin: ElementOrigin, body: Graph) -> bool:
    """Return whether each iteration creates the list of a picked item, and all items in it."""
    return all(_is_inside(handle, body) for handle in source_handles(origin.handle))


def _is_inside(handle: Any, body: Graph) -> bool:
    return is_within(handle.graph, body) and not any(handle is each for each in body.parameters)


def _persists(handle: rt.Tensor, body: Graph) -> bool:
    """Return whether a list handle, or a list made with it, continues one of earlier iterations."""
    starts = {id(each) for each in body.parameters}
    if starts & _earlier(handle).keys():
        return True
    made = (_earlier(each).keys() for each in body.outputs if each.dtype == rt.variant)
    return any(id(handle) in each and bool(starts & each) for each in made)


def _earlier(handle: rt.Tensor) -> dict[int, rt.Tensor]:
    """Return the handles that a list was made of, by identity, its own included."""
    seen, waiting = dict[int, rt.Tensor](), [handle]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen[id(one)] = one
            waiting += handles_before(one)
    return seen


def handles_before(handle: Any) -> list[Any]:
    """Return the handles of the lists that the op which makes this handle continues or joins."""
    node, graph = handle.node, handle.graph
    if node.op is COND:
        return [region.outputs[handle.index] for region in node.regions]
    if node.op is WHILE:
        return [node.regions[1].outputs[handle.index], node.inputs[handle.index]]
    if node.op is not PLACEHOLDER:
        return [
            each
            for place, each in enumerate(node.inputs)
            if each.dtype == rt.variant and not steps_to(node, handle, place)
        ]
    outer = [each.outer for each in graph.captures if each.inner is handle]
    around = node_of(graph)
    place = next((at for at, each in enumerate(graph.parameters) if each is handle), None)
    if place is None or around is None or around.op is not WHILE:
        return outer
    return [around.inputs[place], around.regions[1].outputs[place]]
