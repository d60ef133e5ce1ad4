"""Random generators: streams whose position is stored in a variable."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.context import current_recorder, recording
from runtime.core.dtypes import float32, int32, int64, uint64
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, Tensor
from runtime.errors import ArgumentValueError, DTypeError, OpError, ShapeError, of_tracing
from runtime.ops.arguments import dims_argument
from runtime.ops.arrays.concatenation import concat, unstack
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.arrays.reduction import reduce_prod
from runtime.ops.arrays.shape import reshape
from runtime.ops.constant import cast
from runtime.ops.convert import STACK, to_tensor
from runtime.ops.effects.variables import VariableStorage, locked
from runtime.ops.infer import check_integer, check_scalar
from runtime.ops.op import apply, define, run_kernel
from runtime.ops.random.algorithms import Algorithm, check_philox
from runtime.ops.random.eager_seeds import RESERVED
from runtime.ops.random.philox import StreamPosition
from runtime.ops.random.samplers import STATELESS_NORMAL, STATELESS_TRUNCATED
from runtime.ops.random.stateless import KeyAndCounter, binomial_at, normal_at, uniform_at
from runtime.state.variable import Variable

_STATE_SIZE = 3


@locked
def _skip_kernel(handle: VariableStorage, count: Array) -> Array:
    check_integer(TensorSpec.of_array(count), "delta")
    check_scalar(TensorSpec.of_array(count), "delta")
    state: Array = handle._array
    start = StreamPosition.of_arrays(state[2:], state[:2])
    # As in TensorFlow, the product has 64 bits: a negative number goes back, in the lower half.
    steps = RESERVED * int(count) % 2**64
    end = start.after(steps)
    upper = end.counter >> 64
    if steps >> 32 == 2**32 - 1 and (start.counter % 2**32) + (steps % 2**32) >= 2**32:
        upper -= 1  # TensorFlow's 32-bit adder loses a carry here.
    halves = np.array([end.counter % 2**64, upper, end.key], np.uint64)
    handle.store(halves.view(np.int64))
    return state


def _skip_infer(handle: TensorSpec, count: TensorSpec) -> TensorSpec:
    if handle.dtype is not int64 or not handle.shape.is_compatible_with((_STATE_SIZE,)):
        raise ShapeError(
            f"the state of a generator must be int64[3], not {handle.dtype.name}{handle.shape}"
        )
    return TensorSpec((_STATE_SIZE,), int64)


SKIP = define(
    "skip_variable",
    _skip_kernel,
    _skip_infer,
    effects="write",
    tensorflow_name="RngReadAndSkip",
)


class Generator:
    """A random stream that is independent of `set_seed`, and advances with each draw.

    Its position is in a variable, `state`, so it can be saved, and graphs can draw from it,
    continuing where the last call ended. The numbers are TensorFlow's, in graphs too.

    Args:
        copy_from: a generator whose current position is copied.
        state: three integers, the counter and the key, or a variable with them.
        alg: "philox" or "auto_select", or an `Algorithm`.

    >>> generator = Generator.from_seed(1234)
    >>> print(generator.uniform([2]), generator.state.numpy())
    rt.Tensor([0.3581475  0.11322761], shape=(2,), dtype=float32) [1746    0    0]
    """

    def __init__(
        self, copy_from: Generator | None = None, state: Any = None, alg: Any = None
    ) -> None:
        if copy_from is not None:
            if state is not None or alg is not None:
                raise ArgumentValueError("give a generator to copy from, or a state and alg")
            self._alg = copy_from.algorithm
            state = copy_from.state.read_value()
        elif state is None or alg is None:
            raise ArgumentValueError("give state and alg, or write Generator.from_seed(seed)")
        else:
            check_philox(alg)
            self._alg = Algorithm.PHILOX.value
        if isinstance(state, Variable):
            if state.dtype is not int64:
                raise DTypeError(f"the state of a generator must be int64, not {state.dtype.name}")
            _check_state(state)
            self._state_var = state
        else:
            tensor = _check_state(_numbers(state))
            self._state_var = Variable(tensor, trainable=False, dtype=int64, name="StateVar")

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """Return a generator that starts at a state."""
        return cls(state=state, alg=alg)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """Return a generator that starts at the position of a seed."""
        alg = "auto_select" if alg is None else alg
        return cls(state=create_rng_state(seed, alg), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """Return a generator with an unpredictable state."""
        state = np.frombuffer(os.urandom(8 * _STATE_SIZE), np.int64)
        return cls(state=state, alg="auto_select" if alg is None else alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """Return a generator with a key (one integer) and a counter (two, the lower half first)."""
        return cls(state=_joined(key, counter), alg=alg)

    @property
    def state(self) -> Variable:
        """The variable with the counter and the key: int64, of shape (3,)."""
        return self._state_var

    @property
    def algorithm(self) -> int:
        """The number of the algorithm; see `Algorithm`."""
        return self._alg

    @property
    def key(self) -> Tensor:
        """The key, an int64 scalar."""
        key: Tensor = self._state_var[_STATE_SIZE - 1]
        return key

    def reset(self, state: Any) -> None:
        """Continue at a state."""
        self._state_var.assign(_check_state(_numbers(state)))

    def reset_from_seed(self, seed: Any) -> None:
        """Continue at the position of a seed."""
        self._state_var.assign(create_rng_state(seed, self._alg))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Continue at a key and a counter; see `from_key_counter`."""
        self._state_var.assign(_joined(key, counter))

    def skip(self, delta: Any) -> Tensor:
        """Skip the positions of `delta` numbers, and return the state before."""
        count = to_tensor(delta, dtype_hint=uint64)
        check_integer(count.spec, "delta")
        if current_recorder() is None:
            handle: Any = self._state_var
            return EagerTensor(run_kernel(SKIP, (handle, count._array), {})[0])  # type: ignore[attr-defined]
        inputs: Any = (self._state_var, cast(count, uint64))
        state: Tensor = apply(SKIP, inputs)
        return state

    def uniform(
        self,
        shape: Any,
        minval: Any = 0,
        maxval: Any = None,
        dtype: Any = float32,
        name: str | None = None,
    ) -> Tensor:
        """Return uniformly distributed numbers; see `rt.random.stateless_uniform`."""
        return self._drawn(shape, lambda at: uniform_at(at, shape, minval, maxval, dtype))

    def uniform_full_int(self, shape: Any, dtype: Any = uint64, name: str | None = None) -> Tensor:
        """Return integers from the whole range of the dtype: int32, int64, uint32 or uint64."""
        return self._drawn(shape, lambda at: uniform_at(at, shape, None, None, dtype))

    def normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = float32,
        name: str | None = None,
    ) -> Tensor:
        """Return normally distributed numbers; see `rt.random.normal`."""
        return self._drawn(
            shape, lambda at: normal_at(STATELESS_NORMAL, at, shape, mean, stddev, dtype)
        )

    def truncated_normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = float32,
        name: str | None = None,
    ) -> Tensor:
        """Return normal numbers close to the mean; see `rt.random.truncated_normal`."""
        return self._drawn(
            shape, lambda at: normal_at(STATELESS_TRUNCATED, at, shape, mean, stddev, dtype)
        )

    def binomial(
        self,
        shape: Any,
        counts: Any,
        probs: Any,
        dtype: Any = int32,
        name: str | None = None,
    ) -> Tensor:
        """Return numbers of successes; see `rt.random.stateless_binomial`."""
        return self._drawn(shape, lambda at: binomial_at(at, shape, counts, probs, dtype))

    def make_seeds(self, count: int = 1) -> Tensor:
        """Return seeds for stateless functions, as columns of an int64 matrix with two rows."""
        keys = self.uniform_full_int([count], int64)
        seeds: Tensor = apply(STACK, (keys, zeros_like(keys)), axis=0)
        return seeds

    def split(self, count: int = 1) -> list[Generator]:
        """Return new generators, independent of this one and of each other."""
        keys = self.uniform_full_int([count], int64)
        return [
            Generator(state=_joined(key, [0, 0]), alg=self._alg) for key in unstack(keys, count)
        ]

    def _drawn(self, shape: Any, draw: Callable[[KeyAndCounter], Tensor]) -> Tensor:
        """Draw at the next position; after an error of an eager draw the position is as before."""
        place = self._next(shape)
        if current_recorder() is not None:
            return draw(place)
        after = self._state_var._array
        try:
            return draw(place)
        except OpError:
            key, counter = (np.asarray(each) for each in place)
            # Skip this if another thread has drawn in the meantime.
            if self._state_var._array is after:
                self._state_var.store(np.concatenate([counter, key]))
            raise

    def _next(self, shape: Any) -> KeyAndCounter:
        """Reserve the positions for numbers of this shape, and return the start."""
        target, dims = dims_argument(shape)
        count = (
            reduce_prod(cast(dims[0], int64))
            if dims
            else math.prod(size or 0 for size in target or ())
        )
        state: Any = self.skip(count)
        return state[2:], state[:2]

    def __repr__(self) -> str:
        return f"<Generator alg={self._alg} state={self._state_var!r}>"


