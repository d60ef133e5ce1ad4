"""Lowers a graph or region into a function body: values, effects and node names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import SymbolicTensor
from runtime.errors import UnimplementedError
from runtime.export.data_types import RESOURCE
from runtime.export.function_body import Body, ValueRef
from runtime.export.functions import Functions
from runtime.export.item_types import ItemTypes
from runtime.export.node_lowering import NodeLowering, Rule, Value, flat, unsupported
from runtime.export.node_names import Scopes, uses_of
from runtime.export.rules import DIRECT, RULES, UNSUPPORTED
from runtime.export.rules.display_only import shown
from runtime.graph.graph import Graph
from runtime.graph.node import Node


class FunctionLibrary(Functions):
    """The functions made so far, and what is in the lists they take.

    Args:
        graph: the graph that is lowered.
        is_shown: whether nodes that TensorFlow could not run are shown, too, and not refused.

    Attributes:
        refusals: why TensorFlow could not run what is shown.
    """

    def __init__(self, graph: Graph, is_shown: bool = False) -> None:
        super().__init__()
        self.refusals: list[UnimplementedError] = []
        self._is_shown = is_shown
        self.types = ItemTypes(graph, self.refuse)

    def refuse(self, error: Exception) -> None:
        """Note why TensorFlow could not run the graph; raise it unless that is shown."""
        if not self._is_shown or not isinstance(error, UnimplementedError):
            raise error
        self.refusals.append(error)


class Region:
    """A graph being lowered.

    Args:
        graph: the graph, pruned.
        body: where its nodes go.
        library: where the functions go.
    """

    def __init__(self, graph: Graph, body: Body, library: FunctionLibrary) -> None:
        self.graph = graph
        self.body = body
        self.library = library
        self.values: dict[int, Any] = {}
        self._uses = uses_of(graph)
        self._scopes = Scopes(body.names)
        self._changes: dict[int, Sequence[str]] = {}

    def lower(self) -> None:
        """Add all nodes."""
        for node in self.graph.nodes:
            self._lower(node)

    def value(self, tensor: SymbolicTensor) -> Any:
        """Return the lowered form of a value of the graph."""
        return self.values[id(tensor)]

    def scope(self, node: Node) -> str:
        """Return the name of a node in the file, which may be given out before it is added."""
        return self._scopes.of(node)

    def kinds(self, tensor: SymbolicTensor) -> list[Any]:
        """Return the dtypes of a value's lowered form: of a list there may be several."""
        if getattr(tensor.spec, "kind", "") == "variable":
            return [RESOURCE]
        if tensor.dtype.is_variant:
            return [tensor.dtype] * len(self.library.types.of(tensor))
        return [tensor.dtype]

    def grouped(self, refs: Iterable[ValueRef], like: Iterable[SymbolicTensor]) -> list[Value]:
        """Put results together to the lowered form of each value."""
        rest = iter(refs)
        found: list[Value] = []
        for tensor in like:
            parts = tuple([next(rest) for _ in self.kinds(tensor)])
            found.append(parts if tensor.dtype.is_variant else parts[0])
        return found

    def inner(self, graph: Graph, body: Body) -> Region:
        """Return a region of a node of this one, to be lowered into a function."""
        return Region(graph, body, self.library)

    def last_changes(self) -> list[str]:
        """Return the nodes that results have to wait for; all nodes are added.

        Those are the ones with effects, but for those that another one waits for, and those that
        look at what nobody uses: a graph has such values only where a node may fail, which a
        program is to show.
        """
        waited = {id(earlier) for node in self.graph.nodes for earlier in node.control}
        return [
            name
            for node in self.graph.nodes
            if id(node) not in waited
            for name in self._changes.get(id(node)) or self._looks_at(node)
        ]

    def _looks_at(self, node: Node) -> Sequence[str]:
        """Add what looks at the results of a node that nobody uses, if it is one.

        To wait for it would not do: TensorFlow drops a node without effects that others only wait
        for.
        """
        if not node.outputs or any(id(tensor) in self._uses for tensor in node.outputs):
            return ()
        scope = self.scope(node)
        always = self.body.const(np.array(True), self.body.names.fresh(f"{scope}/condition"))
        unused = list(flat(map(self.value, node.outputs)))
        name = self.body.names.fresh(f"{scope}/Assert")
        self.body.add("Assert", [always, unused], {"summarize": 3}, name)
        return [self.body.changes.pop()]

    # -- nodes ---------------------------------------------------------------------------------

    def _lower(self, node: Node) -> None:
        step = NodeLowering(
            self, node, self.scope(node), [self.value(each) for each in node.inputs]
        )
        earlier = [name for before in node.control for name in self._changes.get(id(before), ())]
        with self.body.after(earlier):
            mark = self.body.marked()
            try:
                made = rule_for(node)(step)
            except UnimplementedError as error:
                self.library.refuse(error)
                self.body.take_back(mark)
                made = shown(step)
        if self.body.changes:
            self._changes[id(node)] = list(self.body.changes)
            self.body.changes.clear()
        else:
            # What waits for this one waits for those before it.
            self._changes[id(node)] = earlier if node.effect != "none" else ()
        results = made if isinstance(made, list) else [made]
        for tensor, value in zip(node.outputs, results, strict=True):
            self.values[id(tensor)] = value


def rule_for(node: Node) -> Rule:
    """Return the rule that lowers a node.

    Raises:
        UnimplementedError: TensorFlow has nothing that does the same.
    """
    name = node.op.name
    if name in UNSUPPORTED:
        raise unsupported(node, UNSUPPORTED[name])
    if name in RULES:
        return RULES[name]
    if name in DIRECT:
        return _direct
    raise unsupported(node, "nothing is known of this op")


def _direct(step: NodeLowering) -> Value | list[Value]:
    """Lower a node to the one of the same inputs that its op names."""
    made: Any = step.last(step.node.op.lower["graphdef"], *step.inputs)
    return made
