"""The functions of `keras.random`."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import number
from runtime.core.dtypes import DTypeLike
from runtime.core.lazy_imports import own_names
from runtime.core.shapes import ShapeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.nn.seeds import SeedGenerator as SeedGenerator
from runtime.nn.seeds import drawn_seed
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.arrays.sorting import argsort
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.neural.dropout import stateless_dropout
from runtime.ops.random.stateless import (
    stateless_binomial,
    stateless_categorical,
    stateless_gamma,
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
)


def normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike | None = None,
    seed: Any = None,
) -> Tensor:
    """Return normal numbers.

    Args:
        seed: an integer, a SeedGenerator, or None for different numbers in each call.

    >>> bool((normal((3,), seed=5).numpy() == normal((3,), seed=5).numpy()).all())
    True
    """
    return stateless_normal(shape, drawn_seed(seed), mean, stddev, _floats(dtype))


def truncated_normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike | None = None,
    seed: Any = None,
) -> Tensor:
    """Return normal numbers within two standard deviations; others are redrawn; see `normal`.

    >>> bool((abs(truncated_normal((9,), seed=5).numpy()) <= 2.0).all())
    True
    """
    return stateless_truncated_normal(shape, drawn_seed(seed), mean, stddev, _floats(dtype))


def uniform(
    shape: ShapeLike,
    minval: TensorLike = 0.0,
    maxval: TensorLike = 1.0,
    dtype: DTypeLike | None = None,
    seed: Any = None,
) -> Tensor:
    """Return uniformly distributed floats; see `normal`.

    >>> uniform((2, 3), seed=5).shape
    TensorShape([2, 3])
    """
    return stateless_uniform(shape, drawn_seed(seed), minval, maxval, _floats(dtype))


def randint(
    shape: ShapeLike,
    minval: TensorLike,
    maxval: TensorLike,
    dtype: DTypeLike = "int32",
    seed: Any = None,
) -> Tensor:
    """Return integers from `minval` (included) to `maxval` (excluded); see `normal`.

    >>> randint((3,), 0, 9, seed=5).numpy().tolist()
    [5, 4, 6]
    """
    kind = dtype if str(getattr(dtype, "name", dtype)) in ("int32", "int64") else "int64"
    return cast(stateless_uniform(shape, drawn_seed(seed), minval, maxval, kind), dtype)


def categorical(
    logits: TensorLike, num_samples: int, dtype: DTypeLike = "int32", seed: Any = None
) -> Tensor:
    """Return class indices, drawn by the logarithms of their probabilities; see `normal`.

    >>> categorical([[0.0, -99.0]], 3, seed=5).numpy().tolist()
    [[0, 0, 0]]
    """
    return cast(stateless_categorical(logits, num_samples, drawn_seed(seed)), dtype)


def dropout(
    inputs: TensorLike, rate: float, noise_shape: ShapeLike | None = None, seed: Any = None
) -> Tensor:
    """Return the inputs with a fraction set to 0 and the others scaled up; see `normal`.

    >>> print(dropout([1.0], 0.0))
    rt.Tensor([1.], shape=(1,), dtype=float32)
    """
    tensor: Any = to_tensor(inputs)
    rate = number(rate, "rate")
    if rate == 1.0:
        found: Tensor = tensor * 0
        return found
    if rate == 0.0:
        return to_tensor(inputs)
    return stateless_dropout(tensor, rate, drawn_seed(seed), noise_shape=noise_shape)


def shuffle(x: TensorLike, axis: int = 0, seed: Any = None) -> Tensor:
    """Return a tensor with its slices along an axis in a random order; see `normal`.

    >>> shuffle([0, 1, 2, 3, 4], seed=5).numpy().tolist()
    [0, 3, 4, 1, 2]
    """
    tensor: Any = to_tensor(x)
    drawn = stateless_uniform([shape_of(tensor)[axis]], drawn_seed(seed))
    return gather(tensor, argsort(drawn), axis=axis)


def gamma(
    shape: ShapeLike, alpha: TensorLike, dtype: DTypeLike | None = None, seed: Any = None
) -> Tensor:
    """Return numbers of a gamma distribution; see `normal`.

    >>> gamma((2,), 1.0, seed=5).shape
    TensorShape([2])
    """
    return stateless_gamma(shape, drawn_seed(seed), alpha=alpha, dtype=_floats(dtype))


def binomial(
    shape: ShapeLike,
    counts: TensorLike,
    probabilities: TensorLike,
    dtype: DTypeLike | None = None,
    seed: Any = None,
) -> Tensor:
    """Return the number of successes in `counts` tries; see `normal`.

    >>> binomial((2,), 4.0, 1.0, seed=5).numpy().tolist()
    [4.0, 4.0]
    """
    return stateless_binomial(shape, drawn_seed(seed), counts, probabilities, _floats(dtype))


def _floats(dtype: Any) -> Any:
    return "float32" if dtype is None else dtype


__dir__ = own_names(__name__)