def create_rng_state(seed: Any, alg: Any) -> Tensor:
    """Return the state, three int64 numbers, of a generator at the position of a seed.

    Args:
        seed: an integer, of which 192 bits are used, or a vector, of which three numbers are used.

    >>> print(create_rng_state(1234, "philox"), create_rng_state([1, 2], "philox"))
    rt.Tensor([1234    0    0], shape=(3,), dtype=int64) rt.Tensor([0 1 2], shape=(3,), dtype=int64)
    """
    check_philox(alg)
    if isinstance(seed, int):
        return _numbers([seed >> 64 * part & 2**64 - 1 for part in range(_STATE_SIZE)])
    numbers: Any = reshape(_numbers(seed), [-1])[:_STATE_SIZE]
    if numbers.shape[0] is None:
        raise of_tracing(
            ShapeError(f"the number of elements of the seed {seed} must be known while tracing")
        )
    missing = _STATE_SIZE - numbers.shape[0]
    return concat([np.zeros(missing, np.int64), numbers], 0) if missing else numbers


def _numbers(values: Any) -> Tensor:
    """Return 64-bit integers, signed or unsigned, as int64 with the same bits."""
    if isinstance(values, (int, np.integer)):
        values = int(values)
        return to_tensor((values + 2**63) % 2**64 - 2**63, int64)
    if isinstance(values, (list, tuple)) and all(type(each) is int for each in values):
        return to_tensor([(each + 2**63) % 2**64 - 2**63 for each in values], int64)
    return cast(values, int64)


