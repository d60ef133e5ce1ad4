"""Layer normalization, RMS normalization and unit normalization layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import flag
from runtime.core.tensor import Tensor
from runtime.nn.layers.constructor_arguments import arguments_for
from runtime.nn.layers.input_spec import InputSpec
from runtime.nn.layers.normalization_axes import (
    BaseNormalization,
    axes_argument,
    checked_epsilon,
    found_axes,
)
from runtime.nn.registry import Identifier
from runtime.ops.arrays.reduction import reduce_mean
from runtime.ops.elementwise.unary import rsqrt, square
from runtime.ops.linalg.norms import l2_normalize
from runtime.ops.neural.moments import moments

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class LayerNormalization(BaseNormalization):
    """`(inputs - mean) / sqrt(variance + epsilon) * gamma + beta`, with moments of each input.

    J. L. Ba, J. R. Kiros and G. E. Hinton, Layer Normalization (2016).

    Args:
        axis: the axis, or several, over which the moments are computed.
        epsilon: added to variances.
        center, scale: whether there is a beta, and a gamma.
        rms_scaling: whether inputs are only divided by their standard deviation and scaled.
        beta_initializer and the others: those of beta and gamma.

    Example:
        >>> print(LayerNormalization(epsilon=0.0)([[1.0, 3.0]]))
        rt.Tensor([[-1.  1.]], shape=(1, 2), dtype=float32)
    """

    def __init__(
        self,
        axis: Any = -1,
        epsilon: float = 0.001,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Identifier = "zeros",
        gamma_initializer: Identifier = "ones",
        beta_regularizer: Identifier | None = None,
        gamma_regularizer: Identifier | None = None,
        beta_constraint: Identifier | None = None,
        gamma_constraint: Identifier | None = None,
        **kwargs: Any,
    ) -> None:
        rms_scaling = flag(kwargs.pop("rms_scaling", False), "rms_scaling")
        self.rms_scaling = rms_scaling
        center = flag(center, "center") and not rms_scaling
        scale = flag(scale, "scale") or rms_scaling
        super().__init__(**arguments_for(BaseNormalization, locals()), **kwargs)
        axes_argument(axis)
        self.axis = axis

    def build(self, input_shape: Any) -> None:
        """Make gamma and beta, of the sizes of the axes."""
        self._axes = found_axes(self, axes_argument(self.axis), input_shape)
        self._rank = len(input_shape)
        sizes = {axis: input_shape[axis] for axis in self._axes}
        self._make_gamma_and_beta(tuple(sizes.values()))
        self._sizes = [sizes.get(axis, 1) for axis in range(self._rank)]
        self.input_spec = InputSpec(ndim=self._rank, axes=sizes)

    def call(self, inputs: Any) -> Tensor:
        """Return the normalized inputs."""
        x = self._full_precision(inputs)
        mean, variance = moments(x, self._axes, keepdims=True)
        centered = x if self.rms_scaling else x - mean
        found = centered * rsqrt(variance + self.epsilon)
        return self._in_input_dtype(self._scaled(found, self._sizes), inputs)


class RMSNormalization(BaseNormalization):
    """`inputs / sqrt(mean(inputs ** 2) + epsilon) * scale`, with the mean of each input.

    B. Zhang and R. Sennrich, Root Mean Square Layer Normalization (2019).

    Args:
        axis: the axis, or several, over which the mean is computed.
        epsilon: added to the mean.

    Example:
        >>> print(RMSNormalization(epsilon=0.0)([[3.0, -3.0]]))
        rt.Tensor([[ 1. -1.]], shape=(1, 2), dtype=float32)
    """

    def __init__(
        self, axis: Any = -1, epsilon: float = 1e-6, **kwargs: Unpack[RegularizableLayerOptions]
    ) -> None:
        super().__init__(epsilon, False, False, "zeros", "ones", None, None, None, None, **kwargs)
        axes_argument(axis)
        self.axis, self.epsilon = axis, checked_epsilon(epsilon)
        self.supports_masking = False

    def build(self, input_shape: Any) -> None:
        """Make the scale, of the sizes of the axes."""
        self._axes = found_axes(self, axes_argument(self.axis), input_shape)
        self._rank = len(input_shape)
        sizes = {axis: input_shape[axis] for axis in self._axes}
        self.gamma = self._gamma_options.create(self, "scale", tuple(sizes.values()))
        self._sizes = [sizes.get(axis, 1) for axis in range(self._rank)]
        self.input_spec = InputSpec(ndim=self._rank, axes=sizes)

    def call(self, inputs: Any) -> Tensor:
        """Return the normalized inputs."""
        x = self._full_precision(inputs)
        mean: Any = reduce_mean(square(x), self._axes, keepdims=True)
        return self._in_input_dtype(
            self._scaled(x * rsqrt(mean + self.epsilon), self._sizes), inputs
        )


class UnitNormalization(BaseNormalization):
    """Scales vectors of the input to length 1.

    Args:
        axis: the axis, or several, along the vectors.

    Example:
        >>> print(UnitNormalization()([[3.0, 4.0]]))
        rt.Tensor([[0.6 0.8]], shape=(1, 2), dtype=float32)
    """

    def __init__(self, axis: Any = -1, **kwargs: Unpack[RegularizableLayerOptions]) -> None:
        super().__init__(0.0, False, False, "zeros", "ones", None, None, None, None, **kwargs)
        axes_argument(axis)
        self.axis = axis

    def build(self, input_shape: Any) -> None:
        """Check that inputs have the axes; ShapeError if not."""
        self._axes = found_axes(self, axes_argument(self.axis), input_shape)
        self._rank = len(input_shape)

    def call(self, inputs: Any) -> Tensor:
        """Return the normalized inputs."""
        return self._in_input_dtype(l2_normalize(self._full_precision(inputs), self._axes), inputs)
