"""A tape step: one eager op or one node, with its operands and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from runtime.core.dtypes import DType
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.graph.capture import outermost
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.op import Op
from runtime.state.variable import Variable

# Their results do not change, or do so in steps, as what goes in changes a little.
_STEPWISE = frozenset(
    "floordiv truncatediv one_hot python_int python_round tensor_array range".split()
)
# As in TensorFlow, nobody goes back over a shuffle, or over elements of datasets, which are data.
_DATASETS = "dataset_begin dataset_item dataset_place_after dataset_store iterator_next"
_CUT = frozenset(["random_shuffle", *_DATASETS.split()])


class TapeStep(NamedTuple):
    """The operands and the results.

    Attributes:
        op: what was done.
        inputs: tensors and variables.
        attrs: constants of the op.
        outputs: tensors.
        sources: for each input the object whose identity it is known by.
        results: the same for each output.
        node: the node, None for what was computed at once.
    """

    op: Op
    inputs: Sequence[Any]
    attrs: Mapping[str, Any]
    outputs: Sequence[Any]
    sources: Sequence[object]
    results: Sequence[object]
    node: Node | None = None


def identity_of(value: Any) -> Any:
    """Return the object that a tape knows a value by.

    That is the array of an eager tensor, since functions take and give arrays; and of an input of
    a region or graph what is outside of it, which the user has at hand.
    """
    kind = type(value)
    if kind is EagerTensor:
        return value._array
    if kind is Variable:
        return value
    outer = outermost(value)
    return outer._array if isinstance(outer, EagerTensor) else outer


def step_of(node: Node) -> TapeStep:
    """Return a node of a graph that is being recorded as a step.

    Gradients may add outputs to nodes (`graph/extra_outputs.py`), so this is done anew
    each time.
    """
    sources = list(map(identity_of, node.inputs))
    return TapeStep(node.op, node.inputs, node.attrs, node.outputs, sources, node.outputs, node)


def eager_step(op: Op, inputs: Sequence[Any], attrs: Any, outputs: Sequence[Any]) -> TapeStep:
    """Return the tape's step of an op that was computed at once."""
    sources, results = list(map(identity_of, inputs)), list(map(identity_of, outputs))
    return TapeStep(op, inputs, attrs, outputs, sources, results)


def steps_in(region: Graph) -> list[TapeStep]:
    """Return the nodes of a region as steps, each of whose inputs is a tensor of the region."""
    return [
        TapeStep(n.op, n.inputs, n.attrs, n.outputs, n.inputs, n.outputs, n) for n in region.nodes
    ]


def is_differentiable(dtype: DType) -> bool:
    """Tell whether values of a dtype have gradients; those of variants are gradients of items."""
    return dtype.is_floating or dtype.is_complex or dtype.is_variant


def gives_constants(op: Op) -> bool:
    """Tell whether no gradient goes back over an op that has no rule; others are refused."""
    return op.name in _STEPWISE or op.name in _CUT


def node_of(outputs: Sequence[Any]) -> Node | None:
    """Return the node that makes results, None where there are none or they have values."""
    first = outputs[0] if outputs else None
    return first.node if isinstance(first, SymbolicTensor) else None
