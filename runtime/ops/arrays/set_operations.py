"""Set operations on vectors: results are sorted, each element occurs once."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError, ShapeError
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.gather import boolean_mask
from runtime.ops.arrays.segments import unsorted_segment_sum
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.arrays.sorting import sort, unique
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.logic import logical_and, logical_not


def intersection(a: TensorLike, b: TensorLike, validate_indices: bool = True) -> Tensor:
    """Return the elements that are in both sets, sorted.

    Args:
        a, b: vectors of the same dtype: numbers or strings. TensorFlow takes rows of sets and
            returns sparse tensors, which are not supported here.
        validate_indices: has no effect for dense vectors.

    Raises:
        ShapeError: an argument is not a vector.
        DTypeError: the dtypes differ.

    >>> print(intersection([3, 1, 1, 5], [5, 3, 4]))
    rt.Tensor([3 5], shape=(2,), dtype=int32)
    """
    values, in_a, in_b = _compared("intersection", a, b)
    return sort(boolean_mask(values, logical_and(in_a, in_b)))


def union(a: TensorLike, b: TensorLike, validate_indices: bool = True) -> Tensor:
    """Return the elements that are in at least one of the sets, sorted; see `intersection`.

    >>> print(union([3, 1, 1], [5, 3]))
    rt.Tensor([1 3 5], shape=(3,), dtype=int32)
    """
    return sort(_compared("union", a, b)[0])


def difference(
    a: TensorLike, b: TensorLike, aminusb: bool = True, validate_indices: bool = True
) -> Tensor:
    """Return the elements of the first set that are not in the second; see `intersection`.

    Args:
        aminusb: False for the elements of `b` that are not in `a`.

    >>> print(difference([3, 1, 1, 5], [5]))
    rt.Tensor([1 3], shape=(2,), dtype=int32)
    """
    first, second = (a, b) if flag(aminusb, "aminusb") else (b, a)
    values, in_first, in_second = _compared("difference", first, second)
    return sort(boolean_mask(values, logical_and(in_first, logical_not(in_second))))


def size(a: TensorLike, validate_indices: bool = True) -> Tensor:
    """Return the number of different elements of a vector, an int32 scalar.

    >>> print(size([3, 1, 1, 5]))
    rt.Tensor(3, shape=(), dtype=int32)
    """
    return shape_of(unique(_vector("size", "a", a)).y)[0]


def _compared(operation: str, a: Any, b: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Return the distinct elements of both sets, and masks of those in the first and second."""
    first, second = _vector(operation, "a", a), _vector(operation, "b", b)
    if first.dtype != second.dtype:
        raise DTypeError(
            f"{operation}: a is {first.dtype.name} and b is {second.dtype.name}: cast one of them"
        )
    values, places = unique(concat([first, second], 0))
    many, count = shape_of(first)[0], shape_of(values)[0]
    in_first, in_second = (
        unsorted_segment_sum(ones_like(each), each, count) > 0
        for each in (places[:many], places[many:])
    )
    return values, in_first, in_second


def _vector(operation: str, name: str, value: Any) -> Tensor:
    tensor = to_tensor(value)
    if tensor.shape.rank not in (1, None):
        raise ShapeError(f"{operation}: {name} has shape {tensor.shape}: a set is a vector")
    return tensor
