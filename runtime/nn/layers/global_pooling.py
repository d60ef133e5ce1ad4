"""Layers that keep the largest element, or the mean, of all of a sequence, image or volume."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag
from runtime.nn.layers.floats import as_floats
from runtime.nn.layers.image_arguments import SpatialLayer
from runtime.ops.arrays.reduction import reduce_max, reduce_mean, reduce_sum
from runtime.ops.arrays.shape import expand_dims
from runtime.ops.constant import cast


class GlobalPooling(SpatialLayer):
    """One number for each channel.

    Args:
        data_format: "channels_last" or "channels_first".
        keepdims: whether the spatial axes stay, with size 1.
    """

    _told: tuple[str, ...] = ("data_format",)

    def __init__(
        self, data_format: str | None = None, keepdims: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(data_format, **kwargs)
        self.keepdims = flag(keepdims, "keepdims")

    @property
    def _axes(self) -> list[int]:
        """The numbers of the spatial axes."""
        return list(range(self._first, self._first + self.rank))


class GlobalMaxPooling(GlobalPooling):
    """The largest element of each channel: see `GlobalPooling`."""

    def call(self, inputs: Any) -> Any:
        """Return the largest element of each channel."""
        return reduce_max(inputs, self._axes, self.keepdims)


class GlobalAveragePooling(GlobalPooling):
    """The mean of each channel: see `GlobalPooling`."""

    def call(self, inputs: Any) -> Any:
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
        self, data_format: str | None = None, keepdims: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(data_format, keepdims, **kwargs)
        self.supports_masking = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """Return the mean of each channel over the steps that count."""
        if mask is None:
            return super().call(inputs)
        x: Any = as_floats(self, inputs)
        # Along the axis of channels all steps count alike.
        counts: Any = expand_dims(cast(mask, x.dtype), 1 if self._channels_first else -1)
        total: Any = reduce_sum(x * counts, self._axes, self.keepdims)
        return total / reduce_sum(counts, self._axes, self.keepdims)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return no mask: there are no steps any more."""
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
