"""`dynamic_partition` and `dynamic_stitch`: split rows by number, and merge them again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import static_int
from runtime.ops.convert import matched, to_tensor
from runtime.ops.gradient_rules import call
from runtime.ops.op import apply, define


def _partition_kernel(data: Array, partitions: Array, *, num_partitions: int) -> tuple[Array, ...]:
    _rest(TensorSpec.of_array(data), TensorSpec.of_array(partitions))
    wrong = (partitions < 0) | (partitions >= num_partitions)
    if wrong.any():
        place = np.argwhere(wrong)[0].tolist()
        found = int(partitions[tuple(place)])
        raise ArgumentValueError(f"partitions{place} = {found} is not in [0, {num_partitions})")
    return tuple(data[partitions == each] for each in range(num_partitions))


def _partition_infer(
    data: TensorSpec, partitions: TensorSpec, *, num_partitions: int
) -> tuple[TensorSpec, ...]:
    rest = _rest(data, partitions)
    shape = None if rest is None else TensorShape.of((None,)) + rest
    return (TensorSpec(shape, data.dtype),) * num_partitions


def _rest(data: TensorSpec, numbers: TensorSpec) -> TensorShape | None:
    """Return the shape of a row of data that belongs to one number; None if unknown."""
    infer.check_integer(numbers, "numbers of rows")
    if data.shape.rank is None or numbers.shape.rank is None:
        return None
    lead = numbers.shape.rank
    if lead > data.shape.rank or not data.shape[:lead].is_compatible_with(numbers.shape):
        raise ShapeError(
            f"the shape of data, {data.shape}, must begin with that of its partitions or indices, "
            f"{numbers.shape}"
        )
    return data.shape[lead:]


def _partition_grad(
    dys: Any, outputs: Any, inputs: Any, *, num_partitions: int
) -> tuple[Any, None]:
    data, numbers = inputs
    counted = _counted(numbers)
    places = apply(PARTITION, (counted, numbers), num_partitions=num_partitions)
    given = [
        call("zeros_like", y, dtype=y.dtype) if dy is None else dy for dy, y in zip(dys, outputs)
    ]
    rows = apply(STITCH, (*places, *given))
    if data.shape.is_fully_defined():
        return call("reshape", rows, shape=data.shape.dims), None
    return call("reshape", rows, call("shape", data, out_type=int32), shape=None), None


def _counted(numbers: Any) -> Any:
    """Return 0, 1, 2, ... in the shape of a tensor."""
    ones = call("ones_like", numbers, dtype=int32)
    flat = call("reshape", ones, shape=(-1,))
    counted = call("cumsum", flat, axis=0, exclusive=True, reverse=False)
    return call("reshape", counted, call("shape", numbers, out_type=int32), shape=None)


def _stitch_kernel(*inputs: Array) -> Array:
    indices, data = _halves(inputs)
    rests = [
        x.shape[each.ndim :]
        for each, x in zip(indices, data)
        if _rest(TensorSpec.of_array(x), TensorSpec.of_array(each)) is not None
    ]
    if len(set(rests)) > 1:
        raise ShapeError(f"the rows have several shapes, such as {rests[0]} and {rests[-1]}")
    if any((each < 0).any() for each in indices):
        raise ArgumentValueError("indices must not be negative")
    length = 1 + max((int(each.max()) for each in indices if each.size), default=-1)
    result = np.zeros((length, *rests[0]), data[0].dtype)
    for each, x in zip(indices, data):
        result[each] = x
    return result


def _stitch_infer(*specs: TensorSpec) -> TensorSpec:
    indices, data = _halves(specs)
    infer.check_same_dtype(*data)
    shape: TensorShape | None = None
    for each, x in zip(indices, data):
        rest = _rest(x, each)
        if rest is None:
            continue
        if shape is not None and not shape.is_compatible_with(rest):
            raise ShapeError(f"the rows have several shapes, such as {shape} and {rest}")
        shape = rest if shape is None else shape.merge(rest)
    return TensorSpec(None if shape is None else TensorShape.of((None,)) + shape, data[0].dtype)


def _halves(inputs: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    half = len(inputs) // 2
    return inputs[:half], inputs[half:]


def _stitch_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, ...]:
    """Return the gradients of the rows: of several written to one index, only the last gets it."""
    indices, data = _halves(inputs)
    numbers, before = [], None
    for each in indices:
        counted = _counted(each)
        numbers.append(counted if before is None else counted + before)
        count = call("size", each, out_type=int32)
        before = count if before is None else before + count
    last = apply(STITCH, (*indices, *numbers))
    gradients = []
    for each, x, number in zip(indices, data, numbers):
        taken = call("gather", dys[0], each, axis=0, batch_dims=0)
        counts = call("equal", call("gather", last, each, axis=0, batch_dims=0), number)
        gradients.append(taken * call("cast", _beside(counts, x), dtype=taken.dtype))
    return (*(None for _ in indices), *gradients)


def _beside(counts: Any, x: Any) -> Any:
    """Return conditions with axes of size 1 appended, so that they broadcast over rows."""
    own, whole = (call("shape", each, out_type=int32) for each in (counts, x))
    rest = call("ones_like", whole[call("size", own, out_type=int32) :], dtype=int32)
    return call("reshape", counts, call("concat", own, rest, axis=0), shape=None)


PARTITION = define(
    "dynamic_partition",
    _partition_kernel,
    _partition_infer,
    n_outputs=None,
    grad=_partition_grad,
    tensorflow_name="DynamicPartition",
)
STITCH = define(
    "dynamic_stitch",
    _stitch_kernel,
    _stitch_infer,
    grad=_stitch_grad,
    tensorflow_name="DynamicStitch",
)


def dynamic_partition(
    data: TensorLike, partitions: TensorLike, num_partitions: TensorLike, name: str | None = None
) -> list[Tensor]:
    """Return `num_partitions` tensors: in the first are the rows of `data` with number 0, ...

    Args:
        data: its shape begins with that of `partitions`.
        partitions: int32 numbers below `num_partitions`.

    Raises:
        InvalidArgumentError: a number is negative or too large, or the shapes do not fit.

    >>> [each.numpy().tolist() for each in dynamic_partition([5, 6, 7], [0, 1, 0], 2)]
    [[5, 7], [6]]
    """
    count = static_int(num_partitions, "num_partitions")
    if count < 1:
        raise ArgumentValueError(f"num_partitions must be 1 or more, not {count}")
    inputs = (to_tensor(data), _numbers(partitions, "partitions"))
    return list(apply(PARTITION, inputs, num_partitions=count))


def dynamic_stitch(indices: TensorLike, data: TensorLike, name: str | None = None) -> Tensor:
    """Return the rows of all of `data`, each at its index in `indices`.

    Args:
        indices: a list of int32 tensors.
        data: a list of as many tensors; the shape of each starts with that of its indices.

    Returns:
        As many rows as the largest index requires. Of rows with the same index the last one is
        used; rows without an index are 0.

    Raises:
        ArgumentValueError: `indices` and `data` are not lists of the same length.

    >>> dynamic_stitch([[0, 2], [1]], [[5, 7], [6]]).numpy().tolist()
    [5, 6, 7]
    """
    if not isinstance(indices, (list, tuple)) or not isinstance(data, (list, tuple)):
        raise ArgumentValueError("indices and data must be lists of tensors: write [x] for one")
    if len(indices) != len(data) or not data:
        raise ArgumentValueError(
            f"indices and data must have one length, not {len(indices)} and {len(data)}"
        )
    places = [_numbers(each, "indices") for each in indices]
    rows, _ = matched(data, "dynamic_stitch")
    result: Tensor = apply(STITCH, (*places, *rows))
    return result


def _numbers(value: Any, what: str) -> Tensor:
    tensor = to_tensor(value, dtype_hint=int32)
    if tensor.dtype is not int32:
        raise DTypeError(
            f"{what} must be int32, not {tensor.dtype.name}: write rt.cast(x, rt.int32)"
        )
    return tensor
