"""Rewriting: one walk over a graph that replaces values.

%negative = negative(%x)                 %negative = negative(%x)
%negative_1 = negative(%negative)   ->   return %x
return %negative_1

A pass is a `Rewriting` whose `visit` returns the replacements of a node's results. It changes a
graph without other users (a copy by `prune`) in place: most passes change little in most graphs,
and an unchanged node costs only a look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from runtime.core.context import Origin
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.errors import GraphError
from runtime.graph.capture import Capture
from runtime.graph.effects import STRENGTH, EffectOrder, effect_of
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.op import Op
from runtime.passes.prune import Needed, copy_regions, operands_in

# Ops whose regions may get additional captures, or lose some.
CAPTURING_OPS = frozenset(("cond", "while_loop", "switch_case", "try_except"))


class Rewriting:
    """One walk over a graph and its regions; `visit` of a subclass returns replacements of a node.

    Attributes:
        changed: whether the graph was changed.
        owners: the nodes around the visited one, each with the region that the walk is in,
            innermost last.
    """

    def __init__(self) -> None:
        self.changed = False
        self.owners: list[tuple[Node, Graph]] = []
        self._values: dict[int, SymbolicTensor] = {}
        self._emitted: list[list[Node]] = []
        # Keeps replaced tensors alive, so that their ids are not reused.
        self._replaced: list[object] = []

    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        """Return the replacement of each result of `node`, None if the node stays.

        A replaced node is removed. Its operands and regions have been visited before.
        """
        raise AssertionError(f"{type(self).__name__} must define visit")

    def enter_graph(self, graph: Graph, owner: Node | None) -> None:
        """Act before the nodes of `graph`, a region of `owner` or the whole graph, are visited."""

    def leave_graph(self, graph: Graph, owner: Node | None) -> None:
        """Act after the nodes of `graph` were visited."""

    def run(self, graph: Graph) -> bool:
        """Rewrite `graph` in place, and return whether it changed."""
        self._walk(graph, None)
        if self.changed:
            update_effects(graph)
        return self.changed

    def emit(self, node: Node) -> Node:
        """Insert a new node before the visited one."""
        self._emitted[-1].append(node)
        self.changed = True
        return node

    def replace(self, old: SymbolicTensor, new: SymbolicTensor) -> None:
        """Replace `old` by `new` in everything that follows."""
        self._values[id(old)] = new
        self._replaced.append(old)
        self.changed = True

    def _walk(self, graph: Graph, owner: Node | None) -> None:
        if owner is not None:
            self.owners.append((owner, graph))
        kept: list[Node] = []
        self._emitted.append(kept)
        self.enter_graph(graph, owner)
        values = self._values
        for node in graph.nodes:
            if values:
                self._update_operands(node)
            for region in node.regions:
                self._walk(region, node)
            found = self.visit(graph, node)
            if found is None:
                kept.append(node)
                continue
            if not _is_fit(found, node):
                raise GraphError(
                    f"node '{node.name}' ({node.op.name}) is replaced by {found!r}: return None, "
                    f"or a sequence of {len(node.outputs)} tensors, one for each result",
                    node.origin,
                )
            for old, new in zip(node.outputs, found):
                self.replace(old, new)
            self._replaced.append(node)
            self.changed = True
        graph.nodes = kept
        if values:
            graph.outputs = replaced_outputs(graph.outputs, values)
        self.leave_graph(graph, owner)
        self._emitted.pop()
        if owner is not None:
            self.owners.pop()

    def _update_operands(self, node: Node) -> None:
        values = self._values
        if any(id(each) in values for each in node.inputs):
            set_operands(node, [values.get(id(each), each) for each in node.inputs])


def _is_fit(found: object, node: Node) -> bool:
    if not isinstance(found, (list, tuple)) or len(found) != len(node.outputs):
        return False
    return all(isinstance(each, SymbolicTensor) for each in found)


class RewritingWithUses(Rewriting):
    """A rewriting that knows the used values.

    Attributes:
        used: the identities of the values that the graphs visited so far use.
    """

    def __init__(self) -> None:
        super().__init__()
        self.used: set[int] = set()

    def enter_graph(self, graph: Graph, owner: Node | None) -> None:
        self.used |= used_in(graph)


def used_in(graph: Graph) -> set[int]:
    """Return the identities of the inputs of a graph's nodes and of its outputs."""
    used = {id(each) for node in graph.nodes for each in node.inputs}
    used.update(map(id, graph.outputs))
    return used


def replaced_outputs(
    outputs: Iterable[SymbolicTensor], values: Mapping[int, SymbolicTensor]
) -> list[SymbolicTensor]:
    """Return outputs with some of them replaced, by identity."""
    return [values.get(id(each), each) for each in outputs]


def can_replace(new: SymbolicTensor, old: SymbolicTensor) -> bool:
    """Return whether `new`, with the same value, also has the same shape, dtype and weakness."""
    return new.weak == old.weak and (new.spec is old.spec or new.spec == old.spec)


