"""Activation layers, with and without parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.core.shapes import Ints
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn import activations
from runtime.nn.layers.call_context import activated
from runtime.nn.layers.image_arguments import is_whole
from runtime.nn.layers.input_conversion import as_floats
from runtime.nn.layers.input_spec import InputSpec, known_shape
from runtime.nn.layers.layer import TensorLayer
from runtime.nn.layers.weights import weight_options
from runtime.nn.registry import Identifier
from runtime.ops.arrays.reduction import reduce_logsumexp
from runtime.ops.constant import cast
from runtime.ops.elementwise.unary import exp
from runtime.ops.neural.activations import relu
from runtime.ops.neural.softmax import softmax

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class Activation(TensorLayer):
    """Applies an activation function.

    Args:
        activation: a name, such as "relu", or a function of a tensor.

    Example:
        >>> print(Activation("relu")([-1.0, 2.0]))
        rt.Tensor([0. 2.], shape=(2,), dtype=float32)
    """

    def __init__(self, activation: Identifier, **kwargs: Unpack[RegularizableLayerOptions]) -> None:
        super().__init__(**kwargs)
        self.activation = activations.get(activation)
        self.supports_masking = True

    def call(self, inputs: Any) -> Tensor:
        """Return the activation of the inputs."""
        return activated(self.activation, inputs)


# -- activation layers with parameters -------------------------------------------------------------


class ReLU(TensorLayer):
    """Keeps numbers above a threshold, and scales others by a slope: see `activations.relu`.

    Args:
        max_value: the maximum of the result, or None.
        negative_slope: the slope of numbers below the threshold.
        threshold: the number from which on inputs stay unchanged.

    Example:
        >>> print(ReLU(max_value=2.0)([-1.0, 1.0, 3.0]))
        rt.Tensor([0. 1. 2.], shape=(3,), dtype=float32)
    """

    def __init__(
        self,
        max_value: float | None = None,
        negative_slope: float = 0.0,
        threshold: float = 0.0,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**kwargs)
        self.max_value = None if max_value is None else _positive(max_value, "max_value")
        self.negative_slope = _positive(negative_slope, "negative_slope")
        self.threshold = _positive(threshold, "threshold")
        self.supports_masking = True

    def call(self, inputs: Any) -> Tensor:
        """Return the rectified inputs."""
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(TensorLayer):
    """Keeps positive numbers, and scales negative ones by a slope.

    Args:
        negative_slope: the slope, at least 0.
        kwargs: those of Layer; Keras 2 calls the slope `alpha`.

    Example:
        >>> print(LeakyReLU(0.5)([-1.0, 2.0]))
        rt.Tensor([-0.5  2. ], shape=(2,), dtype=float32)
    """

    def __init__(self, negative_slope: float = 0.3, **kwargs: Any) -> None:
        gradient = kwargs.pop("alpha", negative_slope)
        super().__init__(**kwargs)
        self._own.config.pop("alpha", None)
        self._own.config["negative_slope"] = gradient
        self.negative_slope = _positive(gradient, "negative_slope")
        self.supports_masking = True

    def call(self, inputs: Any) -> Tensor:
        """Return the inputs with scaled negative numbers."""
        return activations.leaky_relu(as_floats(self, inputs), self.negative_slope)


class ELU(TensorLayer):
    """Keeps positive numbers, and maps negative ones to `alpha * (exp(x) - 1)`.

    Args:
        alpha: the factor of negative numbers.

    Example:
        >>> print(ELU()([0.0, 2.0]))
        rt.Tensor([0. 2.], shape=(2,), dtype=float32)
    """

    def __init__(self, alpha: float = 1.0, **kwargs: Unpack[RegularizableLayerOptions]) -> None:
        super().__init__(**kwargs)
        if not isinstance(alpha, (int, float)):
            raise ArgumentValueError(f"alpha must be a number, not {alpha!r}")
        self.alpha = alpha
        self.supports_masking = True

    def call(self, inputs: Any) -> Tensor:
        """Return the inputs with mapped negative numbers."""
        return activations.elu(as_floats(self, inputs), self.alpha)


class PReLU(TensorLayer):
    """Keeps positive numbers, and scales negative ones by a learned slope.

    Args:
        alpha_initializer, alpha_regularizer, alpha_constraint: those of the slopes.
        shared_axes: numbers of axes, from 1, along which the slope is the same.

    Example:
        >>> print(PReLU("ones")([[-1.0, 2.0]]))
        rt.Tensor([[-1.  2.]], shape=(1, 2), dtype=float32)
    """

    def __init__(
        self,
        alpha_initializer: Identifier = "zeros",
        alpha_regularizer: Identifier | None = None,
        alpha_constraint: Identifier | None = None,
        shared_axes: Ints | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**kwargs)
        self._alpha_options = weight_options(alpha_initializer, alpha_regularizer, alpha_constraint)
        axes = shared_axes if isinstance(shared_axes, (list, tuple)) else (shared_axes,)
        self.shared_axes = None if shared_axes is None else list(axes)
        if not all(is_whole(axis) and axis > 0 for axis in self.shared_axes or ()):
            raise ArgumentValueError(
                f"shared_axes must be axes counted from 1, not {shared_axes!r}"
            )
        self.alpha: Any = None
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Make the slopes, with the shape of one input, but size 1 along shared axes."""
        sizes = list(known_shape(self, input_shape)[1:])
        for axis in self.shared_axes or ():
            if axis > len(sizes):
                raise ShapeError(
                    f"layer {self.name!r}: inputs of shape {input_shape} have no axis {axis}"
                )
            sizes[axis - 1] = 1
        self.alpha = self._alpha_options.create(self, "alpha", sizes)
        axes = {n: size for n, size in enumerate(input_shape) if n and n not in self._shared()}
        self.input_spec = InputSpec(ndim=len(input_shape), axes=axes)

    def _shared(self) -> list[int]:
        return self.shared_axes or []

    def call(self, inputs: Any) -> Tensor:
        """Return the inputs with scaled negative numbers."""
        x: Any = as_floats(self, inputs)
        return relu(x) - self.alpha * relu(-x)


