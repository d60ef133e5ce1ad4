"""Random numbers: streams of NumPy's Philox, reproducible after `set_seed`.

The same seeds give the same numbers on every machine and Python; they are not TensorFlow's.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np

from runtime.dtypes import DType, as_dtype, float32, int64
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops import infer
from runtime.ops.arguments import dims_argument, final_shape, known_array
from runtime.ops.convert import to_tensor
from runtime.ops.op import Op, apply, define
from runtime.shapes import Dims
from runtime.spec import TensorSpec
from runtime.tensor import Array, Tensor


class Streams:
    """The random streams ops draw from: one for each op seed, all begun anew by `restart`."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._seed: int | None = None
        self._streams: dict[int | None, np.random.Generator] = {}

    def restart(self, seed: int | None) -> None:
        with self._lock:
            self._seed = seed
            self._streams.clear()

    def stream(self, op_seed: int | None) -> np.random.Generator:
        with self._lock:
            found = self._streams.get(op_seed)
            if found is None:
                found = self._streams[op_seed] = _philox(self._key(op_seed))
            return found

    def _key(self, op_seed: int | None) -> list[int] | None:
        if self._seed is None and op_seed is None:
            return None
        return [_unsigned(self._seed or 0), 0 if op_seed is None else _unsigned(op_seed) + 1]


STREAMS = Streams()


class Generator:
    """A random stream of its own, independent of `set_seed`.

    >>> a, b = Generator.from_seed(1), Generator.from_seed(1)
    >>> bool(a.normal([]) == b.normal([]))
    True
    """

    def __init__(self, stream: np.random.Generator) -> None:
        self.stream = stream

    @classmethod
    def from_seed(cls, seed: int, alg: Any = None) -> Generator:
        """Return a generator that begins where every one of this seed begins."""
        return cls(_philox([_unsigned(int(seed))]))

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """Return a generator nobody can foretell."""
        return cls(_philox(None))

    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32
    ) -> Tensor:
        """Return numbers from `minval` on below `maxval`; see `rt.random.uniform`."""
        return _drawn_uniform(shape, minval, maxval, dtype, self)

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32
    ) -> Tensor:
        """Return normally distributed numbers; see `rt.random.normal`."""
        return _drawn_normal(RANDOM_NORMAL, shape, mean, stddev, dtype, self)


Source = Any  # an op seed (int or None) or a Generator


def _uniform_values(
    stream: np.random.Generator, low: Array, high: Array, shape: tuple[int, ...]
) -> Array:
    if low.dtype.kind in "iu":
        if (low >= high).any():
            raise ArgumentValueError(f"Need minval < maxval, got {low} >= {high}")
        return stream.integers(low, high, shape, low.dtype)
    numbers = stream.random(shape, np.float64 if low.dtype.itemsize == 8 else np.float32)
    return (low + numbers.astype(low.dtype) * (high - low)).astype(low.dtype)


def _normal_values(
    stream: np.random.Generator, mean: Array, stddev: Array, shape: tuple[int, ...]
) -> Array:
    return (mean + stream.standard_normal(shape) * stddev).astype(mean.dtype)


def _truncated_values(
    stream: np.random.Generator, mean: Array, stddev: Array, shape: tuple[int, ...]
) -> Array:
    numbers = stream.standard_normal(shape)
    while (far := np.abs(numbers) > 2).any():
        numbers = np.where(far, stream.standard_normal(shape), numbers)
    return (mean + numbers * stddev).astype(mean.dtype)


def _draws(values: Callable[..., Array]) -> Callable[..., Array]:
    """Return a kernel that draws from the stream its `source` attribute names."""

    def kernel(first: Array, second: Array, *dims: Array, shape: Dims, source: Source) -> Array:
        return values(_stream(source), first, second, final_shape(shape, dims))

    return kernel


def _stateless(values: Callable[..., Array]) -> Callable[..., Array]:
    """Return a kernel that draws from a fresh stream of its `seed` input."""

    def kernel(first: Array, second: Array, seed: Array, *dims: Array, shape: Dims) -> Array:
        stream = _philox([_unsigned(int(part)) for part in seed.ravel()])
        return values(stream, first, second, final_shape(shape, dims))

    return kernel


def _draw_infer(
    first: TensorSpec, second: TensorSpec, *dims: TensorSpec, shape: Dims, **attrs: Any
) -> TensorSpec:
    infer.check_same_dtype(first, second)
    return TensorSpec(infer.target_shape(dims[0] if dims else None, shape).dims, first.dtype)


def _stateless_infer(
    first: TensorSpec, second: TensorSpec, seed: TensorSpec, *dims: TensorSpec, shape: Dims
) -> TensorSpec:
    infer.check_integer(seed, "the seed")
    return _draw_infer(first, second, *dims, shape=shape)


def _shuffle_kernel(x: Array, *, source: Source) -> Array:
    return x[_stream(source).permutation(len(x))] if x.ndim else x


def _stream(source: Source) -> np.random.Generator:
    return source.stream if isinstance(source, Generator) else STREAMS.stream(source)


def _philox(key: list[int] | None) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))


def _unsigned(seed: int) -> int:
    return seed % 2**64


