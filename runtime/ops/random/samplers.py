"""Distributions, each declared once for its ops: one draws by seeds, one at a position.

random_uniform(seed=5)               draws next in the stream of these seeds
stateless_uniform(key, counter)      draws at this position
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, as_dtype, float16, float32, float64, int32, int64
from runtime.core.shapes import Dims, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import final_shape
from runtime.ops.constant import cast
from runtime.ops.elementwise.incomplete_gamma import gamma_gradient
from runtime.ops.gradient_rules import sum_to_like
from runtime.ops.op import Op, define
from runtime.ops.random import distributions, unseeded
from runtime.ops.random import rejection_sampling as rejection
from runtime.ops.random.distributions import Shape
from runtime.ops.random.eager_seeds import RESERVED, STREAMS, unpredictable_position
from runtime.ops.random.graph_seeds import NodeSeeds, seeded
from runtime.ops.random.philox import StreamPosition

FLOATS = (float16, float32, float64)
WHOLE = (int32, int64)
COUNTED = (*WHOLE, *FLOATS)


@dataclass(frozen=True)
class RandomDistribution:
    """The declaration that the ops of a distribution share.

    Attributes:
        values: `values(start, *operands, **attrs)` -> array.
        spec: `spec(*operands, *dims, **attrs)` -> TensorSpec, like `infer` of an op.
        operands: the number of inputs before the key or the dimensions.
        kinds: the NumPy kinds of the first operand.
        blocks: `blocks(*operands, **attrs)` -> the number of blocks reserved in a stream;
            by default `RESERVED` per number.
        gradient: `gradient(y, operand)`, the derivative of a drawn number by its only operand.
        unseeded: a faster function without a start, for numbers without a seed; or None.
    """

    values: Callable[..., Array]
    spec: Callable[..., TensorSpec]
    operands: int = 0
    kinds: str | None = None
    blocks: Callable[..., int] | None = None
    gradient: Callable[..., Any] | None = None
    unseeded: Callable[..., Array] | None = None

    def seeded_op(self, name: str, node: str) -> Op:
        """Declare the op that draws by seeds; an additional last input is the shape."""

        def kernel(*arrays: Array, seed: int | NodeSeeds | None, **attrs: Any) -> Array:
            operands = arrays[: self.operands]
            attrs = _complete(arrays[self.operands :], attrs)
            blocks = self._taken(operands, attrs)
            if not isinstance(seed, NodeSeeds):
                kind = (name, attrs.get("dtype"), *(array.dtype for array in operands))
                start = STREAMS.reserve(kind, seed, blocks)
            else:
                start = seed.reserve(blocks)
            if start is None and self.unseeded is not None:
                return self.unseeded(*operands, **attrs)
            return self.values(start or unpredictable_position(), *operands, **attrs)

        def inferred(*specs: TensorSpec, seed: int | NodeSeeds | None, **attrs: Any) -> TensorSpec:
            return self.spec(*specs, **attrs)

        return define(
            name,
            kernel,
            inferred,
            kinds=self.kinds,
            grad=self._grad(),
            effects="random",
            tensorflow_name=node,
            keywords=self.spec,
            recorded=seeded,
        )

    def stateless_op(self, name: str, node: str) -> Op:
        """Declare the op that draws at a position: a key and a counter follow the operands."""

        def kernel(*arrays: Array, **attrs: Any) -> Array:
            key, counter, *dims = arrays[self.operands :]
            start = StreamPosition.of_arrays(key, counter)
            return self.values(start, *arrays[: self.operands], **_complete(tuple(dims), attrs))

        def inferred(*specs: TensorSpec, **attrs: Any) -> TensorSpec:
            key, counter, *dims = specs[self.operands :]
            _check_place(key, counter)
            return self.spec(*specs[: self.operands], *dims, **attrs)

        kinds = self.kinds or "iu"
        grad, keywords = self._grad(), self.spec
        return define(
            name, kernel, inferred, kinds=kinds, grad=grad, tensorflow_name=node, keywords=keywords
        )

    def _grad(self) -> Callable[..., Any] | None:
        gradient = self.gradient
        if gradient is None:
            return None

        def grad(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> tuple[Any, ...]:
            operand, *others = inputs
            along = dys[0] * gradient(outputs[0], cast(operand, outputs[0].dtype))
            return cast(sum_to_like(along, operand), operand.dtype), *[None] * len(others)

        return grad

    def _taken(self, operands: tuple[Array, ...], attrs: dict[str, Any]) -> int:
        if self.blocks is None:
            return RESERVED * math.prod(attrs["shape"])
        return self.blocks(*operands, **attrs)


def _complete(dims: tuple[Array, ...], attrs: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes with the complete shape of this run."""
    if "shape" not in attrs:
        return attrs
    return {**attrs, "shape": final_shape(attrs["shape"], dims)}