class Softmax(TensorLayer):
    """The softmax along an axis: positive numbers with the sum 1.

    Args:
        axis: the axis, or several, which are taken as one.

    Example:
        >>> print(Softmax()([[1.0, 1.0]]))
        rt.Tensor([[0.5 0.5]], shape=(1, 2), dtype=float32)
    """

    def __init__(self, axis: Any = -1, **kwargs: Unpack[RegularizableLayerOptions]) -> None:
        super().__init__(**kwargs)
        axes = axis if isinstance(axis, (list, tuple)) else (axis,)
        if not axes or not all(map(is_whole, axes)):
            raise ArgumentValueError(f"axis must be an int or a list of ints, not {axis!r}")
        self.axis = axis
        self.supports_masking = True

    def call(self, inputs: Any, mask: Any = None) -> Tensor:
        """Return the softmax of the inputs.

        Args:
            mask: bools that broadcast with the inputs; where they are False, the output is 0.
        """
        axes = list(self.axis) if isinstance(self.axis, (list, tuple)) else [self.axis]
        return masked_softmax(inputs, axes, mask)


def masked_softmax(x: Any, axes: list[int], mask: Any) -> Any:
    """Return the softmax over some axes taken as one, 0 where a mask is False.

    Args:
        mask: bools that broadcast with x, or None.

    >>> from runtime.ops.constant import constant
    >>> masked_softmax(constant([1.0, 5.0, 1.0]), [0], constant([True, False, True])).numpy()
    array([0.5, 0. , 0.5], dtype=float32)
    """
    if mask is not None:
        counts = cast(mask, x.dtype)
        x = x + (1.0 - counts) * lowest_score(x.dtype)
    if len(axes) == 1:
        found: Any = softmax(x, axes[0])
    else:
        found = exp(x - reduce_logsumexp(x, axes, keepdims=True))
    return found if mask is None else found * counts


def lowest_score(dtype: Any) -> float:
    """Return a number of a dtype that, added to scores, makes their exponential 0.

    >>> from runtime.core.dtypes import float32
    >>> lowest_score(float32)
    -1000000000.0
    """
    return -3e4 if dtype.name == "float16" else -1e9


def _positive(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
        raise ArgumentValueError(f"{what} must be a number of at least 0, not {value!r}")
    return value
