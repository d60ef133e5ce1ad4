"""Shape and dtype inference rules shared by families of ops.

Every rule accepts unknown dimensions and ranks, and returns the known part of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from runtime.core.dtypes import DType, bool_
from runtime.core.shapes import UNKNOWN, Dims, TensorShape
from runtime.core.spec import TensorSpec
from runtime.errors import DTypeError, ShapeError

Infer = Callable[..., Any]


def same(x: TensorSpec, **attrs: Any) -> TensorSpec:
    """Return the spec of the first input."""
    return x.unnamed()


def same_shape(dtype: DType) -> Infer:
    """Return a rule: the result has the first input's shape and this dtype."""
    return lambda x, **attrs: TensorSpec(x.shape, dtype)


def broadcast(x: TensorSpec, *others: TensorSpec, **attrs: Any) -> TensorSpec:
    """Infer the result of inputs of one dtype that broadcast."""
    check_same_dtype(x, *others)
    shape = x.shape
    for other in others:
        shape = shape.broadcast(other.shape)
    return TensorSpec(shape, x.dtype)


def alike(x: TensorSpec, *others: TensorSpec, **attrs: Any) -> TensorSpec:
    """Infer the result of inputs of one dtype and one shape."""
    check_same_dtype(x, *others)
    return TensorSpec(check_same_shape(x, *others), x.dtype)


def broadcast_bool(x: TensorSpec, y: TensorSpec, **attrs: Any) -> TensorSpec:
    """Infer the bool result of two inputs of one dtype that broadcast."""
    return broadcast(x, y).with_dtype(bool_)


def fixed(shape: Any, dtype: DType) -> Infer:
    """Return a rule for a result whose spec does not depend on the inputs."""
    spec = TensorSpec(shape, dtype)
    return lambda *inputs, **attrs: spec


def reduced(dtype: DType | None = None) -> Infer:
    """Return a rule: the axes in `axis` (None: all) disappear, or become 1 with `keepdims`."""

    def infer(
        x: TensorSpec, *, axis: tuple[int, ...] | None = None, keepdims: bool = False, **rest: Any
    ) -> TensorSpec:
        result = dtype or rest.get("output_type") or x.dtype
        return TensorSpec(reduced_shape(x.shape, axis, keepdims), result)

    return infer


def reduced_shape(shape: TensorShape, axis: tuple[int, ...] | None, keepdims: bool) -> TensorShape:
    """Return the rest of a shape when `axis` is reduced."""
    if shape.dims is None:
        return TensorShape.of(()) if axis is None and not keepdims else UNKNOWN
    axes = range(len(shape)) if axis is None else distinct_axes(axis, len(shape))
    if keepdims:
        return TensorShape.of(tuple(1 if i in axes else d for i, d in enumerate(shape.dims)))
    return TensorShape.of(tuple(d for i, d in enumerate(shape.dims) if i not in axes))


def axis_of(axis: int, rank: int) -> int:
    """Return `axis` as a non-negative index; ShapeError if there is no such axis.

    >>> axis_of(-1, 3)
    2
    """
    if not -rank <= axis < rank:
        raise ShapeError(f"axis {axis} is out of range for rank {rank}")
    return axis % rank if rank else axis


def distinct_axes(axes: Iterable[int], rank: int) -> list[int]:
    """Return axes counted from the front; ShapeError when one is named twice.

    >>> distinct_axes((0, -1), 3)
    [0, 2]
    """
    found = [axis_of(axis, rank) for axis in axes]
    if len(set(found)) != len(found):
        raise ShapeError(f"axes {list(axes)} name an axis of rank {rank} twice")
    return found


def checked_axes(x: TensorSpec, *axes: int) -> tuple[int, ...] | None:
    """Return axes counted from the front, or None when the rank is unknown."""
    if x.shape.rank is None:
        return None
    return tuple(axis_of(axis, x.shape.rank) for axis in axes)


def replaced(shape: TensorShape, axis: int, size: int | None) -> TensorShape:
    """Return the shape with one dimension changed."""
    if shape.dims is None:
        return UNKNOWN
    axis = axis_of(axis, len(shape))
    return TensorShape.of((*shape.dims[:axis], size, *shape.dims[axis + 1 :]))


