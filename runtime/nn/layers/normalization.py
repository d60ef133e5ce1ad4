"""The layer that normalizes by the moments of data it was shown before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from runtime.core.argument_checks import flag
from runtime.core.context import recorder_around, recording
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, DTypeError, FailedPreconditionError, ShapeError
from runtime.nn.layers.floats import as_floats
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.normalization_axes import axes_argument, found_axes
from runtime.ops.arrays.shape import reshape
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import maximum
from runtime.ops.elementwise.unary import sqrt
from runtime.state.variable import Variable

_SMALLEST = 1e-7  # What a standard deviation counts as if it is smaller.


class Normalization(Layer):
    """`(inputs - mean) / sqrt(variance)`, moments of data that `adapt` has seen, or as given.

    Args:
        axis: the number of the axis, or several, whose elements have moments of their own; None
            for one mean and one variance of all.
        mean, variance: numbers or arrays; both, or none for those that `adapt` finds.
        invert: whether to make the original data of normalized ones instead.

    Example:
        >>> layer = Normalization()
        >>> layer.adapt(np.array([[1.0], [3.0]]))
        >>> layer([[1.0], [2.0], [3.0]]).numpy().ravel()
        array([-1.,  0.,  1.], dtype=float32)
    """

    def __init__(
        self,
        axis: Any = -1,
        mean: Any = None,
        variance: Any = None,
        invert: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.axis = axis
        is_none = axis is None or (isinstance(axis, (list, tuple)) and not axis)
        self._kept = [] if is_none else axes_argument(axis)
        if (mean is None) != (variance is None):
            raise ArgumentValueError("Normalization takes both mean and variance, or none of them")
        self.input_mean, self.input_variance = mean, variance
        self.invert = flag(invert, "invert")
        self.supports_masking = True
        self.adapt_mean: Any = None
        self.adapt_variance: Any = None
        self.count: Any = None

    def build(self, input_shape: Any) -> None:
        """Make mean, variance and count, which `adapt` sets, unless moments were given."""
        axes = found_axes(self, self._kept, input_shape)
        self._kept_axes = axes
        sizes = tuple(input_shape[axis] for axis in axes)
        self._broad = [input_shape[n] if n in axes else 1 for n in range(len(input_shape))]
        if self.input_mean is not None:
            for what, value in (("mean", self.input_mean), ("variance", self.input_variance)):
                self._check_fits(what, np.shape(value))
            return
        self.adapt_mean = self.add_weight(sizes, "zeros", trainable=False, name="mean")
        self.adapt_variance = self.add_weight(sizes, "ones", trainable=False, name="variance")
        self.count = self.add_weight((), "zeros", "int64", trainable=False, name="count")

    def _check_fits(self, what: str, shape: tuple[int, ...]) -> None:
        wanted = [1 if size is None else size for size in self._broad]
        try:
            fits = np.broadcast_shapes(shape, tuple(wanted)) == tuple(wanted)
        except ValueError:
            fits = False
        if not fits:
            raise ShapeError(
                f"layer {self.name!r}: a {what} of shape {shape} does not fit inputs that have "
                f"moments of shape {tuple(wanted)}"
            )

    @property
    def mean(self) -> Any:
        """The mean, in a shape that broadcasts with inputs."""
        return self._moment(self.input_mean, self.adapt_mean)

    @property
    def variance(self) -> Any:
        """The variance, in a shape that broadcasts with inputs."""
        return self._moment(self.input_variance, self.adapt_variance)

    def _moment(self, given: Any, found: Any) -> Tensor | None:
        if given is not None:
            return to_tensor(given, self._own.dtype)
        return None if found is None else reshape(found, self._broad)

    def call(self, inputs: Any) -> Any:
        """Return what the class says."""
        x: Any = as_floats(self, inputs)
        spread: Any = maximum(sqrt(self.variance), _SMALLEST)
        return x * spread + self.mean if self.invert else (x - self.mean) / spread

    def adapt(self, data: Any) -> None:
        """Take the moments of data, in place of those of earlier data.

        Args:
            data: an array or a tensor, or a dataset or another iterable of batches.

        Raises:
            ArgumentValueError: moments were given when the layer was made, or there are no data.
        """
        if self.input_mean is not None:
            raise ArgumentValueError(
                f"layer {self.name!r} was given its mean and variance: it cannot adapt"
            )
        with recording(None), np.errstate(all="ignore"):
            batches = _batches(data)
            count, mean, variance = 0, np.float64(0), np.float64(0)
            for batch in batches:
                count, mean, variance = self._with_batch(batch, count, mean, variance)
        if not count:
            raise ArgumentValueError(f"layer {self.name!r} is to adapt to data, and gets none")
        # In a Function they are assigned in each call.
        self.adapt_mean.assign(np.asarray(mean).astype(self._own.dtype.np_dtype))
        self.adapt_variance.assign(np.asarray(variance).astype(self._own.dtype.np_dtype))

    def _with_batch(self, batch: Any, count: int, mean: Any, variance: Any) -> tuple[Any, Any, Any]:
        """Return how many elements there are with those of a batch, and their moments."""
        if not self.built:
            self.build((None, *batch.shape[1:]))
        if batch.ndim != len(self._broad):
            raise ShapeError(f"layer {self.name!r}: batches have other numbers of axes")
        axes = tuple(n for n in range(batch.ndim) if n not in self._kept_axes)
        more = batch.size // max(int(np.prod([batch.shape[n] for n in self._kept_axes])), 1)
        if not more:
            return count, mean, variance
        total = count + more
        of_batch, spread = batch.mean(axes), batch.var(axes)
        shift = of_batch - mean
        # The variance of two parts: T. Chan, G. Golub and R. LeVeque (1979).
        variance = (count * variance + more * spread + shift**2 * count * more / total) / total
        return total, mean + shift * more / total, variance


def _batches(data: Any) -> Iterator[Any]:
    """Yield batches of data as arrays of exact floats."""
    if isinstance(data, (np.ndarray, Tensor)) or hasattr(type(data), "__array__"):
        yield _exact(data)
        return
    if not isinstance(data, Iterable) or isinstance(data, (str, bytes)):
        raise DTypeError(f"data to adapt to are an array or batches of such, not {data!r}")
    for batch in data:
        if not hasattr(batch, "shape"):
            raise DTypeError(
                f"data to adapt to are an array or batches of such; a batch is {batch!r}: write "
                "np.array(data)"
            )
        yield _exact(batch)


def _exact(batch: Any) -> Any:
    if isinstance(batch, Variable) and recorder_around() is not None:
        raise FailedPreconditionError(
            f"adapt is given the variable '{batch.path}', which has no value while a Function is "
            "traced: call adapt outside of it"
        )
    array = np.asarray(batch)
    if array.dtype.kind not in "biuf":
        raise DTypeError(f"data to adapt to are numbers, not {array.dtype.name}")
    return array.astype(np.float64)
