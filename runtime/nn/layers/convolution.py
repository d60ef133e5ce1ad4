"""Convolution layers for sequences, images and volumes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import flag
from runtime.core.shapes import Ints
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn import activations
from runtime.nn.layers.call_context import activated
from runtime.nn.layers.constructor_arguments import arguments_for
from runtime.nn.layers.image_arguments import SpatialLayer, padding_argument, sizes_argument
from runtime.nn.layers.input_conversion import as_floats
from runtime.nn.layers.input_spec import InputSpec
from runtime.nn.layers.weights import weight_options
from runtime.nn.registry import Identifier
from runtime.ops.neural.bias_add import bias_add
from runtime.ops.neural.convolution import convolved
from runtime.ops.neural.windows import Sliding

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import LayerOptions, RegularizableLayerOptions


class BaseConvolution(SpatialLayer):
    """The base class of convolution layers: window sizes, a bias and an activation.

    Args:
        kernel_size, strides, dilation_rate: a number, or one for each spatial axis.
        padding: one of the names in `_paddings`.
        activation: a name or a function; None for none.
        use_bias: whether there is a bias.
        bias_initializer, bias_regularizer, bias_constraint: the options of the bias.
    """

    _config_attributes: tuple[str, ...] = (
        "kernel_size",
        "strides",
        "padding",
        "data_format",
        "dilation_rate",
    )
    _paddings: tuple[str, ...] = ("valid", "same")

    def __init__(
        self,
        kernel_size: Ints,
        strides: Ints,
        padding: int | Sequence[int] | Sequence[Sequence[int]],
        data_format: str | None,
        dilation_rate: Ints,
        activation: Identifier,
        use_bias: bool,
        bias_initializer: Identifier,
        bias_regularizer: Identifier,
        bias_constraint: Identifier,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(data_format, **kwargs)
        self.kernel_size = sizes_argument(kernel_size, self.rank, "kernel_size")
        self.strides = sizes_argument(strides, self.rank, "strides")
        self.dilation_rate = sizes_argument(dilation_rate, self.rank, "dilation_rate")
        self.padding = padding_argument(padding, *self._paddings)
        self.activation = activations.get(activation)
        self.use_bias = flag(use_bias, "use_bias")
        self._bias_options = weight_options(bias_initializer, bias_regularizer, bias_constraint)
        self.bias: Any = None
        self.input_spec = InputSpec(min_ndim=self.rank + 2)

    def _refuse_strides_with_dilation(self) -> None:
        """Raise ArgumentValueError for strides together with dilation."""
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise ArgumentValueError(
                f"strides {self.strides} and dilation_rate {self.dilation_rate} cannot both be "
                "above 1"
            )

    def _window(self) -> Sliding:
        """Return the strides, padding and dilation of the window for the op."""
        padding: Any = self.padding.upper()
        if self.padding == "causal":
            # The padding comes first, so that no result depends on later inputs.
            padding = (((self.kernel_size[0] - 1) * self.dilation_rate[0], 0),)
        return Sliding(self.strides, padding, self.dilation_rate, self._channels_first)

    def _require_channels(self, channels: int) -> None:
        """Let the input spec require a number of channels."""
        axis = 1 if self._channels_first else -1
        self.input_spec = InputSpec(min_ndim=self.rank + 2, axes={axis: channels})

    def _make_bias(self, size: int) -> None:
        """Create the bias, unless `use_bias` is false."""
        if self.use_bias:
            self.bias = self._bias_options.create(self, "bias", (size,))

    def _with_bias_and_activation(self, found: Any) -> Any:
        """Return the activation of the sums of products plus the bias."""
        self._refuse_large_window(found, self.kernel_size)
        if self.bias is not None:
            found = bias_add(found, self.bias, self._layout)
        return activated(self.activation, found)


class Convolution(BaseConvolution):
    """Convolves the inputs with filters: sums of products at each position.

    Args:
        filters: the number of filters, and of output channels.
        kernel_size: the size of a filter: a number, or one for each spatial axis.
        strides: the distance between two positions of the filters.
        padding: "valid" for none; "same" for outputs of the size of the inputs over the strides.
        data_format: "channels_last" or "channels_first".
        dilation_rate: the distance between the elements of a filter.
        groups: the number of groups of channels, each with its own filters.
        activation: a name or a function; None for none.
        use_bias: whether there is a bias.
        kernel_initializer, bias_initializer: compute the initial values.
        kernel_regularizer, bias_regularizer: compute additional losses from the weights.
        kernel_constraint, bias_constraint: applied to the weights after a step of an optimizer.
    """

    _config_attributes: tuple[str, ...] = (*BaseConvolution._config_attributes, "groups")

    def __init__(
        self,
        filters: int,
        kernel_size: Ints,
        strides: Ints = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: Ints = 1,
        groups: int = 1,
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
        (self.groups,) = sizes_argument(groups, 1, "groups")
        if self.filters % self.groups:
            raise ArgumentValueError(
                f"filters must be a multiple of groups, {self.groups}, not {self.filters}"
            )
        self._refuse_strides_with_dilation()
        self._kernel_options = weight_options(
            kernel_initializer, kernel_regularizer, kernel_constraint
        )
        self.kernel: Any = None

    def build(self, input_shape: Any) -> None:
        """Make the kernel, (*kernel_size, channels / groups, filters), and the bias, (filters,)."""
        channels = self._channels_of(input_shape)
        if channels % self.groups:
            raise ShapeError(
                f"layer {self.name!r}: the number of channels must be a multiple of groups, "
                f"{self.groups}, not {channels}"
            )
        shape = (*self.kernel_size, channels // self.groups, self.filters)
        self.kernel = self._kernel_options.create(self, "kernel", shape)
        self._make_bias(self.filters)
        self._require_channels(channels)

    def call(self, inputs: Any) -> Tensor:
        """Return the activation of the convolution plus the bias."""
        return self._with_bias_and_activation(
            convolved(as_floats(self, inputs), self.kernel, self._window())
        )


class Conv1D(Convolution):
    """Slides filters over sequences: see `Convolution`; padding may be "causal", too.

    Inputs have shape (batch, steps, channels), the kernel (kernel_size, channels, filters).

    Example:
        >>> layer = Conv1D(1, 2, kernel_initializer="ones")
        >>> layer([[[1.0], [2.0], [3.0]]]).numpy().ravel()
        array([3., 5.], dtype=float32)
    """

    rank = 1
    _paddings = ("valid", "same", "causal")


class Conv2D(Convolution):
    """Slides filters over images: see `Convolution`.

    Inputs have shape (batch, height, width, channels), the kernel (height, width, channels,
    filters).

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Conv2D(8, 3, padding="same", activation="relu")(ones([1, 5, 5, 2])).shape
        TensorShape([1, 5, 5, 8])
    """

    rank = 2


class Conv3D(Convolution):
    """Slides filters over volumes: see `Convolution`.

    Inputs have shape (batch, depth, height, width, channels).

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Conv3D(8, (1, 2, 2))(ones([1, 5, 5, 5, 2])).shape
        TensorShape([1, 5, 4, 4, 8])
    """

    rank = 3
