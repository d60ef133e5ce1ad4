"""Random numbers of datasets, of which some are more likely than others."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from runtime.core.dtypes import int64
from runtime.core.spec import TensorSpec
from runtime.core.variant import unboxed
from runtime.data.element_spec import Element
from runtime.data.iterator_state import Cursor, State
from runtime.data.plan import INFINITE, Arrays, Plan, Tensors
from runtime.ops.data.dataset_state import Seeds
from runtime.ops.data.datasets import Item
from runtime.ops.random.distributions import doubles, sums_of_chances
from runtime.ops.random.philox import scrambled, words


@dataclass(frozen=True)
class Weights(Plan):
    """Numbers from 0 on, each with a chance of its own, without an end; the tensor has seeds."""

    chances: tuple[float, ...]

    @property
    def element(self) -> Element:
        return Element(TensorSpec((), int64))

    @property
    def width(self) -> int:
        return 1

    def cursor(self, arrays: Arrays) -> Cursor:
        return DrawCursor(self.chances, unboxed(arrays[0]))

    def size(self, tensors: Tensors) -> int:
        return INFINITE

    def __str__(self) -> str:
        return f"weights({', '.join(f'{chance:.3g}' for chance in self.chances)})"


class DrawCursor(Cursor):
    """Goes over numbers that are drawn."""

    def __init__(self, chances: tuple[float, ...], seeds: Seeds) -> None:
        logits = np.log(np.array([chances], np.float32))
        self._sums: list[float] = sums_of_chances(logits)[0].tolist()
        self._seeds = seeds
        self._begin(seeds.next_epoch())

    def _begin(self, epoch: list[int]) -> None:
        self._epoch, self._words, self._given = epoch, self._seeds.words(epoch), 0

    def __next__(self) -> Item:
        # As TensorFlow does: two random numbers are the seeds of a stateless drawing.
        self._given += 1
        drawn = words(scrambled(*self._words.take(2)), 2)
        point = float(doubles(drawn)[0]) * self._sums[-1]
        return (np.array(bisect_right(self._sums, point), np.int64),)

    def save(self) -> State:
        return {"epoch": list(self._epoch), "given": self._given}

    def restore(self, state: State) -> None:
        self._seeds.go_on_after(state["epoch"])
        self._begin(list(state["epoch"]))
        self._given = state["given"]
        self._words.skip(2 * self._given)