def _check_place(key: TensorSpec, counter: TensorSpec) -> None:
    for spec, size, what in ((key, 1, "the key"), (counter, 2, "the counter")):
        infer.check_integer(spec, what)
        if not spec.shape.is_compatible_with((size,)):
            raise ShapeError(f"{what} of random numbers has shape ({size},), not {spec.shape}")


# -- uniform and normal numbers, and integers between bounds ---------------------------------------


def _of_dtype(values: Callable[..., Array]) -> Callable[..., Array]:
    def made(*start: StreamPosition, shape: Shape, dtype: DType) -> Array:
        return values(*start, dtype.np_dtype, shape)

    return made


def _dtype_spec(*dims: TensorSpec, shape: Dims, dtype: DType) -> TensorSpec:
    return TensorSpec(_target(dims, shape), dtype)


def _target(dims: tuple[TensorSpec, ...], shape: Dims) -> TensorShape:
    return TensorShape.of(infer.target_shape(dims[0] if dims else None, shape).dims)


def _whole_values(start: StreamPosition, low: Array, high: Array, *, shape: Shape) -> Array:
    return distributions.whole(start, low, high, shape)


def _whole_spec(low: TensorSpec, high: TensorSpec, *dims: TensorSpec, shape: Dims) -> TensorSpec:
    infer.check_same_dtype(low, high)
    for spec, what in ((low, "minval"), (high, "maxval")):
        if spec.shape.rank not in (0, None):
            raise ShapeError(f"{what} must be one whole number, not of shape {spec.shape}")
    return TensorSpec(_target(dims, shape), low.dtype)


_UNIFORM = RandomDistribution(
    _of_dtype(distributions.uniform),
    _dtype_spec,
    unseeded=_of_dtype(unseeded.uniform),
)
RANDOM_UNIFORM = _UNIFORM.seeded_op("random_uniform", "RandomUniform")
STATELESS_UNIFORM = _UNIFORM.stateless_op("stateless_uniform", "StatelessRandomUniformV2")
_UNIFORM_INT = RandomDistribution(
    _whole_values,
    _whole_spec,
    operands=2,
    kinds="i",
    unseeded=unseeded.whole,
)
RANDOM_UNIFORM_INT = _UNIFORM_INT.seeded_op("random_uniform_int", "RandomUniformInt")
STATELESS_UNIFORM_INT = _UNIFORM_INT.stateless_op(
    "stateless_uniform_int", "StatelessRandomUniformIntV2"
)
_FULL_INT = RandomDistribution(
    _of_dtype(distributions.full),
    _dtype_spec,
)
STATELESS_FULL_INT = _FULL_INT.stateless_op("stateless_full_int", "StatelessRandomUniformFullIntV2")
_NORMAL = RandomDistribution(
    _of_dtype(distributions.normal),
    _dtype_spec,
    unseeded=_of_dtype(unseeded.normal),
)
RANDOM_NORMAL = _NORMAL.seeded_op("random_normal", "RandomStandardNormal")
STATELESS_NORMAL = _NORMAL.stateless_op("stateless_normal", "StatelessRandomNormalV2")
_TRUNCATED = RandomDistribution(
    _of_dtype(distributions.truncated),
    _dtype_spec,
    unseeded=_of_dtype(unseeded.truncated),
)
RANDOM_TRUNCATED = _TRUNCATED.seeded_op("truncated_normal", "TruncatedNormal")
STATELESS_TRUNCATED = _TRUNCATED.stateless_op(
    "stateless_truncated_normal", "StatelessTruncatedNormalV2"
)


# -- distributions with parameters, whose shape is the end of the result's shape -------------------


def _each_parameter(
    values: Callable[..., Array],
) -> Callable[..., Array]:
    """Return values for each element of the operands, all samples of one before the next."""

    def made(start: StreamPosition, *parameters: Array, shape: Shape, dtype: DType) -> Array:
        wide = np.broadcast_arrays(*(each.astype(np.float64) for each in parameters))
        _check_ending(TensorShape.of(shape), TensorShape.of(wide[0].shape))
        count = math.prod(shape[: len(shape) - wide[0].ndim])
        rows = [np.repeat(each.reshape(-1), count) for each in wide]
        found = values(start, *rows, dtype).reshape(wide[0].size, count).T
        if dtype.is_integer:
            found = np.where(np.isfinite(found), found, dtype.min)
        return found.astype(dtype.np_dtype).reshape(shape)

    return made


def _ending_spec(operands: int) -> Callable[..., TensorSpec]:
    def spec(*specs: TensorSpec, shape: Dims, dtype: DType) -> TensorSpec:
        for each in specs[:operands]:
            if each.dtype.kind not in "biuf":
                raise DTypeError(
                    f"parameters of random numbers must be numbers, not {each.dtype.name}"
                )
        target = _target(specs[operands:], shape)
        ending = specs[0].shape
        for each in specs[1:operands]:
            ending = ending.broadcast(each.shape)
        _check_ending(target, ending)
        return TensorSpec(target, dtype)

    return spec


