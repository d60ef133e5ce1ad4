"""The gradients of the gates of GRU and LSTM cells, each in one op, and the gradients of those."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.ops import infer
from runtime.ops.gradient_rules import call
from runtime.ops.op import apply, define


def gru_gates_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, ...]:
    """Return the gradients of both sums and of the state."""
    d_new, d_gates = dys
    (_, inner, state), (new, gates) = inputs, outputs
    d_new = _zeros(new) if d_new is None else d_new
    dx, d_inner, d_state = apply(GRU_GATES_GRAD, (d_new, gates, inner, state))
    if d_gates is None:
        return dx, d_inner, d_state
    (z, r, g), (tz, tr, tg) = _gru_parts(gates), _gru_parts(d_gates)
    to_g = tg * (1 - g * g)
    to_z, to_r = tz * z * (1 - z), (tr + to_g * _gru_parts(inner)[2]) * r * (1 - r)
    dx = dx + call("concat", to_z, to_r, to_g, axis=-1)
    return dx, d_inner + call("concat", to_z, to_r, to_g * r, axis=-1), d_state


def _zeros(like: Any) -> Any:
    return call("zeros_like", like, dtype=like.dtype)


def _gru_parts(sums: Any) -> Any:
    return call("split", sums, sizes=3, axis=-1)


def _gru_kernel(
    d_new: Array, gates: Array, inner: Array, state: Array
) -> tuple[Array, Array, Array]:
    units = state.shape[-1]
    one = gates.dtype.type(1)
    z, r, g = gates[..., :units], gates[..., units : 2 * units], gates[..., 2 * units :]
    dx = one - gates
    to_z, to_r, to_g = dx[..., :units], dx[..., units : 2 * units], dx[..., 2 * units :]
    np.multiply(g, g, out=to_g)
    np.subtract(one, to_g, out=to_g)
    to_g *= to_z
    to_g *= d_new
    to_z *= z
    to_z *= d_new
    to_z *= state - g
    to_r *= r
    to_r *= inner[..., 2 * units :]
    to_r *= to_g
    d_inner = dx.copy()
    d_inner[..., 2 * units :] *= r
    return dx, d_inner, d_new * z


def _gru_infer(
    d_new: TensorSpec, gates: TensorSpec, inner: TensorSpec, state: TensorSpec
) -> tuple[TensorSpec, ...]:
    found = infer.check_gates(gates, state, 3)
    infer.check_same_dtype(gates, d_new, inner)
    wide = TensorSpec(gates.shape.merge(inner.shape), gates.dtype)
    return wide, wide, TensorSpec(found.merge(d_new.shape), gates.dtype)


def _gru_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, ...]:
    d_new, gates, inner, state = inputs
    to_x, to_inner, last = (
        _zeros(y) if dy is None else dy for dy, y in zip(dys, outputs, strict=True)
    )
    (xz, xr, xg), (iz, ir, ig) = _gru_parts(to_x), _gru_parts(to_inner)
    (z, r, g), within = _gru_parts(gates), _gru_parts(inner)[2]
    rise_z, rise_r, rise_g = z * (1 - z), r * (1 - r), 1 - g * g
    d_g = d_new * (1 - z) * rise_g
    to_z, to_r = xz + iz, xr + ir
    to_g = xg + ig * r + to_r * within * rise_r
    to_gates = (
        d_new * (to_z * (state - g) * (1 - 2 * z) - to_g * rise_g + last),
        d_g * (to_r * within * (1 - 2 * r) + ig),
        -d_new * (to_z * rise_z + 2 * to_g * (1 - z) * g),
    )
    nothing = _zeros(z)
    return (
        to_z * (state - g) * rise_z + to_g * (1 - z) * rise_g + last * z,
        call("concat", *to_gates, axis=-1),
        call("concat", nothing, nothing, to_r * d_g * rise_r, axis=-1),
        to_z * d_new * rise_z,
    )


GRU_GATES_GRAD = define(
    "gru_gates_grad", _gru_kernel, _gru_infer, kinds="f", n_outputs=3, grad=_gru_grad
)


def lstm_gates_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, ...]:
    """Return the gradients of both summands, which are equal, and of the carry."""
    d_output, d_new, d_gates, d_bent = dys
    (_, _, carry), (_, new, gates, bent) = inputs, outputs
    if d_bent is not None:
        through = d_bent * (1 - bent * bent)
        d_new = through if d_new is None else d_new + through
    d_output = _zeros(new) if d_output is None else d_output
    d_new = _zeros(new) if d_new is None else d_new
    dz, d_carry = apply(LSTM_GATES_GRAD, (d_output, d_new, gates, bent, carry))
    if d_gates is not None:
        dz = dz + d_gates * _gradients(gates)
    return dz, dz, d_carry


def _lstm_parts(gates: Any) -> Any:
    return call("split", gates, sizes=4, axis=-1)


def _gradients(gates: Any) -> Any:
    i, f, g, o = _lstm_parts(gates)
    rises = (i * (1 - i), f * (1 - f), 1 - g * g, o * (1 - o))
    return call("concat", *rises, axis=-1)


def _lstm_kernel(
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


def _lstm_infer(
    d_output: TensorSpec, d_new: TensorSpec, gates: TensorSpec, bent: TensorSpec, carry: TensorSpec
) -> tuple[TensorSpec, TensorSpec]:
    state = infer.check_gates(gates, carry, 4)
    for each in (d_output, d_new, bent):
        infer.check_same_dtype(gates, each)
        state = state.merge(each.shape)
    return gates.unnamed(), TensorSpec(state, gates.dtype)


def _lstm_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, ...]:
    d_output, d_new, gates, bent, carry = inputs
    wide, last = (_zeros(y) if dy is None else dy for dy, y in zip(dys, outputs, strict=True))
    zi, zf, zg, zo = _lstm_parts(wide)
    i, f, g, o = _lstm_parts(gates)
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


LSTM_GATES_GRAD = define(
    "lstm_gates_grad", _lstm_kernel, _lstm_infer, kinds="f", n_outputs=2, grad=_lstm_grad
)
