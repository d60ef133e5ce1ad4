"""The group normalization layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.layers.constructor_arguments import arguments_for
from runtime.nn.layers.image_arguments import is_whole
from runtime.nn.layers.input_spec import InputSpec
from runtime.nn.layers.normalization_axes import BaseNormalization, axes_argument, found_axes
from runtime.nn.registry import Identifier
from runtime.ops.arrays.shape import reshape
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.elementwise.unary import rsqrt
from runtime.ops.neural.moments import moments

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class GroupNormalization(BaseNormalization):
    """`(inputs - mean) / sqrt(variance + epsilon) * gamma + beta`, with moments of channel groups.

    Y. Wu and K. He, Group Normalization (2018).

    Args:
        groups: the number of groups; -1 for one group per channel.
        axis: the number of the axis of channels.
        epsilon: added to variances.
        center, scale: whether there is a beta, and a gamma.
        beta_initializer and the others: those of beta and gamma.

    Example:
        >>> print(GroupNormalization(2, epsilon=0.0)([[1.0, 3.0, 5.0, 9.0]]))
        rt.Tensor([[-1.  1. -1.  1.]], shape=(1, 4), dtype=float32)
    """

    def __init__(
        self,
        groups: int = 32,
        axis: int = -1,
        epsilon: float = 0.001,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Identifier = "zeros",
        gamma_initializer: Identifier = "ones",
        beta_regularizer: Identifier | None = None,
        gamma_regularizer: Identifier | None = None,
        beta_constraint: Identifier | None = None,
        gamma_constraint: Identifier | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**arguments_for(BaseNormalization, locals()), **kwargs)
        if not is_whole(groups) or (groups < 1 and groups != -1):
            raise ArgumentValueError(
                f"groups must be a whole number above 0, or -1, not {groups!r}"
            )
        if len(axes_argument(axis)) != 1:
            raise ArgumentValueError(f"axis of GroupNormalization must be one number, not {axis!r}")
        self.groups, self.axis = int(groups), axis

    def build(self, input_shape: Any) -> None:
        """Make gamma and beta, of the shape (channels,)."""
        (self._axis,) = found_axes(self, axes_argument(self.axis), input_shape)
        self._rank, channels = len(input_shape), input_shape[self._axis]
        if not is_whole(channels) or not channels or not self._axis:
            raise ShapeError(
                f"layer {self.name!r}: axis {self.axis} of inputs of shape {tuple(input_shape)} "
                "must be an axis of channels of known number"
            )
        if self.groups == -1:
            self.groups = channels
        if channels % self.groups:
            raise ShapeError(
                f"layer {self.name!r}: the number of channels must be a multiple of groups, "
                f"{self.groups}, not {channels}"
            )
        self._make_gamma_and_beta((channels,))
        self.input_spec = InputSpec(ndim=self._rank, axes={self._axis: channels})

    def call(self, inputs: Any) -> Tensor:
        """Return the inputs normalized by the moments of their channel groups."""
        x, axis = self._full_precision(inputs), self._axis
        known, sizes = x.shape.dims, shape_of(x)
        dims = [sizes[n] if size is None else size for n, size in enumerate(known)]
        apart = [*dims[:axis], self.groups, dims[axis] // self.groups, *dims[axis + 1 :]]
        grouped = reshape(x, apart)
        axes = [n for n in range(1, self._rank + 1) if n != axis]
        mean, variance = moments(grouped, axes, keepdims=True)
        found = reshape((grouped - mean) * rsqrt(variance + self.epsilon), dims)
        broad = [1] * self._rank
        broad[axis] = -1
        return self._in_input_dtype(self._scaled(found, broad), inputs)
