"""Nodes shown in TensorBoard for ops that TensorFlow cannot run.

    %random_uniform = random_uniform(...)   ->   RandomUniform = RandomUniform(...)

They have the type of TensorFlow's corresponding op, or the op's own name. A graph with such a node
can be displayed, but not run.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from runtime.export.graphdef.function_body import argument_name, node_name
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Value, flat
from runtime.export.graphdef.rules.control_flow import LoweredFunction
from runtime.graph.callee import called_graph
from runtime.graph.text import attrs_text, region_names

TYPES = MappingProxyType(
    {
        "bytes_split": "UnicodeDecode",
        "call": "PartitionedCall",
        "dataset_begin": "ReduceDataset",
        "dataset_size": "DatasetCardinality",
        "eig": "Eig",
        "eigh": "SelfAdjointEigV2",
        "eigvals": "Eig",
        "iterator_has_next": "IteratorGetNextAsOptional",
        "iterator_next": "IteratorGetNext",
        "py_function": "EagerPyFunc",
        "random_categorical": "Multinomial",
        "random_gamma": "RandomGamma",
        "random_normal": "RandomStandardNormal",
        "random_poisson": "RandomPoissonV2",
        "random_shuffle": "RandomShuffle",
        "random_uniform": "RandomUniform",
        "random_uniform_int": "RandomUniformInt",
        "recursion": "PartitionedCall",
        "stateless_binomial": "StatelessRandomBinomial",
        "stateless_categorical": "StatelessMultinomial",
        "stateless_poisson": "StatelessRandomPoisson",
        "string_ngrams": "StringNGrams",
        "svd": "Svd",
        "truncated_normal": "TruncatedNormal",
        "unicode_decode": "UnicodeDecode",
        "unicode_encode": "UnicodeEncode",
        "unicode_split": "UnicodeDecode",
        "unicode_transcode": "UnicodeTranscode",
        "write_summary": "WriteSummary",
    }
)
"""The types of TensorFlow's ops for our ops without a rule."""


def shown(step: GraphDefNodeLowering) -> list[Value]:
    """Add a node for an op without a rule; return its lowered results."""
    node = step.node
    attrs = _texts(step)
    for word, region in zip(region_names(node), node.regions):
        function = LoweredFunction(step, region, argument_name(word))
        function.enter()
        attrs[argument_name(word)] = function.leave(function.of(region.outputs))
    attrs["_output_shapes"] = [tensor.shape for tensor in node.outputs]
    kinds = [kind for tensor in node.outputs for kind in step.region.kinds(tensor)]
    refs = step.body.show(type_of(step), list(flat(step.inputs)), attrs, step.scope, kinds)
    return step.region.grouped(refs, node.outputs)


def type_of(step: GraphDefNodeLowering) -> str:
    """Return the type of the node for a step."""
    name = step.node.op.name
    words = "".join(word.capitalize() for word in node_name(name).split("_"))
    return TYPES.get(name) or step.node.op.tensorflow_name or words


def _texts(step: GraphDefNodeLowering) -> dict[str, Any]:
    attrs = step.node.attrs
    texts = {key: attrs_text({key: value}).partition("=")[2] for key, value in attrs.items()}
    found: dict[str, Any] = {key: text for key, text in texts.items() if text}
    return {} if called_graph(attrs) is not None else found
