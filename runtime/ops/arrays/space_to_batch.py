"""`space_to_batch` and `batch_to_space`: blocks of positions moved into the batch and back."""

from __future__ import annotations

import math
from typing import Any

from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops.arguments import known_array
from runtime.ops.arrays.padding import pad
from runtime.ops.arrays.shape import reshape, shape
from runtime.ops.convert import to_tensor
from runtime.ops.linalg.matrices import transpose


def space_to_batch(
    input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: str | None = None
) -> Tensor:
    """Return a grid split into grids of every n-th position, which become items of the batch.

    Args:
        input: of shape (batch, positions..., rest...).
        block_shape: n for each axis of positions; known while tracing.
        paddings: the numbers of zeros before and after, a pair for each of these axes.

    Returns:
        A tensor of shape (batch * product of n, padded positions // n..., rest...), in which the
        whole batch occurs once for each position in a block.

    Raises:
        InvalidArgumentError: a padded axis is not a multiple of its n.

    >>> space_to_batch([[[1], [2], [3], [4]]], [2], [[0, 0]]).numpy()[..., 0].tolist()
    [[1, 3], [2, 4]]
    """
    x = to_tensor(input)
    blocks, margins = _blocks(x, block_shape), _margins(paddings, block_shape, "paddings")
    rest = _rank(x) - 1 - len(blocks)
    padded: Any = pad(x, [[0, 0], *margins, *([[0, 0]] * rest)]) if blocks else x
    sizes = _sizes(padded)
    split: list[Any] = [sizes[0]]
    for size, block in zip(sizes[1:], blocks):
        if isinstance(size, int) and size % block:
            raise ShapeError(f"the padded axis of {size} positions is not a multiple of {block}")
        split += [size // block, block]
    count = len(blocks)
    inside, outside = range(2, 2 * count + 1, 2), range(1, 2 * count, 2)
    tail = range(2 * count + 1, 2 * count + 1 + rest)
    apart = transpose(reshape(padded, [*split, *sizes[count + 1 :]]), [*inside, 0, *outside, *tail])
    whole = sizes[0] * math.prod(blocks)
    return reshape(apart, [whole, *split[1::2], *sizes[count + 1 :]])


def batch_to_space(
    input: TensorLike, block_shape: TensorLike, crops: TensorLike, name: str | None = None
) -> Tensor:
    """Return the grid that `space_to_batch` has split, cropped.

    Args:
        input: of shape (batch * product of n, positions..., rest...).
        block_shape: n for each axis of positions; known while tracing.
        crops: the numbers of positions cut off before and after, a pair for each of these axes.

    Raises:
        InvalidArgumentError: the batch is not a multiple of the product, or too much is cut off.

    >>> batch_to_space([[[1], [3]], [[2], [4]]], [2], [[0, 1]]).numpy()[..., 0].tolist()
    [[1, 2, 3]]
    """
    x = to_tensor(input)
    blocks, margins = _blocks(x, block_shape), _margins(crops, block_shape, "crops")
    sizes, count = _sizes(x), len(blocks)
    each = math.prod(blocks)
    if isinstance(sizes[0], int) and sizes[0] % each:
        raise ShapeError(
            f"the batch size must be a multiple of {each}, the size of a block, not {sizes[0]}"
        )
    batch, rest = sizes[0] // each, sizes[count + 1 :]
    order = [count]
    for at in range(count):
        order += [count + 1 + at, at]
    tail = range(2 * count + 1, 2 * count + 1 + len(rest))
    apart = reshape(x, [*blocks, batch, *sizes[1:]])
    whole = [size * block for size, block in zip(sizes[1:], blocks)]
    joined: Any = reshape(transpose(apart, [*order, *tail]), [batch, *whole, *rest])
    spans = [slice(None)]
    for size, (before, after) in zip(whole, margins):
        if isinstance(size, int) and before + after > size:
            raise ShapeError(
                f"crops {before} and {after} are more than the {size} positions of the axis"
            )
        spans.append(slice(before, size - after))
    result: Tensor = joined[tuple(spans)]
    return result


def _rank(x: Tensor) -> int:
    if x.shape.rank is None:
        raise ShapeError("the rank of the input must be known: write rt.ensure_shape")
    return x.shape.rank


def _sizes(x: Tensor) -> list[Any]:
    """Return the sizes of the axes: ints if they are known, else scalar tensors."""
    sizes: Any = shape(x)
    return [sizes[at] if size is None else size for at, size in enumerate(x.shape)]


def _blocks(x: Tensor, block_shape: Any) -> list[int]:
    known = known_array(block_shape, "block_shape")
    if known.ndim != 1 or (known.size and known.dtype.kind not in "iu"):
        raise ArgumentValueError(f"block_shape must be a vector of integers, not {block_shape!r}")
    if (known < 1).any():
        raise ArgumentValueError(f"block_shape must be numbers of at least 1, not {known.tolist()}")
    if len(known) >= _rank(x):
        raise ShapeError(f"a block of {len(known)} axes does not fit into shape {x.shape}")
    return [int(each) for each in known]


def _margins(value: Any, block_shape: Any, what: str) -> list[list[int]]:
    known, blocks = known_array(value, what), known_array(block_shape, "block_shape")
    if known.shape != (len(blocks), 2) or (known.size and known.dtype.kind not in "iu"):
        raise ArgumentValueError(f"{what} must be two integers for each of {len(blocks)} axes")
    if (known < 0).any():
        raise ArgumentValueError(f"{what} must not be negative, as in {known.tolist()}")
    return [[int(each) for each in row] for row in known]
