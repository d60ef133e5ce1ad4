"""Depthwise and separable convolution layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.core.shapes import Ints
from runtime.core.tensor import Tensor
from runtime.nn.layers.constructor_arguments import arguments_for
from runtime.nn.layers.convolution import BaseConvolution
from runtime.nn.layers.image_arguments import sizes_argument
from runtime.nn.layers.input_conversion import as_floats
from runtime.nn.layers.weights import weight_options
from runtime.nn.registry import Identifier
from runtime.ops.arrays.shape import reshape
from runtime.ops.neural.convolution import convolved
from runtime.ops.neural.windows import Sliding

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import LayerOptions


class DepthwiseConvolution(BaseConvolution):
    """The convolution of each channel with its own filters.

    Args:
        kernel_size, strides, padding, data_format, dilation_rate: as in `Conv2D`.
        depth_multiplier: the number of filters of each channel.
        depthwise_initializer, depthwise_regularizer, depthwise_constraint: those of the kernel.
        activation, use_bias and the others: as in `Conv2D`.
    """

    _config_attributes: tuple[str, ...] = (*BaseConvolution._config_attributes, "depth_multiplier")

    def __init__(
        self,
        kernel_size: Ints,
        strides: Ints = 1,
        padding: str = "valid",
        depth_multiplier: int = 1,
        data_format: str | None = None,
        dilation_rate: Ints = 1,
        activation: Identifier | None = None,
        use_bias: bool = True,
        depthwise_initializer: Identifier = "glorot_uniform",
        bias_initializer: Identifier = "zeros",
        depthwise_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        activity_regularizer: Identifier | None = None,
        depthwise_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(
            activity_regularizer=activity_regularizer,
            **arguments_for(BaseConvolution, locals()),
            **kwargs,
        )
        (self.depth_multiplier,) = sizes_argument(depth_multiplier, 1, "depth_multiplier")
        self._kernel_options = weight_options(
            depthwise_initializer, depthwise_regularizer, depthwise_constraint
        )
        self.kernel: Any = None

    def build(self, input_shape: Any) -> None:
        """Make the kernel, (*kernel_size, channels, depth_multiplier), and the bias."""
        channels = self._channels_of(input_shape)
        shape = (*self.kernel_size, channels, self.depth_multiplier)
        self.kernel = self._kernel_options.create(self, "kernel", shape)
        self._make_bias(channels * self.depth_multiplier)
        self._require_channels(channels)

    def call(self, inputs: Any) -> Tensor:
        """Return the output, in which the results of one channel follow each other."""
        found = convolved(as_floats(self, inputs), grouped_filters(self.kernel), self._window())
        return self._with_bias_and_activation(found)


def grouped_filters(kernel: Any) -> Any:
    """Return the kernel of a convolution with one group for each channel."""
    *window, channels, count = kernel.shape
    return reshape(kernel, (*window, 1, channels * count))


class DepthwiseConv1D(DepthwiseConvolution):
    """Slides filters over each channel of sequences: see `DepthwiseConvolution`.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> DepthwiseConv1D(2, depth_multiplier=3)(ones([1, 5, 2])).shape
        TensorShape([1, 4, 6])
    """

    rank = 1


class DepthwiseConv2D(DepthwiseConvolution):
    """Slides filters over each channel of images: see `DepthwiseConvolution`.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> DepthwiseConv2D(3, padding="same")(ones([1, 5, 5, 2])).shape
        TensorShape([1, 5, 5, 2])
    """

    rank = 2


class SeparableConvolution(BaseConvolution):
    """`DepthwiseConvolution`, and then a convolution with windows of size 1.

    Args:
        filters: the number of output channels.
        depth_multiplier: the number of filters of each channel in the first step.
        depthwise_initializer, depthwise_regularizer, depthwise_constraint: those of the first
            kernel.
        pointwise_initializer, pointwise_regularizer, pointwise_constraint: those of the second one.
        activation, use_bias and the others: as in `Conv2D`.
    """

    _config_attributes: tuple[str, ...] = (*BaseConvolution._config_attributes, "depth_multiplier")

    def __init__(
        self,
        filters: int,
        kernel_size: Ints,
        strides: Ints = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: Ints = 1,
        depth_multiplier: int = 1,
        activation: Identifier | None = None,
        use_bias: bool = True,
        depthwise_initializer: Identifier = "glorot_uniform",
        pointwise_initializer: Identifier = "glorot_uniform",
        bias_initializer: Identifier = "zeros",
        depthwise_regularizer: Identifier | None = None,
        pointwise_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        activity_regularizer: Identifier | None = None,
        depthwise_constraint: Identifier | None = None,
        pointwise_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(
            activity_regularizer=activity_regularizer,
            **arguments_for(BaseConvolution, locals()),
            **kwargs,
        )
        (self.filters,) = sizes_argument(filters, 1, "filters")
        (self.depth_multiplier,) = sizes_argument(depth_multiplier, 1, "depth_multiplier")
        self._depthwise_options = weight_options(
            depthwise_initializer, depthwise_regularizer, depthwise_constraint
        )
        self._pointwise_options = weight_options(
            pointwise_initializer, pointwise_regularizer, pointwise_constraint
        )
        self.depthwise_kernel: Any = None
        self.pointwise_kernel: Any = None

    def build(self, input_shape: Any) -> None:
        """Make the kernels, (*kernel_size, channels, depth_multiplier) and (1, ..., filters)."""
        channels = self._channels_of(input_shape)
        shape = (*self.kernel_size, channels, self.depth_multiplier)
        self.depthwise_kernel = self._depthwise_options.create(self, "depthwise_kernel", shape)
        points = (*(1,) * self.rank, channels * self.depth_multiplier, self.filters)
        self.pointwise_kernel = self._pointwise_options.create(self, "pointwise_kernel", points)
        self._make_bias(self.filters)
        self._require_channels(channels)

    def call(self, inputs: Any) -> Tensor:
        """Return the activation of the two convolutions plus the bias."""
        x = as_floats(self, inputs)
        parts = convolved(x, grouped_filters(self.depthwise_kernel), self._window())
        ones = (1,) * self.rank
        how = Sliding(ones, "VALID", ones, self._channels_first)
        return self._with_bias_and_activation(convolved(parts, self.pointwise_kernel, how))


class SeparableConv1D(SeparableConvolution):
    """Filters for each channel of sequences, then sums of channels: see `SeparableConvolution`.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> SeparableConv1D(4, 2)(ones([1, 5, 2])).shape
        TensorShape([1, 4, 4])
    """

    rank = 1


class SeparableConv2D(SeparableConvolution):
    """Filters for each channel of images, then sums of channels: see `SeparableConvolution`.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> SeparableConv2D(4, 3, depth_multiplier=2)(ones([1, 5, 5, 2])).shape
        TensorShape([1, 3, 3, 4])
    """

    rank = 2