def rank_only(rank: int | None) -> TensorShape:
    """Return a shape of which only the rank is known, or not even that."""
    return UNKNOWN if rank is None else TensorShape.of((None,) * rank)


def vector_length(spec: TensorSpec) -> int | None:
    """Return the length of a vector's spec; ShapeError when it cannot be a vector."""
    if spec.shape.rank not in (None, 1):
        raise ShapeError(f"expected a vector, got shape {spec.shape}")
    return spec.shape[0]


def target_shape(dims: TensorSpec | None, shape: Dims) -> TensorShape:
    """Return the shape of a `shape` attribute; `dims` fills in unknown dimensions."""
    if dims is not None:
        check_integer(dims, "the sizes of a shape")
        # A single size is a shape with one dimension.
        length = 1 if dims.shape.rank == 0 else vector_length(dims)
        if shape is not None and length not in (None, len(shape)):
            raise ShapeError(f"a shape of rank {len(shape)} needs {len(shape)} sizes, not {length}")
    if shape is not None and any(size is not None and size < 0 for size in shape):
        raise ShapeError(f"the shape {list(shape)} has a negative dimension")
    if shape is None and dims is not None:
        return rank_only(length)
    return TensorShape.of(shape)


def check_same_dtype(x: TensorSpec, *others: TensorSpec) -> None:
    """Raise DTypeError unless all have the dtype of the first."""
    for other in others:
        if other.dtype is not x.dtype:
            raise DTypeError(
                f"{x.dtype.name} and {other.dtype.name} tensors do not mix: write "
                f"rt.cast(x, rt.{x.dtype.name})"
            )


def check_same_shape(*given: Any) -> TensorShape:
    """Return the common shape of specs, tensors or arrays; ShapeError if they differ."""
    shape = UNKNOWN
    for each in given:
        if not shape.is_compatible_with(each.shape):
            raise ShapeError(f"takes tensors of one shape, not of {shape} and {each.shape}")
        shape = shape.merge(each.shape)
    return shape


def check_integer(spec: TensorSpec, what: str) -> None:
    """Raise DTypeError unless the spec is of integers."""
    if not spec.dtype.is_integer:
        raise DTypeError(f"{what} must be integers, not {spec.dtype.name}")


def check_scalar(spec: TensorSpec, what: str) -> None:
    """Raise ShapeError if the spec is known not to be a scalar."""
    if spec.shape.rank not in (None, 0):
        raise ShapeError(f"{what} must be a scalar, not of shape {spec.shape}")


def of_lapack(spec: TensorSpec) -> TensorSpec:
    """Return a spec; DTypeError for floats that LAPACK has no routines for.

    NumPy would convert bfloat16 to float64.
    """
    if spec.dtype.size < 4:
        raise DTypeError(
            f"works on float32, float64 and complex tensors, not on {spec.dtype.name}: "
            "write rt.cast(x, rt.float32)"
        )
    return spec


def check_rank_at_least(spec: TensorSpec, rank: int) -> None:
    """Raise ShapeError if the rank is known to be too small."""
    if spec.shape.rank is not None and spec.shape.rank < rank:
        raise ShapeError(f"needs rank {rank} or more, got shape {spec.shape}")


def check_gates(sums: TensorSpec, state: TensorSpec, count: int) -> TensorShape:
    """Return the known shape of a state whose gates have `count` sums per unit.

    Raises:
        ShapeError, DTypeError: the sums do not fit the state.
    """
    check_same_dtype(sums, state)
    check_rank_at_least(sums, 1)
    check_rank_at_least(state, 1)
    if sums.shape.dims is None:
        return state.shape
    width = sums.shape[-1]
    units = None if width is None else width // count
    shape = replaced(sums.shape, -1, units)
    if (width is not None and width % count) or not shape.is_compatible_with(state.shape):
        raise ShapeError(
            f"sums of shape {sums.shape} do not fit a state of {state.shape}: the last axis is "
            f"{count} times as long"
        )
    return shape.merge(state.shape)


def product(dims: tuple[int | None, ...]) -> int | None:
    """Return the product of dimensions, None when one is unknown (and none is 0)."""
    return 0 if 0 in dims else TensorShape.of(dims).num_elements()
