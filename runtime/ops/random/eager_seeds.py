"""Seeds of eager random ops: each takes the next part of a random stream.

As in TensorFlow's eager calls, an op without a seed gets the next one of Python's
`random.Random(global seed)`, and starts a stream there; without a global seed its numbers cannot
be reproduced. An op with a seed continues after the last draw of its kind with these seeds. Nodes
of graphs have streams of their own, see
`runtime/ops/random/graph_seeds.py`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Hashable
from typing import Any

from runtime.core.context import current_recorder
from runtime.core.fork_safety import fork_safe_lock
from runtime.core.weak_tables import IdentityTable
from runtime.ops.arguments import static_int
from runtime.ops.random.philox import StreamPosition

# Seeds are taken modulo this number; it also stands for two seeds of 0.
_SPAN = 2**31 - 1
# The global seed for ops with a seed, if `set_seed` was not called.
_UNSET = 87654321
# The number of blocks that a draw reserves for each number.
RESERVED = 256


class Streams:
    """The global seed, the seeds drawn from it, and the streams of the seeds in calls.

    Attributes:
        lock: held while a stream advances.
        seed: the global seed, or None.
        restarts: the number of restarts of all streams.
    """

    def __init__(self) -> None:
        self.lock, self.restarts = fork_safe_lock(), 0
        self.restart(None)

    def restart(self, seed: int | None) -> None:
        """Restart all streams."""
        with self.lock:
            self.drawn = 0  # The number of draws without a reproducible seed.
            self.seed = seed
            self.restarts += 1
            self._random = random.Random(seed)
            self._of_objects = random.Random(None if seed is None else f"objects {seed}")
            self._places: dict[Hashable, StreamPosition] = {}

    def reserve(self, kind: Hashable, op_seed: int | None, blocks: int) -> StreamPosition | None:
        """Reserve blocks of a stream for a draw, and return their start; None without a seed.

        Args:
            kind: the op and its dtypes; each kind has separate streams.
            op_seed: the seed given to the op, if any.
            blocks: the number of blocks.
        """
        with self.lock:
            if op_seed is None and self.seed is None:
                self.drawn += 1
                return None
            if op_seed is None:
                return begin(self.seed, self._random.randint(0, _SPAN))
            first = begin(self.seed, op_seed)
            start = self._places.get((kind, first), first)
            self._places[kind, first] = start.after(blocks)
            return start

    def first(self, op_seed: int) -> StreamPosition | None:
        """Return the start of the stream of a seed; None if there is no global seed."""
        return None if self.seed is None else begin(self.seed, op_seed)

    def seed_of_object(self, largest: int) -> int | None:
        """Return the next seed, from 1, for an object without one; None without a global seed.

        Their sequence is separate from that of the ops, as in TensorFlow.
        """
        with self.lock:
            return None if self.seed is None else self._of_objects.randint(1, largest)


def begin(global_seed: int | None, op_seed: int) -> StreamPosition:
    """Return the start of the stream of two seeds; None means TensorFlow's default global seed.

    >>> begin(None, 5) == begin(87654321, 5)
    True
    """
    first = _UNSET if global_seed is None else global_seed % _SPAN
    second = op_seed % _SPAN
    return StreamPosition.of_seeds(first, _SPAN if first == second == 0 else second)


def unpredictable_position() -> StreamPosition:
    """Return an unpredictable position.

    >>> unpredictable_position() == unpredictable_position()
    False
    """
    bits = int.from_bytes(os.urandom(24), "little")
    return StreamPosition(bits % 2**64, bits >> 64)


STREAMS = Streams()
# Seeds that `set_seed` gave while a graph was recorded, by the outermost graph.
_OF_GRAPHS: IdentityTable[Any, int | None] = IdentityTable()


def set_seed(seed: int | None) -> None:
    """Restart all random streams; the same seed gives the same numbers again.

    These are TensorFlow's numbers. Eager calls share one sequence of seeds; an op of a function is
    seeded by the global seed at the time of the trace and by its position in the function. While a
    graph is recorded, this sets the global seed of the following ops in that graph.

    >>> from runtime.ops.random.seeded import uniform
    >>> set_seed(42); print(uniform([2]))
    rt.Tensor([0.6645621  0.44100678], shape=(2,), dtype=float32)
    """
    found = None if seed is None else static_int(seed, "a seed")
    graph = current_recorder()
    if graph is None:
        STREAMS.restart(found)
    else:
        _OF_GRAPHS.put(_outermost(graph), found)


def seed_of_graph(graph: Any) -> int | None:
    """Return the global seed of the random ops that are recorded in a graph."""
    outermost = _outermost(graph)
    return _OF_GRAPHS.get(outermost) if outermost in _OF_GRAPHS else STREAMS.seed


def _outermost(graph: Any) -> Any:
    while graph.outer is not None:
        graph = graph.outer
    return graph


def op_seed(seed: Any) -> int | None:
    """Return the `seed` argument of an op as an attribute."""
    return None if seed is None else static_int(seed, "a seed")
