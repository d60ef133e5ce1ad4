"""Scatters elements to positions given by indices, into a new tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.shapes import Dims, ShapeLike, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.ops import infer
from runtime.ops.arguments import dims_argument, final_shape
from runtime.ops.arrays.gather import check_policy, check_rows
from runtime.ops.arrays.nan_ordering import has_nan
from runtime.ops.arrays.scatter_kernels import add_at
from runtime.ops.convert import matched, to_tensor
from runtime.ops.elementwise.unary import negative
from runtime.ops.grad import gather as backward
from runtime.ops.op import Op, apply, define

Write = Callable[[Array, Any, Array], None]


def _assign(target: Array, place: Any, updates: Array) -> None:
    target[place] = updates


def extreme(join: Any, least: float) -> Write:
    """Return a function that writes the larger or smaller of two numbers; NaN changes nothing.

    >>> x = np.array([1.0, 2.0])
    >>> extreme(np.maximum, -np.inf)(x, [0, 1], np.array([3.0, np.nan]))
    >>> x
    array([3., 2.])
    """

    def write(target: Array, place: Any, updates: Array) -> None:
        if has_nan(updates):
            updates = np.where(np.isnan(updates), updates.dtype.type(least), updates)
        join.at(target, place, updates)

    return write


def _writing_op(write: Write) -> Callable[[Array, Array, Array], None]:
    def change(x: Array, indices: Array, updates: Array) -> None:
        check_rows(indices, x.shape)
        depth = indices.shape[-1]
        if updates.shape != indices.shape[:-1] + x.shape[depth:]:
            check_updates(TensorShape.of(x.shape), _spec(indices), _spec(updates))
        write(x, tuple([indices[..., at] for at in range(depth)]), updates)

    return change


# For each op, a function that writes in place, into an array that nothing else uses.
WRITES = {
    "tensor_scatter_nd_update": _writing_op(_assign),
    "tensor_scatter_nd_add": _writing_op(add_at),
    "tensor_scatter_nd_max": _writing_op(extreme(np.maximum, -np.inf)),
    "tensor_scatter_nd_min": _writing_op(extreme(np.minimum, np.inf)),
}


def _scatters(name: str) -> Callable[..., Array]:
    change = WRITES[name]

    def kernel(x: Array, indices: Array, updates: Array) -> Array:
        changed = x.copy()
        change(changed, indices, updates)
        return changed

    return kernel


def _scatter_nd_kernel(indices: Array, updates: Array, *dims: Array, shape: Dims) -> Array:
    zero = b"" if updates.dtype.kind == "O" else 0
    made = np.full(final_shape(shape, dims), zero, updates.dtype)
    WRITES["tensor_scatter_nd_add"](made, indices, updates)
    return made


def _scatter_infer(x: TensorSpec, indices: TensorSpec, updates: TensorSpec) -> TensorSpec:
    infer.check_same_dtype(x, updates)
    infer.check_integer(indices, "indices")
    check_updates(x.shape, indices, updates)
    return x.unnamed()


def _scatter_nd_infer(
    indices: TensorSpec, updates: TensorSpec, *dims: TensorSpec, shape: Dims
) -> TensorSpec:
    infer.check_integer(indices, "indices")
    target = TensorShape(infer.target_shape(dims[0] if dims else None, shape))
    check_updates(target, indices, updates)
    return TensorSpec(target, updates.dtype)


def check_updates(shape: TensorShape, indices: TensorSpec, updates: TensorSpec) -> None:
    """Raise ShapeError unless there is one update (an element or a slice) per row of indices.

    >>> rows = TensorSpec((3, 1), "int32")
    >>> check_updates(TensorShape([5, 2]), rows, TensorSpec((3, 2)))
    """
    infer.check_rank_at_least(indices, 1)
    depth = indices.shape[-1] if indices.shape.rank else None
    if depth is None or shape.rank is None:
        return
    if depth > shape.rank:
        raise ShapeError(f"indices of {depth} numbers are too long for shape {shape}")
    expected = indices.shape[:-1] + shape[depth:]
    if not expected.is_compatible_with(updates.shape):
        raise ShapeError(f"updates of shape {updates.shape} should have shape {expected}")


def _spec(array: Array) -> TensorSpec:
    return TensorSpec.of_array(array)


SCATTER_ND = define(
    "scatter_nd",
    _scatter_nd_kernel,
    _scatter_nd_infer,
    grad=backward.scatter_nd,
    tensorflow_name="ScatterNd",
)
TENSOR_SCATTER_ND_UPDATE = define(
    "tensor_scatter_nd_update",
    _scatters("tensor_scatter_nd_update"),
    _scatter_infer,
    grad=backward.scatter_update,
    tensorflow_name="TensorScatterUpdate",
)
TENSOR_SCATTER_ND_ADD = define(
    "tensor_scatter_nd_add",
    _scatters("tensor_scatter_nd_add"),
    _scatter_infer,
    grad=backward.scatter_add,
    tensorflow_name="TensorScatterAdd",
)


TENSOR_SCATTER_ND_MAX = define(
    "tensor_scatter_nd_max",
    _scatters("tensor_scatter_nd_max"),
    _scatter_infer,
    kinds="biuf",
    grad=backward.scatter_extreme,
    tensorflow_name="TensorScatterMax",
)
TENSOR_SCATTER_ND_MIN = define(
    "tensor_scatter_nd_min",
    _scatters("tensor_scatter_nd_min"),
    _scatter_infer,
    kinds="biuf",
    grad=backward.scatter_extreme,
    tensorflow_name="TensorScatterMin",
)


def scatter_nd(
    indices: TensorLike,
    updates: TensorLike,
    shape: ShapeLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """Return zeros of `shape` to which `updates[i]` is added at `indices[i]`.

    >>> print(scatter_nd([[1], [3]], [9, 8], [4]))
    rt.Tensor([0 9 0 8], shape=(4,), dtype=int32)
    """
    check_policy(bad_indices_policy, "scatter_nd")
    target, dims = dims_argument(shape)
    inputs = (to_tensor(indices), to_tensor(updates), *dims)
    result: Tensor = apply(SCATTER_ND, inputs, shape=target)
    return result


def tensor_scatter_nd_update(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """Return `tensor` with the elements at `indices[i]` replaced by `updates[i]`.

    >>> print(tensor_scatter_nd_update([1, 2, 3], [[0], [2]], [9, 8]))
    rt.Tensor([9 2 8], shape=(3,), dtype=int32)
    """
    return _scattered(TENSOR_SCATTER_ND_UPDATE, tensor, indices, updates)


def tensor_scatter_nd_add(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """Return `tensor` with `updates[i]` added at `indices[i]`; repeated indices add up.

    >>> print(tensor_scatter_nd_add([1, 2, 3], [[0], [0]], [10, 10]))
    rt.Tensor([21  2  3], shape=(3,), dtype=int32)
    """
    check_policy(bad_indices_policy, "tensor_scatter_nd_add")
    return _scattered(TENSOR_SCATTER_ND_ADD, tensor, indices, updates)


def tensor_scatter_nd_sub(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """Return `tensor` with `updates[i]` subtracted at `indices[i]`; repeated indices add up.

    >>> print(tensor_scatter_nd_sub([1, 2, 3], [[0], [0]], [10, 10]))
    rt.Tensor([-19   2   3], shape=(3,), dtype=int32)
    """
    check_policy(bad_indices_policy, "tensor_scatter_nd_sub")
    (x, taken), _ = matched((to_tensor(tensor), updates), "tensor_scatter_nd_sub")
    return _scattered(TENSOR_SCATTER_ND_ADD, x, indices, negative(taken))


def tensor_scatter_nd_max(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """Return `tensor` with the larger of `updates[i]` and the element at `indices[i]`.

    >>> print(tensor_scatter_nd_max([1, 5, 3], [[0], [1]], [4, 4]))
    rt.Tensor([4 5 3], shape=(3,), dtype=int32)
    """
    check_policy(bad_indices_policy, "tensor_scatter_nd_max")
    return _scattered(TENSOR_SCATTER_ND_MAX, tensor, indices, updates)


def tensor_scatter_nd_min(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """Return `tensor` with the smaller of `updates[i]` and the element at `indices[i]`.

    >>> print(tensor_scatter_nd_min([1, 5, 3], [[0], [1]], [4, 4]))
    rt.Tensor([1 4 3], shape=(3,), dtype=int32)
    """
    check_policy(bad_indices_policy, "tensor_scatter_nd_min")
    return _scattered(TENSOR_SCATTER_ND_MIN, tensor, indices, updates)


def _scattered(op: Op, tensor: Any, indices: Any, updates: Any) -> Tensor:
    (x, new), _ = matched((to_tensor(tensor), updates), op.name)
    result: Tensor = apply(op, (x, to_tensor(indices), new))
    return result
