"""`embedding_lookup`: the rows of a table for ids."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import maximum
from runtime.ops.elementwise.unary import rsqrt, square


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
