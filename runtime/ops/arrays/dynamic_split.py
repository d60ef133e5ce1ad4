"""`split` and `transpose` with sizes or axes that are known only at run time."""

from __future__ import annotations

import builtins
from typing import Any

from runtime.core.dtypes import int32, int64, uint64
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops.arguments import folded_value, static_int
from runtime.ops.arrays.creation import range
from runtime.ops.arrays.cumulative import cumprod, cumsum
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import reshape, shape
from runtime.ops.arrays.sorting import sort
from runtime.ops.convert import holds_tensors, is_tensor_like, strong_cast, to_tensor
from runtime.ops.effects.assertions import assert_equal
from runtime.ops.elementwise.arithmetic import maximum, minimum
from runtime.ops.elementwise.selection import where
from runtime.ops.infer import check_integer


def is_run_time_value(value: Any) -> bool:
    """Return whether an argument contains a tensor that only a run knows.

    >>> is_run_time_value(to_tensor(1)), is_run_time_value([0, 1])
    (False, False)
    """
    if not is_tensor_like(value) and not holds_tensors(value):
        return False
    return folded_value(to_tensor(value)) is None


MOST_PARTS = 65_536
"""The parts that a split makes at most: each is a tensor of the graph."""


def number_of_sizes(sizes: Any, num: Any = None) -> int | None:
    """Return the number of sizes if the sizes are only known at run time, else None.

    Raises:
        ArgumentValueError: neither the sizes nor `num` determine it, or they contradict each other.
        ShapeError: the sizes are no vector.

    >>> number_of_sizes([1, 2]) is None
    True
    """
    known = None if num is None else static_int(num, "num")
    if known is not None and not 1 <= known <= MOST_PARTS:
        raise ArgumentValueError(f"num must be from 1 to {MOST_PARTS}, not {known}")
    values = to_tensor(sizes)
    if values.shape.rank == 0:
        return None
    if values.shape.rank not in (None, 1):
        raise ShapeError(f"sizes must be a list of ints, not of shape {values.shape}")
    count = values.shape[0]
    if count is None and known is None:
        raise ArgumentValueError(f"the number of sizes in {sizes} is not known: give num=")
    if None not in (count, known) and count != known:
        raise ArgumentValueError(f"num must be {count}, the number of sizes, not {known}")
    return (known if count is None else count) if is_run_time_value(sizes) else None


def split_at_run_time(x: Tensor, sizes: Any, count: int, axis: int) -> list[Tensor]:
    """Return `count` parts of a tensor along an axis; one of the sizes may be -1, for the rest.

    A run checks that the sizes add up.

    >>> [part.numpy().tolist() for part in split_at_run_time(to_tensor([1, 2, 3]), [1, -1], 2, 0)]
    [[1], [2, 3]]
    """
    size = strong_cast(shape(x)[axis], int64)
    given = to_tensor(sizes)
    check_integer(given.spec, "sizes")
    if given.dtype in (int64, uint64):
        given = minimum(given, to_tensor(int32.max, given.dtype))  # whose sum cannot wrap around
    wanted = strong_cast(reshape(given, [count]), int64)
    # Sizes that are too large, or below -1, give one place too many, not all that they ask for.
    wanted = where(wanted < -1, size + 1, wanted)
    rest = size - reduce_sum(where(wanted < 0, 0, wanted))
    ends = cumsum(maximum(where(wanted < 0, rest, wanted), 0))
    places = reshape(range(minimum(ends[-1], size + 1)), [size])
    starts = [0, *(ends[i] for i in builtins.range(count - 1))]
    return [gather(x, places[starts[i] : ends[i]], axis=axis) for i in builtins.range(count)]


def transpose_at_run_time(x: Tensor, perm: Any) -> Tensor:
    """Return a tensor with its axes permuted by a tensor.

    Raises:
        ShapeError: the number of axes is unknown.

    >>> transpose_at_run_time(to_tensor([[1, 2, 3]]), [1, 0]).shape
    TensorShape([3, 1])
    """
    order = to_tensor(perm)
    rank = order.shape[0] if x.shape.rank is None and order.shape.rank == 1 else x.shape.rank
    if rank is None:
        raise ShapeError(f"the rank of {x} must be known: write rt.ensure_shape")
    order = where(order < 0, order + rank, order)
    assert_equal(sort(order), range(0, rank, dtype=order.dtype), "perm must name each axis once")
    sizes = reshape(shape(x), [rank])
    # The stride of each axis of the result is that of the original axis.
    steps = gather(cumprod(sizes, exclusive=True, reverse=True), order)
    sizes = gather(sizes, order)
    places = to_tensor(0)
    for axis in builtins.range(rank):
        along = range(sizes[axis]) * steps[axis]
        places = places + reshape(along, [-1] + [1] * (rank - axis - 1))
    return gather(reshape(x, [-1]), places)
