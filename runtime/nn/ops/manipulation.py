"""Functions of `keras.ops` that index, join, split and rearrange tensors."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import listed
from runtime.core.lazy_imports import own_names
from runtime.core.shapes import AxisLike, ShapeLike
from runtime.core.tensor import IndexLike, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.interop.numpy.conversion import promoted
from runtime.nn.ops.numpy_functions import of_numpy
from runtime.ops.arguments import static_axes, static_int
from runtime.ops.arrays.concatenation import concat, reverse, stack, unstack
from runtime.ops.arrays.creation import range as numbers
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.scatter import scatter_nd, tensor_scatter_nd_update
from runtime.ops.arrays.shape import expand_dims, reshape
from runtime.ops.arrays.shape import shape as sizes_of
from runtime.ops.constant import cast, identity
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add, maximum, multiply
from runtime.ops.elementwise.comparison import not_equal
from runtime.ops.elementwise.selection import where
from runtime.ops.infer import distinct_axes
from runtime.ops.linalg.diagonals import diag as diagonal_matrix
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.matrices import transpose


def concatenate(xs: Any, axis: int = 0) -> Tensor:
    """Return concatenated tensors, in the common dtype that NumPy would choose.

    >>> concatenate([[1], [2]]).numpy().tolist()
    [1, 2]
    """
    tensors = [to_tensor(each) for each in listed(xs, "xs")]
    return concat(promoted(*tensors) if tensors else tensors, axis)


def shape(x: TensorLike) -> tuple[Any, ...]:
    """Return the sizes as a tuple: numbers if known, else tensors.

    >>> shape(to_tensor([[1, 2]]))
    (1, 2)
    """
    values: Any = to_tensor(x)
    known, run_time_sizes = values.shape.as_list(), None
    if None in known:
        run_time_sizes = sizes_of(values)
    return tuple(run_time_sizes[at] if size is None else size for at, size in enumerate(known))  # type: ignore[index]


def take(x: TensorLike, indices: TensorLike, axis: int | None = None) -> Tensor:
    """Return the slices at indices along an axis, or elements of the flat tensor.

    >>> take([[1, 2], [3, 4]], [0, 3]).numpy().tolist()
    [1, 4]
    """
    values = to_tensor(x)
    if axis is None:
        return gather(reshape(values, [-1]), indices, wrap=True)
    return gather(values, indices, axis=axis, wrap=True)


def convert_to_numpy(x: TensorLike) -> Any:
    """Return the value of a tensor as an array.

    >>> convert_to_numpy([1]).tolist()
    [1]
    """
    return to_tensor(x).numpy()


def ndim(x: TensorLike) -> int | None:
    """Return the number of axes.

    >>> ndim([[1]])
    2
    """
    return to_tensor(x).shape.rank


def ravel(x: TensorLike) -> Tensor:
    """Return all elements as a vector.

    >>> ravel([[1, 2]]).shape
    TensorShape([2])
    """
    return reshape(x, [-1])


def copy(x: TensorLike) -> Any:
    """Return a copy.

    >>> int(copy(1))
    1
    """
    return identity(to_tensor(x))


def dtype(x: TensorLike) -> str:
    """Return the name of the dtype of a tensor.

    >>> dtype([1.0])
    'float32'
    """
    return str(to_tensor(x).dtype.name)


def get_item(x: TensorLike, key: IndexLike) -> Any:
    """Return `x[key]`.

    >>> int(get_item([1, 2], 1))
    2
    """
    return to_tensor(x)[key]


def diagonal(x: TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return the diagonals of two axes as a last axis.

    >>> diagonal([[1, 2], [3, 4]]).numpy().tolist()
    [1, 4]
    """
    moved = of_numpy("moveaxis")(x, (axis1, axis2), (-2, -1))
    return diag_part(moved, k=static_int(offset, "offset"))


def rot90(array: TensorLike, k: int = 1, axes: AxisLike = (0, 1)) -> Tensor:
    """Return a tensor rotated by `k` times 90 degrees, from the first of two axes to the second.

    >>> rot90([[1, 2], [3, 4]]).numpy().tolist()
    [[2, 4], [1, 3]]
    """
    values: Any = to_tensor(array)
    turned = distinct_axes(static_axes(axes) or (), values.ndim)
    if len(turned) != 2:
        raise ShapeError(f"rot90: axes must be two axes, not {len(turned)}")
    first, second = turned
    order = list(range(values.ndim))
    order[first], order[second] = second, first
    turns = static_int(k, "k") % 4
    if turns == 2:
        return reverse(values, [first, second])
    if turns == 1:
        return transpose(reverse(values, [second]), order)
    return reverse(transpose(values, order), [second]) if turns else values


