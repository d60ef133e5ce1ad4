"""Lowering of the gates of recurrent cells to the nodes of their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.node_lowering import NodeLowering, Rule


def _parts(step: NodeLowering, value: Any, count: int) -> Any:
    axis = step.const(-1, "split_dim")
    return step.add("Split", axis, value, num_split=count)


def _lstm(step: NodeLowering) -> Any:
    x, inner, carry = step.inputs
    sums = _parts(step, step.add("AddV2", x, inner), 4)
    i, f, o = (step.add("Sigmoid", sums[at]) for at in (0, 1, 3))
    g = step.add("Tanh", sums[2])
    new = step.add("AddV2", step.add("Mul", f, carry), step.add("Mul", i, g))
    bent = step.add("Tanh", new)
    gates = step.add("ConcatV2", [i, f, g, o], step.const(-1, "axis"))
    return [step.last("Mul", o, bent), new, gates, bent]


def _gru(step: NodeLowering) -> Any:
    x, inner, state = step.inputs
    first, second = _parts(step, x, 3), _parts(step, inner, 3)
    z, r = (step.add("Sigmoid", step.add("AddV2", first[at], second[at])) for at in (0, 1))
    g = step.add("Tanh", step.add("AddV2", first[2], step.add("Mul", r, second[2])))
    one = step.const(np.array(1, step.dtype.np_dtype), "one", step.dtype)
    rest = step.add("Mul", step.add("Sub", one, z), g)
    gates = step.add("ConcatV2", [z, r, g], step.const(-1, "axis"))
    return [step.last("AddV2", step.add("Mul", z, state), rest), gates]


RULES: dict[str, Rule] = {"lstm_gates": _lstm, "gru_gates": _gru}