def _joined(key: Any, counter: Any) -> Tensor:
    first, rest = _numbers(key), _numbers(counter)
    for tensor, shape, what in ((first, (), "the key"), (rest, (2,), "the counter")):
        if not tensor.shape.is_compatible_with(shape):
            raise ShapeError(f"{what} of a generator must have shape {shape}, not {tensor.shape}")
    return concat([rest, reshape(first, [1])], 0)


def _check_state(state: Any) -> Any:
    if not state.shape.is_compatible_with((_STATE_SIZE,)):
        raise ShapeError(f"the state of a generator must have shape (3,), not {state.shape}")
    return state


class _Shared:
    """Stores the global generator."""

    generator: Generator | None = None


def get_global_generator() -> Generator:
    """Return the global generator, whose initial state is unpredictable.

    >>> get_global_generator() is get_global_generator()
    True
    """
    if _Shared.generator is None:
        with recording(None):
            _Shared.generator = Generator.from_non_deterministic_state()
    return _Shared.generator


def set_global_generator(generator: Generator) -> None:
    """Set the global generator.

    >>> before = get_global_generator()
    >>> set_global_generator(Generator.from_seed(1))
    >>> get_global_generator() is before
    False
    >>> set_global_generator(before)
    """
    _Shared.generator = generator
