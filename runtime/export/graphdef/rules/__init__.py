"""The lowering of each op to TensorFlow's files.

Every op of the registry is in one of three tables: `DIRECT`, if its declaration names a node with
the same inputs and result; `RULES`, if the lowering needs attributes, constants or several nodes;
`UNSUPPORTED`, with the reason. A law test compares them with the registry.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, NodeFormat, Rule, Value
from runtime.export.graphdef.rules import (
    activations,
    arithmetic,
    control_flow,
    convolution,
    creation,
    effects,
    factorizations,
    fft,
    files,
    functions,
    gathering,
    gradients,
    indexing,
    linalg,
    list_gradients,
    list_moves,
    list_tensors,
    lists,
    manipulation,
    ordering,
    pooling,
    random,
    reductions,
    segments,
    shapes,
    strings,
    variables,
)
from runtime.export.graphdef.rules.direct_ops import DIRECT as DIRECT
from runtime.export.graphdef.rules.display_only import shown as shown
from runtime.export.graphdef.rules.unsupported import UNSUPPORTED as UNSUPPORTED
from runtime.export.refusals import refused_node
from runtime.graph.node import Node

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        **arithmetic.RULES,
        **reductions.RULES,
        **shapes.RULES,
        **creation.RULES,
        **manipulation.RULES,
        **indexing.RULES,
        **linalg.RULES,
        **strings.RULES,
        **lists.RULES,
        **list_moves.RULES,
        **list_tensors.RULES,
        **list_gradients.RULES,
        **control_flow.RULES,
        **effects.RULES,
        **files.RULES,
        **functions.RULES,
        **activations.RULES,
        **segments.RULES,
        **pooling.RULES,
        **convolution.RULES,
        **random.RULES,
        **variables.RULES,
        **gradients.RULES,
        **factorizations.RULES,
        **ordering.RULES,
        **fft.RULES,
        **gathering.RULES,
    }
)


def rule_for(node: Node) -> Rule:
    """Return the rule that lowers a node.

    Raises:
        UnimplementedError: TensorFlow has no counterpart.
    """
    name = node.op.name
    if name in UNSUPPORTED:
        raise refused_node(node, UNSUPPORTED[name], GRAPHDEF.name)
    if name in RULES:
        return RULES[name]
    if name in DIRECT:
        return _direct
    raise refused_node(node, "nothing is known of this op", GRAPHDEF.name)


GRAPHDEF = NodeFormat("a GraphDef", rule_for)
"""GraphDefs and SavedModels, which TensorFlow runs."""


def _direct(step: GraphDefNodeLowering) -> Value | list[Value]:
    """Lower a node to the node with the same inputs that its op names."""
    made: Any = step.last(step.node.op.tensorflow_name, *step.inputs)
    return made