def _check_ending(shape: TensorShape, ending: TensorShape) -> None:
    if shape.rank is None or ending.rank is None:
        return
    begin = shape.rank - ending.rank
    if begin < 0 or not ending.is_compatible_with(shape[begin:]):
        raise ShapeError(f"shape {shape} does not end with the parameters' shape {ending}")


def _poisson(start: StreamPosition, rate: Array, dtype: DType) -> Array:
    limit = float(dtype.max)
    if np.any((rate > limit) & np.isfinite(rate)):
        raise ArgumentValueError(
            f"lam must be at most {limit}, the largest {dtype.name}, not {rate.max()}"
        )
    return rejection.poisson(start, rate, limit)


_GAMMA = RandomDistribution(
    _each_parameter(lambda start, alpha, dtype: rejection.gamma(start, alpha)),
    _ending_spec(1),
    operands=1,
    kinds="f",
    gradient=gamma_gradient,
)
RANDOM_GAMMA = _GAMMA.seeded_op("random_gamma", "RandomGamma")
STATELESS_GAMMA = _GAMMA.stateless_op("stateless_gamma", "StatelessRandomGammaV3")
_POISSON = RandomDistribution(
    _each_parameter(_poisson),
    _ending_spec(1),
    operands=1,
    kinds="if",
)
RANDOM_POISSON = _POISSON.seeded_op("random_poisson", "RandomPoissonV2")
STATELESS_POISSON = _POISSON.stateless_op("stateless_poisson", "StatelessRandomPoisson")
_BINOMIAL = RandomDistribution(
    _each_parameter(lambda start, counts, probs, dtype: rejection.binomial(start, counts, probs)),
    _ending_spec(2),
    operands=2,
    kinds="if",
)
STATELESS_BINOMIAL = _BINOMIAL.stateless_op("stateless_binomial", "StatelessRandomBinomial")


# -- shuffles and categories of rows ---------------------------------------------------------------


def _shuffled(start: StreamPosition, x: Array) -> Array:
    if x.size <= 1 or len(x) <= 1:
        return x
    rows: Array = x[distributions.permutation(start, len(x))]
    return rows


def _shuffled_anyhow(x: Array) -> Array:
    if x.size <= 1 or len(x) <= 1:
        return x
    rows: Array = x[unseeded.permutation(len(x))]
    return rows


def _shuffle_blocks(x: Array) -> int:
    return 0 if x.size <= 1 else -(-(len(x) - 1) // 4)


def _categories(start: StreamPosition, logits: Array, *, num_samples: int, dtype: DType) -> Array:
    if logits.shape[1] == 0 and len(logits) * num_samples:
        raise ArgumentValueError("logits must have at least one class")
    drawn = distributions.categories(start, logits, num_samples)
    return drawn.astype(dtype.np_dtype)


def _categories_spec(logits: TensorSpec, *, num_samples: int, dtype: DType) -> TensorSpec:
    if logits.shape.rank not in (2, None):
        raise ShapeError(f"logits must be a matrix, not of shape {logits.shape}")
    if num_samples < 0:
        raise ArgumentValueError(f"num_samples must be at least 0, not {num_samples}")
    return TensorSpec((logits.shape[0], num_samples), dtype)


def _category_blocks(logits: Array, *, num_samples: int, dtype: DType) -> int:
    return RESERVED * 2 * len(logits) * (-(-num_samples // 4) * 4)


_SHUFFLE = RandomDistribution(
    _shuffled,
    lambda x: infer.same(x),
    operands=1,
    kinds="biufcOV",
    blocks=_shuffle_blocks,
    unseeded=_shuffled_anyhow,
)
RANDOM_SHUFFLE = _SHUFFLE.seeded_op("random_shuffle", "RandomShuffle")
STATELESS_SHUFFLE = _SHUFFLE.stateless_op("stateless_shuffle", "StatelessShuffle")
_CATEGORICAL = RandomDistribution(
    _categories,
    _categories_spec,
    operands=1,
    kinds="iuf",
    blocks=_category_blocks,
)
RANDOM_CATEGORICAL = _CATEGORICAL.seeded_op("random_categorical", "Multinomial")
STATELESS_CATEGORICAL = _CATEGORICAL.stateless_op("stateless_categorical", "StatelessMultinomial")


def chosen_dtype(dtype: Any, allowed: tuple[DType, ...], what: str) -> DType:
    """Return a `dtype` argument if it is one of those allowed; else raise ArgumentValueError."""
    found = as_dtype(dtype)
    if found not in allowed:
        names = ", ".join(each.name for each in allowed)
        raise ArgumentValueError(f"{what} must have one of the dtypes {names}, not {found.name}")
    return found
