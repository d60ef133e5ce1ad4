"""Transposed convolution layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.core.shapes import Ints
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError
from runtime.nn.layers.constructor_arguments import arguments_for
from runtime.nn.layers.convolution import BaseConvolution
from runtime.nn.layers.image_arguments import sizes_argument
from runtime.nn.layers.input_conversion import as_floats
from runtime.nn.layers.input_spec import InputSpec
from runtime.nn.layers.weights import weight_options
from runtime.nn.registry import Identifier
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.neural.convolution import transposed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import LayerOptions


class ConvolutionTranspose(BaseConvolution):
    """The transpose of a convolution: inputs are spread over windows of filters.

    Args:
        filters: the number of output channels.
        kernel_size, strides, padding, data_format, dilation_rate: those of the convolution from
            outputs to inputs.
        output_padding: the additional length of the output, one number for each axis; by default
            the output has the size of the input times the strides, and more for larger windows.
        activation, use_bias and the others: as in `Conv2D`.
    """

    _config_attributes: tuple[str, ...] = (*BaseConvolution._config_attributes, "output_padding")

    def __init__(
        self,
        filters: int,
        kernel_size: Ints,
        strides: Ints = 1,
        padding: str = "valid",
        output_padding: Ints | None = None,
        data_format: str | None = None,
        dilation_rate: Ints = 1,
        activation: Identifier | None = None,
        use_bias: bool = True,
        kernel_initializer: Identifier = "glorot_uniform",
        bias_initializer: Identifier = "zeros",
        kernel_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        activity_regularizer: Identifier | None = None,
        kernel_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(
            activity_regularizer=activity_regularizer,
            **arguments_for(BaseConvolution, locals()),
            **kwargs,
        )
        (self.filters,) = sizes_argument(filters, 1, "filters")
        self.output_padding: Any = output_padding
        if output_padding is not None:
            self.output_padding = sizes_argument(output_padding, self.rank, "output_padding", 0)
            pairs = zip(self.output_padding, self.strides, strict=True)
            if any(more >= stride for more, stride in pairs):
                raise ArgumentValueError(
                    f"output_padding {self.output_padding} must be below strides {self.strides}"
                )
        self._refuse_strides_with_dilation()
        self._kernel_options = weight_options(
            kernel_initializer, kernel_regularizer, kernel_constraint
        )
        self.kernel: Any = None
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def build(self, input_shape: Any) -> None:
        """Make the kernel, (*kernel_size, filters, channels), and the bias, (filters,)."""
        channels = self._channels_of(input_shape)
        shape = (*self.kernel_size, self.filters, channels)
        self.kernel = self._kernel_options.create(self, "kernel", shape)
        self._make_bias(self.filters)
        axis = 1 if self._channels_first else -1
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: channels})

    def call(self, inputs: Any) -> Tensor:
        """Return the activation of the transposed convolution plus the bias."""
        found, first = as_floats(self, inputs), self._first_spatial_axis
        known, sizes = found.shape.dims, shape_of(found)
        given = [sizes[n] if known is None or known[n] is None else known[n] for n in self._axes()]
        lengths = [self._length(axis, size) for axis, size in enumerate(given[1:])]
        dims = [given[0], *lengths]
        dims.insert(1 if first == 2 else len(dims), self.filters)
        return self._with_bias_and_activation(transposed(found, self.kernel, dims, self._window()))

    def _axes(self) -> tuple[int, ...]:
        return (0, *range(self._first_spatial_axis, self._first_spatial_axis + self.rank))

    def _length(self, axis: int, size: Any) -> Any:
        """Return the size of an axis of the output for the size of the input."""
        stride, dilation = self.strides[axis], self.dilation_rate[axis]
        window = (self.kernel_size[axis] - 1) * dilation + 1
        if self.output_padding is None:
            more = max(window - stride, 0) if self.padding == "valid" else 0
            return size * stride + more
        extra = self.output_padding[axis] + window
        if self.padding == "same":
            extra -= 2 * (window // 2)
        return (size - 1) * stride + extra


class Conv1DTranspose(ConvolutionTranspose):
    """Spreads sequences: see `ConvolutionTranspose`.

    Example:
        >>> layer = Conv1DTranspose(1, 2, strides=2, kernel_initializer="ones")
        >>> layer([[[1.0], [2.0]]]).numpy().ravel()
        array([1., 1., 2., 2.], dtype=float32)
    """

    rank = 1


class Conv2DTranspose(ConvolutionTranspose):
    """Spreads images: see `ConvolutionTranspose`.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Conv2DTranspose(4, 3, strides=2, padding="same")(ones([1, 5, 5, 2])).shape
        TensorShape([1, 10, 10, 4])
    """

    rank = 2


class Conv3DTranspose(ConvolutionTranspose):
    """Spreads volumes: see `ConvolutionTranspose`.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Conv3DTranspose(4, 2, strides=2)(ones([1, 2, 3, 4, 2])).shape
        TensorShape([1, 4, 6, 8, 4])
    """

    rank = 3

    # In Keras, output_padding and data_format have another order here.
    def __init__(
        self,
        filters: int,
        kernel_size: Ints,
        strides: Ints = 1,
        padding: str = "valid",
        data_format: str | None = None,
        output_padding: Ints | None = None,
        dilation_rate: Ints = 1,
        activation: Identifier | None = None,
        use_bias: bool = True,
        kernel_initializer: Identifier = "glorot_uniform",
        bias_initializer: Identifier = "zeros",
        kernel_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        activity_regularizer: Identifier | None = None,
        kernel_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(**arguments_for(ConvolutionTranspose, locals()), **kwargs)
