"""Regularization layers: dropout, noise and activity regularization."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from runtime.core.shapes import ShapeLike
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, DTypeError
from runtime.nn.layers.call_context import if_training
from runtime.nn.layers.image_arguments import format_argument
from runtime.nn.layers.input_spec import InputSpec
from runtime.nn.layers.layer import Layer, TensorLayer
from runtime.nn.regularizers import L1L2
from runtime.nn.seeds import dropped, normal_like, seeds_of, uniform_like
from runtime.ops.arrays.shape import shape
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.comparison import greater_equal
from runtime.ops.elementwise.selection import where

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import LayerOptions, RegularizableLayerOptions


class Dropout(TensorLayer):
    """Sets about `rate` of the elements to 0 in training, and scales the others by 1 / (1 - rate).

    Args:
        rate: the fraction, from 0 to 1.
        noise_shape: the shape of the mask; None for that of the input.
        seed: a seed for reproducible masks.

    Example:
        >>> print(Dropout(0.5)([[1.0, 2.0]]))
        rt.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)
    """

    def __init__(
        self,
        rate: float,
        noise_shape: ShapeLike | None = None,
        seed: int | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**kwargs)
        if not isinstance(rate, (int, float)) or not 0 <= rate <= 1:
            raise ArgumentValueError(f"rate must be from 0 to 1, not {rate!r}")
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed
        self.seed_generator = seeds_of(seed) if rate else None
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = False) -> Tensor:
        """Return the inputs, with dropout if `training`."""
        if self.rate == 0 or training is None:
            return inputs
        return if_training(training, self._dropped, inputs)

    def _dropped(self, inputs: Any) -> Any:
        if self.rate == 1:
            return inputs * 0
        dims: Any = self.noise_shape
        if dims is not None:
            sizes = shape(inputs)
            dims = [sizes[n] if size is None else size for n, size in enumerate(dims)]
        return dropped(inputs, self.rate, dims, self.seed_generator)


# -- dropout of channels ---------------------------------------------------------------------------


class SpatialDropout(Dropout):
    """Sets about `rate` of the channels to 0 in training, and scales the others by 1 / (1 - rate).

    Args:
        rate: the fraction, from 0 to 1.
        data_format: "channels_last" or "channels_first".
        seed: a seed for reproducible masks.
    """

    rank = 2

    def __init__(
        self,
        rate: float,
        data_format: str | None = None,
        seed: int | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(rate, seed=seed, **kwargs)
        self.data_format = format_argument(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)
        ones = (1,) * self.rank
        is_last = self.data_format == "channels_last"
        self.noise_shape = (None, *ones, None) if is_last else (None, None, *ones)


class SpatialDropout1D(SpatialDropout):
    """Drops channels of sequences, (batch, steps, channels): see `SpatialDropout`.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> SpatialDropout1D(0.5)(ones([1, 3, 9]), training=True).shape
        TensorShape([1, 3, 9])
    """

    rank = 1

    def __init__(
        self, rate: float, seed: int | None = None, **kwargs: Unpack[RegularizableLayerOptions]
    ) -> None:
        super().__init__(rate, None, seed, **kwargs)


class SpatialDropout2D(SpatialDropout):
    """Drops channels of images: see `SpatialDropout`.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> SpatialDropout2D(0.5)(ones([1, 3, 3, 9]), training=True).shape
        TensorShape([1, 3, 3, 9])
    """

    rank = 2


class SpatialDropout3D(SpatialDropout):
    """Drops channels of volumes: see `SpatialDropout`.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> SpatialDropout3D(0.5)(ones([1, 3, 3, 3, 9]), training=True).shape
        TensorShape([1, 3, 3, 3, 9])
    """

    rank = 3


# -- noise -----------------------------------------------------------------------------------------


# Klambauer et al., Self-Normalizing Neural Networks (2017): the limit of selu at -infinity.
_SELU_LOWEST = -1.6732632423543772 * 1.0507009873554805


class Noise(TensorLayer):
    """A layer that changes its inputs in training only; subclasses define the change.

    Args:
        seed: a seed for reproducible noise.
        share: the strength of the noise; with 0 the layer has no seeds.
    """

    def __init__(
        self,
        seed: int | None = None,
        share: float = 1.0,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**kwargs)
        # As in Keras, a layer without noise has no seed generator.
        self.seed, self.seed_generator = seed, seeds_of(seed) if share else None
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = False) -> Tensor:
        """Return the inputs, with noise if `training`."""
        return if_training(training, self._checked, inputs)

    def _checked(self, inputs: Any) -> Any:
        inputs = to_tensor(inputs)
        if not inputs.dtype.is_floating:
            raise DTypeError(
                f"layer {self.name!r} ({type(self).__name__}) disturbs floats, not "
                f"{inputs.dtype.name}: cast the input"
            )
        return self._with_noise(inputs)

    def _with_noise(self, inputs: Any) -> Any:
        """Return the inputs with noise."""
        return inputs

    def _normal(self, inputs: Any, mean: float, stddev: float) -> Any:
        return normal_like(shape_of(inputs), mean, stddev, inputs.dtype, self.seed_generator)


class GaussianNoise(Noise):
    """Adds normal numbers of mean 0.

    Args:
        stddev: the standard deviation, from 0 to 1.
        seed: a seed for reproducible noise.

    Example:
        >>> print(GaussianNoise(0.5)([[1.0, 2.0]]))
        rt.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)
    """

    def __init__(
        self, stddev: float, seed: int | None = None, **kwargs: Unpack[RegularizableLayerOptions]
    ) -> None:
        super().__init__(seed, _share(stddev, "stddev"), **kwargs)
        self.stddev = stddev

    def _with_noise(self, inputs: Any) -> Any:
        return inputs + self._normal(inputs, 0.0, self.stddev)


class GaussianDropout(Noise):
    """Multiplies with normal numbers of mean 1.

    Args:
        rate: from 0 to 1: the standard deviation is sqrt(rate / (1 - rate)), as in `Dropout`.
        seed: a seed for reproducible noise.

    Example:
        >>> print(GaussianDropout(0.5)([[1.0, 2.0]]))
        rt.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)
    """

    def __init__(
        self, rate: float, seed: int | None = None, **kwargs: Unpack[RegularizableLayerOptions]
    ) -> None:
        super().__init__(seed, _share(rate, "rate", below=True), **kwargs)
        self.rate = rate

    def _with_noise(self, inputs: Any) -> Any:
        if not self.rate:
            return inputs
        return inputs * self._normal(inputs, 1.0, math.sqrt(self.rate / (1 - self.rate)))


class AlphaDropout(Noise):
    """Sets about `rate` of the elements to the minimum of selu, and keeps mean and variance.

    Args:
        rate: the fraction, from 0 to below 1.
        noise_shape: the shape of the mask; None for that of the input.
        seed: a seed for reproducible masks.

    Example:
        >>> print(AlphaDropout(0.5)([[1.0, 2.0]]))
        rt.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)
    """

    def __init__(
        self,
        rate: float,
        noise_shape: ShapeLike | None = None,
        seed: int | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(seed, _share(rate, "rate", below=True), **kwargs)
        self.rate, self.noise_shape = rate, noise_shape

    def _with_noise(self, inputs: Any) -> Any:
        if not self.rate:
            return inputs
        sizes = shape_of(inputs)
        dims: Any = sizes
        if self.noise_shape is not None:
            given: Any = self.noise_shape
            dims = [sizes[n] if size is None else size for n, size in enumerate(given)]
        drawn = uniform_like(dims, inputs.dtype, self.seed_generator)
        kept = where(greater_equal(drawn, self.rate), inputs, _SELU_LOWEST)
        # The formula of Klambauer et al. for the same mean and variance as before.
        scale = ((1 - self.rate) * (1 + self.rate * _SELU_LOWEST**2)) ** -0.5
        return kept * scale - scale * _SELU_LOWEST * self.rate


def _share(value: Any, what: str, below: bool = False) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ArgumentValueError(f"{what} must be from 0 to 1, not {value!r}")
    if below and value == 1:
        raise ArgumentValueError(f"{what} must be below 1: 1 would drop all inputs")
    return value


# -- penalties on inputs ---------------------------------------------------------------------------


class ActivityRegularization(Layer):
    """Returns its input, and adds its norms to the loss.

    Args:
        l1: the factor of the sum of magnitudes.
        l2: the factor of the sum of squares.

    Example:
        >>> layer = ActivityRegularization(l1=0.5)
        >>> _ = layer([[1.0, -3.0]])
        >>> [float(loss) for loss in layer.losses]
        [2.0]
    """

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **kwargs: Unpack[LayerOptions]) -> None:
        super().__init__(activity_regularizer=L1L2(l1, l2), **kwargs)
        self.l1, self.l2 = l1, l2
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Return the inputs."""
        return inputs
