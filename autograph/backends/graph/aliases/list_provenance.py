"""The provenance of staged lists: the lists that each one is made from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import runtime as rt
from autograph.backends.graph.state.alias_state import AliasState, alias_state
from autograph.backends.graph.values.container_snapshot import ContainerSnapshot
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.operators.call_listeners import is_within
from runtime.graph.graph import PLACEHOLDER, Graph
from runtime.graph.node import Node
from runtime.graph.region_ops import COND, WHILE
from runtime.ops.containers.list_kernels import APPEND, GET, INSERT, LIST_OF, POP, SET

# The distance from a list handle to its items, in list levels.
_ITEM = 1
_NONE: Mapping[int, Any] = MappingProxyType({})
# The first output with an item, of ops that take items, and the first input with an item.
_PICKING = {GET: 0, POP: 1}
_PUTTING = {APPEND: 1, INSERT: 2, SET: 2}


def may_hold_items_of(
    handles: Iterable[rt.Tensor], others: Iterable[rt.Tensor | None]
) -> list[bool]:
    """Return for each other list handle whether its items may be in one of `handles`.

    A loop that is still being traced may have inserted any item from before the loop.
    """
    sources = _Sources(handles)
    return [sources.may_hold_items_of(each) or sources.comes_in(each) for each in others]


def record_initial_handles(pairs: Iterable[tuple[object, object]]) -> None:
    """Record the sources of the list handles at the start of a loop's body.

    Args:
        pairs: the value of a variable at the start of the body, and its value before the loop.
    """
    aliases = alias_state()
    begun_with = {} if aliases is None else aliases.initial_handles
    for made, before in pairs:
        for handle, _ in handles_within(made):
            begun_with[id(handle)] = (handle, list(handles_within(before)))


def handles_within(
    value: object, depth: int = 0, around: frozenset[int] = frozenset()
) -> Iterator[tuple[rt.Tensor, int]]:
    """Yield the list handles in a value, each with the number of lists around its list.

    Args:
        value: any value.
        depth: the number of lists around it.
        around: the identities of the containers around it, one of which it may be.
    """
    if isinstance(value, ContainerSnapshot):
        value = value.copy
    if type(value) is DynamicItems:
        yield value.handle, depth - 1
        return
    if isinstance(value, (OptionalValue, PossiblyUnbound)):
        value = value.value
    children = rt.nest.children(value)
    if children is None or id(value) in around:
        return
    around |= {id(value)}
    for child in children:
        yield from handles_within(child, depth + isinstance(value, list), around)


def item_sources(aliases: AliasState, handle: rt.Tensor) -> frozenset[int]:
    """Return the identities of the list handles whose items a handle contains, its own included.

    Handles whose items were inserted one by one, by a loop over them, do not count.
    """
    found = aliases.source_cache.get(id(handle))
    if found is None:
        sources = _Sources([handle])
        inside = (
            key for key, (each, _) in sources.reached.items() if sources.may_hold_items_of(each)
        )
        found = (handle, frozenset(inside))
        if not sources.is_open:
            aliases.source_cache[id(handle)] = found
    return found[1]


def has_items_of(aliases: AliasState, handle: rt.Tensor, source: rt.Tensor | None) -> bool:
    """Return whether a list handle contains items of a source, inserted one by one or together."""
    return id(source) in item_sources(aliases, handle) or (
        bool(aliases.picked_from)
        and _Sources([handle], picked_from=aliases.picked_from).may_hold_items_of(source)
    )


def source_handles(handle: rt.Tensor) -> list[rt.SymbolicTensor]:
    """Return the list handles of `item_sources`."""
    sources = _Sources([handle])
    return [each for each, _ in sources.reached.values() if sources.may_hold_items_of(each)]


def flat_sources(handle: rt.Tensor) -> list[rt.SymbolicTensor]:
    """Return the list handles whose own items a handle contains, not those of lists in it."""
    sources = _Sources([handle], is_flat=True)
    return [each for each, _ in sources.reached.values() if sources.may_hold_items_of(each)]


def may_lack_change(handle: rt.Tensor, source: rt.Tensor, changed: Sequence[rt.Tensor]) -> bool:
    """Return whether a list handle may contain items of a source on a path that lacks a change.

    Args:
        handle: the list handle.
        source: the handle with the items.
        changed: the handles that have the change; a path that makes none of them lacks it.
    """
    return _Sources([handle], changed).may_hold_items_of(source)


def are_made_apart(first: rt.Tensor | None, second: rt.Tensor | None) -> bool:
    """Return whether two list handles are made on different paths of one `if`."""
    if not isinstance(first, rt.SymbolicTensor) or not isinstance(second, rt.SymbolicTensor):
        return False
    return are_apart(first.graph, second.graph)


def are_apart(first: Graph, second: Graph) -> bool:
    """Return whether two graphs are, or are in, different paths of one `if`."""
    around = list(graphs_around(first))
    inside = None
    for graph in graphs_around(second):
        if any(graph is each for each in around):
            at = next(at for at, each in enumerate(around) if graph is each)
            others = (inside, around[at - 1] if at else None)
            return any(
                node.op is COND and all(any(r is o for r in node.regions) for o in others)
                for node in graph.nodes
            )
        inside = graph
    return False


def path_test(handle: rt.Tensor | None) -> Callable[[Graph], bool]:
    """Return a test whether a list handle may be made on a path, for `possible_aliases`."""
    if not isinstance(handle, rt.SymbolicTensor):
        return lambda path: True
    graph = handle.graph
    return lambda path: not are_apart(path, graph)


class _Sources:
    """The sources of some list handles, found backwards through the graph.

    The items of a list of lists contain list handles. The items of a handle are one step away from
    it, the items of the handles in them two steps, and so on.

    Args:
        handles: the handles to start from.
        barred: handles whose sources are not searched, nor paths that make none of them.
        picked_from: handles, with the handles that their items were picked from.
        is_flat: whether the lists in the first handles do not count as their contents.

    Attributes:
        reached: the sources, by identity, with the least number of steps to contents of them that
            may be in one of the first handles.
        is_open: whether the search has reached a loop that is still being traced.
    """

    def __init__(
        self,
        handles: Iterable[rt.Tensor],
        barred: Sequence[rt.Tensor] = (),
        picked_from: Mapping[int, tuple[rt.Tensor, list[rt.Tensor]]] = _NONE,
        is_flat: bool = False,
    ) -> None:
        self._picked_from = picked_from
        self._barred = {id(each) for each in barred}
        self._paths = [each.graph for each in barred if isinstance(each, rt.SymbolicTensor)]
        aliases = alias_state()
        self._carried_anew = {} if aliases is None else aliases.converted_from
        self._begun_with = {} if aliases is None else aliases.initial_handles
        self.reached: dict[int, tuple[rt.SymbolicTensor, int]] = {}
        # Finished regions, by identity, with the nodes they belong to.
        self._nodes: dict[int, Node] = {}
        self._open: list[Graph] = []
        self.is_open = False
        waiting = [(handle, _ITEM) for handle in handles]
        while waiting:
            handle, steps = waiting.pop()
            is_new = id(handle) not in self._barred and steps < self._steps(handle)
            if isinstance(handle, rt.SymbolicTensor) and is_new:
                self.reached[id(handle)] = (handle, steps)
                waiting.extend(
                    (each, max(_ITEM, far))
                    for each, far in self._behind(handle, steps)
                    if far >= _ITEM or not is_flat
                )

    def may_hold_items_of(self, handle: rt.Tensor | None) -> bool:
        """Return whether items of a list handle may be in one of the first handles."""
        return self._steps(handle) == _ITEM

    def comes_in(self, handle: rt.Tensor | None) -> bool:
        """Return whether a list handle is from before a loop that is still being traced."""
        graph = handle.graph if isinstance(handle, rt.SymbolicTensor) else None
        return any(loop is not graph and is_within(loop, graph) for loop in self._open)

    def _steps(self, handle: rt.Tensor | None) -> float:
        """Return the least steps to contents of a handle that may be in the first handles."""
        return self.reached.get(id(handle), (handle, math.inf))[1]

    def _behind(self, handle: rt.SymbolicTensor, steps: int) -> Iterator[tuple[rt.Tensor, int]]:
        """Yield the direct sources of a list handle, each with the steps to its contents."""
        node = handle.node
        if id(handle) in self._carried_anew:
            yield self._carried_anew[id(handle)][1], steps
        if id(handle) in self._picked_from:
            yield from ((each, steps) for each in self._picked_from[id(handle)][1])
        if node.op is PLACEHOLDER:
            yield from ((each, steps) for each in self._given(handle))
            begun = self._begun_with.get(id(handle))
            yield from ((each, steps - deep) for each, deep in begun[1]) if begun else ()
            return
        self._nodes.update((id(region), node) for region in node.regions)
        if node.op is COND or node.op is WHILE:
            # The first region of a loop is its test.
            regions = node.regions[1:] if node.op is WHILE else node.regions
            making = [
                each for each in regions if any(is_within(path, each) for path in self._paths)
            ]
            yield from ((region.outputs[handle.index], steps) for region in making or regions)
            if node.op is WHILE and not making:
                yield from ((each, steps) for each in node.inputs[handle.index : handle.index + 1])
            return
        for place, each in enumerate(node.inputs):
            if each.dtype == rt.variant:
                yield each, steps + steps_to(node, handle, place)
        for region in node.regions:
            yield from ((each, steps) for each in _variants_in(region.outputs))

    def _given(self, handle: rt.SymbolicTensor) -> Iterator[rt.Tensor]:
        """Yield the outer handles that a region's parameter or capture stands for."""
        graph = handle.graph
        for capture in graph.captures:
            if capture.inner is handle and isinstance(capture.outer, rt.Tensor):
                yield capture.outer
        position = next((k for k, each in enumerate(graph.parameters) if each is handle), None)
        if position is None:
            return
        node = self._nodes.get(id(graph)) or node_of(graph)
        if node is None:
            self.is_open = True
            if id(handle) not in self._begun_with:
                self._open.append(graph)
        elif node.op is WHILE:
            yield from (node.inputs[position], node.regions[1].outputs[position])
        else:
            yield from _variants_in(node.inputs)


def steps_to(node: Node, handle: rt.SymbolicTensor, place: int) -> int:
    """Return the steps that a node adds between the contents of its output and an input."""
    if node.op in _PICKING and handle.index >= _PICKING[node.op]:
        return 1
    is_item = node.op is LIST_OF or node.op in _PUTTING and place >= _PUTTING[node.op]
    return -1 if is_item else 0


def _variants_in(tensors: Sequence[rt.Tensor]) -> Iterator[rt.Tensor]:
    return (tensor for tensor in tensors if tensor.dtype == rt.variant)


def node_of(region: Graph) -> Node | None:
    """Return the node a region belongs to, if it is recorded."""
    nodes = region.outer.nodes if region.outer is not None else ()
    return next((n for n in nodes if any(each is region for each in n.regions)), None)


def graphs_around(graph: Graph | None) -> Iterator[Graph]:
    """Yield a graph and those around it."""
    while graph is not None:
        yield graph
        graph = graph.outer
