"""What a dataset keeps from one time it is gone over to the next: seeds, and what is cached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.errors import ArgumentValueError
from runtime.fork_safety import fork_safe_lock
from runtime.ops.op import apply, define
from runtime.ops.seeds import STREAMS
from runtime.tensor import Array, Tensor
from runtime.variant import VARIANT, boxed

# Seeds are saved as numbers of 64 bits with a sign.
_SPAN = 2**63


class Seeds:
    """The random orders of one step, told apart by how often it was begun.

    Args:
        key: numbers that the orders depend on.
        changes: whether each one is another.

    >>> seeds = Seeds([7], changes=True)
    >>> seeds.next_epoch(), seeds.next_epoch()
    ([0, 7], [1, 7])
    """

    def __init__(self, key: Sequence[int], changes: bool) -> None:
        self._key, self.changes = list(key), changes
        self._begun = 0
        self._lock = fork_safe_lock()

    def next_epoch(self) -> list[int]:
        """Return what the next order is drawn by: its number and the key."""
        with self._lock:
            number = self._begun
            self._begun += self.changes
            return [number, *self._key]

    def go_on_after(self, epoch: Sequence[int]) -> None:
        """Let the orders follow that were to come after one that is taken up again."""
        number, *key = _numbers(epoch)
        with self._lock:
            self._begun, self._key = number + self.changes, key

    def save(self) -> list[int]:
        """Return how often it was begun, and the key."""
        with self._lock:
            return [self._begun, *self._key]

    def restore(self, saved: Sequence[int]) -> None:
        """Be what was saved; ArgumentValueError for what these cannot have been."""
        number, *key = _numbers(saved)
        with self._lock:
            self._begun, self._key = number, key

    def stream(self, epoch: Sequence[int], purpose: int) -> np.random.Generator:
        """Return the random numbers of an order; those for other purposes are others."""
        sequence = np.random.SeedSequence([purpose, *map(int, epoch)])
        return np.random.Generator(np.random.Philox(sequence))

    def __repr__(self) -> str:
        return "<seeds of a dataset>"


def _numbers(saved: Sequence[int]) -> list[int]:
    """Return whole numbers of at least 0, of which there is at least one."""
    found = [int(each) for each in saved]
    if not found or min(found) < 0:
        raise ArgumentValueError(f"{found} are no seeds of a dataset")
    return found


class Store:
    """What a dataset has made the first time it was gone over to its end.

    Attributes:
        parts: rows and single items, in their order; None as long as there was no end.
    """

    def __init__(self) -> None:
        self.parts: Sequence[Any] | None = None

    def __repr__(self) -> str:
        return "<store of a dataset>"


def new_seeds(seed: int | None, changes: bool) -> Tensor:
    """Return seeds, a variant; made anew in each run of a graph.

    Args:
        seed: of the user's; without one, the numbers depend on `rt.random.set_seed`.
        changes: whether each order is another.
    """
    made: Tensor = apply(SEEDS, (), seed=seed, changes=changes)
    return made


def new_store() -> Tensor:
    """Return an empty store, a variant; made anew in each run of a graph."""
    made: Tensor = apply(STORE, ())
    return made


def _seeds_kernel(*, seed: int | None, changes: bool) -> Array:
    # No numbers of the stream are taken: datasets of one seed have the same orders.
    start = STREAMS.next("dataset_seeds", seed, 0)
    return boxed(Seeds([start.key % _SPAN, (start.counter >> 64) % _SPAN], changes))


SEEDS = define("dataset_seeds", _seeds_kernel, lambda *, seed, changes: VARIANT, effects="random")
# An effect, so that no two stores are ever taken for one.
STORE = define("dataset_store", lambda: boxed(Store()), lambda: VARIANT, effects="random")