def dstack(xs: Any) -> Tensor:
    """Return tensors stacked along the third axis.

    >>> dstack([[1, 2], [3, 4]]).numpy().tolist()
    [[[1, 3], [2, 4]]]
    """
    parts = []
    for each in listed(xs, "xs"):
        part: Any = to_tensor(each)
        part = reshape(part, [1, -1]) if part.ndim < 2 else part
        parts.append(expand_dims(part, 2) if part.ndim == 2 else part)
    return concat(parts, 2)


def select(condlist: TensorLike, choicelist: TensorLike, default: TensorLike = 0) -> Tensor:
    """Return elements of the first choice whose condition is true, else the default.

    >>> select([[True, False]], [[1, 2]], 9).numpy().tolist()
    [1, 9]
    """
    pairs = list(zip(listed(condlist, "condlist"), listed(choicelist, "choicelist")))
    found: Any = default
    for condition, chosen in reversed(pairs):
        found = where(to_tensor(condition), to_tensor(chosen), found)
    return found


def slice_update(inputs: TensorLike, start_indices: TensorLike, updates: TensorLike) -> Tensor:
    """Return a tensor with a block replaced that begins at `start_indices`.

    >>> slice_update([1, 2, 3], [1], [8, 9]).numpy().tolist()
    [1, 8, 9]
    """
    values, block = to_tensor(inputs), to_tensor(updates)
    starts = unstack(to_tensor(start_indices))
    if not starts or block.shape.rank == 0:
        raise ShapeError(
            "slice_update: start_indices must have an index for each axis, but has none"
        )
    axes = [add(numbers(each), cast(at, "int32")) for at, each in zip(starts, sizes_of(block))]
    places = stack(of_numpy("meshgrid")(axes[0], *axes[1:], indexing="ij"), -1)
    return tensor_scatter_nd_update(values, places, cast(block, values.dtype))


def extract_sequences(x: TensorLike, sequence_length: int, sequence_stride: int) -> Tensor:
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


def diag(x: TensorLike, k: int = 0) -> Tensor:
    """Return a matrix with a row of numbers on a diagonal, or the diagonal of a matrix.

    >>> diag([1, 2]).numpy().tolist(), diag([[1, 2], [3, 4]], 1).numpy().tolist()
    ([[1, 0], [0, 2]], [2])
    """
    tensor, offset = to_tensor(x), static_int(k, "k")
    return diagonal_matrix(tensor, k=offset) if tensor.ndim == 1 else diag_part(tensor, k=offset)


def scatter(indices: TensorLike, values: TensorLike, shape: ShapeLike) -> Tensor:
    """Return zeros of a shape with values added at indices.

    Args:
        indices: int, shape (..., depth): each row is a position.
        values: the values to add; those at one position are summed.
        shape: the shape of the result.

    >>> print(scatter([[0], [2], [0]], [1.0, 2.0, 3.0], (4,)).numpy())
    [4. 0. 2. 0.]
    """
    return scatter_nd(to_tensor(indices), to_tensor(values), shape)


def scatter_update(inputs: TensorLike, indices: TensorLike, updates: TensorLike) -> Tensor:
    """Return a tensor with other values at indices; each row of them is a position.

    >>> print(scatter_update([0.0, 0.0, 0.0], [[1]], [5.0]).numpy())
    [0. 5. 0.]
    """
    return tensor_scatter_nd_update(to_tensor(inputs), to_tensor(indices), to_tensor(updates))


def nonzero(x: TensorLike) -> Any:
    """Return the positions of elements that are not zero: an int32 vector for each axis.

    >>> [each.numpy().tolist() for each in nonzero([[1, 0], [0, 2]])]
    [[0, 1], [0, 1]]
    """
    values = to_tensor(x)
    found = cast(where(not_equal(values, zeros_like(values))), "int32")
    return tuple(unstack(found, values.shape.rank, axis=1))


append = of_numpy("append")
array_split = of_numpy("array_split")
flip = of_numpy("flip")
moveaxis = of_numpy("moveaxis")
swapaxes = of_numpy("swapaxes")
hstack = of_numpy("hstack")
vstack = of_numpy("vstack")
split = of_numpy("split")
take_along_axis = of_numpy("take_along_axis")
pad = of_numpy("pad")
roll = of_numpy("roll")
fliplr = of_numpy("fliplr")
flipud = of_numpy("flipud")


__dir__ = own_names(
    __name__,
    "append",
    "array_split",
    "fliplr",
    "flip",
    "flipud",
    "hstack",
    "moveaxis",
    "pad",
    "roll",
    "split",
    "swapaxes",
    "take_along_axis",
    "vstack",
)
