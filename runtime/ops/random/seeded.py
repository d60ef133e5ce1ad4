"""Random numbers by seeds: each call continues the streams that `set_seed` starts.

The numbers are those of TensorFlow's eager calls; see `runtime/ops/random/eager_seeds.py`.
"""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import DTypeLike, float32, int64
from runtime.core.shapes import ShapeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.ops.arguments import dims_argument, static_int
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import divide
from runtime.ops.op import Op, apply
from runtime.ops.random.eager_seeds import op_seed
from runtime.ops.random.samplers import (
    COUNTED,
    FLOATS,
    RANDOM_CATEGORICAL,
    RANDOM_GAMMA,
    RANDOM_NORMAL,
    RANDOM_POISSON,
    RANDOM_SHUFFLE,
    RANDOM_TRUNCATED,
    RANDOM_UNIFORM,
    RANDOM_UNIFORM_INT,
    WHOLE,
    chosen_dtype,
)
from runtime.ops.random.scaling import broadcast_with, followed, positive, scaled, within


def uniform(
    shape: ShapeLike,
    minval: TensorLike = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Return uniform numbers from `minval` (included) to `maxval` (excluded; 1 for floats).

    Args:
        dtype: float16, float32, float64, int32 or int64; integers need `maxval`.
        seed: the seed of a separate stream.

    Raises:
        ArgumentValueError: another dtype; whole numbers without `maxval`, or with
            one that is not above `minval`.

    >>> uniform([2, 3]).shape
    TensorShape([2, 3])
    """
    kind = chosen_dtype(dtype, (*FLOATS, *WHOLE), "uniform numbers")
    if kind.is_integer:
        if maxval is None:
            raise ArgumentValueError(f"Must specify maxval for integer dtype {kind.name}")
        bounds = (to_tensor(0 if minval is None else minval, kind), to_tensor(maxval, kind))
        return _drawn(RANDOM_UNIFORM_INT, shape, seed, *bounds)
    return within(_drawn(RANDOM_UNIFORM, shape, seed, dtype=kind), minval, maxval, kind)


def normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Return normally distributed floats.

    >>> normal([4], dtype="float64").dtype
    rt.float64
    """
    kind = chosen_dtype(dtype, FLOATS, "normal numbers")
    return scaled(_drawn(RANDOM_NORMAL, shape, seed, dtype=kind), mean, stddev, kind)


def truncated_normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Return normally distributed floats, none further than two `stddev` from the mean.

    >>> bool((truncated_normal([9]) < 2.0)[0])
    True
    """
    kind = chosen_dtype(dtype, FLOATS, "normal numbers")
    return scaled(_drawn(RANDOM_TRUNCATED, shape, seed, dtype=kind), mean, stddev, kind)


def gamma(
    shape: ShapeLike,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: DTypeLike = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Return gamma distributed floats, `shape` of them for each shape `alpha` and rate `beta`.

    The shape of the result is `shape`, followed by the common shape of `alpha` and `beta`, which
    both have gradients.

    >>> gamma([5], [0.5, 3.0]).shape
    TensorShape([5, 2])
    """
    kind = chosen_dtype(dtype, FLOATS, "gamma numbers")
    rate = to_tensor(1 if beta is None else beta, kind)
    form = broadcast_with(to_tensor(alpha, kind), rate)
    drawn = _drawn(RANDOM_GAMMA, followed(shape, form), seed, form, dtype=kind)
    return positive(divide(drawn, rate), kind)


def poisson(
    shape: ShapeLike,
    lam: TensorLike,
    dtype: DTypeLike = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Return Poisson distributed numbers, `shape` of them for each mean in `lam`.

    >>> poisson([5], [0.5, 3.0], dtype="int32").shape
    TensorShape([5, 2])
    """
    kind = chosen_dtype(dtype, COUNTED, "Poisson numbers")
    rate = to_tensor(lam, dtype_hint=float32)
    return _drawn(RANDOM_POISSON, followed(shape, rate), seed, rate, dtype=kind)


def categorical(
    logits: TensorLike,
    num_samples: TensorLike,
    dtype: DTypeLike | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Return `num_samples` classes for each row of logits (logarithms of probabilities).

    Args:
        logits: of shape `[rows, classes]`; classes with infinite or NaN logits are never drawn.
        dtype: int64 (by default) or int32.

    >>> print(categorical([[0.0, -1e9]], 4))
    rt.Tensor([[0 0 0 0]], shape=(1, 4), dtype=int64)
    """
    kind = chosen_dtype(int64 if dtype is None else dtype, WHOLE, "classes")
    count = static_int(num_samples, "num_samples")
    inputs = (to_tensor(logits),)
    found: Tensor = apply(
        RANDOM_CATEGORICAL, inputs, num_samples=count, dtype=kind, seed=op_seed(seed)
    )
    return found


def shuffle(value: TensorLike, seed: int | None = None, name: str | None = None) -> Tensor:
    """Return the tensor with its rows (along axis 0) in random order.

    >>> shuffle([1, 2, 3]).shape
    TensorShape([3])
    """
    result: Tensor = apply(RANDOM_SHUFFLE, (to_tensor(value),), seed=op_seed(seed))
    return result


def _drawn(op: Op, shape: Any, seed: Any, *operands: Tensor, **attrs: Any) -> Tensor:
    target, dims = dims_argument(shape)
    inputs = (*operands, *dims)
    result: Tensor = apply(op, inputs, shape=target, seed=op_seed(seed), **attrs)
    return result
