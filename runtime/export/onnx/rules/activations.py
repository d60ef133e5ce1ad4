"""Activations, softmax, cross entropies and recurrent gates."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import float64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.arithmetic import softplus


def _relu(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    return step.op("Max", x, step.like(0, x))


def _relu6(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    return step.op("Min", step.op("Max", x, step.like(0, x)), step.like(6, x))


def _relu_grad(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    return step.cast(step.op("Greater", x, step.like(0, x)), step.dtype)


def _softmax(operator: str) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        return step.op(operator, step.inputs[0], axis=step.attrs["axis"])

    return rule


def _elu(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    if x.dtype is not float64:
        return step.op("Elu", x)
    below = step.op("Sub", step.op("Exp", x), step.like(1, x))
    return step.where(step.op("Greater", x, step.like(0, x)), x, below)


def _sigmoid_cross_entropy(step: OnnxNodeLowering) -> Any:
    labels, logits = step.inputs
    rest = softplus(step, step.op("Neg", step.op("Abs", logits)))
    above = step.op("Sub", step.op("Max", logits, step.like(0, logits)),
                    step.op("Mul", logits, labels))  # fmt: skip
    return step.op("Add", above, rest)


def _sparse_loss(step: OnnxNodeLowering) -> Any:
    step.note_negative(0)
    labels, logits = step.index(0), step.inputs[1]
    found = step.op("LogSoftmax", logits, axis=-1)
    place = step.op("Unsqueeze", labels, step.ints(-1))
    picked = step.op("GatherElements", found, place, axis=-1)
    return step.op("Neg", step.op("Squeeze", picked, step.ints(-1)))


def _sparse_grad(step: OnnxNodeLowering) -> Any:
    labels, logits = step.index(0), step.inputs[1]
    count = step.op("Squeeze", step.size(logits, -1))
    places = step.op("Range", step.number(0), count, step.number(1))
    hot = step.op("Equal", step.op("Unsqueeze", labels, step.ints(-1)), places)
    return step.op("Sub", step.op("Softmax", logits, axis=-1), step.cast(hot, logits.dtype))


def _sparse_both(step: OnnxNodeLowering) -> Any:
    return [_sparse_loss(step), _sparse_grad(step)]


def _lstm(step: OnnxNodeLowering) -> Any:
    x, inner, carry = step.inputs
    sums = step.ops("Split", 4, step.op("Add", x, inner), axis=-1, num_outputs=4)
    i, f, o = (step.op("Sigmoid", sums[at]) for at in (0, 1, 3))
    g = step.op("Tanh", sums[2])
    new = step.op("Add", step.op("Mul", f, carry), step.op("Mul", i, g))
    bent = step.op("Tanh", new)
    return [step.op("Mul", o, bent), new, step.op("Concat", i, f, g, o, axis=-1), bent]


def _gru(step: OnnxNodeLowering) -> Any:
    x, inner, state = step.inputs
    first, second = (step.ops("Split", 3, each, axis=-1, num_outputs=3) for each in (x, inner))
    z, r = (step.op("Sigmoid", step.op("Add", first[at], second[at])) for at in (0, 1))
    g = step.op("Tanh", step.op("Add", first[2], step.op("Mul", r, second[2])))
    rest = step.op("Mul", step.op("Sub", step.like(1, x), z), g)
    new = step.op("Add", step.op("Mul", z, state), rest)
    return [new, step.op("Concat", z, r, g, axis=-1)]


RULES: dict[str, Rule] = {
    "relu": _relu,
    "relu6": _relu6,
    "relu_grad": _relu_grad,
    "elu": _elu,
    "softmax": _softmax("Softmax"),
    "log_softmax": _softmax("LogSoftmax"),
    "sigmoid_cross_entropy": _sigmoid_cross_entropy,
    "sparse_softmax_cross_entropy": _sparse_loss,
    "sparse_softmax_grad": _sparse_grad,
    "sparse_softmax_both": _sparse_both,
    "lstm_gates": _lstm,
    "gru_gates": _gru,
}