def set_operands(node: Node, inputs: Sequence[SymbolicTensor]) -> None:
    """Set the operands of a node, and with them the captures of its regions."""
    node.inputs = tuple(inputs)
    for region in node.regions:
        count = len(region.captures)
        if count:
            pairs = zip(node.inputs[-count:], region.captures, strict=True)
            set_captures(region, [Capture(outer, capture.inner) for outer, capture in pairs])


def set_captures(region: Graph, captures: list[Capture]) -> None:
    """Set the captures of a region, which are the last operands of its node."""
    region._outer_of = {id(capture.inner): capture.outer for capture in captures}
    region.finish(captures)


def capture_in(owner: Node, tensor: SymbolicTensor, region: Graph) -> SymbolicTensor:
    """Return the inner tensor of an outer value in a region, which captures the value if need be.

    Args:
        owner: the node of the region; all its regions get the capture, if they lack it.
        tensor: a value of the graph around `owner`.
        region: the region that needs it.
    """
    for capture in region.captures:
        if capture.outer is tensor:
            return capture.inner
    node = tensor.node
    for each in owner.regions:
        inner = each._placeholder(tensor.spec, node.name, tensor.weak)
        inner.node.origin = node.origin
        set_captures(each, [*each.captures, Capture(tensor, inner)])
    owner.inputs = (*owner.inputs, tensor)
    return region.captures[-1].inner


def substitute(graph: Graph, values: Mapping[int, SymbolicTensor]) -> None:
    """Replace some values of `graph`, by identity, in all its nodes and outputs."""
    for node in graph.nodes:
        if any(id(each) in values for each in node.inputs):
            set_operands(node, [values.get(id(each), each) for each in node.inputs])
    graph.outputs = replaced_outputs(graph.outputs, values)


def new_node(
    graph: Graph,
    op: Op,
    inputs: Sequence[SymbolicTensor],
    attrs: Mapping[str, object],
    specs: Sequence[TensorSpec],
    name: str,
    origin: Origin | None,
    weak: Sequence[bool] = (),
    regions: tuple[Graph, ...] = (),
) -> Node:
    """Return a new node for `graph`, without adding it."""
    effect = effect_of(op.effects, attrs, regions)
    node = Node(0, graph.fresh_name(name), op, tuple(inputs), attrs, regions, origin, effect)
    flags = weak or [False] * len(specs)
    node.outputs = tuple(
        [SymbolicTensor(graph, node, at, spec, flags[at]) for at, spec in enumerate(specs)]
    )
    return node


def node_like(
    graph: Graph, node: Node, inputs: Sequence[SymbolicTensor], regions: tuple[Graph, ...] = ()
) -> Node:
    """Return a new node of `graph`: a copy of `node` with other operands and regions."""
    specs, weak = [each.spec for each in node.outputs], [each.weak for each in node.outputs]
    name, origin = node.name, node.origin
    return new_node(graph, node.op, inputs, node.attrs, specs, name, origin, weak, regions)


def copy_node(
    graph: Graph, node: Node, needs: Needed, values: Mapping[int, SymbolicTensor], origin: Any
) -> Node:
    """Return a copy of a needed node of another graph as a node of `graph`.

    Args:
        graph: the graph for the copy; it may be a finished region.
        node: the node.
        needs: the needed parts of the node's graph.
        values: the values of `graph` for the operands.
        origin: the line of the copy if the node has none.
    """
    inside = needs.regions[node]
    inputs = operands_in(node, inside, values)
    regions = copy_regions(graph, node, inside, values) if node.regions else ()
    made = node_like(graph, node, inputs, regions)
    made.origin = made.origin or origin
    return made


def move_nodes(nodes: Iterable[Node], graph: Graph, origin: Origin | None) -> None:
    """Move nodes of a region to the graph around it, with new names where these are taken.

    Args:
        nodes: the nodes in order; the caller replaces their operands.
        graph: the graph around the region.
        origin: the line of the region's owner, for nodes that have none.
    """
    for node in nodes:
        node.name = graph.fresh_name(node.name)
        node.origin = node.origin or origin
        for output in node.outputs:
            output.graph = graph
        for region in node.regions:
            region.outer = graph


def keep_results(node: Node, kept: Sequence[int]) -> None:
    """Keep only the results of a node at these positions; the others must be unused."""
    node.outputs = tuple([node.outputs[at] for at in kept])
    for index, output in enumerate(node.outputs):
        output.index = index


def update_effects(graph: Graph) -> None:
    """Update the ids, effects and control dependencies of nodes, in regions first."""
    order = EffectOrder()
    effect = "none"
    for number, node in enumerate(graph.nodes):
        node.id = number
        for region in node.regions:
            update_effects(region)
        if node.regions:
            node.effect = effect_of(node.op.effects, node.attrs, node.regions)
        node.control = order.follow(node)
        if STRENGTH[node.effect] > STRENGTH[effect]:
            effect = node.effect
    graph.effect, graph._order = effect, order
