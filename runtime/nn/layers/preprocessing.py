"""Preprocessing layers: rescaling, normalization, discretization, category encoding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.core.argument_checks import flag, listed
from runtime.core.context import enclosing_recorder, recording
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, FailedPreconditionError, ShapeError
from runtime.nn.layers.image_arguments import sizes_argument
from runtime.nn.layers.input_conversion import as_floats
from runtime.nn.layers.layer import TensorLayer
from runtime.nn.layers.normalization_axes import axes_argument, found_axes
from runtime.ops.arrays.creation import one_hot
from runtime.ops.arrays.reduction import reduce_max, reduce_sum
from runtime.ops.arrays.shape import expand_dims, reshape, squeeze
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import maximum
from runtime.ops.elementwise.comparison import greater_equal
from runtime.ops.elementwise.unary import sqrt
from runtime.ops.literals import natural_array
from runtime.state.variable import Variable

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class Rescaling(TensorLayer):
    """`inputs * scale + offset`, in floats.

    Args:
        scale, offset: numbers, or lists of numbers that broadcast with the inputs.

    Example:
        >>> print(Rescaling(1 / 255)([0, 255]))
        rt.Tensor([0. 1.], shape=(2,), dtype=float32)
    """

    def __init__(
        self,
        scale: TensorLike,
        offset: TensorLike = 0.0,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**kwargs)
        self.scale, self.offset = scale, offset
        self.supports_masking = True

    def call(self, inputs: Any) -> Tensor:
        """Return the output that the class describes."""
        x: Any = as_floats(self, inputs)
        scale, offset = (to_tensor(each, x.dtype) for each in (self.scale, self.offset))
        return x * scale + offset


# -- normalization by the moments of a data set ----------------------------------------------------


_SMALLEST = 1e-7  # The minimum of a standard deviation.


class Normalization(TensorLayer):
    """`(inputs - mean) / sqrt(variance)`, with moments of the data of `adapt`, or given ones.

    Args:
        axis: the axis, or several, whose elements have separate moments; None for one mean and one
            variance of all elements.
        mean, variance: numbers or arrays; both, or neither for those that `adapt` computes.
        invert: whether to undo the normalization instead.

    Example:
        >>> layer = Normalization()
        >>> layer.adapt(np.array([[1.0], [3.0]]))
        >>> layer([[1.0], [2.0], [3.0]]).numpy().ravel()
        array([-1.,  0.,  1.], dtype=float32)
    """

    def __init__(
        self,
        axis: Any = -1,
        mean: TensorLike | None = None,
        variance: TensorLike | None = None,
        invert: bool = False,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**kwargs)
        self.axis = axis
        is_none = axis is None or (isinstance(axis, (list, tuple)) and not axis)
        self._kept = [] if is_none else axes_argument(axis)
        if (mean is None) != (variance is None):
            raise ArgumentValueError("Normalization takes both mean and variance, or neither")
        self.input_mean: Any = mean
        self.input_variance: Any = variance
        self.invert = flag(invert, "invert")
        self.supports_masking = True
        self.adapt_mean: Any = None
        self.adapt_variance: Any = None
        self.count: Any = None

    def build(self, input_shape: Any) -> None:
        """Make mean and variance, which `adapt` sets, and a count, unless moments were given."""
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

    def call(self, inputs: Any) -> Tensor:
        """Return the output that the class describes."""
        x: Any = as_floats(self, inputs)
        spread: Any = maximum(sqrt(self.variance), _SMALLEST)
        return x * spread + self.mean if self.invert else (x - self.mean) / spread

    def adapt(self, data: TensorLike) -> None:
        """Compute the moments of data, which replace those of earlier data.

        Args:
            data: an array or a tensor, or a dataset or another iterable of batches.

        Raises:
            ArgumentValueError: moments were given to the constructor, or there are no data.
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
            raise ArgumentValueError(
                f"adapt of layer {self.name!r} needs data, and the data is empty"
            )
        # While a graph is recorded, each run assigns them.
        self.adapt_mean.assign(np.asarray(mean).astype(self._own.dtype.np_dtype))
        self.adapt_variance.assign(np.asarray(variance).astype(self._own.dtype.np_dtype))

    def _with_batch(self, batch: Any, count: int, mean: Any, variance: Any) -> tuple[Any, Any, Any]:
        """Return the number of elements with a batch added, and their moments."""
        if not self.built:
            self.build((None, *batch.shape[1:]))
        if batch.ndim != len(self._broad):
            raise ShapeError(f"layer {self.name!r}: all batches must have the same number of axes")
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
        raise DTypeError(f"adapt takes an array or batches of arrays, not {data!r}")
    for batch in data:
        if not hasattr(batch, "shape"):
            raise DTypeError(
                f"adapt takes an array or batches of arrays, and a batch is {batch!r}: write "
                "np.array(data)"
            )
        yield _exact(batch)


def _exact(batch: Any) -> Any:
    if isinstance(batch, Variable) and enclosing_recorder() is not None:
        raise FailedPreconditionError(
            f"adapt is given the variable '{batch.path}', which has no value while a Function is "
            "traced: call adapt outside of it"
        )
    array = np.asarray(batch)
    if array.dtype.kind not in "biuf":
        raise DTypeError(f"the data of adapt must be numbers, not {array.dtype.name}")
    return array.astype(np.float64)


# -- classes ---------------------------------------------------------------------------------------


_MODES = ("one_hot", "multi_hot", "count")


