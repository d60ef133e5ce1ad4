"""The lowering of each op to the ops of TensorFlow that LiteRT has.

An op is lowered as in a GraphDef, or not: `UNSUPPORTED` has the reasons. A law test compares the
tables with the registry.
"""

from __future__ import annotations

from collections.abc import Iterator

from runtime.errors import UnimplementedError
from runtime.export.graphdef.node_lowering import NodeFormat, Rule
from runtime.export.graphdef.rules import DIRECT
from runtime.export.graphdef.rules import RULES as GRAPHDEF_RULES
from runtime.export.graphdef.rules import rule_for as graphdef_rule_for
from runtime.export.refusals import refused_node
from runtime.export.tflite.unsupported import UNSUPPORTED
from runtime.graph.graph import Graph
from runtime.graph.node import Node

NAME = "a TensorFlow Lite model"


def lowered_ops() -> frozenset[str]:
    """Return the names of the ops that are lowered.

    >>> "add" in lowered_ops(), "svd" in lowered_ops()
    (True, False)
    """
    return frozenset({*DIRECT, *GRAPHDEF_RULES} - set(UNSUPPORTED))


def rule_for(node: Node) -> Rule:
    """Return the rule that lowers a node.

    Raises:
        UnimplementedError: LiteRT has no form of it.
    """
    name = node.op.name
    if name in UNSUPPORTED:
        raise unsupported(node, UNSUPPORTED[name])
    return graphdef_rule_for(node)


TFLITE = NodeFormat(NAME, rule_for, returns_lists=True)
BY_TENSORFLOW = NodeFormat(NAME, rule_for, copies_results=True)
"""Programs for TensorFlow's converter, which takes SavedModels."""


def refusals(graph: Graph) -> Iterator[UnimplementedError]:
    """Yield the errors about the ops of a graph that have no form in a model."""
    for node in graph.walk():
        if node.op.name in UNSUPPORTED:
            yield unsupported(node, UNSUPPORTED[node.op.name])


def unsupported(node: Node | None, reason: str) -> UnimplementedError:
    """Return the error that explains why a node does not go into a model, with its line."""
    if node is None:
        return UnimplementedError(f"{NAME} cannot have this function: {reason}")
    return refused_node(node, reason, NAME)


def tf_reason(op: str) -> str:
    """Return the reason for which the converter refuses an op of TensorFlow's or LiteRT's.

    >>> tf_reason("tf.Cholesky")
    "LiteRT has no kernel for TensorFlow's Cholesky of these dtypes"
    >>> tf_reason("tfl.gather"), tf_reason("")
    ("LiteRT's gather does not take these dtypes", 'litert-converter fails at it')
    """
    kind, _, name = op.partition(".")
    if kind == "tf":
        return f"LiteRT has no kernel for TensorFlow's {name} of these dtypes"
    return f"LiteRT's {name} does not take these dtypes" if name else "litert-converter fails at it"
