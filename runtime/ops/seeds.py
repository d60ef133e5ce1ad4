"""Seeds: which part of which random stream each drawing is given.

As in TensorFlow's eager calls: what has no seed of its own is given the next one that Python's
`random.Random(global seed)` tells, and begins a stream there; what has one goes on where the last
drawing of its kind with these seeds has ended.
"""

from __future__ import annotations

import os
import random
from collections.abc import Hashable
from typing import Any

from runtime.fork_safety import fork_safe_lock
from runtime.ops.arguments import static_int
from runtime.ops.philox import Position

# Seeds are taken modulo this, which is also what stands for two seeds of 0.
_SPAN = 2**31 - 1
# The global seed of drawings that have a seed of their own while none is set.
_UNSET = 87654321
# So many blocks are set aside for each number that an op or a generator draws.
RESERVED = 256


class Streams:
    """The global seed, the seeds drawn from it and the streams of seeds given by the user."""

    def __init__(self) -> None:
        self._lock = fork_safe_lock()
        self.restart(None)

    def restart(self, seed: int | None) -> None:
        """Begin all streams anew."""
        with self._lock:
            self._seed = seed
            self._random = random.Random(seed)
            self._places: dict[Hashable, Position] = {}

    def next(self, kind: Hashable, op_seed: int | None, blocks: int) -> Position:
        """Return where a drawing begins, and set aside what it may take.

        That is anywhere where no seed tells.

        Args:
            kind: the op and its dtypes: each has streams of its own.
            op_seed: the seed given to the op, if any.
            blocks: how many of the stream it may take.
        """
        return self.told(kind, op_seed, blocks) or anywhere()

    def told(self, kind: Hashable, op_seed: int | None, blocks: int) -> Position | None:
        """Return what `next` does, and None where no seed tells."""
        with self._lock:
            if op_seed is None and self._seed is None:
                return None
            if op_seed is None:
                return self._begin(self._random.randint(0, _SPAN))
            begin = self._begin(op_seed)
            start = self._places.get((kind, begin), begin)
            self._places[kind, begin] = start.after(blocks)
            return start

    def first(self, op_seed: int) -> Position | None:
        """Return where the stream of a seed begins; None if there is no global seed."""
        with self._lock:
            return None if self._seed is None else self._begin(op_seed)

    def _begin(self, op_seed: int) -> Position:
        first = _UNSET if self._seed is None else self._seed % _SPAN
        second = op_seed % _SPAN
        return Position.of_seeds(first, _SPAN if first == second == 0 else second)


def anywhere() -> Position:
    """Return a place that nobody knows before.

    >>> anywhere() == anywhere()
    False
    """
    bits = int.from_bytes(os.urandom(24), "little")
    return Position(bits % 2**64, bits >> 64)


STREAMS = Streams()


def set_seed(seed: int | None) -> None:
    """Begin all random streams anew; the same seed brings the same numbers again.

    These are the numbers of TensorFlow's eager calls. A graph draws what its ops would draw
    eagerly, in their order, each time it runs; TensorFlow's graphs have numbers of their own.

    >>> from runtime.ops.random import uniform
    >>> set_seed(42); print(uniform([2]))
    rt.Tensor([0.6645621  0.44100678], shape=(2,), dtype=float32)
    """
    STREAMS.restart(None if seed is None else static_int(seed, "a seed"))


def op_seed(seed: Any) -> int | None:
    """Return the `seed` argument of an op as an attribute."""
    return None if seed is None else static_int(seed, "a seed")
