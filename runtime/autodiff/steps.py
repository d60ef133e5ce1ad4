"""A step: one op that was computed, or one node of a graph, as going backwards needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from runtime.dtypes import DType
from runtime.graph.capture import outermost
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.op import Op
from runtime.tensor import SymbolicTensor


class Step(NamedTuple):
    """What went in and what came out.

    Attributes:
        op: what was done.
        inputs: tensors and variables; of a node those outside of all regions that they stand for.
        attrs: constants of the op.
        outputs: tensors.
        node: the node, None for what was computed at once.
    """

    op: Op
    inputs: Sequence[Any]
    attrs: Mapping[str, Any]
    outputs: Sequence[Any]
    node: Node | None = None


def step_of(node: Node) -> Step:
    """Return a node of a graph that is being recorded as a step.

    Nodes give more results when gradients ask for them (`graph/growing.py`), so this is done anew
    each time.
    """
    inputs = list(map(outermost, node.inputs))
    return Step(node.op, inputs, node.attrs, node.outputs, node)


def steps_in(region: Graph) -> list[Step]:
    """Return the nodes of a region as steps, each of whose inputs is a tensor of the region."""
    return [Step(n.op, n.inputs, n.attrs, n.outputs, n) for n in region.nodes]


def is_differentiable(dtype: DType) -> bool:
    """Tell whether values of a dtype have gradients; those of variants are gradients of items."""
    return dtype.is_floating or dtype.is_complex or dtype.is_variant


def node_of(outputs: Sequence[Any]) -> Node | None:
    """Return the node that makes results, None where there are none or they have values."""
    first = outputs[0] if outputs else None
    return first.node if isinstance(first, SymbolicTensor) else None
