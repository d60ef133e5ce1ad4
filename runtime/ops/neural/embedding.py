"""`embedding_lookup` and `in_top_k`."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import bool_, float32, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import maximum
from runtime.ops.elementwise.unary import rsqrt, square
from runtime.ops.op import apply, define


def _in_top_k_kernel(targets: Array, predictions: Array, k: Array) -> Array:
    _in_top_k_infer(*map(TensorSpec.of_array, (targets, predictions, k)))
    classes = predictions.shape[1]
    inside = (targets >= 0) & (targets < classes)
    if not classes:
        return np.zeros(targets.shape, np.bool_)
    safe = np.where(inside, targets, 0).astype(np.int64)[:, None]
    own = np.take_along_axis(predictions, safe, 1)
    above = np.sum(predictions > own, 1)
    return inside & np.isfinite(predictions).all(1) & (above < k)


def _in_top_k_infer(targets: TensorSpec, predictions: TensorSpec, k: TensorSpec) -> TensorSpec:
    infer.check_integer(k, "k")
    if predictions.dtype is not float32:
        raise DTypeError(f"predictions must be float32, not {predictions.dtype.name}: use rt.cast")
    if predictions.shape.rank not in (None, 2):
        raise ShapeError(f"predictions must be a matrix, not of shape {predictions.shape}")
    if k.shape.rank not in (None, 0):
        raise ShapeError(f"k must be a scalar, not of shape {k.shape}")
    infer.vector_length(targets)
    if not targets.shape.is_compatible_with(predictions.shape[:1]):
        raise ShapeError(
            f"targets of shape {targets.shape} do not fit predictions of shape {predictions.shape}"
        )
    return TensorSpec((targets.shape.merge(predictions.shape[:1])[0],), bool_)


IN_TOP_K = define(
    "in_top_k", _in_top_k_kernel, _in_top_k_infer, kinds="iu", tensorflow_name="InTopKV2"
)


def embedding_lookup(
    params: TensorLike, ids: TensorLike, max_norm: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Return the rows of `params` with the indices `ids`.

    Args:
        params: a tensor or variable; the ids are indices into its first axis.
        ids: integers of any shape.
        max_norm: the maximum norm, to which longer rows are scaled; or None.

    Raises:
        InvalidArgumentError: there is no such row.
        ShapeError: there is a `max_norm`, and the ranks are not known.

    >>> print(embedding_lookup([[1.0, 2.0], [3.0, 4.0]], [1]))
    rt.Tensor([[3. 4.]], shape=(1, 2), dtype=float32)
    """
    if isinstance(params, (list, tuple)) and not params:
        raise ArgumentValueError("params must hold a tensor of rows, not be empty")
    numbers = to_tensor(ids, dtype_hint=int32)
    rows: Any = gather(params, numbers)
    if max_norm is None:
        return rows
    if numbers.shape.rank is None or rows.shape.rank is None:
        raise ShapeError("max_norm needs params and ids of known rank: use rt.ensure_shape")
    axes = list(range(numbers.shape.rank, rows.shape.rank))
    bound: Any = to_tensor(max_norm, rows.dtype)
    total = reduce_sum(square(rows), axes, keepdims=True)
    result: Tensor = rows * (bound * rsqrt(maximum(total, bound * bound)))
    return result


def in_top_k(
    targets: TensorLike, predictions: TensorLike, k: TensorLike, name: str | None = None
) -> Tensor:
    """Return whether fewer than `k` classes have a higher prediction than the target.

    Args:
        targets: a vector of class indices; the answer for an invalid one is False.
        predictions: float32 of shape (number of targets, classes); where one is not finite, the
            answer is False.

    >>> in_top_k([1, 0], [[0.1, 0.8], [0.3, 0.7]], 1).numpy()
    array([ True, False])
    """
    inputs = (to_tensor(targets, dtype_hint=int32), to_tensor(predictions), to_tensor(k))
    result: Tensor = apply(IN_TOP_K, inputs)
    return result
