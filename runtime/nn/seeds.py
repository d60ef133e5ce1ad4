"""Seeds of layers and initializers: each has its own seed generator, as in Keras."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from runtime.core.argument_checks import flag
from runtime.core.context import recording
from runtime.core.creation_hooks import creating_for_owner, creating_once, drawing_initial_value
from runtime.core.dtypes import DTypeLike
from runtime.core.lazy_imports import own_names
from runtime.core.shapes import ShapeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.modules import names
from runtime.nn.modules.module import Module
from runtime.ops.arguments import static_int
from runtime.ops.convert import to_tensor
from runtime.ops.neural.dropout import dropout, stateless_dropout
from runtime.ops.random.eager_seeds import STREAMS, set_seed
from runtime.ops.random.seeded import normal, uniform
from runtime.ops.random.stateless import stateless_normal, stateless_uniform
from runtime.state.variable import Variable

# The upper limit of the two numbers of a seed, as in TensorFlow.
_SPAN = 2**31 - 2
# The largest default seed that Keras draws.
_LARGEST = 10**9


class _Defaults:
    """The generator for functions without a seed, and whether default seeds are Keras'.

    Attributes:
        restarts: the number of restarts of the streams when `set_random_seed` was called; the
            seeds are Keras' until the next restart, by `rt.random.set_seed`.
        shared: the generator; None before the first use.
    """

    restarts: int | None = None
    shared: SeedGenerator | None = None


def set_random_seed(seed: int) -> None:
    """Seed all random numbers: those of Python, of NumPy and of operations.

    From then on layers and initializers without a seed get one from Python's `random`, as in Keras:
    a program has the same weights as there. A later `rt.random.set_seed` ends that.

    Args:
        seed: an integer.

    >>> set_random_seed(7)
    >>> float(uniform(())) == (set_random_seed(7) or float(uniform(())))
    True
    >>> forget_seeds()
    """
    found = static_int(seed, "seed")
    random.seed(found)
    np.random.seed(found % 2**32)
    set_seed(found)
    _Defaults.restarts, _Defaults.shared = STREAMS.restarts, None


def default_seed() -> int | None:
    """Return the seed for an object without one; None if no global seed was set.

    After `set_random_seed` it equals that of Keras. After `rt.random.set_seed`, Keras's seeds are
    not reproducible by it, but these are; the seeds of ops do not depend on them.
    """
    if _Defaults.restarts == STREAMS.restarts:
        return random.randint(1, _LARGEST)
    return STREAMS.seed_of_object(_LARGEST)


def forget_seeds() -> None:
    """Remove the global seeds, as before `set_random_seed`."""
    set_seed(None)
    _Defaults.restarts, _Defaults.shared = None, None


class SeedGenerator(Module):
    """Returns one seed after the other; its state is a variable.

    Args:
        seed: an integer; by default a different one for each generator.

    Example:
        >>> seeds = SeedGenerator(3)
        >>> seeds.next().numpy().tolist(), seeds.next().numpy().tolist()
        ([3, 0], [3, 1])
    """

    def __init__(self, seed: int | None = None, name: str | None = None) -> None:
        super().__init__(name or names.unique_name("seed_generator"))
        self._given = None if seed is None else static_int(seed, "seed")
        first = random.randint(1, _LARGEST) if self._given is None else self._given
        with creating_for_owner(self), recording(None):
            path = f"{self.name}/seed_generator_state"
            self.state = Variable([first, 0], False, dtype="int64", name=path)
        self.state._path = path
        self.state.is_no_weight = True  # type: ignore[attr-defined]

    def next(self, ordered: bool = True) -> Tensor:
        """Return a seed, two integers, and advance to the next.

        Args:
            ordered: whether the next seed is the next number, or a distant one.
        """
        state: Any = self.state
        value: Tensor = state + 0
        # Keras computes the same numbers.
        self.state.assign(
            state + [0, 1] if flag(ordered, "ordered") else (state + 1) * 5387 % 933199
        )
        return value

    def skip(self, number: int) -> None:
        """Advance by a number of seeds."""
        self.state.assign_add([0, static_int(number, "number")])

    def get_config(self) -> dict[str, Any]:
        """Return the config from which `from_config` makes a generator."""
        return {"seed": self._given, "name": self.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> SeedGenerator:
        """Return a generator made from the config of `get_config`."""
        return cls(**config)


def seeds_of(seed: Any) -> SeedGenerator | None:
    """Return the seed generator of a layer; None if it draws from the global streams."""
    if isinstance(seed, SeedGenerator):
        return seed
    if seed is not None:
        return SeedGenerator(seed)
    with drawing_initial_value() as drawn:
        found = default_seed()
        made = None if found is None else SeedGenerator(found)
        if made is not None:
            drawn(made.state)
    return made


def drawn_seed(seed: Any) -> Tensor:
    """Return a seed, two integers, for one draw.

    Args:
        seed: an integer, a SeedGenerator, or None for seeds shared by all such calls.

    >>> drawn_seed(5).numpy().tolist()
    [5, 0]
    """
    if seed is None:
        STREAMS.drawn += 1
        if _Defaults.shared is None:
            with creating_once(None):
                _Defaults.shared = SeedGenerator()
        return _Defaults.shared.next(ordered=False) % _SPAN
    if isinstance(seed, SeedGenerator):
        return seed.next() % _SPAN
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise ArgumentValueError(f"seed must be a whole number or a SeedGenerator, not {seed!r}")
    return to_tensor([int(seed) % _SPAN, 0], "int64")


# -- draws by seeds, or from the global streams ----------------------------------------------------


def dropped(
    x: TensorLike, rate: float, noise_shape: ShapeLike | None, seeds: SeedGenerator | None
) -> Tensor:
    """Return x after dropout; see `rt.nn.dropout`."""
    if seeds is None:
        return dropout(x, rate, noise_shape)
    return stateless_dropout(x, rate, drawn_seed(seeds), noise_shape=noise_shape)


def uniform_like(dims: ShapeLike, dtype: DTypeLike, seeds: SeedGenerator | None) -> Tensor:
    """Return uniform numbers from 0 (included) to 1 (excluded)."""
    if seeds is None:
        return uniform(dims, dtype=dtype)
    return stateless_uniform(dims, drawn_seed(seeds), dtype=dtype)


def normal_like(
    dims: ShapeLike, mean: float, stddev: float, dtype: DTypeLike, seeds: Any
) -> Tensor:
    """Return normal numbers."""
    if seeds is None:
        return normal(dims, mean, stddev, dtype)
    return stateless_normal(dims, drawn_seed(seeds), mean, stddev, dtype)


__dir__ = own_names(__name__)
