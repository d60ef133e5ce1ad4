"""A tape step: one eager op or one node, with its operands and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from runtime.core.dtypes import DType
from runtime.core.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.graph.capture import outermost
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.gradient_rules import IDENTITY
from runtime.ops.op import Op, apply
from runtime.state.variable import Variable

# Ops whose results are piecewise constant in their operands.
_STEPWISE = frozenset(
    "floordiv truncatediv one_hot python_int python_round tensor_array range".split()
)
# As in TensorFlow, gradients do not flow through shuffles, nor through dataset elements.
_DATASETS = "dataset_begin dataset_item dataset_place_after dataset_store iterator_next"
_CUT = frozenset(["random_shuffle", *_DATASETS.split()])


class TapeStep(NamedTuple):
    """An op or a call, with its operands and results.

    Attributes:
        op: the op.
        inputs: the operands, tensors and variables.
        attrs: the constants of the op.
        outputs: the results, tensors.
        sources: the identities of the inputs; see `identity_of`.
        results: the identities of the outputs.
        node: the node, None for an eager op.
    """

    op: Op
    inputs: Sequence[Any]
    attrs: Mapping[str, Any]
    outputs: Sequence[Any]
    sources: Sequence[object]
    results: Sequence[object]
    node: Node | None = None


def identity_of(value: Any) -> Any:
    """Return the object by which a tape identifies a value.

    It is the array of an eager tensor, since functions take and return arrays, and the outermost
    value that an input of a region captures, since that is the user's tensor or variable.
    """
    kind = type(value)
    if kind is EagerTensor:
        return value._array
    if kind is Variable:
        return value
    outer = outermost(value)
    return outer._array if isinstance(outer, EagerTensor) else outer


def step_of(node: Node) -> TapeStep:
    """Return the step of a node of a graph that is being recorded.

    It is not cached, since gradients may add outputs to nodes (`graph/extra_outputs.py`).
    """
    sources = list(map(identity_of, node.inputs))
    return TapeStep(node.op, node.inputs, node.attrs, node.outputs, sources, node.outputs, node)


def eager_step(op: Op, inputs: Sequence[Any], attrs: Any, outputs: Sequence[Any]) -> TapeStep:
    """Return the tape's step of an eager op."""
    sources, results = list(map(identity_of, inputs)), list(map(identity_of, outputs))
    return TapeStep(op, inputs, attrs, outputs, sources, results)


def steps_in(region: Graph) -> list[TapeStep]:
    """Return the nodes of a region as steps; their inputs are tensors of the region."""
    return [
        TapeStep(n.op, n.inputs, n.attrs, n.outputs, n.inputs, n.outputs, n) for n in region.nodes
    ]


def is_differentiable(dtype: DType) -> bool:
    """Return whether values of a dtype have gradients; a variant has those of its items."""
    return dtype.is_floating or dtype.is_complex or dtype.is_variant


def distinct(value: Any) -> Any:
    """Return another tensor with the same value, which a tape tells apart; variables unchanged."""
    return apply(IDENTITY, (value,)) if isinstance(value, Tensor) else value


def gives_constants(op: Op) -> bool:
    """Return whether an op stops gradients, as its results are piecewise constant or cut off."""
    return op.name in _STEPWISE or op.name in _CUT


def node_of(outputs: Sequence[Any]) -> Node | None:
    """Return the node of results, None if there are no results or they are eager."""
    first = outputs[0] if outputs else None
    return first.node if isinstance(first, SymbolicTensor) else None
