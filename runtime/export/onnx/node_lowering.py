"""Lowers a graph to the nodes of a model, one node of the graph after another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from runtime.core.dtypes import DType, bool_, int64
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.errors import UnimplementedError
from runtime.export.graphdef.item_types import ItemTypes
from runtime.export.integer_bounds import BoundsAnalysis, is_shown_by_write, overflow_omission
from runtime.export.omitted_checks import CHECKS, only_for_checks
from runtime.export.onnx.builder import ModelBuilder
from runtime.export.onnx.data_types import ONNX_TYPES
from runtime.export.onnx.values import MISSING, Missing, ModelTensor, Value, VariableHandle
from runtime.export.refusals import refused_node
from runtime.export.report import Omission
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.node_traits import may_not_fit
from runtime.passes.prune import is_required, may_fail

Rule: TypeAlias = "Callable[[OnnxNodeLowering], Any]"
"""Adds the nodes of one node of a graph, and returns its value or the list of its values."""

MODEL = "an ONNX model"

_UNUSED = "its result is unused, so engines drop it: it may raise here"

_FROM_END = "a negative index counts from the end: here it is an error"


def unsupported(node: Node, reason: str) -> UnimplementedError:
    """Return the error for a node that has no form in ONNX."""
    return refused_node(node, reason, MODEL)


class OnnxNodeLowering:
    """One node during its lowering to nodes of an ONNX model.

    Args:
        graph: the lowering of its graph.
        node: the node.
        inputs: the values of its operands.

    Attributes:
        attrs: the node's attributes.
    """

    def __init__(self, graph: GraphLowering, node: Node, inputs: Sequence[Any]) -> None:
        self.graph = graph
        self.node = node
        self.inputs = inputs
        self.attrs: Mapping[str, Any] = node.attrs

    @property
    def builder(self) -> ModelBuilder:
        """The builder of the model."""
        return self.graph.builder

    @property
    def dtype(self) -> DType:
        """The dtype of the first result."""
        return self.node.outputs[0].dtype

    def spec(self, position: int = 0) -> TensorSpec:
        """Return the spec of an operand."""
        return self.node.inputs[position].spec

    def rank(self, position: int = 0) -> int:
        """Return the rank of an operand, which must be known."""
        rank = self.spec(position).shape.rank
        if rank is None:
            raise self.unsupported("its operand is of any rank: give it a shape")
        return rank

    def op(self, operator: str, *inputs: ModelTensor | None, **attrs: Any) -> ModelTensor:
        """Add a node and return its only result."""
        return self.ops(operator, 1, *inputs, **attrs)[0]

    def ops(
        self, operator: str, count: int, *inputs: ModelTensor | None, **attrs: Any
    ) -> list[ModelTensor]:
        """Add a node and return its results."""
        return self.builder.add(operator, inputs, count, f"{self.node.name}/{operator}", **attrs)

    def const(self, value: Any, dtype: DType) -> ModelTensor:
        """Return a constant of a dtype."""
        return self.builder.constant(np.array(value, dtype.np_dtype), f"{self.node.name}/constant")

    def like(self, value: Any, tensor: ModelTensor) -> ModelTensor:
        """Return a constant of the dtype of a tensor."""
        return self.const(value, tensor.dtype)

    def number(self, value: int) -> ModelTensor:
        """Return a whole number, a scalar of int64."""
        return self.const(value, int64)

    def ints(self, *values: int) -> ModelTensor:
        """Return a vector of int64."""
        return self.const(list(values), int64)

    def cast(self, tensor: ModelTensor, dtype: DType) -> ModelTensor:
        """Return a tensor with the values of another dtype."""
        return self.builder.cast(tensor, dtype, f"{self.node.name}/Cast")

    def index(self, position: int) -> ModelTensor:
        """Return an operand as int64."""
        return self.cast(self.inputs[position], int64)

    def vector(self, tensor: ModelTensor) -> ModelTensor:
        """Return a scalar as a vector of int64 with one element."""
        known = self.builder.known(tensor)
        if known is not None:
            return self.ints(int(known))
        return self.op("Reshape", self.cast(tensor, int64), self.ints(1))

    def shape(self, tensor: ModelTensor, start: int = 0, end: int | None = None) -> ModelTensor:
        """Return the shape of a tensor, or a part of it, a vector of int64."""
        attrs = {"start": start} if start else {}
        return self.op("Shape", tensor, **attrs, **({} if end is None else {"end": end}))

    def size(self, tensor: ModelTensor, axis: int) -> ModelTensor:
        """Return the size of an axis, a vector of int64 with one element."""
        return self.shape(tensor, axis, None if axis == -1 else axis + 1)

    def dims(self, position: int, name: str) -> ModelTensor:
        """Return a shape: the operand at a position if there is one, else an attribute."""
        if len(self.inputs) > position:
            return self.index(position)
        return self.ints(*self.attrs[name])

    def where(self, condition: ModelTensor, x: ModelTensor, y: ModelTensor) -> ModelTensor:
        """Return the elements of `x` where a condition holds, else those of `y`."""
        return self.op("Where", condition, x, y)

    def repeated(
        self,
        iterations: ModelTensor | None,
        first: Sequence[ModelTensor],
        body: Callable[
            [ModelTensor, list[ModelTensor]], tuple[ModelTensor | None, list[ModelTensor]]
        ],
    ) -> list[ModelTensor]:
        """Return the last values of a loop of this node's own.

        Args:
            iterations: the largest number of iterations, a scalar of int64; None for no limit.
            first: the values before the first iteration, which runs unless `iterations` is 0.
            body: returns whether another iteration follows (None for yes) and the values of the
                next one, given the number of the iteration and the values.
        """
        base, builder = f"{self.node.name}/Loop", self.builder
        iteration = ModelTensor(builder.fresh(f"{base}/iteration"), int64)
        going = ModelTensor(builder.fresh(f"{base}/condition"), bool_)
        held = [ModelTensor(builder.fresh(f"{base}/variable"), each.dtype) for each in first]
        with builder.nested() as nodes:
            again, values = body(iteration, held)
        infos = [builder.value_info(each, []) for each in (iteration, going)]
        infos += [builder.value_info(each) for each in held]
        graph = builder.graph(nodes, [again or going, *values], infos, base)
        last = [ModelTensor(builder.fresh(base), each.dtype) for each in first]
        names = ["" if iterations is None else iterations.name, self.const(True, bool_).name]
        builder.raw("Loop", [*names, *(x.name for x in first)], [x.name for x in last], body=graph)
        return last

    def unsupported(self, reason: str) -> UnimplementedError:
        """Return the error for this node."""
        return unsupported(self.node, reason)

    def omit(self, subject: str, reason: str) -> None:
        """Note a part of the program that the model does not have."""
        self.graph.omissions.append(Omission(subject, reason, self.node.origin))

    def note_negative(self, position: int, reason: str = _FROM_END) -> None:
        """Note that an operand must not be negative here, if it can be."""
        if not self.graph.bounds.is_not_negative(self.node.inputs[position], self.node):
            self.omit(self.node.op.name, reason)


class GraphLowering:
    """The lowering of a graph with its regions.

    Args:
        builder: the builder of the model.
        types: the types of the items of its lists.
        rule_for: returns the rule of a node.

    Attributes:
        omissions: the parts of the program that the model does not have.
        refusals: the errors of nodes that have no form.
        state: the present value of each variable, by identity.
        bounds: the proofs about integers and lists.
    """

    def __init__(
        self, builder: ModelBuilder, types: ItemTypes, rule_for: Callable[[Node], Rule]
    ) -> None:
        self.builder = builder
        self.types = types
        self.rule_for = rule_for
        self.omissions: list[Omission] = []
        self.refusals: list[UnimplementedError] = []
        self.state: dict[int, ModelTensor] = {}
        self.bounds = BoundsAnalysis()
        self._values: dict[int, Any] = {}
        self._unneeded: set[Node] = set()

    def give(self, tensor: SymbolicTensor, value: Any) -> None:
        """Set the value of an input of a graph."""
        self._values[id(tensor)] = value

    def value(self, tensor: SymbolicTensor) -> Any:
        """Return the value of a tensor."""
        return self._values[id(tensor)]

    def lower(self, graph: Graph, inputs: Sequence[Value]) -> list[Any]:
        """Add the nodes of a graph or region, and return the values of its results."""
        self.bounds.enter(graph)
        if graph.outer is None:
            self._unneeded |= only_for_checks(graph)
        for tensor, value in zip(graph.inputs, inputs, strict=True):
            self.give(tensor, value)
        used = {id(each) for node in graph.nodes for each in node.inputs}
        used.update(map(id, graph.outputs))
        for node in graph.nodes:
            if node in self._unneeded:
                self._values.update((id(each), MISSING) for each in node.outputs)
            elif _is_unused(node, used):
                if may_fail(node) and not is_shown_by_write(node):
                    self.omissions.append(Omission(node.op.name, _UNUSED, node.origin))
            else:
                self._lower_node(node)
        return [self.value(each) for each in graph.outputs]

    def _lower_node(self, node: Node) -> None:
        inputs = [self.value(each) for each in node.inputs]
        results = self._results(OnnxNodeLowering(self, node, inputs))
        for tensor, value in zip(node.outputs, results, strict=True):
            self.give(tensor, value)

    def _results(self, step: OnnxNodeLowering) -> list[Any]:
        missing = [MISSING] * len(step.node.outputs)
        try:
            rule = self.rule_for(step.node)
            if step.node.op.name not in CHECKS:
                if any(isinstance(each, Missing) for each in step.inputs) and not step.node.regions:
                    return missing
                _check_dtypes(step)
            made = rule(step)
        except UnimplementedError as error:
            if error.origin is None:
                error = step.unsupported(error.message)
            self.refusals.append(error)
            return missing
        if may_not_fit(step.node) and not self.bounds.stays_in_range(step.node):
            self.omissions.append(overflow_omission(step.node))
        return made if isinstance(made, list) else [made]


def _is_unused(node: Node, used: set[int]) -> bool:
    """Return whether nothing uses the results of a node, which may be there for its errors."""
    return not is_required(node) and not any(id(each) in used for each in node.outputs)


def _check_dtypes(step: OnnxNodeLowering) -> None:
    """Raise UnimplementedError if an operand or a result has a dtype that ONNX lacks."""
    for tensor in (*step.node.inputs, *step.node.outputs):
        dtype = tensor.dtype
        if dtype.name not in ONNX_TYPES and not dtype.is_variant:
            raise step.unsupported(f"engines of ONNX compute no values of {dtype.name}")


def variable_of(value: Any) -> Any:
    """Return the variable of an operand.

    >>> variable_of(VariableHandle("v"))
    'v'
    """
    assert isinstance(value, VariableHandle)
    return value.variable


def static_shape(shape: TensorShape) -> tuple[int, ...] | None:
    """Return the dimensions of a shape, None if one of them is unknown.

    >>> static_shape(TensorShape((2, None))) is None
    True
    """
    return tuple(shape.dims) if shape.dims is not None and None not in shape.dims else None  # type: ignore[arg-type]