RANDOM_UNIFORM = define(
    "random_uniform",
    _draws(_uniform_values),
    _draw_infer,
    kinds="iuf",
    effects="random",
    lower={"graphdef": "RandomUniform", "onnx": "RandomUniform"},
)
RANDOM_NORMAL = define(
    "random_normal",
    _draws(_normal_values),
    _draw_infer,
    kinds="f",
    effects="random",
    lower={"graphdef": "RandomStandardNormal", "onnx": "RandomNormal"},
)
TRUNCATED_NORMAL = define(
    "truncated_normal",
    _draws(_truncated_values),
    _draw_infer,
    kinds="f",
    effects="random",
    lower={"graphdef": "TruncatedNormal"},
)
RANDOM_SHUFFLE = define(
    "random_shuffle",
    _shuffle_kernel,
    infer.same,
    effects="random",
    lower={"graphdef": "RandomShuffle"},
)
STATELESS_UNIFORM = define(
    "stateless_uniform",
    _stateless(_uniform_values),
    _stateless_infer,
    kinds="iuf",
    lower={"graphdef": "StatelessRandomUniformV2"},
)
STATELESS_NORMAL = define(
    "stateless_normal",
    _stateless(_normal_values),
    _stateless_infer,
    kinds="f",
    lower={"graphdef": "StatelessRandomNormalV2"},
)


def set_seed(seed: int | None) -> None:
    """Begin all random streams anew; the same seed brings the same numbers again.

    >>> set_seed(7); a = uniform([2]); set_seed(7); bool((a == uniform([2]))[0])
    True
    """
    STREAMS.restart(None if seed is None else int(seed))


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Return numbers evenly distributed from `minval` on below `maxval` (1 by default for floats).

    Args:
        dtype: a float or integer dtype; integers need `maxval`.
        seed: draw from the stream of this seed, apart from other calls.

    >>> uniform([2, 3]).shape
    TensorShape([2, 3])
    """
    return _drawn_uniform(shape, minval, maxval, dtype, seed)


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Return normally distributed floats.

    >>> normal([4], dtype="float64").dtype
    rt.float64
    """
    return _drawn_normal(RANDOM_NORMAL, shape, mean, stddev, dtype, seed)


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Return normally distributed floats, none further than two `stddev` from the mean.

    >>> bool((truncated_normal([9]) < 2.0)[0])
    True
    """
    return _drawn_normal(TRUNCATED_NORMAL, shape, mean, stddev, dtype, seed)


def shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """Return the tensor with its rows (along axis 0) in random order.

    >>> shuffle([1, 2, 3]).shape
    TensorShape([3])
    """
    result: Tensor = apply(RANDOM_SHUFFLE, (to_tensor(value),), source=_op_seed(seed))
    return result


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = float32,
    name: str | None = None,
    alg: Any = None,
) -> Tensor:
    """Return evenly distributed numbers that depend on the two numbers in `seed` and nothing else.

    >>> bool(stateless_uniform([], [1, 2]) == stateless_uniform([], [1, 2]))
    True
    """
    target, dims = dims_argument(shape)
    bounds = _bounds(minval, maxval, as_dtype(dtype))
    inputs = (*bounds, _seed_tensor(seed), *dims)
    result: Tensor = apply(STATELESS_UNIFORM, inputs, shape=target)
    return result


def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = float32,
    name: str | None = None,
    alg: Any = None,
) -> Tensor:
    """Return normally distributed floats that depend on the two numbers in `seed` only.

    >>> stateless_normal([3], [1, 2]).shape
    TensorShape([3])
    """
    target, dims = dims_argument(shape)
    moments = (to_tensor(mean, dtype), to_tensor(stddev, dtype))
    inputs = (*moments, _seed_tensor(seed), *dims)
    result: Tensor = apply(STATELESS_NORMAL, inputs, shape=target)
    return result


def _drawn_uniform(shape: Any, minval: Any, maxval: Any, dtype: Any, source: Source) -> Tensor:
    target, dims = dims_argument(shape)
    inputs = (*_bounds(minval, maxval, as_dtype(dtype)), *dims)
    result: Tensor = apply(RANDOM_UNIFORM, inputs, shape=target, source=_op_seed(source))
    return result


def _drawn_normal(op: Op, shape: Any, mean: Any, stddev: Any, dtype: Any, source: Source) -> Tensor:
    target, dims = dims_argument(shape)
    inputs = (to_tensor(mean, dtype), to_tensor(stddev, dtype), *dims)
    result: Tensor = apply(op, inputs, shape=target, source=_op_seed(source))
    return result


def _bounds(minval: Any, maxval: Any, dtype: DType) -> tuple[Tensor, Tensor]:
    if not (dtype.is_floating or dtype.is_integer):
        raise DTypeError(f"uniform numbers are floats or integers, not {dtype}")
    if maxval is None and dtype.is_integer:
        raise ArgumentValueError(f"Must specify maxval for integer dtype {dtype}")
    low = to_tensor(0 if minval is None else minval, dtype)
    return low, to_tensor(1 if maxval is None else maxval, dtype)


def _op_seed(source: Source) -> Source:
    if source is None or isinstance(source, Generator):
        return source
    return int(known_array(source, "seed"))


def _seed_tensor(seed: Any) -> Tensor:
    tensor = to_tensor(seed, dtype_hint=int64)
    if not tensor.shape.is_compatible_with((2,)):
        raise ArgumentValueError(f"a stateless seed is two numbers, not shape {tensor.shape}")
    return tensor
