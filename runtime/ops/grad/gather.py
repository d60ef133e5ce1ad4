"""Gradients of gathering and scattering rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.ops import infer
from runtime.ops.arrays.scatter_kernels import add_at
from runtime.ops.gradient_rules import call
from runtime.ops.op import apply, define


def _like_infer(dy: TensorSpec, place: TensorSpec, like: TensorSpec, **attrs: Any) -> TensorSpec:
    return TensorSpec(like.shape, dy.dtype)


# -- gather ----------------------------------------------------------------------------------------


def _grid(sizes: tuple[int, ...], rank: int) -> list[Array]:
    """Return one index array per leading axis; it broadcasts with `rank` dimensions."""
    return [
        np.arange(size).reshape(*(1,) * axis, size, *(1,) * (rank - axis - 1))
        for axis, size in enumerate(sizes)
    ]


def _gathered_back_kernel(
    dy: Array, indices: Array, like: Array, *, axis: int, batch_dims: int = 0, wrap: bool = False
) -> Array:
    axis = infer.axis_of(axis, like.ndim)
    size = like.shape[axis]
    indices = np.where(indices < 0, indices + size, indices) if wrap else indices
    # The axis moves after the shared axes, as in the result.
    width = indices.ndim - batch_dims
    taken = range(axis, axis + width)
    rows = np.moveaxis(dy, tuple(taken), tuple(range(batch_dims, batch_dims + width)))
    order = (*range(batch_dims), axis, *(a for a in range(batch_dims, like.ndim) if a != axis))
    total = np.zeros([like.shape[a] for a in order], dy.dtype)
    batch = _grid(like.shape[:batch_dims], indices.ndim)
    add_at(total, tuple(np.broadcast_arrays(*batch, indices)), rows)
    return np.moveaxis(total, batch_dims, axis)


GATHERED_BACK = define(
    "gathered_back",
    _gathered_back_kernel,
    _like_infer,
    kinds="iufc",
    grad=lambda dys, outputs, inputs, **attrs: (
        call("gather", dys[0], inputs[1], **attrs),
        None,
        None,
    ),
)


def gather(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> tuple[Any, None]:
    """Add the rows of the gradient at the indices that they were read from."""
    params, indices = inputs
    return apply(GATHERED_BACK, (dys[0], indices, params), **attrs), None


# -- gather_nd -------------------------------------------------------------------------------------


def _rows_back_kernel(dy: Array, indices: Array, like: Array, *, batch_dims: int = 0) -> Array:
    total = np.zeros(like.shape, dy.dtype)
    batch = _grid(like.shape[:batch_dims], indices.ndim - 1)
    place = (*batch, *np.moveaxis(indices, -1, 0))
    if not place:  # Rows without indices select the whole tensor.
        return dy.sum(tuple(range(indices.ndim - 1)), dy.dtype)
    add_at(total, tuple(np.broadcast_arrays(*place)), dy)
    return total


ROWS_BACK = define(
    "rows_back",
    _rows_back_kernel,
    _like_infer,
    kinds="iufc",
    grad=lambda dys, outputs, inputs, **attrs: (
        call("gather_nd", dys[0], inputs[1], **attrs),
        None,
        None,
    ),
)


def gather_nd(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> tuple[Any, None]:
    """Add the rows of the gradient at the indices that they were read from."""
    params, indices = inputs
    return apply(ROWS_BACK, (dys[0], indices, params), **attrs), None


# -- boolean_mask ----------------------------------------------------------------------------------


def _unmasked_kernel(dy: Array, mask: Array, like: Array, *, axis: int) -> Array:
    result = np.zeros(like.shape, dy.dtype)
    before: tuple[Any, ...] = (slice(None),) * infer.axis_of(axis, like.ndim)
    result[(*before, mask)] = dy
    return result


UNMASKED = define(
    "unmasked",
    _unmasked_kernel,
    _like_infer,
    kinds="iufc",
    grad=lambda dys, outputs, inputs, axis: (
        call("boolean_mask", dys[0], inputs[1], axis=axis),
        None,
        None,
    ),
)


def boolean_mask(dys: Any, outputs: Any, inputs: Any, *, axis: int) -> tuple[Any, None]:
    """Write the gradient where the mask is true."""
    return apply(UNMASKED, (dys[0], inputs[1], inputs[0]), axis=axis), None


# -- scatters --------------------------------------------------------------------------------------


def scatter_nd(dys: Any, outputs: Any, inputs: Any, *, shape: Any) -> tuple[Any, ...]:
    """Gather the rows of the gradient at the indices of the updates."""
    picked = call("gather_nd", dys[0], inputs[0], batch_dims=0)
    return None, picked, *(None for _ in inputs[2:])


def scatter_add(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, ...]:
    """Pass the gradient to the tensor, and its rows to the updates."""
    return dys[0], None, call("gather_nd", dys[0], inputs[1], batch_dims=0)


def scatter_update(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, ...]:
    """Pass the gradient to the tensor except at overwritten elements, which go to the updates."""
    _, indices, updates = inputs
    nothing = call("zeros_like", updates, dtype=updates.dtype)
    kept = call("tensor_scatter_nd_update", dys[0], indices, nothing)
    return kept, None, call("gather_nd", dys[0], indices, batch_dims=0)


def scatter_extreme(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, ...]:
    """Share the gradient of an element evenly among all numbers that equal its extreme."""
    (x, indices, updates), y, dy = inputs, outputs[0], dys[0]
    kept = call("cast", call("equal", x, y), dtype=dy.dtype)
    extremes = call("gather_nd", y, indices, batch_dims=0)
    taken = call("cast", call("equal", updates, extremes), dtype=dy.dtype)
    count = call("tensor_scatter_nd_add", kept, indices, taken)
    share = call("divide_no_nan", dy, count)
    return share * kept, None, call("gather_nd", share, indices, batch_dims=0) * taken
