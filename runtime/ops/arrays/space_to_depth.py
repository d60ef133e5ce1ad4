"""`space_to_depth` and `depth_to_space`: blocks of pixels moved into the channels and back."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import choice
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops.arguments import static_int
from runtime.ops.arrays.shape import of_rank, reshape, shape
from runtime.ops.convert import to_tensor
from runtime.ops.linalg.matrices import transpose


def space_to_depth(
    input: TensorLike, block_size: TensorLike, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Return images in which the pixels of each block become channels of one pixel.

    Raises:
        ShapeError: height and width are not multiples of `block_size`.

    >>> space_to_depth([[[[1], [2]], [[3], [4]]]], 2).numpy().tolist()
    [[[[1, 2, 3, 4]]]]
    """
    x, size = _images(input, data_format), _block(block_size)
    first = data_format == "NCHW"
    batch, height, width, depth = _sizes(x, first)
    for known in (height, width):
        if isinstance(known, int) and known % size:
            raise ShapeError(f"the height and width of shape {x.shape} must be multiples of {size}")
    if first:
        apart = reshape(x, [batch, depth, height // size, size, width // size, size])
        turned = transpose(apart, [0, 3, 5, 1, 2, 4])
        return reshape(turned, [batch, depth * size * size, height // size, width // size])
    apart = reshape(x, [batch, height // size, size, width // size, size, depth])
    turned = transpose(apart, [0, 1, 3, 2, 4, 5])
    return reshape(turned, [batch, height // size, width // size, depth * size * size])


def depth_to_space(
    input: TensorLike, block_size: TensorLike, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Return images in which the channels of each pixel become a block; undoes `space_to_depth`.

    Raises:
        ShapeError: the channels are not a multiple of the size of a block.

    >>> depth_to_space([[[[1, 2, 3, 4]]]], 2).numpy().tolist()
    [[[[1], [2]], [[3], [4]]]]
    """
    x, size = _images(input, data_format), _block(block_size)
    first = data_format == "NCHW"
    batch, height, width, depth = _sizes(x, first)
    if isinstance(depth, int) and depth % (size * size):
        raise ShapeError(f"the channels of shape {x.shape} must be a multiple of {size} * {size}")
    left = depth // (size * size)
    if first:
        apart = reshape(x, [batch, size, size, left, height, width])
        turned = transpose(apart, [0, 3, 4, 1, 5, 2])
        return reshape(turned, [batch, left, height * size, width * size])
    apart = reshape(x, [batch, height, width, size, size, left])
    turned = transpose(apart, [0, 1, 3, 2, 4, 5])
    return reshape(turned, [batch, height * size, width * size, left])


def _images(input: Any, data_format: str) -> Tensor:
    choice(data_format, "data_format", ("NHWC", "NCHW"))
    x = to_tensor(input)
    if x.shape.rank not in (None, 4):
        raise ShapeError(f"images must have 4 axes ({data_format}), not shape {x.shape}")
    return of_rank(x, 4)


def _block(block_size: Any) -> int:
    size = static_int(block_size, "block_size")
    if size < 2:
        raise ArgumentValueError(f"block_size must be at least 2, not {size}")
    return size


def _sizes(x: Tensor, channels_first: bool) -> tuple[Any, ...]:
    """Return batch, height, width and channels: ints if they are known."""
    run: Any = shape(x)
    found = [run[axis] if x.shape[axis] is None else x.shape[axis] for axis in (0, 1, 2, 3)]
    batch, *rest = found
    return (batch, *rest[1:], rest[0]) if channels_first else (batch, *rest)
