"""Batch normalization and batch renormalization."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import flag
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError
from runtime.graph.structured_control_flow import cond
from runtime.nn import initializers
from runtime.nn.layers.constructor_arguments import arguments_for
from runtime.nn.layers.input_spec import InputSpec
from runtime.nn.layers.normalization_axes import BaseNormalization, axes_argument, found_axes
from runtime.nn.registry import Identifier
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import expand_dims, reshape
from runtime.ops.constant import cast, stop_gradient
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import divide_no_nan, maximum, minimum
from runtime.ops.elementwise.unary import rsqrt, sqrt, square
from runtime.ops.neural.moments import moments

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions

_LIMITS = ("rmax", "rmin", "dmax")


class BatchRenormalization:
    """The batch renormalization of a `BatchNormalization`: its moving averages and corrections.

    S. Ioffe, Batch Renormalization (2017).

    Args:
        clipping: "rmax" and "rmin" for factors and "dmax" for offsets, each of which may be absent.
        momentum: the weight of the old averages at each step.
    """

    def __init__(self, clipping: Any, momentum: Any) -> None:
        limits = {} if clipping is None else clipping
        if not isinstance(limits, Mapping) or any(name not in _LIMITS for name in limits):
            raise ArgumentValueError(
                f"renorm_clipping must be a dict with rmax, rmin and dmax, not {clipping!r}"
            )
        if limits.get("rmin", 0) > limits.get("rmax", float("inf")):
            raise ArgumentValueError(
                f"rmin must not be above rmax, as in renorm_clipping {clipping!r}"
            )
        if not isinstance(momentum, (int, float)) or not 0 <= momentum <= 1:
            raise ArgumentValueError(f"renorm_momentum must be from 0 to 1, not {momentum!r}")
        self.limits, self.momentum = dict(limits), momentum

    def build(self, layer: Any, shape: Any, of_mean: Any, of_variance: Any) -> None:
        """Create the moving averages: a deviation, and the mean and deviation for corrections."""

        def of_deviation(dims: Any, dtype: Any = None) -> Any:
            return sqrt(of_variance(dims, dtype=dtype))

        self.moving_stddev, self.mean, self.stddev = (
            layer.add_weight(shape, make, trainable=False, name=name)
            for name, make in (
                ("moving_stddev", of_deviation),
                ("renorm_mean", of_mean),
                ("renorm_stddev", of_deviation),
            )
        )

    def correction(self, mean: Any, stddev: Any) -> tuple[Any, Any]:
        """Return the factor of normalized numbers, and the offset that is added to them.

        Gradients take both for constants. The averages then move towards the moments of the batch.
        """
        before, spread = (cast(each, mean.dtype) for each in (self.mean, self.stddev))
        factor, offset = stddev / spread, (mean - before) / spread
        limits = self.limits
        if "rmin" in limits:
            factor = maximum(factor, limits["rmin"])
        if "rmax" in limits:
            factor = minimum(factor, limits["rmax"])
        if "dmax" in limits:
            offset = maximum(minimum(offset, limits["dmax"]), -limits["dmax"])
        # The factor and the offset are computed from the averages before these move.
        found = stop_gradient(factor), stop_gradient(offset)
        move(self.mean, mean, self.momentum)
        move(self.stddev, stddev, self.momentum)
        return found

    def variance(self, stddev: Any, momentum: float, epsilon: float) -> Any:
        """Move the standard deviation towards that of the batch, and return the moving variance."""
        move(self.moving_stddev, stddev, momentum)
        return maximum(square(to_tensor(self.moving_stddev)) - epsilon, 0.0)


def move(average: Any, now: Any, momentum: float) -> None:
    """Update a moving average with the current value."""
    average.assign(average * momentum + cast(now, average.dtype) * (1 - momentum))


# -- the layer -------------------------------------------------------------------------------------


class BatchNormalization(BaseNormalization):
    """`(inputs - mean) / sqrt(variance + epsilon) * gamma + beta`, for each channel.

    In training the moments are those of the batch, which also update moving averages. Afterwards,
    and if the layer is not trainable, the moving averages are used. Masked steps do not count. S.
    Ioffe and C. Szegedy, Batch Normalization (2015).

    Args:
        axis: the number of the axis of channels.
        momentum: the weight of the old moving average in each step, from 0 to 1.
        epsilon: added to variances.
        center, scale: whether there is a beta, and a gamma.
        moving_mean_initializer, moving_variance_initializer: the initial moving averages.
        renorm: whether the moments of a batch are corrected to match the averages; S. Ioffe, Batch
            Renormalization (2017).
        renorm_clipping: limits of corrections: a dict with "rmax", "rmin" and "dmax", or some.
        renorm_momentum: the weight of the old averages in the corrections.
        synchronized: whether batches on several devices count as one; there is one device.
        beta_initializer and the others: of beta and gamma.

    Example:
        >>> layer = BatchNormalization(epsilon=0.0)
        >>> print(layer([[1.0], [3.0]], training=True))
        rt.Tensor(
        [[-1.]
         [ 1.]], shape=(2, 1), dtype=float32)
        >>> layer.moving_mean.numpy()
        array([0.02], dtype=float32)
    """

    def __init__(
        self,
        axis: int = -1,
        momentum: float = 0.99,
        epsilon: float = 0.001,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Identifier = "zeros",
        gamma_initializer: Identifier = "ones",
        moving_mean_initializer: Identifier = "zeros",
        moving_variance_initializer: Identifier = "ones",
        beta_regularizer: Identifier | None = None,
        gamma_regularizer: Identifier | None = None,
        beta_constraint: Identifier | None = None,
        gamma_constraint: Identifier | None = None,
        renorm: bool = False,
        renorm_clipping: Any = None,
        renorm_momentum: float = 0.99,
        synchronized: bool = False,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**arguments_for(BaseNormalization, locals()), **kwargs)
        if not isinstance(momentum, (int, float)) or not 0 <= momentum <= 1:
            raise ArgumentValueError(f"momentum must be from 0 to 1, not {momentum!r}")
        (self.axis,) = one if len(one := axes_argument(axis)) == 1 else (_refused(axis),)
        self.momentum = momentum
        corrections = BatchRenormalization(renorm_clipping, renorm_momentum)
        self.renorm = flag(renorm, "renorm")
        self._corrections = corrections if renorm else None
        self._mean_initializer = initializers.get(moving_mean_initializer)
        self._variance_initializer = initializers.get(moving_variance_initializer)
        self.moving_mean: Any = None
        self.moving_variance: Any = None

    def build(self, input_shape: Any) -> None:
        """Make gamma and beta, and the moving averages, of the shape (channels,)."""
        (axis,) = found_axes(self, [self.axis], input_shape)
        self._rank, self._axis = len(input_shape), axis
        shape = (input_shape[axis],)
        self._make_gamma_and_beta(shape)
        self.moving_mean = self.add_weight(
            shape, self._mean_initializer, trainable=False, name="moving_mean"
        )
        self.moving_variance = self.add_weight(
            shape, self._variance_initializer, trainable=False, name="moving_variance"
        )
        if self._corrections is not None:
            self._corrections.build(self, shape, self._mean_initializer, self._variance_initializer)
        self.input_spec = InputSpec(ndim=self._rank, axes={axis: shape[0]})

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Tensor:
        """Return the inputs normalized: by the batch if `training`, else by the averages."""
        if not self.trainable or training is None:
            return self._by_history(inputs)
        if isinstance(training, Tensor):
            return cond(
                training, lambda: self._by_batch(inputs, mask), lambda: self._by_history(inputs)
            )
        return (
            self._by_batch(inputs, mask) if flag(training, "training") else self._by_history(inputs)
        )

    def _by_history(self, inputs: Any) -> Any:
        x = self._full_precision(inputs)
        mean, variance = (cast(v, x.dtype) for v in (self.moving_mean, self.moving_variance))
        return self._in_input_dtype(self._normalized(x, mean, variance), inputs)

    def _by_batch(self, inputs: Any, mask: Any) -> Any:
        x = self._full_precision(inputs)
        axes = [axis for axis in range(self._rank) if axis != self._axis]
        mean, variance = moments(x, axes) if mask is None else _masked_moments(x, mask, axes)
        move(self.moving_mean, mean, self.momentum)
        if self._corrections is None:
            move(self.moving_variance, variance, self.momentum)
            return self._in_input_dtype(self._normalized(x, mean, variance), inputs)
        stddev = sqrt(variance + self.epsilon)
        correction = self._corrections.correction(mean, stddev)
        average = self._corrections.variance(stddev, self.momentum, self.epsilon)
        self.moving_variance.assign(cast(average, self.moving_variance.dtype))
        return self._in_input_dtype(self._normalized(x, mean, variance, correction), inputs)

    def _normalized(self, x: Any, mean: Any, variance: Any, correction: Any = None) -> Any:
        sizes = [1] * self._rank
        sizes[self._axis] = -1
        # The factors are combined first: they are small, the inputs are large.
        factor = rsqrt(variance + self.epsilon)
        if correction is not None:
            factor = factor * correction[0]
        offset = None if correction is None else correction[1]
        if self.gamma is not None:
            gamma = cast(self.gamma, x.dtype)
            factor, offset = factor * gamma, None if offset is None else offset * gamma
        shift = -(mean * factor) if offset is None else offset - mean * factor
        if self.beta is not None:
            shift = shift + cast(self.beta, x.dtype)
        return x * reshape(factor, sizes) + reshape(shift, sizes)


def _masked_moments(x: Any, mask: Any, axes: list[int]) -> tuple[Any, Any]:
    """Return the mean and variance of the unmasked elements, 0 if there are none."""
    mask = to_tensor(mask)
    while mask.shape.rank < x.shape.rank:
        mask = expand_dims(mask, -1)
    counts: Any = cast(mask, x.dtype) * ones_like(x)
    total = reduce_sum(counts, axes, keepdims=True)
    mean: Any = divide_no_nan(reduce_sum(x * counts, axes, keepdims=True), total)
    squares = reduce_sum(square(x - mean) * counts, axes, keepdims=True)
    return reshape(mean, [-1]), reshape(divide_no_nan(squares, total), [-1])


def _refused(axis: Any) -> int:
    raise ArgumentValueError(f"axis of BatchNormalization must be one number, not {axis!r}")
