"""Lowers a graph or region into a function body: values, effects and node names.

A rule lowers one node, which it receives as a `GraphDefNodeLowering`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from runtime.core.dtypes import DType, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.errors import UnimplementedError
from runtime.export.graphdef.data_types import RESOURCE
from runtime.export.graphdef.function_body import Body, ValueRef
from runtime.export.graphdef.functions import AddedFunctions
from runtime.export.graphdef.item_types import ItemTypes
from runtime.export.graphdef.messages import FunctionDef
from runtime.export.graphdef.node_names import Scopes, uses_of
from runtime.export.integer_bounds import BoundsAnalysis
from runtime.export.refusals import refused_node
from runtime.graph.graph import Graph
from runtime.graph.node import Node

Value: TypeAlias = "ValueRef | tuple[ValueRef, ...]"
"""The lowered form of a value: one result, or for a list one result per part of its items."""

Rule: TypeAlias = "Callable[[GraphDefNodeLowering], Value | list[Value]]"
"""Adds nodes to the body of a step and returns the value, or the list of all values, of the node.
"""


class GraphDefNodeLowering:
    """One node during its lowering to nodes of a GraphDef.

    Args:
        region: the region in which its graph is lowered.
        node: the node.
        scope: its name in the file, which prefixes the names of its helper nodes.
        inputs: the lowered operands.

    Attributes:
        attrs: the node's attributes.
    """

    def __init__(self, region: Region, node: Node, scope: str, inputs: Sequence[Any]) -> None:
        self.region = region
        self.node = node
        self.scope = scope
        self.inputs = inputs
        self.attrs: Mapping[str, Any] = node.attrs
        self._is_named = False

    @property
    def body(self) -> Body:
        """The body that the nodes are added to."""
        return self.region.body

    def spec(self, position: int) -> TensorSpec:
        """Return the spec of an operand."""
        return self.node.inputs[position].spec

    def rank(self, position: int = 0, why: str = "of any rank") -> int:
        """Return the rank of an operand, which must be known."""
        rank = self.spec(position).shape.rank
        if rank is None:
            raise self.unsupported(f"for a tensor {why} TensorFlow has no such node")
        return rank

    @property
    def dtype(self) -> DType:
        """The dtype of the first result."""
        return self.node.outputs[0].dtype

    def last(self, op: str, *inputs: Any, **attrs: Any) -> Any:
        """Add the node that is called like the scope; return its result or results."""
        assert not self._is_named
        self._is_named = True
        return self._added(op, inputs, attrs, self.scope)

    def add(self, op: str, *inputs: Any, **attrs: Any) -> Any:
        """Add a helper node with a name in the scope; return its result or results."""
        return self._added(op, inputs, attrs, self.body.names.fresh(f"{self.scope}/{op}"))

    def _added(self, op: str, inputs: Sequence[Any], attrs: Mapping[str, Any], name: str) -> Any:
        found = self.body.add(op, inputs, dict(attrs), name)
        return found[0] if len(found) == 1 else found

    def const(self, value: Any, name: str, dtype: DType = int32) -> ValueRef:
        """Add a constant called `<scope>/<name>`."""
        array = value if isinstance(value, np.ndarray) else np.array(value, dtype.np_dtype)
        full = self.body.names.fresh(f"{self.scope}/{name}")
        return self.body.const(array, full)

    def unsupported(self, reason: str) -> UnimplementedError:
        """Return the error that explains why this node has no counterpart."""
        return self.region.library.unsupported(self.node, reason)


def flat(values: Iterable[Value]) -> Iterator[ValueRef]:
    """Yield the results of the lowered forms of several values."""
    for value in values:
        if isinstance(value, ValueRef):
            yield value
        else:
            yield from value


# -- regions ---------------------------------------------------------------------------------------


class NodeFormat(NamedTuple):
    """A format whose programs are nodes of TensorFlow's.

    Attributes:
        name: its name with its article, for errors.
        rule_for: returns the rule that lowers a node.
        returns_lists: whether a function may return lists.
        copies_results: whether the results of branches and loops are different values, none of
            which is another parameter.
    """

    name: str
    rule_for: Callable[[Node], Rule]
    returns_lists: bool = False
    copies_results: bool = False


class FunctionLibrary(AddedFunctions):
    """The functions added so far, and the types of the items of their lists.

    Args:
        graph: the graph that is lowered.
        target: the format.
        shown: the rule for display-only nodes.
        is_shown: whether nodes that TensorFlow cannot run are shown, not refused.
        functions: the functions of a library that is continued.

    Attributes:
        refusals: the reasons why TensorFlow cannot run the shown nodes.
        bounds: the proofs about integers and lists.
    """

    def __init__(
        self,
        graph: Graph,
        target: NodeFormat,
        shown: Rule,
        is_shown: bool = False,
        functions: dict[str, FunctionDef] | None = None,
    ) -> None:
        super().__init__(functions)
        self.target, self.shown = target, shown
        self.refusals: list[UnimplementedError] = []
        self._is_shown = is_shown
        self.types = ItemTypes(graph, self.refuse, self.unsupported)
        self.bounds = BoundsAnalysis()

    def unsupported(self, node: Node, reason: str) -> UnimplementedError:
        """Return the error that explains why a node has no counterpart, with its line."""
        return refused_node(node, reason, self.target.name)

    def refuse(self, error: Exception) -> None:
        """Note why TensorFlow cannot run the graph; raise it unless the graph is for display."""
        if not self._is_shown or not isinstance(error, UnimplementedError):
            raise error
        self.refusals.append(error)


class Region:
    """A graph being lowered.

    Args:
        graph: the graph, pruned.
        body: the body that its nodes are added to.
        library: the library that functions are added to.
    """

    def __init__(self, graph: Graph, body: Body, library: FunctionLibrary) -> None:
        self.graph = graph
        self.body = body
        self.library = library
        self.values: dict[int, Any] = {}
        self._uses = uses_of(graph)
        self._scopes = Scopes(body.names)
        self._changes: dict[int, Sequence[str]] = {}
        library.bounds.enter(graph)

    def lower(self) -> None:
        """Add all nodes."""
        for node in self.graph.nodes:
            self._lower(node)

    def value(self, tensor: SymbolicTensor) -> Any:
        """Return the lowered form of a value of the graph."""
        return self.values[id(tensor)]

    def scope(self, node: Node) -> str:
        """Return the name of a node in the file, also before the node is added."""
        return self._scopes.of(node)

    def kinds(self, tensor: SymbolicTensor) -> list[Any]:
        """Return the dtypes of a value's lowered form; a list may have several."""
        if getattr(tensor.spec, "kind", "") == "variable":
            return [RESOURCE]
        if tensor.dtype.is_variant:
            return [tensor.dtype] * len(self.library.types.of(tensor))
        return [tensor.dtype]

    def give(self, tensor: SymbolicTensor, value: Value) -> None:
        """Set the lowered form of a value, and note its spec."""
        self.values[id(tensor)] = value
        for ref, spec in zip(flat([value]), self._specs(tensor)):
            self.body.has_spec(ref, spec)

    def _specs(self, tensor: SymbolicTensor) -> list[TensorSpec]:
        """Return the specs of a value's lowered form; of a list those of its items."""
        if tensor.dtype.is_variant and getattr(tensor.spec, "kind", "") != "variable":
            parts = self.library.types.parts(tensor)
            return [TensorSpec(each.shape, each.dtype) for each in parts]
        return [tensor.spec]

    def grouped(self, refs: Iterable[ValueRef], like: Iterable[SymbolicTensor]) -> list[Value]:
        """Group results into the lowered form of each value."""
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

        These are the nodes with effects that no other node waits for, and the checks of unused
        results: only nodes that may fail have unused results, and their failures must be visible.
        """
        waited = {id(earlier) for node in self.graph.nodes for earlier in node.control}
        return [
            name
            for node in self.graph.nodes
            if id(node) not in waited
            for name in self._changes.get(id(node)) or self._looks_at(node)
        ]

    def _looks_at(self, node: Node) -> Sequence[str]:
        """Add a check of a node's results if nothing else uses them.

        A control dependency is not sufficient: TensorFlow prunes a node without effects on which
        others only wait.
        """
        if not node.outputs or any(id(tensor) in self._uses for tensor in node.outputs):
            return ()
        self.body.source, scope = node, self.scope(node)
        always = self.body.const(np.array(True), self.body.names.fresh(f"{scope}/condition"))
        unused = list(flat(map(self.value, node.outputs)))
        name = self.body.names.fresh(f"{scope}/Assert")
        self.body.add("Assert", [always, unused], {"summarize": 3}, name)
        return [self.body.changes.pop()]

    # -- nodes -------------------------------------------------------------------------------------

    def _lower(self, node: Node) -> None:
        step = GraphDefNodeLowering(
            self, node, self.scope(node), [self.value(each) for each in node.inputs]
        )
        earlier = [name for before in node.control for name in self._changes.get(id(before), ())]
        self.body.source = node
        with self.body.after(earlier):
            mark = self.body.marked()
            try:
                made = self.library.target.rule_for(node)(step)
            except UnimplementedError as error:
                self.library.refuse(error)
                self.body.take_back(mark)
                made = self.library.shown(step)
        if self.body.changes:
            self._changes[id(node)] = list(self.body.changes)
            self.body.changes.clear()
        else:
            # Nodes that wait for this one wait for the nodes before it.
            self._changes[id(node)] = earlier if node.effect != "none" else ()
        results = made if isinstance(made, list) else [made]
        for tensor, value in zip(node.outputs, results, strict=True):
            self.give(tensor, value)
