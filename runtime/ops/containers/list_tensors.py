"""Kernels between lists and tensors: `list_stack`, `list_concat`, `list_from_rows` and parts.

These are the kernels; the functions are with the others in `lists`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.core.item_list import ItemList
from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.core.variant import VARIANT, boxed
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.containers import list_gradients
from runtime.ops.containers.list_kernels import checked, list_in
from runtime.ops.op import define

NOTHING_TO_JOIN = "there is nothing to join: the list is empty"


def _leaves(target: Array, leaf: int, spec: TensorSpec) -> list[Array]:
    return [checked((item[leaf],), (spec,))[0] for item in list_in(target)]


def _no_rows(shape: TensorShape, spec: TensorSpec) -> Array:
    dims = (0,) if shape.dims is None else tuple(dim or 0 for dim in shape.dims)
    return np.empty(dims, spec.dtype.np_dtype)


def _stack_kernel(target: Array, *, leaf: int, spec: TensorSpec, needed: bool = False) -> Array:
    leaves = _leaves(target, leaf, spec)
    if needed and not leaves:
        raise ArgumentValueError(NOTHING_TO_JOIN)
    for position, each in enumerate(leaves):
        if each.shape != leaves[0].shape:
            raise _differ("stacked", position, leaves)
    return rows_of(leaves) if leaves else _no_rows(_rows_shape(spec), spec)


def rows_of(arrays: Sequence[Array]) -> Array:
    """Return arrays of one shape as the rows of another one, as `np.stack` does.

    >>> rows_of([np.arange(2), np.arange(2)])
    array([[0, 1],
           [0, 1]])
    """
    shape = arrays[0].shape
    if shape and all(each.flags.c_contiguous for each in arrays):
        # The memory layout of concatenated arrays is the same, and `concatenate` is much faster.
        return np.concatenate(arrays).reshape((len(arrays), *shape))
    return np.stack(arrays)


def _concat_kernel(target: Array, *, leaf: int, spec: TensorSpec, needed: bool = False) -> Array:
    leaves = _leaves(target, leaf, spec)
    if needed and not leaves:
        raise ArgumentValueError(NOTHING_TO_JOIN)
    for position, each in enumerate(leaves):
        if not each.ndim:
            raise ArgumentValueError(f"item {position} is a scalar, which has no axis to join")
        if each.shape[1:] != leaves[0].shape[1:]:
            raise _differ("joined", position, leaves)
    return np.concatenate(leaves) if leaves else _no_rows(_joined_shape(spec), spec)


def _differ(done: str, position: int, leaves: list[Array]) -> ArgumentValueError:
    first, other = (TensorShape.of(leaves[at].shape) for at in (0, position))
    return ArgumentValueError(
        f"item 0 has shape {first} and item {position} has shape {other}: they cannot be {done}"
    )


def _from_rows_kernel(*tensors: Array) -> Array:
    columns = [[tensor[row, ...] for row in range(len(tensor))] for tensor in tensors]
    return boxed(ItemList(zip(*columns, strict=True)))


def _from_parts_kernel(tensor: Array, lengths: Array) -> Array:
    if lengths.sum() != len(tensor) or (lengths < 0).any():
        raise ArgumentValueError(
            f"the lengths {lengths.tolist()} do not divide a tensor of {len(tensor)} rows"
        )
    ends = np.cumsum(lengths, dtype=np.int64)
    parts = [tensor[end - length : end] for length, end in zip(lengths, ends, strict=True)]
    return boxed(ItemList((part,) for part in parts))


# -- inference -------------------------------------------------------------------------------------


def _rows_shape(spec: TensorSpec) -> TensorShape:
    return TensorShape.of((None,)).concatenate(spec.shape)


def _joined_shape(spec: TensorSpec) -> TensorShape:
    return UNKNOWN if spec.shape.dims is None else TensorShape.of((None, *spec.shape.dims[1:]))


def _infer_stack(
    target: TensorSpec, *, leaf: int, spec: TensorSpec, needed: bool = False
) -> TensorSpec:
    if spec.dtype.is_variant:
        raise DTypeError("a list of lists cannot be stacked: stack the lists in it")
    return spec.with_shape(_rows_shape(spec))


def _infer_concat(
    target: TensorSpec, *, leaf: int, spec: TensorSpec, needed: bool = False
) -> TensorSpec:
    if spec.shape.rank == 0:
        raise ShapeError("scalars have no axis to join: stack them")
    return spec.with_shape(_joined_shape(spec))


def _infer_from_rows(*tensors: TensorSpec) -> TensorSpec:
    for tensor in tensors:
        infer.check_rank_at_least(tensor, 1)
    if len({tensor.shape[0] for tensor in tensors} - {None}) > 1:
        raise ShapeError("tensors of different lengths make no rows together")
    return VARIANT


def _infer_from_parts(tensor: TensorSpec, lengths: TensorSpec) -> TensorSpec:
    infer.check_rank_at_least(tensor, 1)
    infer.check_integer(lengths, "the lengths of parts")
    infer.vector_length(lengths)
    return VARIANT


STACK = define("list_stack", _stack_kernel, _infer_stack, kinds="V", grad=list_gradients.stack)
CONCAT = define("list_concat", _concat_kernel, _infer_concat, kinds="V", grad=list_gradients.concat)
FROM_ROWS = define(
    "list_from_rows", _from_rows_kernel, _infer_from_rows, grad=list_gradients.from_rows
)
FROM_PARTS = define(
    "list_from_parts", _from_parts_kernel, _infer_from_parts, grad=list_gradients.from_parts
)
