"""Layers that keep the largest element, or the mean, of each window."""

from __future__ import annotations

from typing import Any

from runtime.nn.layers.floats import as_floats
from runtime.nn.layers.image_arguments import SpatialLayer, padding_argument, sizes_argument
from runtime.ops.neural.pooling import avg_pool, max_pool


class Pooling(SpatialLayer):
    """One number for each window and channel.

    Args:
        pool_size: of the window: a number, or one for each spatial axis.
        strides: how far the window goes on; by default its size.
        padding: "valid" or "same"; what is added never counts.
        data_format: "channels_last" or "channels_first".
    """

    _told: tuple[str, ...] = ("pool_size", "strides", "padding", "data_format")

    def __init__(
        self,
        pool_size: Any,
        strides: Any = None,
        padding: str = "valid",
        data_format: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(data_format, **kwargs)
        self.pool_size = sizes_argument(pool_size, self.rank, "pool_size")
        steps = self.pool_size if strides is None else strides
        self.strides = sizes_argument(steps, self.rank, "strides")
        self.padding = padding_argument(padding, "valid", "same")

    def _pooled(self, pool: Any, inputs: Any) -> Any:
        """Return what an op makes of the windows."""
        found = pool(inputs, self.pool_size, self.strides, self.padding.upper(), self._order)
        return self._checked(found, self.pool_size)


class MaxPooling(Pooling):
    """The largest element of each window: see `Pooling`."""

    def __init__(
        self,
        pool_size: Any = 2,
        strides: Any = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, data_format, name=name, **kwargs)

    def call(self, inputs: Any) -> Any:
        """Return the largest element of each window."""
        return self._pooled(max_pool, inputs)


class AveragePooling(Pooling):
    """The mean of each window: see `Pooling`."""

    def __init__(
        self,
        pool_size: Any,
        strides: Any = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, data_format, name=name, **kwargs)

    def call(self, inputs: Any) -> Any:
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
