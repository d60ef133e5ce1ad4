"""The gradient of the gates of a GRU, in one op, and the gradient of that."""

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
    dx, d_inner, d_state = apply(GRU_GATES_SLOPE, (d_new, gates, inner, state))
    if d_gates is None:
        return dx, d_inner, d_state
    (z, r, g), (tz, tr, tg) = _parts(gates), _parts(d_gates)
    to_g = tg * (1 - g * g)
    to_z, to_r = tz * z * (1 - z), (tr + to_g * _parts(inner)[2]) * r * (1 - r)
    dx = dx + call("concat", to_z, to_r, to_g, axis=-1)
    return dx, d_inner + call("concat", to_z, to_r, to_g * r, axis=-1), d_state


def _zeros(like: Any) -> Any:
    return call("zeros_like", like, dtype=like.dtype)


def _parts(sums: Any) -> Any:
    return call("split", sums, sizes=3, axis=-1)


def _kernel(d_new: Array, gates: Array, inner: Array, state: Array) -> tuple[Array, Array, Array]:
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


def _infer(
    d_new: TensorSpec, gates: TensorSpec, inner: TensorSpec, state: TensorSpec
) -> tuple[TensorSpec, ...]:
    found = infer.check_gates(gates, state, 3)
    infer.check_same_dtype(gates, d_new, inner)
    wide = TensorSpec(gates.shape.merge(inner.shape), gates.dtype)
    return wide, wide, TensorSpec(found.merge(d_new.shape), gates.dtype)


def _grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, ...]:
    d_new, gates, inner, state = inputs
    to_x, to_inner, last = (
        _zeros(y) if dy is None else dy for dy, y in zip(dys, outputs, strict=True)
    )
    (xz, xr, xg), (iz, ir, ig) = _parts(to_x), _parts(to_inner)
    (z, r, g), within = _parts(gates), _parts(inner)[2]
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


GRU_GATES_SLOPE = define("gru_gates_grad", _kernel, _infer, kinds="f", n_outputs=3, grad=_grad)
