"""Lowering of activations, softmax, cross entropies and recurrent gates."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import last_axis, moved_last


def _relu_grad(step: GraphDefNodeLowering) -> Any:
    is_above = step.add("Greater", step.inputs[0], step.const(0, "zero", step.dtype))
    return step.last("Cast", is_above, DstT=step.dtype)


def _softmax(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        axis, rank = step.attrs["axis"], step.rank()
        if axis in (-1, rank - 1):
            return step.last(op, step.inputs[0])
        moved = moved_last(step, step.inputs[0], axis, rank)
        return step.last("Identity", moved_last(step, step.add(op, moved), axis, rank))

    return rule


def _sparse_both(step: GraphDefNodeLowering) -> Any:
    labels, logits = step.inputs
    losses, gradients = _sparse(step)
    return [
        step.last("Reshape", losses, step.add("Shape", labels, out_type=int32)),
        step.add("Reshape", gradients, step.add("Shape", logits, out_type=int32)),
    ]


def _sparse_cross_entropy(step: GraphDefNodeLowering) -> Any:
    loss, _ = _sparse(step)
    return step.last("Reshape", loss, step.add("Shape", step.inputs[0], out_type=int32))


def _sparse(step: GraphDefNodeLowering) -> Any:
    labels, logits = step.inputs
    count = last_axis(step, logits)
    rows = step.const(-1, "rows")
    matrix = step.add("Reshape", logits, step.add("Pack", [rows, count], axis=0))
    flat = step.add("Reshape", labels, step.const([-1], "flat"))
    return step.add("SparseSoftmaxCrossEntropyWithLogits", matrix, flat)


def _sigmoid_cross_entropy(step: GraphDefNodeLowering) -> Any:
    labels, logits = step.inputs
    rest = step.add("Softplus", step.add("Neg", step.add("Abs", logits)))
    above = step.add("Sub", step.add("Relu", logits), step.add("Mul", logits, labels))
    return step.last("AddV2", above, rest)


def _sparse_gradient(step: GraphDefNodeLowering) -> Any:
    labels, logits = step.inputs
    on, off = step.const(1, "on_value", step.dtype), step.const(0, "off_value", step.dtype)
    hot = step.add("OneHot", labels, last_axis(step, logits), on, off, axis=-1)
    return step.last("Sub", step.add("Softmax", logits), hot)


# -- the gates of recurrent cells, as the nodes of their formulas ----------------------------------


def _parts(step: GraphDefNodeLowering, value: Any, count: int) -> Any:
    axis = step.const(-1, "split_dim")
    return step.add("Split", axis, value, num_split=count)


def _lstm(step: GraphDefNodeLowering) -> Any:
    x, inner, carry = step.inputs
    sums = _parts(step, step.add("AddV2", x, inner), 4)
    i, f, o = (step.add("Sigmoid", sums[at]) for at in (0, 1, 3))
    g = step.add("Tanh", sums[2])
    new = step.add("AddV2", step.add("Mul", f, carry), step.add("Mul", i, g))
    bent = step.add("Tanh", new)
    gates = step.add("ConcatV2", [i, f, g, o], step.const(-1, "axis"))
    return [step.last("Mul", o, bent), new, gates, bent]


def _gru(step: GraphDefNodeLowering) -> Any:
    x, inner, state = step.inputs
    first, second = _parts(step, x, 3), _parts(step, inner, 3)
    z, r = (step.add("Sigmoid", step.add("AddV2", first[at], second[at])) for at in (0, 1))
    g = step.add("Tanh", step.add("AddV2", first[2], step.add("Mul", r, second[2])))
    one = step.const(np.array(1, step.dtype.np_dtype), "one", step.dtype)
    rest = step.add("Mul", step.add("Sub", one, z), g)
    gates = step.add("ConcatV2", [z, r, g], step.const(-1, "axis"))
    return [step.last("AddV2", step.add("Mul", z, state), rest), gates]


RULES: dict[str, Rule] = {
    "relu_grad": _relu_grad,
    "softmax": _softmax("Softmax"),
    "log_softmax": _softmax("LogSoftmax"),
    "sigmoid_cross_entropy": _sigmoid_cross_entropy,
    "sparse_softmax_cross_entropy": _sparse_cross_entropy,
    "sparse_softmax_grad": _sparse_gradient,
    "sparse_softmax_both": _sparse_both,
    "lstm_gates": _lstm,
    "gru_gates": _gru,
}
