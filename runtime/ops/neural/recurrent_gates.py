"""The gates of LSTM and GRU cells, each step as one op.

Both ops also return the values of the gates, which their gradients use.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import ShapeError
from runtime.ops import infer
from runtime.ops.grad.recurrent_gates import gru_gates_grad, lstm_gates_grad
from runtime.ops.gradient_rules import GradientOfUsedOutputs
from runtime.ops.op import apply, define


@lru_cache(maxsize=64)
def _scales(units: int, dtype: Any) -> tuple[Array, Array]:
    """Return the constants of sigmoids that are computed as s(x) = tanh(x / 2) / 2 + 1 / 2."""
    scale, offset = np.full(4 * units, 0.5, dtype), np.full(4 * units, 0.5, dtype)
    scale[2 * units : 3 * units], offset[2 * units : 3 * units] = 1, 0
    return scale, offset


def _lstm_kernel(x: Array, inner: Array, carry: Array) -> tuple[Array, Array, Array, Array]:
    units = carry.shape[-1]
    _check(x, inner, carry, 4)
    scale, offset = _scales(units, x.dtype)
    gates = x + inner
    gates *= scale
    np.tanh(gates, out=gates)
    gates *= scale
    gates += offset
    new = gates[..., units : 2 * units] * carry
    new += gates[..., :units] * gates[..., 2 * units : 3 * units]
    bent = np.tanh(new)
    return gates[..., 3 * units :] * bent, new, gates, bent


def _lstm_infer(x: TensorSpec, inner: TensorSpec, carry: TensorSpec) -> tuple[TensorSpec, ...]:
    one, wide = _specs(x, inner, carry, 4)
    return one, one, wide, one


def _gru_kernel(x: Array, inner: Array, state: Array) -> tuple[Array, Array]:
    units = state.shape[-1]
    _check(x, inner, state, 3)
    half = x.dtype.type(0.5)
    gates = x + inner
    both, candidate = gates[..., : 2 * units], gates[..., 2 * units :]
    both *= half
    np.tanh(both, out=both)
    both *= half
    both += half
    np.multiply(both[..., units:], inner[..., 2 * units :], out=candidate)
    candidate += x[..., 2 * units :]
    np.tanh(candidate, out=candidate)
    new = state - candidate
    new *= both[..., :units]
    new += candidate
    return new, gates


def _gru_infer(x: TensorSpec, inner: TensorSpec, state: TensorSpec) -> tuple[TensorSpec, ...]:
    return _specs(x, inner, state, 3)


def _check(x: Array, inner: Array, state: Array, count: int) -> None:
    """Raise an error for invalid operands, whose message `run_kernel` replaces."""
    if x.shape != inner.shape or x.shape != (*state.shape[:-1], count * state.shape[-1]):
        raise ValueError("the sums do not fit the state")
    if not x.dtype == inner.dtype == state.dtype:
        raise TypeError("the dtypes differ")


def _specs(
    x: TensorSpec, inner: TensorSpec, state: TensorSpec, count: int
) -> tuple[TensorSpec, TensorSpec]:
    """Return the specs of a state, and of the sums of all of its gates."""
    infer.check_same_dtype(x, inner)
    if not x.shape.is_compatible_with(inner.shape):
        raise ShapeError(f"sums of shapes {x.shape} and {inner.shape} are not of one step")
    sums = x.shape.merge(inner.shape)
    found = infer.check_gates(TensorSpec(sums, x.dtype), state, count)
    if found.rank:
        units = found[-1]
        sums = infer.replaced(found, -1, None if units is None else count * units)
    return TensorSpec(found, x.dtype), TensorSpec(sums, x.dtype)


LSTM_GATES = define(
    "lstm_gates",
    _lstm_kernel,
    _lstm_infer,
    kinds="f",
    n_outputs=4,
    grad=GradientOfUsedOutputs(lstm_gates_grad),
)
GRU_GATES = define(
    "gru_gates",
    _gru_kernel,
    _gru_infer,
    kinds="f",
    n_outputs=2,
    grad=GradientOfUsedOutputs(gru_gates_grad),
)


def lstm_gates(x: Tensor, inner: Tensor, carry: Tensor) -> tuple[Tensor, Tensor]:
    """Return the output and the next carry of a cell with the default activations.

    Hochreiter and Schmidhuber, Long Short-Term Memory (1997), with the gate that forgets of Gers
    et al. (2000): c' = s(f) c + s(i) tanh(g) and h = s(o) tanh(c').

    Args:
        x, inner: floats of one shape, summands of i, f, g and o, one after the other along the
            last axis.
        carry: of the same shape but for the last axis, a quarter as long.

    >>> import autograph.runtime as rt
    >>> h, c = lstm_gates(rt.zeros((1, 8)), rt.zeros((1, 8)), rt.ones((1, 2)))
    >>> c.numpy().tolist()
    [[0.5, 0.5]]
    """
    output, new, _, _ = apply(LSTM_GATES, (x, inner, carry))
    return output, new


def gru_gates(x: Tensor, inner: Tensor, state: Tensor) -> Tensor:
    """Return the next state of a cell whose reset gate comes after the matrix product.

    Cho et al. (2014), arXiv:1406.1078v1: h' = s(z) h + (1 - s(z)) tanh(x_g + s(r) inner_g), where
    z and r are sums of both operands.

    Args:
        x, inner: floats of one shape, summands of z, r and g along the last axis.
        state: of the same shape but for the last axis, a third as long.

    >>> import autograph.runtime as rt
    >>> print(gru_gates(rt.zeros((1, 6)), rt.zeros((1, 6)), rt.ones((1, 2))))
    rt.Tensor([[0.5 0.5]], shape=(1, 2), dtype=float32)
    """
    new: Tensor = apply(GRU_GATES, (x, inner, state))[0]
    return new
