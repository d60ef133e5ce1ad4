"""The gradient of the gates of an LSTM, in one op, and the gradient of that."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.ops import infer
from runtime.ops.gradient_rules import call
from runtime.ops.op import apply, define


def lstm_gates_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, ...]:
    """Return the gradients of both summands, which are equal, and of the carry."""
    d_output, d_new, d_gates, d_bent = dys
    (_, _, carry), (_, new, gates, bent) = inputs, outputs
    if d_bent is not None:
        through = d_bent * (1 - bent * bent)
        d_new = through if d_new is None else d_new + through
    d_output = _zeros(new) if d_output is None else d_output
    d_new = _zeros(new) if d_new is None else d_new
    dz, d_carry = apply(LSTM_GATES_SLOPE, (d_output, d_new, gates, bent, carry))
    if d_gates is not None:
        dz = dz + d_gates * _gradients(gates)
    return dz, dz, d_carry


def _zeros(like: Any) -> Any:
    return call("zeros_like", like, dtype=like.dtype)


def _parts(gates: Any) -> Any:
    return call("split", gates, sizes=4, axis=-1)


def _gradients(gates: Any) -> Any:
    i, f, g, o = _parts(gates)
    rises = (i * (1 - i), f * (1 - f), 1 - g * g, o * (1 - o))
    return call("concat", *rises, axis=-1)


def _kernel(
    d_output: Array, d_new: Array, gates: Array, bent: Array, carry: Array
) -> tuple[Array, Array]:
    units = carry.shape[-1]
    one = gates.dtype.type(1)
    i, f = gates[..., :units], gates[..., units : 2 * units]
    g, o = gates[..., 2 * units : 3 * units], gates[..., 3 * units :]
    into = bent * bent
    np.subtract(one, into, out=into)
    into *= o
    into *= d_output
    into += d_new
    dz = one - gates
    rise = dz[..., 2 * units : 3 * units]
    np.multiply(g, g, out=rise)
    np.subtract(one, rise, out=rise)
    rise *= i
    rise *= into
    dz[..., : 2 * units] *= gates[..., : 2 * units]
    dz[..., 3 * units :] *= o
    dz[..., :units] *= into * g
    dz[..., units : 2 * units] *= into * carry
    dz[..., 3 * units :] *= d_output * bent
    into *= f
    return dz, into


def _infer(
    d_output: TensorSpec, d_new: TensorSpec, gates: TensorSpec, bent: TensorSpec, carry: TensorSpec
) -> tuple[TensorSpec, TensorSpec]:
    state = infer.check_gates(gates, carry, 4)
    for each in (d_output, d_new, bent):
        infer.check_same_dtype(gates, each)
        state = state.merge(each.shape)
    return gates.unnamed(), TensorSpec(state, gates.dtype)


def _grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, ...]:
    d_output, d_new, gates, bent, carry = inputs
    wide, last = (_zeros(y) if dy is None else dy for dy, y in zip(dys, outputs, strict=True))
    zi, zf, zg, zo = _parts(wide)
    i, f, g, o = _parts(gates)
    flat, rise_i, rise_f = 1 - bent * bent, i * (1 - i), f * (1 - f)
    rise_g, rise_o = 1 - g * g, o * (1 - o)
    into = d_new + d_output * o * flat
    to_into = zi * g * rise_i + zf * carry * rise_f + zg * i * rise_g + last * f
    to_gates = (
        into * (zi * g * (1 - 2 * i) + zg * rise_g),
        into * (zf * carry * (1 - 2 * f) + last),
        into * (zi * rise_i - 2 * zg * i * g),
        d_output * (to_into * flat + zo * bent * (1 - 2 * o)),
    )
    return (
        to_into * o * flat + zo * bent * rise_o,
        to_into,
        call("concat", *to_gates, axis=-1),
        d_output * (zo * rise_o - 2 * to_into * o * bent),
        zf * into * rise_f,
    )


LSTM_GATES_SLOPE = define("lstm_gates_grad", _kernel, _infer, kinds="f", n_outputs=2, grad=_grad)
