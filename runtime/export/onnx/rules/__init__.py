"""The lowering of each op to ONNX.

Every op of the registry is in one of three tables: `DIRECT`, if it is one operator on the same
operands; `RULES`, if it needs attributes, constants or several nodes; `UNSUPPORTED`, with the
reason. A law test compares them with the registry.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.node_lowering import unsupported as unsupported_node
from runtime.export.onnx.rules import (
    activations,
    arithmetic,
    control_flow,
    convolution,
    creation,
    effects,
    gathering,
    gradients,
    indexing,
    linalg,
    list_gradients,
    lists,
    manipulation,
    math_module,
    ordering,
    pooling,
    random,
    reductions,
    segments,
    shapes,
    strings,
    variables,
)
from runtime.export.onnx.rules.direct_ops import DIRECT as DIRECT
from runtime.export.onnx.rules.unsupported import UNSUPPORTED as UNSUPPORTED
from runtime.graph.node import Node

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        **arithmetic.RULES,
        **manipulation.RULES,
        **creation.RULES,
        **ordering.RULES,
        **shapes.RULES,
        **indexing.RULES,
        **gathering.RULES,
        **reductions.RULES,
        **segments.RULES,
        **activations.RULES,
        **linalg.RULES,
        **pooling.RULES,
        **convolution.RULES,
        **random.RULES,
        **gradients.RULES,
        **lists.RULES,
        **list_gradients.RULES,
        **strings.RULES,
        **math_module.RULES,
        **control_flow.RULES,
        **effects.RULES,
        **variables.RULES,
    }
)


def rule_for(node: Node) -> Rule:
    """Return the rule that lowers a node.

    Raises:
        UnimplementedError: ONNX has no form of it.
    """
    name = node.op.name
    if name in RULES:
        return RULES[name]
    if name in DIRECT:
        return _direct
    raise unsupported_node(node, UNSUPPORTED.get(name, "nothing is known of this op"))


def _direct(step: OnnxNodeLowering) -> Any:
    """Lower a node to the operator that is called on the same operands."""
    return step.op(DIRECT[step.node.op.name], *step.inputs)