class CategoryEncoding(TensorLayer):
    """Encodes classes as vectors.

    Args:
        num_tokens: the number of classes, 0 to `num_tokens - 1`; other numbers are ignored.
        output_mode: "one_hot" for a vector each, "multi_hot" for one vector of all that occur along
            the last axis, "count" for the numbers of occurrences.
        sparse: not supported: it stays False.

    Example:
        >>> print(CategoryEncoding(4)([[0, 2]]))
        rt.Tensor([[1. 0. 1. 0.]], shape=(1, 4), dtype=float32)
    """

    def __init__(
        self,
        num_tokens: int | None = None,
        output_mode: str = "multi_hot",
        sparse: bool = False,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**kwargs)
        (self.num_tokens,) = sizes_argument(num_tokens, 1, "num_tokens")
        self.output_mode = _mode(output_mode, *_MODES)
        _refuse_sparse(sparse)

    @property
    def _input_dtype(self) -> str | None:
        return "int32"

    def call(self, inputs: Any, count_weights: Any = None) -> Tensor:
        """Return vectors of `num_tokens` numbers.

        Args:
            inputs: whole numbers.
            count_weights: the weight of each input in the mode "count".
        """
        if count_weights is not None and self.output_mode != "count":
            raise ArgumentValueError(
                f"count_weights needs output_mode='count', not {self.output_mode!r}"
            )
        numbers = to_tensor(inputs)
        numbers = numbers if numbers.dtype.is_integer else cast(numbers, "int32")
        return encoded(numbers, self.num_tokens, self.output_mode, count_weights, self.dtype)


class Discretization(TensorLayer):
    """Converts each float to a class: the number of boundaries that are not above it.

    Args:
        bin_boundaries: numbers in order.
        num_bins, epsilon: not supported: boundaries are given, not computed.
        output_mode: "int" for the classes as numbers, else as in `CategoryEncoding`.
        sparse: not supported: it stays False.

    Example:
        >>> print(Discretization([0.0, 1.0])([-1.0, 0.0, 0.5, 7.0]))
        rt.Tensor([0 1 1 2], shape=(4,), dtype=int32)
    """

    def __init__(
        self,
        bin_boundaries: Any = None,
        num_bins: int | None = None,
        epsilon: float = 0.01,
        output_mode: str = "int",
        sparse: bool = False,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**kwargs)
        if bin_boundaries is None or num_bins is not None:
            raise ArgumentValueError(
                "Discretization takes the boundaries of its bins: bin_boundaries=[0.0, 1.0]"
            )
        bounds = natural_array(listed(bin_boundaries, "bin_boundaries"))
        if not np.isfinite(bounds if bounds.dtype.kind == "f" else 0).all():
            raise ArgumentValueError(f"bin_boundaries must be finite, not {bin_boundaries!r}")
        if bounds.dtype.kind not in "iuf" or bounds.ndim != 1 or (np.diff(bounds) < 0).any():
            raise ArgumentValueError(
                f"bin_boundaries must be numbers in increasing order, not {bin_boundaries!r}"
            )
        self.bin_boundaries = [float(each) for each in bounds]
        self.output_mode = _mode(output_mode, "int", *_MODES)
        _refuse_sparse(sparse)

    def call(self, inputs: Any) -> Tensor:
        """Return the output that the class describes; int32 for the mode "int", else floats."""
        inputs = to_tensor(inputs)
        if not (inputs.dtype.is_floating or inputs.dtype.is_integer):
            raise DTypeError(f"layer {self.name!r} takes numbers, not {inputs.dtype.name}")
        exact = cast(inputs, "float64")
        above = greater_equal(expand_dims(exact, -1), to_tensor(self.bin_boundaries, exact.dtype))
        numbers = reduce_sum(cast(above, "int32"), -1)
        if self.output_mode == "int":
            return numbers
        return encoded(numbers, len(self.bin_boundaries) + 1, self.output_mode, None, self.dtype)


def encoded(numbers: Any, depth: int, mode: str, weights: Any, dtype: Any) -> Any:
    """Return vectors for numbers of classes, as `CategoryEncoding` does.

    >>> from runtime.ops.constant import constant
    >>> encoded(constant([[0, 2, 2]]), 3, "count", None, "float32").numpy().tolist()
    [[1.0, 0.0, 2.0]]
    """
    if mode == "one_hot":
        is_column = numbers.shape.rank not in (None, 0, 1) and numbers.shape[-1] == 1
        numbers = squeeze(numbers, -1) if is_column else numbers
        numbers = expand_dims(numbers, 0) if numbers.shape.rank == 0 else numbers
        return one_hot(numbers, depth, dtype=dtype)
    hot: Any = one_hot(numbers, depth, dtype=dtype)
    if weights is not None:
        hot = hot * expand_dims(cast(weights, dtype), -1)
    if numbers.shape.rank == 0:
        return hot
    return reduce_max(hot, -2) if mode == "multi_hot" else reduce_sum(hot, -2)


def _mode(mode: Any, *known: str) -> str:
    if not isinstance(mode, str) or mode not in known:
        words = ", ".join(repr(each) for each in known)
        raise ArgumentValueError(f"output_mode must be one of {words}, not {mode!r}")
    return str(mode)


def _refuse_sparse(sparse: Any) -> None:
    if flag(sparse, "sparse"):
        raise ArgumentValueError("sparse outputs are not supported: leave sparse=False")
