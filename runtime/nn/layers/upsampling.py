"""Upsampling layers for sequences, images and volumes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from runtime.core.shapes import Ints
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError
from runtime.nn.layers.image_arguments import SpatialLayer, sizes_argument
from runtime.ops.arrays.concatenation import repeat
from runtime.ops.arrays.creation import range as numbers
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.constant import cast
from runtime.ops.elementwise.arithmetic import maximum
from runtime.ops.elementwise.comparison import less
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import abs as absolute
from runtime.ops.elementwise.unary import sin
from runtime.ops.linalg.einsum import einsum

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


def _triangle(x: Any) -> Any:
    return maximum(1.0 - absolute(x), 0.0)


def _cubic(x: Any) -> Any:
    """Return the kernel of R. Keys, Cubic Convolution Interpolation (1981), with a = -1/2."""
    d = absolute(x)
    near = (1.5 * d - 2.5) * d * d + 1.0
    far = ((-0.5 * d + 2.5) * d - 4.0) * d + 2.0
    return where(less(d, 1.0), near, where(less(d, 2.0), far, 0.0))


def _lanczos(lobes: int) -> Any:
    def kernel(x: Any) -> Any:
        angle = math.pi * where(less(absolute(x), 1e-5), 1.0, x)
        found = lobes * sin(angle) * sin(angle / lobes) / (angle * angle)
        return where(less(absolute(x), 1e-5), 1.0, where(less(absolute(x), lobes), found, 0.0))

    return kernel


# The weight of a pixel at a distance, in pixels of the input.
_KERNELS = {
    "bilinear": _triangle,
    "bicubic": _cubic,
    "lanczos3": _lanczos(3),
    "lanczos5": _lanczos(5),
}


class UpSampling(SpatialLayer):
    """Repeats each step along each spatial axis.

    Args:
        size: the number of repetitions, or one for each axis.
        data_format: "channels_last" or "channels_first".
    """

    _config_attributes: tuple[str, ...] = ("size", "data_format")

    def __init__(
        self,
        size: Ints = 2,
        data_format: str | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(data_format, **kwargs)
        sizes = sizes_argument(size, self.rank, "size")
        self.size: Any = sizes[0] if self.rank == 1 else sizes
        self._sizes = sizes

    def call(self, inputs: Any) -> Tensor:
        """Return the inputs with each step repeated."""
        found = inputs
        for axis, size in enumerate(self._sizes, self._first_spatial_axis):
            found = repeat(found, size, axis) if size > 1 else found
        return found


class UpSampling1D(UpSampling):
    """Sequences with each step repeated.

    Example:
        >>> UpSampling1D(2)([[[1.0], [2.0]]]).numpy().ravel()
        array([1., 1., 2., 2.], dtype=float32)
    """

    rank = 1
    _config_attributes: tuple[str, ...] = ("size",)

    def __init__(self, size: int = 2, **kwargs: Unpack[RegularizableLayerOptions]) -> None:
        super().__init__(size, **kwargs)


class UpSampling2D(UpSampling):
    """Larger images.

    Args:
        size: the number of repetitions of rows and columns, or one for each.
        data_format: "channels_last" or "channels_first".
        interpolation: "nearest" to repeat pixels; "bilinear", "bicubic", "lanczos3" and "lanczos5"
            for weighted sums of the pixels around.

    Example:
        >>> UpSampling2D((1, 2))([[[[1.0], [2.0]]]]).numpy().ravel()
        array([1., 1., 2., 2.], dtype=float32)
        >>> UpSampling2D((1, 2), interpolation="bilinear")([[[[1.0], [2.0]]]]).numpy().ravel()
        array([1.  , 1.25, 1.75, 2.  ], dtype=float32)
    """

    rank = 2

    def __init__(
        self,
        size: Ints = (2, 2),
        data_format: str | None = None,
        interpolation: str = "nearest",
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(size, data_format, **kwargs)
        word = interpolation.lower() if isinstance(interpolation, str) else interpolation
        if not isinstance(word, str) or word not in ("nearest", *_KERNELS):
            words = ", ".join(repr(each) for each in ("nearest", *_KERNELS))
            raise ArgumentValueError(f"interpolation must be one of {words}, not {interpolation!r}")
        self.interpolation = word

    def call(self, inputs: Any) -> Any:
        """Return larger images."""
        if self.interpolation == "nearest":
            return super().call(inputs)
        exact = inputs if inputs.dtype.is_floating else cast(inputs, self.dtype)
        rows, columns = (self._weights(exact, axis) for axis in range(2))
        equation = "bchw,yh,xw->bcyx" if self._channels_first else "bhwc,yh,xw->byxc"
        return cast(einsum(equation, exact, rows, columns), inputs.dtype)

    def _weights(self, inputs: Any, axis: int) -> Any:
        """Return the weight of each input pixel in each output pixel, along one axis."""
        known, factor = inputs.shape[self._first_spatial_axis + axis], self._sizes[axis]
        size = shape_of(inputs)[self._first_spatial_axis + axis] if known is None else known
        old = cast(numbers(size), inputs.dtype)
        new: Any = cast(numbers(size * factor), inputs.dtype)
        # Pixels are squares; the centre of a new one is converted to coordinates of the old image.
        places: Any = (new + 0.5) / factor - 0.5
        found: Any = _KERNELS[self.interpolation](places[:, None] - old)
        return found / reduce_sum(found, 1, keepdims=True)


class UpSampling3D(UpSampling):
    """Volumes with each step along each axis repeated.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> UpSampling3D((1, 2, 3))(ones([1, 2, 2, 2, 1])).shape
        TensorShape([1, 2, 4, 6, 1])
    """

    rank = 3

    def __init__(
        self,
        size: Ints = (2, 2, 2),
        data_format: str | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(size, data_format, **kwargs)
