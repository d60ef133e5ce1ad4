"""Random numbers that depend on the seed in the call, and on nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import DTypeLike, float32, int32, int64, uint32, uint64
from runtime.core.shapes import ShapeLike
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops import infer
from runtime.ops.arguments import dims_argument, static_int
from runtime.ops.convert import STACK, to_tensor
from runtime.ops.elementwise.arithmetic import divide
from runtime.ops.op import Op, apply, define
from runtime.ops.random.algorithms import check_philox
from runtime.ops.random.philox import scrambled
from runtime.ops.random.samplers import (
    COUNTED,
    FLOATS,
    STATELESS_BINOMIAL,
    STATELESS_CATEGORICAL,
    STATELESS_FULL_INT,
    STATELESS_GAMMA,
    STATELESS_NORMAL,
    STATELESS_POISSON,
    STATELESS_SHUFFLE,
    STATELESS_TRUNCATED,
    STATELESS_UNIFORM,
    STATELESS_UNIFORM_INT,
    WHOLE,
    chosen_dtype,
)
from runtime.ops.random.scaling import broadcast_with, positive, scaled, within

FULL = (int32, int64, uint32, uint64)


def _scramble_kernel(seed: Array) -> tuple[Array, Array]:
    place = scrambled(*seed.ravel().tolist()[:2])
    return np.array([place.key], np.uint64), np.array([0, place.counter >> 64], np.uint64)


def _scramble_infer(seed: TensorSpec) -> tuple[TensorSpec, TensorSpec]:
    infer.check_integer(seed, "the seed")
    if not seed.shape.is_compatible_with((2,)):
        raise ArgumentValueError(f"a stateless seed must be two numbers, not of shape {seed.shape}")
    return TensorSpec((1,), uint64), TensorSpec((2,), uint64)


KEY_COUNTER = define(
    "stateless_key_counter",
    _scramble_kernel,
    _scramble_infer,
    tensorflow_name="StatelessRandomGetKeyCounter",
    n_outputs=2,
)


def stateless_uniform(
    shape: ShapeLike,
    seed: TensorLike,
    minval: TensorLike = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: str | int | None = "auto_select",
) -> Tensor:
    """Return uniformly distributed numbers that depend only on the two numbers in `seed`.

    Args:
        minval, maxval: the bounds; None for both means all integers of the dtype.
        dtype: a float, int32 or int64; uint32 and uint64 without bounds only.

    >>> bool(stateless_uniform([], [1, 2]) == stateless_uniform([], [1, 2]))
    True
    """
    return uniform_at(_place(seed, alg), shape, minval, maxval, dtype)


def stateless_normal(
    shape: ShapeLike,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: str | int | None = "auto_select",
) -> Tensor:
    """Return normally distributed floats that depend on the two numbers in `seed` only.

    >>> stateless_normal([3], [1, 2]).shape
    TensorShape([3])
    """
    return normal_at(STATELESS_NORMAL, _place(seed, alg), shape, mean, stddev, dtype)


def stateless_truncated_normal(
    shape: ShapeLike,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: str | int | None = "auto_select",
) -> Tensor:
    """Return normal floats, none further than two `stddev` from the mean, that depend on `seed`.

    >>> bool((stateless_truncated_normal([9], [1, 2]) < 2.0)[0])
    True
    """
    return normal_at(STATELESS_TRUNCATED, _place(seed, alg), shape, mean, stddev, dtype)


def stateless_gamma(
    shape: ShapeLike,
    seed: TensorLike,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """Return gamma distributed floats for shapes `alpha` and rates `beta`, depending on `seed`.

    `shape` ends with the shape that `alpha` and `beta` have together.

    >>> stateless_gamma([5, 2], [1, 2], [0.5, 3.0]).shape
    TensorShape([5, 2])
    """
    kind = chosen_dtype(dtype, FLOATS, "gamma numbers")
    rate = to_tensor(1 if beta is None else beta, kind)
    form = broadcast_with(to_tensor(alpha, kind), rate)
    numbers = _placed(STATELESS_GAMMA, _place(seed, None), shape, form, dtype=kind)
    return positive(divide(numbers, rate), kind)


def stateless_poisson(
    shape: ShapeLike,
    seed: TensorLike,
    lam: TensorLike,
    dtype: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """Return Poisson distributed numbers that depend on `seed`; `shape` ends with that of `lam`.

    >>> stateless_poisson([5, 2], [1, 2], [0.5, 30.0]).dtype
    rt.int32
    """
    kind = chosen_dtype(dtype, COUNTED, "Poisson numbers")
    rate = to_tensor(lam, dtype_hint=float32)
    return _placed(STATELESS_POISSON, _place(seed, None), shape, rate, dtype=kind)


def stateless_binomial(
    shape: ShapeLike,
    seed: TensorLike,
    counts: TensorLike,
    probs: TensorLike,
    output_dtype: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """Return the number of successes in `counts` tries, each with the chance `probs`.

    Args:
        shape: ends with the shape that `counts` and `probs` have together.

    >>> print(stateless_binomial([3], [1, 2], 5.0, 1.0))
    rt.Tensor([5 5 5], shape=(3,), dtype=int32)
    """
    return binomial_at(_place(seed, None), shape, counts, probs, output_dtype)


def stateless_categorical(
    logits: TensorLike,
    num_samples: TensorLike,
    seed: TensorLike,
    dtype: DTypeLike = int64,
    name: str | None = None,
) -> Tensor:
    """Return classes that depend on `seed`; see `categorical`.

    >>> print(stateless_categorical([[0.0, -1e9]], 4, [1, 2]))
    rt.Tensor([[0 0 0 0]], shape=(1, 4), dtype=int64)
    """
    attrs = {
        "num_samples": static_int(num_samples, "num_samples"),
        "dtype": chosen_dtype(int64 if dtype is None else dtype, WHOLE, "classes"),
    }
    inputs = (to_tensor(logits), *_place(seed, None))
    result: Tensor = apply(STATELESS_CATEGORICAL, inputs, **attrs)
    return result


def stateless_shuffle(
    value: TensorLike,
    seed: TensorLike,
    alg: str | int | None = "auto_select",
    name: str | None = None,
) -> Tensor:
    """Return the tensor with its rows in an order that depends on `seed`.

    >>> print(stateless_shuffle([1, 2, 3, 4], [1, 2]))
    rt.Tensor([1 4 3 2], shape=(4,), dtype=int32)
    """
    inputs = (to_tensor(value), *_place(seed, alg))
    result: Tensor = apply(STATELESS_SHUFFLE, inputs)
    return result


def split(seed: TensorLike, num: TensorLike = 2, alg: str | int | None = "auto_select") -> Tensor:
    """Return `num` new seeds, as rows, that depend on a seed.

    >>> split([1, 2], 3).shape
    TensorShape([3, 2])
    """
    tensor = to_tensor(seed)
    return uniform_at(_place(tensor, alg), [num, 2], None, None, tensor.dtype)


def fold_in(seed: TensorLike, data: TensorLike, alg: str | int | None = "auto_select") -> Tensor:
    """Return a new seed that depends on a seed and one more whole number.

    >>> fold_in([1, 2], 5).shape
    TensorShape([2])
    """
    number = to_tensor(data)
    first = uniform_at(_place(seed, alg), [], None, None, number.dtype)
    result: Tensor = apply(STACK, (first, number), axis=0)
    return result


# -- numbers at a position: a key and a counter ----------------------------------------------------

KeyAndCounter = tuple[Tensor, Tensor]


def uniform_at(place: KeyAndCounter, shape: Any, minval: Any, maxval: Any, dtype: Any) -> Tensor:
    """Return uniformly distributed numbers; see `stateless_uniform`."""
    kind = chosen_dtype(dtype, (*FLOATS, *FULL), "uniform numbers")
    if kind.is_floating:
        return within(_placed(STATELESS_UNIFORM, place, shape, dtype=kind), minval, maxval, kind)
    if minval is None and maxval is None:
        return _placed(STATELESS_FULL_INT, place, shape, dtype=kind)
    if minval is None or maxval is None:
        raise ArgumentValueError(
            f"give both minval and maxval for {kind.name}, or None for both, which draws from all "
            "its numbers"
        )
    if kind.is_unsigned:
        words = f"dtype must be int32 or int64, not {kind.name}: leave minval and maxval out"
        raise DTypeError(words)
    bounds = (to_tensor(minval, kind), to_tensor(maxval, kind))
    return _placed(STATELESS_UNIFORM_INT, place, shape, *bounds)


def normal_at(
    op: Op, place: KeyAndCounter, shape: Any, mean: Any, stddev: Any, dtype: Any
) -> Tensor:
    """Return normal numbers, or truncated ones, depending on the op."""
    kind = chosen_dtype(dtype, FLOATS, "normal numbers")
    return scaled(_placed(op, place, shape, dtype=kind), mean, stddev, kind)


def binomial_at(place: KeyAndCounter, shape: Any, counts: Any, probs: Any, dtype: Any) -> Tensor:
    """Return numbers of successes; see `stateless_binomial`."""
    kind = chosen_dtype(dtype, COUNTED, "binomial numbers")
    chance = to_tensor(probs, dtype_hint=float32)
    tries = to_tensor(counts, dtype_hint=chance.dtype)
    return _placed(STATELESS_BINOMIAL, place, shape, tries, chance, dtype=kind)


def _place(seed: Any, alg: Any) -> KeyAndCounter:
    if alg is not None:
        check_philox(alg)
    tensor = to_tensor(seed, dtype_hint=int64)
    # As the op does, but before anything is recorded.
    _scramble_infer(tensor.spec)
    key, counter = apply(KEY_COUNTER, (tensor,))
    return key, counter


def _placed(op: Op, place: KeyAndCounter, shape: Any, *operands: Tensor, **attrs: Any) -> Tensor:
    target, dims = dims_argument(shape)
    result: Tensor = apply(op, (*operands, *place, *dims), shape=target, **attrs)
    return result
