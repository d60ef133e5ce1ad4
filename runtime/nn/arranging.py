"""Functions that arrange tensors and go over them, as Keras has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import as_dtype
from runtime.core.settings import flag, listed, unavailable
from runtime.nn.functions import of_numpy
from runtime.nn.keras_forms import diag
from runtime.nn.numeric import floating
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import concat, reverse, stack, unstack
from runtime.ops.arrays.creation import one_hot, zeros_like
from runtime.ops.arrays.creation import range as numbers
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.reduction import reduce_max, reduce_min, reduce_sum
from runtime.ops.arrays.scatter import tensor_scatter_nd_update
from runtime.ops.arrays.searching import searchsorted
from runtime.ops.arrays.segments import unsorted_segment_min, unsorted_segment_prod
from runtime.ops.arrays.shape import expand_dims, reshape
from runtime.ops.arrays.shape import shape as sizes_of
from runtime.ops.arrays.shape import size as number_of
from runtime.ops.constant import cast, constant, identity
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add, maximum, multiply, pow, subtract
from runtime.ops.elementwise.selection import where
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.matrices import transpose


def copy(x: Any) -> Any:
    """Return the same values.

    >>> int(copy(1))
    1
    """
    return identity(to_tensor(x))


def dtype(x: Any) -> str:
    """Return the name of the dtype of a tensor.

    >>> dtype([1.0])
    'float32'
    """
    return str(to_tensor(x).dtype.name)


def get_item(x: Any, key: Any) -> Any:
    """Return `x[key]`.

    >>> int(get_item([1, 2], 1))
    2
    """
    return to_tensor(x)[key]


def empty(shape: Any, dtype: Any = None) -> Any:
    """Return a tensor of a shape; its values, which may be any, are zeros.

    >>> empty((2,)).numpy().tolist()
    [0.0, 0.0]
    """
    return zeros_like(constant(np.empty(tuple(shape), np.float32)), dtype)


def empty_like(x: Any, dtype: Any = None) -> Any:
    """Return a tensor of the shape of another one; its values, which may be any, are zeros.

    >>> empty_like([1, 2]).numpy().tolist()
    [0, 0]
    """
    return zeros_like(to_tensor(x), dtype)


def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Return the diagonals of two axes as a last axis.

    >>> diagonal([[1, 2], [3, 4]]).numpy().tolist()
    [1, 4]
    """
    moved = of_numpy("moveaxis")(x, (axis1, axis2), (-2, -1))
    return diag_part(moved, k=static_int(offset, "offset"))


