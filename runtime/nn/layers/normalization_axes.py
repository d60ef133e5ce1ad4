"""The base class of normalization layers, and their `axis` and `epsilon` arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import flag
from runtime.core.dtypes import as_dtype, float32
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.layers.image_arguments import is_whole
from runtime.nn.layers.input_conversion import as_floats
from runtime.nn.layers.input_spec import known_shape
from runtime.nn.layers.layer import TensorLayer
from runtime.nn.layers.weights import weight_options
from runtime.nn.registry import Identifier
from runtime.ops.arrays.shape import ensure_shape, reshape
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class BaseNormalization(TensorLayer):
    """A layer with a scale, gamma, and an offset, beta, along some axes.

    Args:
        epsilon: added to variances.
        center: whether there is a beta.
        scale: whether there is a gamma.
        beta_initializer, gamma_initializer: compute the initial values.
        beta_regularizer, gamma_regularizer: compute additional losses from them.
        beta_constraint, gamma_constraint: applied to them after a step of an optimizer.
    """

    def __init__(
        self,
        epsilon: float,
        center: bool,
        scale: bool,
        beta_initializer: Identifier | None,
        gamma_initializer: Identifier | None,
        beta_regularizer: Identifier | None,
        gamma_regularizer: Identifier | None,
        beta_constraint: Identifier | None,
        gamma_constraint: Identifier | None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**kwargs)
        self.epsilon = checked_epsilon(epsilon)
        self.center, self.scale = flag(center, "center"), flag(scale, "scale")
        self._beta_options = weight_options(beta_initializer, beta_regularizer, beta_constraint)
        self._gamma_options = weight_options(gamma_initializer, gamma_regularizer, gamma_constraint)
        self.gamma: Any = None
        self.beta: Any = None
        self.supports_masking = True
        self._rank = 0

    def _make_gamma_and_beta(self, shape: Any) -> None:
        """Make gamma and beta, of the same shape."""
        if self.scale:
            self.gamma = self._gamma_options.create(self, "gamma", shape)
        if self.center:
            self.beta = self._beta_options.create(self, "beta", shape)

    def _scaled(self, x: Any, sizes: Any) -> Any:
        """Return x times gamma plus beta, both in the shape `sizes`, which broadcasts with x."""
        if self.gamma is not None:
            x = x * cast(reshape(self.gamma, sizes), x.dtype)
        if self.beta is not None:
            x = x + cast(reshape(self.beta, sizes), x.dtype)
        return x

    def _full_precision(self, inputs: Any) -> Any:
        """Return inputs as floats of at least 32 bits, and of known rank."""
        x = as_floats(self, inputs)
        x = ensure_shape(x, (None,) * self._rank) if x.shape.rank is None else x
        return cast(x, float32) if x.dtype.name in ("float16", "bfloat16") else x

    def _in_input_dtype(self, found: Any, inputs: Any) -> Any:
        """Return a result in the dtype of the inputs, or of the layer if they were integers."""
        given = to_tensor(inputs).dtype
        wanted = given if given.is_floating else as_dtype(self.dtype)
        return cast(found, wanted)


def axes_argument(axis: Any) -> list[int]:
    """Return an `axis` argument as a list of integers.

    Raises:
        ArgumentValueError: it is something else.

    >>> axes_argument(-1), axes_argument((1, 2))
    ([-1], [1, 2])
    """
    axes = list(axis) if isinstance(axis, (list, tuple)) else [axis]
    if not axes or not all(map(is_whole, axes)):
        raise ArgumentValueError(f"axis must be an int or a list of ints, not {axis!r}")
    return [int(each) for each in axes]


def found_axes(layer: Any, axes: list[int], shape: Any) -> list[int]:
    """Return axes as sorted positive numbers, checked against the input shape.

    Raises:
        ShapeError: the shape is unknown, or has no such axis.
    """
    shape = known_shape(layer, shape)
    for axis in axes:
        if not -len(shape) <= axis < len(shape):
            raise ShapeError(
                f"layer {layer.name!r} ({type(layer).__name__}): inputs of shape {shape} "
                f"have no axis {axis}"
            )
    return sorted({axis % len(shape) for axis in axes})


def checked_epsilon(epsilon: Any) -> float:
    """Return an epsilon as a float; ArgumentValueError unless it is a number from 0."""
    if isinstance(epsilon, bool) or not isinstance(epsilon, (int, float)) or not epsilon >= 0:
        raise ArgumentValueError(f"epsilon must be a number of at least 0, not {epsilon!r}")
    return float(epsilon)
