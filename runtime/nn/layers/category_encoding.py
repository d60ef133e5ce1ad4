"""Layers that make classes of numbers, and vectors of classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.argument_checks import flag, listed
from runtime.errors import ArgumentValueError, DTypeError
from runtime.nn.layers.image_arguments import sizes_argument
from runtime.nn.layers.layer import Layer
from runtime.ops.arrays.creation import one_hot
from runtime.ops.arrays.reduction import reduce_max, reduce_sum
from runtime.ops.arrays.shape import expand_dims, squeeze
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.comparison import greater_equal
from runtime.ops.literals import natural_array

_MODES = ("one_hot", "multi_hot", "count")


class CategoryEncoding(Layer):
    """Makes vectors of numbers of classes.

    Args:
        num_tokens: how many classes there are, from 0; other numbers count as none.
        output_mode: "one_hot" for a vector each, "multi_hot" for one of all that occur along the
            last axis, "count" for how often they do.
        sparse: not to be had: it stays False.

    Example:
        >>> print(CategoryEncoding(4)([[0, 2]]))
        rt.Tensor([[1. 0. 1. 0.]], shape=(1, 4), dtype=float32)
    """

    def __init__(
        self,
        num_tokens: int | None = None,
        output_mode: str = "multi_hot",
        sparse: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        (self.num_tokens,) = sizes_argument(num_tokens, 1, "num_tokens")
        self.output_mode = _mode(output_mode, *_MODES)
        _refuse_sparse(sparse)

    def call(self, inputs: Any, count_weights: Any = None) -> Any:
        """Return vectors of `num_tokens` numbers.

        Args:
            inputs: whole numbers.
            count_weights: how much each one counts, in the mode "count".
        """
        if count_weights is not None and self.output_mode != "count":
            raise ArgumentValueError(
                f"count_weights are for output_mode='count', not for {self.output_mode!r}"
            )
        numbers = to_tensor(inputs)
        numbers = numbers if numbers.dtype.is_integer else cast(numbers, "int32")
        return encoded(numbers, self.num_tokens, self.output_mode, count_weights, self.dtype)


class Discretization(Layer):
    """Makes numbers of classes of floats: how many boundaries are not above each.

    Args:
        bin_boundaries: numbers in order.
        num_bins, epsilon: not to be had: boundaries are given, not found.
        output_mode: "int" for the numbers of classes, else as in `CategoryEncoding`.
        sparse: not to be had: it stays False.

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
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if bin_boundaries is None or num_bins is not None:
            raise ArgumentValueError(
                "Discretization takes the boundaries of its bins: bin_boundaries=[0.0, 1.0]"
            )
        bounds = natural_array(listed(bin_boundaries, "bin_boundaries"))
        if not np.isfinite(bounds if bounds.dtype.kind == "f" else 0).all():
            raise ArgumentValueError(f"bin_boundaries are finite, not {bin_boundaries!r}")
        if bounds.dtype.kind not in "iuf" or bounds.ndim != 1 or (np.diff(bounds) < 0).any():
            raise ArgumentValueError(f"bin_boundaries are numbers in order, not {bin_boundaries!r}")
        self.bin_boundaries = [float(each) for each in bounds]
        self.output_mode = _mode(output_mode, "int", *_MODES)
        _refuse_sparse(sparse)

    def call(self, inputs: Any) -> Any:
        """Return what the class says; int32 for the mode "int", else floats."""
        inputs = to_tensor(inputs)
        if not (inputs.dtype.is_floating or inputs.dtype.is_integer):
            raise DTypeError(
                f"layer {self.name!r} makes classes of numbers, not of {inputs.dtype.name}"
            )
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
        raise ArgumentValueError(f"output_mode is one of {words}, not {mode!r}")
    return str(mode)


def _refuse_sparse(sparse: Any) -> None:
    if flag(sparse, "sparse"):
        raise ArgumentValueError("there are no sparse outputs: leave sparse=False")