def diagflat(x: Any, k: int = 0) -> Any:
    """Return a matrix with all elements on a diagonal.

    >>> diagflat([[1], [2]]).numpy().tolist()
    [[1, 0], [0, 2]]
    """
    return diag(reshape(to_tensor(x), [-1]), k)


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Any:
    """Return ones on a diagonal and below it, zeros above.

    >>> tri(2).numpy().tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    rows, columns = static_int(N, "N"), None if M is None else static_int(M, "M")
    wanted = as_dtype("float32" if dtype is None else dtype)
    return cast(constant(np.tri(rows, columns, static_int(k, "k"), np.float32)), wanted)


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """Return powers of numbers in rows, the largest first unless they are to increase.

    >>> vander([1, 2, 3]).numpy().tolist()
    [[1, 1, 1], [4, 2, 1], [9, 3, 1]]
    """
    values: Any = to_tensor(x)
    count = number_of(values) if N is None else static_int(N, "N")
    powers = cast(numbers(count), values.dtype)
    powers = powers if flag(increasing, "increasing") else reverse(powers, [0])
    return pow(expand_dims(values, -1), powers)


def kron(x1: Any, x2: Any) -> Any:
    """Return the Kronecker product of two matrices, or two rows.

    >>> kron([1, 2], [1, 10]).numpy().tolist()
    [1, 10, 2, 20]
    """
    first, second = to_tensor(x1), to_tensor(x2)
    rank = max(first.ndim, second.ndim)
    sizes = [_padded(each, rank) for each in (first, second)]
    places = [[2 * at + which for at in range(rank)] for which in (0, 1)]
    spread = [[1] * (2 * rank) for _ in sizes]
    for which in (0, 1):
        for at, size in zip(places[which], sizes[which]):
            spread[which][at] = size
    product = multiply(reshape(first, spread[0]), reshape(second, spread[1]))
    return reshape(product, [a * b for a, b in zip(*sizes)])


def _padded(x: Any, rank: int) -> list[Any]:
    sizes = sizes_of(x)
    known = x.shape.as_list()
    own = [sizes[at] if size is None else size for at, size in enumerate(known)]
    return [1] * (rank - len(own)) + own


def rot90(array: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """Return a tensor turned by quarters, from the first of two axes towards the second.

    >>> rot90([[1, 2], [3, 4]]).numpy().tolist()
    [[2, 4], [1, 3]]
    """
    values: Any = to_tensor(array)
    first, second = (static_int(each, "axes") % values.ndim for each in axes)
    order = list(range(values.ndim))
    order[first], order[second] = second, first
    turns = static_int(k, "k") % 4
    if turns == 2:
        return reverse(values, [first, second])
    if turns == 1:
        return transpose(reverse(values, [second]), order)
    return reverse(transpose(values, order), [second]) if turns else values


def dstack(xs: Any) -> Any:
    """Return tensors behind each other along the third axis.

    >>> dstack([[1, 2], [3, 4]]).numpy().tolist()
    [[[1, 3], [2, 4]]]
    """
    parts = []
    for each in listed(xs, "xs"):
        part: Any = to_tensor(each)
        part = reshape(part, [1, -1]) if part.ndim < 2 else part
        parts.append(expand_dims(part, 2) if part.ndim == 2 else part)
    return concat(parts, 2)


def digitize(x: Any, bins: Any) -> Any:
    """Return in which of the spaces between increasing numbers each element lies, as int32.

    >>> digitize([0.5, 1.0, 3.0], [0.0, 1.0, 2.0]).numpy().tolist()
    [1, 2, 3]
    """
    values, edges = floating(x), cast(floating(bins), floating(x).dtype)
    found = searchsorted(edges, reshape(values, [-1]), side="right")
    return reshape(cast(found, "int32"), sizes_of(values))


def histogram(x: Any, bins: int = 10, range: Any = None) -> Any:
    """Return how many elements lie in each of equal spaces, as floats, and the ends of these.

    >>> [each.numpy().tolist() for each in histogram([1.0, 2.0, 2.0], 2)]
    [[1.0, 2.0], [1.0, 1.5, 2.0]]
    """
    values: Any = reshape(to_tensor(x), [-1])
    count = static_int(bins, "bins")
    floats = floating(values)
    low, high = (reduce_min(floats), reduce_max(floats)) if range is None else range
    low, high = (cast(to_tensor(each), floats.dtype) for each in (low, high))
    steps = cast(numbers(count + 1), floats.dtype)
    edges = add(low, multiply(steps, subtract(high, low) / float(count)))
    place = searchsorted(edges, floats, side="right") - 1
    # The last space has its end, too.
    place = place - cast(floats >= high, place.dtype) * cast(floats <= high, place.dtype)
    inside = one_hot(place, count, dtype=floats.dtype)
    return reduce_sum(inside, 0), edges


def multi_hot(
    inputs: Any,
    num_classes: int | None = None,
    axis: int = -1,
    dtype: Any = None,
    sparse: bool = False,
) -> Any:
    """Return rows with ones at the places of all numbers of a row.

    >>> multi_hot([0, 2], 4).numpy().tolist()
    [1.0, 0.0, 1.0, 0.0]
    """
    unavailable(sparse, "multi_hot: sparse", "leave it out", False)
    count = static_int(num_classes, "num_classes")
    classes: Any = to_tensor(inputs)
    wanted = as_dtype("float32" if dtype is None else dtype)
    ones = one_hot(classes, count, axis=axis, dtype=wanted)
    return reduce_max(ones, axis=1 if classes.ndim > 1 else 0)


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Return elements of the first of several tensors whose condition holds, else the default.

    >>> select([[True, False]], [[1, 2]], 9).numpy().tolist()
    [1, 9]
    """
    pairs = list(zip(listed(condlist, "condlist"), listed(choicelist, "choicelist")))
    found: Any = default
    for condition, chosen in reversed(pairs):
        found = where(to_tensor(condition), to_tensor(chosen), found)
    return found


def slice_update(inputs: Any, start_indices: Any, updates: Any) -> Any:
    """Return a tensor with a block of others in it, which begins at a place.

    >>> slice_update([1, 2, 3], [1], [8, 9]).numpy().tolist()
    [1, 8, 9]
    """
    values, block = to_tensor(inputs), to_tensor(updates)
    starts = unstack(to_tensor(start_indices))
    axes = [add(numbers(each), cast(at, "int32")) for at, each in zip(starts, sizes_of(block))]
    places = stack(of_numpy("meshgrid")(axes[0], *axes[1:], indexing="ij"), -1)
    return tensor_scatter_nd_update(values, places, cast(block, values.dtype))


def extract_sequences(x: Any, sequence_length: int, sequence_stride: int) -> Any:
    """Return overlapping parts of the last axis as rows.

    >>> extract_sequences([1, 2, 3, 4], 2, 1).numpy().tolist()
    [[1, 2], [2, 3], [3, 4]]
    """
    values: Any = to_tensor(x)
    length = static_int(sequence_length, "sequence_length")
    stride = static_int(sequence_stride, "sequence_stride")
    count = maximum((sizes_of(values)[-1] - length) // stride + 1, 0)
    starts = multiply(expand_dims(numbers(count), -1), stride)
    return gather(values, add(starts, numbers(length)), axis=-1)


def segment_min(data: Any, segment_ids: Any, num_segments: Any = None, sorted: bool = False) -> Any:
    """Return the smallest of the elements that have one number.

    >>> segment_min([1, 2, 4], [1, 0, 1]).numpy().tolist()
    [2, 1]
    """
    count = _count(segment_ids, num_segments)
    return unsorted_segment_min(to_tensor(data), segment_ids, count)


def segment_prod(
    data: Any, segment_ids: Any, num_segments: Any = None, sorted: bool = False
) -> Any:
    """Return the product of the elements that have one number.

    >>> segment_prod([1, 2, 4], [1, 0, 1]).numpy().tolist()
    [2, 4]
    """
    count = _count(segment_ids, num_segments)
    return unsorted_segment_prod(to_tensor(data), segment_ids, count)


def _count(segment_ids: Any, given: Any) -> Any:
    return add(reduce_max(segment_ids), 1) if given is None else given
