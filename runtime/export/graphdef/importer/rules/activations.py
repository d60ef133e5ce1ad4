"""Import of activations, softmax and cross entropies."""

from __future__ import annotations

from typing import Any

from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.neural.activations import leaky_relu, selu


def _leaky_relu(step: NodeImport) -> Any:
    return leaky_relu(step.tensor(0), step.attrs.real("alpha", 0.2))


def _selu(step: NodeImport) -> Any:
    return selu(step.tensor(0))


def _softmax(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        return step.record(name, step.tensor(0), axis=-1)

    return rule


# -- cross entropies -------------------------------------------------------------------------------


def _cross_entropy(step: NodeImport) -> Any:
    """Return the losses of rows, and their gradients."""
    logits, labels = step.tensor(0), step.tensor(1)
    rows = step.record("log_softmax", logits, axis=-1)
    products = step.record("multiply_no_nan", rows, labels)
    sums = step.record("reduce_sum", products, axis=(-1,), keepdims=False)
    back = step.record("subtract", step.record("softmax", logits, axis=-1), labels)
    return [step.record("negative", sums), back]


def _sparse_cross_entropy(step: NodeImport) -> Any:
    return list(step.record("sparse_softmax_both", step.tensor(1), step.tensor(0)))


RULES: dict[str, Rule] = {
    "LeakyRelu": _leaky_relu,
    "LogSoftmax": _softmax("log_softmax"),
    "Selu": _selu,
    "Softmax": _softmax("softmax"),
    "SoftmaxCrossEntropyWithLogits": _cross_entropy,
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_cross_entropy,
}
