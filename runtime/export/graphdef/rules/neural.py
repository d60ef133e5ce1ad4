"""Lowering of softmax, cross entropies, recurrent gates and optimizer steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import last_axis, moved_last


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


# -- optimizer steps -------------------------------------------------------------------------------


def _adam(step: GraphDefNodeLowering) -> Any:
    # TensorFlow's fused node computes 1 - beta from a rounded beta, which gives another step.
    variable, mean, squares, gradient, rate = step.inputs
    dtype = step.spec(0).dtype
    now, part, kept = (step.add("ReadVariableOp", each, dtype=dtype) for each in step.inputs[:3])

    def number(value: float, name: str) -> Any:
        return step.const(np.array(value, dtype.np_dtype), name, dtype)

    def toward(old: Any, new: Any, share: float, name: str) -> Any:
        apart = step.add("Mul", step.add("Sub", new, old), number(share, name))
        return step.add("AddV2", apart, old)

    part = toward(part, gradient, 1 - step.attrs["beta_1"], "first")
    kept = toward(kept, step.add("Square", gradient), 1 - step.attrs["beta_2"], "second")
    step.add("AssignVariableOp", mean, part, validate_shape=False)
    step.add("AssignVariableOp", squares, kept, validate_shape=False)
    below = step.add("AddV2", step.add("Sqrt", kept), number(step.attrs["epsilon"], "epsilon"))
    moved = step.add("RealDiv", step.add("Mul", part, rate), below)
    return step.last(
        "AssignVariableOp", variable, step.add("Sub", now, moved), validate_shape=False
    )


RULES: dict[str, Rule] = {
    "softmax": _softmax("Softmax"),
    "log_softmax": _softmax("LogSoftmax"),
    "sigmoid_cross_entropy": _sigmoid_cross_entropy,
    "sparse_softmax_cross_entropy": _sparse_cross_entropy,
    "sparse_softmax_grad": _sparse_gradient,
    "sparse_softmax_both": _sparse_both,
    "lstm_gates": _lstm,
    "gru_gates": _gru,
    "adam_variable": _adam,
}
