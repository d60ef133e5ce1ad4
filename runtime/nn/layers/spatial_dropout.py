"""Layers that leave out whole channels while a model is trained."""

from __future__ import annotations

from typing import Any

from runtime.nn.layers.dropout import Dropout
from runtime.nn.layers.image_arguments import format_argument
from runtime.nn.layers.input_spec import InputSpec


class SpatialDropout(Dropout):
    """Makes about `rate` of the channels 0 in training, and the others larger by 1 / (1 - rate).

    Args:
        rate: from 0 to 1.
        data_format: "channels_last" or "channels_first".
        seed: for choices that can be had again.
    """

    rank = 2

    def __init__(
        self, rate: float, data_format: str | None = None, seed: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(rate, seed=seed, **kwargs)
        self.data_format = format_argument(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)
        ones = (1,) * self.rank
        is_last = self.data_format == "channels_last"
        self.noise_shape = (None, *ones, None) if is_last else (None, None, *ones)


class SpatialDropout1D(SpatialDropout):
    """Leaves out channels of sequences, (batch, steps, channels): see `SpatialDropout`.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> SpatialDropout1D(0.5)(ones([1, 3, 9]), training=True).shape
        TensorShape([1, 3, 9])
    """

    rank = 1

    def __init__(self, rate: float, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(rate, None, seed, **kwargs)


class SpatialDropout2D(SpatialDropout):
    """Leaves out channels of images: see `SpatialDropout`.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> SpatialDropout2D(0.5)(ones([1, 3, 3, 9]), training=True).shape
        TensorShape([1, 3, 3, 9])
    """

    rank = 2


class SpatialDropout3D(SpatialDropout):
    """Leaves out channels of volumes: see `SpatialDropout`.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> SpatialDropout3D(0.5)(ones([1, 3, 3, 3, 9]), training=True).shape
        TensorShape([1, 3, 3, 3, 9])
    """

    rank = 3
