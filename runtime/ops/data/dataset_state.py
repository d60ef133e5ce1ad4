"""State that a dataset keeps between iterations: seeds and cached elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.fork_safety import fork_safe_lock
from runtime.core.tensor import Array, Tensor
from runtime.core.variant import VARIANT, boxed
from runtime.errors import ArgumentValueError
from runtime.ops.op import apply, define
from runtime.ops.random.eager_seeds import STREAMS, unpredictable_position
from runtime.ops.random.graph_seeds import NodeSeeds, seeded
from runtime.ops.random.philox import StreamPosition, few_words, words

# The numbers of words that are made at once: of the first request, and the largest number.
_FIRST_WORDS, _MOST_WORDS = 32, 8192
# Seeds are saved as signed 64-bit integers.
_SPAN = 2**63


class ShuffleSeeds:
    """The random orders of one shuffle, numbered by the iterations over it.

    Args:
        key: the two seeds of the orders.
        changes: whether each order differs from the one before.

    >>> seeds = ShuffleSeeds([7, 2], changes=True)
    >>> seeds.next_epoch(), seeds.next_epoch()
    ([0, 7, 2], [1, 7, 2])
    """

    def __init__(self, key: Sequence[int], changes: bool) -> None:
        self._key, self.changes = list(key), changes
        self._begun = 0
        self._lock = fork_safe_lock()

    def next_epoch(self) -> list[int]:
        """Return the seed of the next order: its number and the key."""
        with self._lock:
            number = self._begun
            self._begun += self.changes
            return [number, *self._key]

    def go_on_after(self, epoch: Sequence[int]) -> None:
        """Continue with the order after a restored one."""
        number, *key = _numbers(epoch)
        with self._lock:
            self._begun, self._key = number + self.changes, key

    def save(self) -> list[int]:
        """Return the number of epochs begun, and the key."""
        with self._lock:
            return [self._begun, *self._key]

    def restore(self, saved: Sequence[int]) -> None:
        """Restore saved seeds; ArgumentValueError if they are not valid."""
        number, *key = _numbers(saved)
        with self._lock:
            self._begun, self._key = number, key

    def words(self, epoch: Sequence[int]) -> RandomWords:
        """Return the random words of an order, the same as in TensorFlow."""
        number, *key = map(int, epoch)
        first = StreamPosition.of_seeds(*key)
        if self.changes:
            # Each order has its own two seeds, the next two words of the key's stream.
            block = few_words(first.after(number // 2), 4)
            first = StreamPosition.of_seeds(*block[2 * (number % 2) :][:2])
        return RandomWords(first)

    def __repr__(self) -> str:
        return "<seeds of a dataset>"


class RandomWords:
    """The 32-bit words of a stream, one after the other, made in groups.

    >>> stream = RandomWords(StreamPosition(0, 0))
    >>> stream.take(1), stream.take(2), stream.next()
    ([1713891541], [3781805453, 3159862348], 2600524760)
    """

    def __init__(self, start: StreamPosition) -> None:
        self._start, self._size = start, _FIRST_WORDS
        self._made: list[int] = []

    def next(self) -> int:
        """Return the next word."""
        if not self._made:
            self._more(1)
        return self._made.pop()

    def take(self, count: int) -> list[int]:
        """Return the next words."""
        if len(self._made) < count:
            self._more(count - len(self._made))
        found = self._made[: -count - 1 : -1]
        del self._made[len(self._made) - count :]
        return found

    def array(self, count: int) -> Array:
        """Return the next words of a stream as an array.

        All requests except the last one must be for a multiple of four words.
        """
        made = words(self._start, count)
        self._start = self._start.after(-(-count // 4))
        return made

    def skip(self, count: int) -> None:
        """Skip words."""
        if count > len(self._made):
            blocks, count = divmod(count - len(self._made), 4)
            self._made, self._start = [], self._start.after(blocks)
        self.take(count)

    def _more(self, count: int) -> None:
        size = max(self._size, -(-count // 4) * 4)
        self._size = min(2 * self._size, _MOST_WORDS)
        self._made = words(self._start, size).tolist()[::-1] + self._made
        self._start = self._start.after(size // 4)


def _numbers(saved: Sequence[int]) -> list[int]:
    """Return three integers of at least 0: the number of epochs, and the key."""
    found = [int(each) for each in saved]
    if len(found) != 3 or min(found) < 0:
        raise ArgumentValueError(
            f"the seeds of a dataset must be three integers of at least 0, not {found}"
        )
    return found


class CacheStore:
    """The items that a cached dataset stored in its first complete iteration.

    Attributes:
        parts: rows and single items, in order; None until an iteration has reached the end.
    """

    def __init__(self) -> None:
        self.parts: Sequence[Any] | None = None

    def __repr__(self) -> str:
        return "<store of a dataset>"


def new_seeds(seed: int | None, changes: bool) -> Tensor:
    """Return seeds, a variant; each run of a graph creates new ones.

    Args:
        seed: the user's seed; without one, the numbers depend on `rt.random.set_seed`.
        changes: whether each order differs from the one before.
    """
    made: Tensor = apply(SEEDS, (), seed=seed, changes=changes)
    return made


def new_store() -> Tensor:
    """Return an empty store, a variant; each run of a graph creates a new one."""
    made: Tensor = apply(STORE, ())
    return made


def _seeds_kernel(*, seed: int | NodeSeeds | None, changes: bool) -> Array:
    # The stream does not advance: datasets with one seed have the same orders.
    if isinstance(seed, NodeSeeds):
        start_of_seed = seed.reserve(0)
    else:
        start_of_seed = STREAMS.reserve("dataset_seeds", seed, 0)
    start = start_of_seed or unpredictable_position()
    return boxed(ShuffleSeeds([start.key % _SPAN, (start.counter >> 64) % _SPAN], changes))


SEEDS = define(
    "dataset_seeds",
    _seeds_kernel,
    lambda *, seed, changes: VARIANT,
    effects="random",
    recorded=seeded,
)
# An effect, so that CSE never merges two stores.
STORE = define("dataset_store", lambda: boxed(CacheStore()), lambda: VARIANT, effects="random")
