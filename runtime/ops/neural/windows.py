"""Sliding windows over the spatial axes of images: sizes, strides and padding."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.core.argument_checks import shown
from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arguments import static_axes, static_int

Pads = tuple[tuple[int, int], ...]

# The names of the axes: channels last, channels first.
FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}
_WORDS = "a number, one per spatial axis, or one for each axis of the input"


@dataclass(frozen=True, slots=True)
class Sliding:
    """The strides, padding and dilations of sliding windows: one number for each spatial axis.

    Attributes:
        strides: the distance between two windows.
        padding: "SAME", "VALID", or the numbers of added elements (before, after) for each axis.
        dilations: the distance between two elements of a window.
        channels_first: whether the channels precede the spatial axes.
    """

    strides: tuple[int, ...]
    padding: str | Pads = "VALID"
    dilations: tuple[int, ...] = (1,)
    channels_first: bool = False

    def __str__(self) -> str:
        order = FORMATS[self.rank][self.channels_first]
        apart = f", dilations={self.dilations}" if set(self.dilations) != {1} else ""
        return f"{order}, strides={self.strides}, padding={self.padding}{apart}"

    __repr__ = __str__

    @property
    def rank(self) -> int:
        """The number of spatial axes."""
        return len(self.strides)

    def extent(self, axis: int, window: int) -> int:
        """Return the extent of a window along a spatial axis.

        >>> Sliding((1,), "VALID", (2,)).extent(0, 3)
        5
        """
        return (window - 1) * self.dilations[axis] + 1

    def pads(self, axis: int, size: int, window: int) -> tuple[int, int]:
        """Return the padding before and after a spatial axis.

        >>> Sliding((2,), "SAME").pads(0, 6, 3)
        (0, 1)
        """
        if not isinstance(self.padding, str):
            return self.padding[axis]
        if self.padding == "VALID":
            return 0, 0
        stride = self.strides[axis]
        steps = -(-size // stride)
        total = max((steps - 1) * stride + self.extent(axis, window) - size, 0)
        return total // 2, total - total // 2

    def steps(self, axis: int, size: int | None, window: int | None) -> int | None:
        """Return the number of window positions along a spatial axis, or None if unknown.

        >>> Sliding((2,), "SAME").steps(0, 7, 3), Sliding((2,), "VALID").steps(0, 7, 3)
        (4, 3)
        """
        if size is None or (window is None and self.padding != "SAME"):
            return None
        if self.padding == "SAME":
            return -(-size // self.strides[axis])
        assert window is not None
        extent, total = self.extent(axis, window), size + sum(self.pads(axis, size, window))
        count = (total - extent + self.strides[axis]) // self.strides[axis]
        if count < 0:
            raise ShapeError(f"a window of {extent} does not fit into a size of {total}")
        return count

    def all_steps(self, sizes: Sequence[Any], windows: Sequence[Any]) -> tuple[Any, ...]:
        """Return `steps` for all spatial axes."""
        pairs = enumerate(zip(sizes, windows, strict=True))
        return tuple(self.steps(axis, size, window) for axis, (size, window) in pairs)

    def all_pads(self, sizes: Sequence[int], windows: Sequence[int]) -> Pads:
        """Return `pads` for all spatial axes."""
        pairs = enumerate(zip(sizes, windows, strict=True))
        return tuple(self.pads(axis, size, window) for axis, (size, window) in pairs)

    def split_shape(self, shape: TensorShape) -> tuple[TensorShape, tuple[Any, ...], Any]:
        """Return the leading axes, the spatial sizes and the channels of a shape of images.

        Raises:
            ShapeError: it has too few axes; with channels first, also if it has too many.
        """
        rank, dims = self.rank + 2, shape.dims
        if dims is None:
            return UNKNOWN, (None,) * self.rank, None
        if len(dims) < rank or (self.channels_first and len(dims) != rank):
            order = FORMATS[self.rank][self.channels_first]
            raise ShapeError(f"images must have {rank} axes ({order}), not shape {shape}")
        if self.channels_first:
            return shape[:1], dims[2:], dims[1]
        return shape[: -(self.rank + 1)], dims[-(self.rank + 1) : -1], dims[-1]

    def join_shape(self, lead: TensorShape, sizes: Sequence[Any], channels: Any) -> TensorShape:
        """Return the shape of images from the parts that `split_shape` returned."""
        spatial = TensorShape.of(tuple(sizes))
        if self.channels_first:
            return TensorShape.of((lead[0], channels, *spatial))
        return lead + spatial + TensorShape.of((channels,))

    def places(self, steps: Sequence[int], window: Sequence[int]) -> Iterator[tuple[Any, Any]]:
        """Yield each position in the window, with the slices of the elements under it."""
        for position in itertools.product(*map(range, window)):
            yield position, tuple(map(self.slice_at, range(self.rank), position, steps))

    def slice_at(self, axis: int, position: int, steps: int) -> slice:
        """Return the slice of the elements under a position in the window, along a spatial axis.

        >>> Sliding((2,), "VALID").slice_at(0, 1, 3)
        slice(1, 6, 2)
        """
        first = position * self.dilations[axis]
        return slice(first, first + max(steps - 1, 0) * self.strides[axis] + min(steps, 1),
                     self.strides[axis])  # fmt: skip


def sliding(
    rank: int, strides: Any, padding: Any, dilations: Any = None, data_format: Any = None
) -> Sliding:
    """Return the sliding for the arguments of a convolution or pool.

    >>> sliding(2, [1, 2, 2, 1], "SAME")
    NHWC, strides=(2, 2), padding=SAME
    """
    first = _channels_first(rank, data_format)
    return Sliding(
        per_axis(strides, rank, first, "strides"),
        _padding(padding, rank, first),
        per_axis(1 if dilations is None else dilations, rank, first, "dilations"),
        first,
    )


def per_axis(value: Any, rank: int, channels_first: bool, what: str) -> tuple[int, ...]:
    """Return one positive number for each spatial axis; the numbers of other axes must be 1.

    >>> per_axis(2, 2, False, "strides"), per_axis([1, 2, 3, 1], 2, False, "strides")
    ((2, 2), (2, 3))
    """
    numbers = static_axes(value)
    if numbers is None or len(numbers) not in (1, rank, rank + 2):
        raise ArgumentValueError(f"{what} must be {_WORDS}, not {value!r}")
    if len(numbers) == rank + 2:
        spatial = slice(2, None) if channels_first else slice(1, -1)
        others = (numbers[0], numbers[1] if channels_first else numbers[-1])
        if others != (1, 1):
            raise ArgumentValueError(f"{what} of batch and channels must be 1, not {others}")
        numbers = numbers[spatial]
    if min(numbers) < 1:
        raise ArgumentValueError(f"{what} must be positive, not {numbers}")
    return numbers if len(numbers) == rank else numbers * rank


def _channels_first(rank: int, data_format: Any) -> bool:
    last, first = FORMATS[rank]
    if shown(data_format) not in map(shown, (None, last, first)):
        raise ArgumentValueError(f"data_format must be {last} or {first}, not {data_format!r}")
    return bool(data_format == first)


def _padding(padding: Any, rank: int, channels_first: bool) -> str | Pads:
    if padding in ("SAME", "VALID") if isinstance(padding, str) else False:
        return str(padding)
    if not isinstance(padding, (list, tuple)):
        raise ArgumentValueError(
            f'padding must be "SAME", "VALID" or a list of pairs, not {padding!r}'
        )
    if len(padding) != rank + 2 or not all(_is_pair(pair) for pair in padding):
        raise ArgumentValueError(
            f"padding must be a pair for each of {rank + 2} axes, not {padding!r}"
        )
    pairs = [(static_int(a, "padding"), static_int(b, "padding")) for a, b in padding]
    spatial = pairs[2:] if channels_first else pairs[1:-1]
    if any(pair != (0, 0) for pair in (pairs[0], pairs[1 if channels_first else -1])):
        raise ArgumentValueError(f"padding of batch and channels must be 0, not {padding!r}")
    if any(amount < 0 for pair in spatial for amount in pair):
        raise ArgumentValueError(f"padding must not be negative, as in {padding!r}")
    return tuple(spatial)


def _is_pair(value: Any) -> bool:
    if not isinstance(value, (list, tuple)):
        raise DTypeError(f"padding must be pairs of ints, not {value!r}")
    return len(value) == 2
