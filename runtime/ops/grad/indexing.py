"""Gradients of indexing, slicing and writing to an index."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.ops.arrays.index import Index
from runtime.ops.convert import constant_tensor
from runtime.ops.gradient_rules import call, sum_to_like
from runtime.ops.op import apply, define


def _sliced_back_kernel(dy: Array, like: Array, *inputs: Array, index: Index) -> Array:
    result = np.zeros(like.shape, dy.dtype)
    result[index.numpy(inputs)] = dy
    return result


def _like_second(dy: TensorSpec, like: TensorSpec, *inputs: TensorSpec, **attrs: Any) -> TensorSpec:
    return TensorSpec(like.shape, dy.dtype)


SLICED_BACK = define(
    "sliced_back",
    _sliced_back_kernel,
    _like_second,
    kinds="iufc",
    grad=lambda dys, outputs, inputs, index: (
        call("strided_slice", dys[0], *inputs[2:], index=index),
        *(None for _ in inputs[1:]),
    ),
)


def strided_slice(dys: Any, outputs: Any, inputs: Any, *, index: Index) -> tuple[Any, ...]:
    """Write the gradient into zeros, at the index that was read."""
    x, *scalars = inputs
    return apply(SLICED_BACK, (dys[0], x, *scalars), index=index), *(None for _ in scalars)


def _replaced_kernel(dy: Array, *inputs: Array, index: Index) -> Array:
    """Read the elements of an index; of repeated ones only the last gets its gradient."""
    place = index.numpy(inputs)
    picked = np.asarray(dy[place])
    if not any(isinstance(part, np.ndarray) and part.ndim for part in place):
        return picked
    numbers = np.arange(picked.size).reshape(picked.shape)
    writer = np.empty(dy.shape, np.int64)
    writer[place] = numbers
    return np.where(writer[place] == numbers, picked, dy.dtype.type(0))


def _replaced_infer(dy: TensorSpec, *inputs: TensorSpec, index: Index) -> TensorSpec:
    if all(spec.shape.rank == 0 for spec in inputs):
        return TensorSpec(index.result_shape(dy.shape), dy.dtype)
    return TensorSpec(None, dy.dtype)


def _replaced_grad(dys: Any, outputs: Any, inputs: Any, *, index: Index) -> tuple[Any, ...]:
    dy, *places = inputs
    zeros = call("zeros_like", dy, dtype=dy.dtype)
    return call("set_item", zeros, dys[0], *places, index=index), *(None for _ in places)


REPLACED = define(
    "replaced_part", _replaced_kernel, _replaced_infer, kinds="iufc", grad=_replaced_grad
)


def set_item(dys: Any, outputs: Any, inputs: Any, *, index: Index) -> tuple[Any, ...]:
    """Set the gradient of the overwritten part to 0; the value gets that part."""
    (_, value, *places), dy = inputs, dys[0]
    zero = constant_tensor(np.zeros((), dy.dtype.np_dtype))
    kept = call("set_item", dy, zero, *places, index=index)
    picked = apply(REPLACED, (dy, *places), index=index)
    return kept, sum_to_like(picked, value), *(None for _ in places)


def _slice_back_kernel(dy: Array, like: Array, begin: Array) -> Array:
    result = np.zeros(like.shape, dy.dtype)
    spans = zip(begin.tolist(), dy.shape, strict=True)
    result[tuple(slice(start, start + size) for start, size in spans)] = dy
    return result


SLICE_BACK = define(
    "slice_back",
    _slice_back_kernel,
    _like_second,
    kinds="iufc",
    grad=lambda dys, outputs, inputs: (
        call("slice", dys[0], inputs[2], call("shape", inputs[0], out_type=int32), size=None)
        if not inputs[0].shape.is_fully_defined()
        else call("slice", dys[0], inputs[2], size=inputs[0].shape.dims),
        None,
        None,
    ),
)


def slice_gradient(dys: Any, outputs: Any, inputs: Any, *, size: Any) -> tuple[Any, ...]:
    """Write the gradient into zeros, at the position of the slice."""
    x, begin, *sizes = inputs
    return apply(SLICE_BACK, (dys[0], x, begin)), None, *(None for _ in sizes)
