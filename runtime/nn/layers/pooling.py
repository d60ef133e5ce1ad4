"""Pooling layers: over windows, and over all positions of each channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import flag
from runtime.core.shapes import Ints
from runtime.core.tensor import Tensor
from runtime.nn.layers.image_arguments import SpatialLayer, padding_argument, sizes_argument
from runtime.nn.layers.input_conversion import as_floats
from runtime.ops.arrays.reduction import reduce_max, reduce_mean, reduce_sum
from runtime.ops.arrays.shape import expand_dims
from runtime.ops.constant import cast
from runtime.ops.neural.pooling import avg_pool, max_pool

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class Pooling(SpatialLayer):
    """Computes one number for each window and channel.

    Args:
        pool_size: the size of the window: a number, or one for each spatial axis.
        strides: the distance between two windows; by default their size.
        padding: "valid" or "same"; the added elements never count.
        data_format: "channels_last" or "channels_first".
    """

    _config_attributes: tuple[str, ...] = ("pool_size", "strides", "padding", "data_format")

    def __init__(
        self,
        pool_size: Ints,
        strides: Ints | None = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(data_format, name=name, **kwargs)
        self.pool_size = sizes_argument(pool_size, self.rank, "pool_size")
        steps = self.pool_size if strides is None else strides
        self.strides = sizes_argument(steps, self.rank, "strides")
        self.padding = padding_argument(padding, "valid", "same")

    def _pooled(self, pool: Any, inputs: Any) -> Any:
        """Return the result of a pooling op for the windows."""
        found = pool(inputs, self.pool_size, self.strides, self.padding.upper(), self._layout)
        return self._refuse_large_window(found, self.pool_size)


class MaxPooling(Pooling):
    """The largest element of each window: see `Pooling`."""

    def __init__(
        self,
        pool_size: Ints = 2,
        strides: Ints | None = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, data_format, name, **kwargs)

    def call(self, inputs: Any) -> Tensor:
        """Return the largest element of each window."""
        return self._pooled(max_pool, inputs)


class AveragePooling(Pooling):
    """The mean of each window: see `Pooling`."""

    def call(self, inputs: Any) -> Tensor:
        """Return the mean of each window."""
        return self._pooled(avg_pool, as_floats(self, inputs))


class MaxPooling1D(MaxPooling):
    """The largest element of each window of sequences, (batch, steps, channels).

    Example:
        >>> MaxPooling1D(2)([[[1.0], [3.0], [2.0], [4.0]]]).numpy().ravel()
        array([3., 4.], dtype=float32)
    """

    rank = 1


class MaxPooling2D(MaxPooling):
    """The largest element of each window of images, (batch, height, width, channels).

    Example:
        >>> MaxPooling2D(2)([[[[1.0], [3.0]], [[2.0], [4.0]]]]).numpy().ravel()
        array([4.], dtype=float32)
    """

    rank = 2


class MaxPooling3D(MaxPooling):
    """The largest element of each window of volumes, (batch, depth, height, width, channels).

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> MaxPooling3D(2)(ones([1, 4, 4, 4, 3])).shape
        TensorShape([1, 2, 2, 2, 3])
    """

    rank = 3


class AveragePooling1D(AveragePooling):
    """The mean of each window of sequences, (batch, steps, channels).

    Example:
        >>> AveragePooling1D(2)([[[1.0], [3.0]]]).numpy().ravel()
        array([2.], dtype=float32)
    """

    rank = 1


class AveragePooling2D(AveragePooling):
    """The mean of each window of images, (batch, height, width, channels).

    Example:
        >>> AveragePooling2D(2)([[[[1.0], [3.0]], [[2.0], [4.0]]]]).numpy().ravel()
        array([2.5], dtype=float32)
    """

    rank = 2


class AveragePooling3D(AveragePooling):
    """The mean of each window of volumes, (batch, depth, height, width, channels).

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> AveragePooling3D(2)(ones([1, 4, 4, 4, 3])).shape
        TensorShape([1, 2, 2, 2, 3])
    """

    rank = 3


# -- global pooling --------------------------------------------------------------------------------


class GlobalPooling(SpatialLayer):
    """One number for each channel.

    Args:
        data_format: "channels_last" or "channels_first".
        keepdims: whether the spatial axes stay, with size 1.
    """

    _config_attributes: tuple[str, ...] = ("data_format",)

    def __init__(
        self,
        data_format: str | None = None,
        keepdims: bool = False,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(data_format, **kwargs)
        self.keepdims = flag(keepdims, "keepdims")

    @property
    def _axes(self) -> list[int]:
        """The numbers of the spatial axes."""
        return list(range(self._first_spatial_axis, self._first_spatial_axis + self.rank))


class GlobalMaxPooling(GlobalPooling):
    """The largest element of each channel: see `GlobalPooling`."""

    def call(self, inputs: Any) -> Tensor:
        """Return the largest element of each channel."""
        return reduce_max(inputs, self._axes, self.keepdims)


class GlobalAveragePooling(GlobalPooling):
    """The mean of each channel: see `GlobalPooling`."""

    def call(self, inputs: Any) -> Tensor:
        """Return the mean of each channel."""
        return reduce_mean(as_floats(self, inputs), self._axes, self.keepdims)


class GlobalMaxPooling1D(GlobalMaxPooling):
    """The largest element of each channel of sequences.

    Example:
        >>> GlobalMaxPooling1D()([[[1.0], [3.0]]]).numpy()
        array([[3.]], dtype=float32)
    """

    rank = 1


class GlobalMaxPooling2D(GlobalMaxPooling):
    """The largest element of each channel of images.

    Example:
        >>> GlobalMaxPooling2D()([[[[1.0], [3.0]]]]).numpy()
        array([[3.]], dtype=float32)
    """

    rank = 2


class GlobalMaxPooling3D(GlobalMaxPooling):
    """The largest element of each channel of volumes.

    Example:
        >>> GlobalMaxPooling3D()([[[[[1.0], [3.0]]]]]).numpy()
        array([[3.]], dtype=float32)
    """

    rank = 3


class GlobalAveragePooling1D(GlobalAveragePooling):
    """The mean of each channel of sequences; steps that are masked do not count.

    Example:
        >>> GlobalAveragePooling1D()([[[1.0], [3.0]]]).numpy()
        array([[2.]], dtype=float32)
    """

    rank = 1

    def __init__(
        self,
        data_format: str | None = None,
        keepdims: bool = False,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(data_format, keepdims, **kwargs)
        self.supports_masking = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """Return the mean of each channel over the steps that count."""
        if mask is None:
            return super().call(inputs)
        x: Any = as_floats(self, inputs)
        # The mask broadcasts along the axis of channels.
        counts: Any = expand_dims(cast(mask, x.dtype), 1 if self._channels_first else -1)
        total: Any = reduce_sum(x * counts, self._axes, self.keepdims)
        return total / reduce_sum(counts, self._axes, self.keepdims)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return None: the output has no steps."""
        return None


class GlobalAveragePooling2D(GlobalAveragePooling):
    """The mean of each channel of images.

    Example:
        >>> GlobalAveragePooling2D()([[[[1.0], [3.0]]]]).numpy()
        array([[2.]], dtype=float32)
    """

    rank = 2


class GlobalAveragePooling3D(GlobalAveragePooling):
    """The mean of each channel of volumes.

    Example:
        >>> GlobalAveragePooling3D()([[[[[1.0], [3.0]]]]]).numpy()
        array([[2.]], dtype=float32)
    """

    rank = 3
