"""Sampling: choosing between datasets at random, and rejection resampling."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from runtime.core.dtypes import int64
from runtime.core.spec import TensorSpec
from runtime.core.variant import unboxed
from runtime.data.cursors import Cursor, State, Wrapping
from runtime.data.element_spec import Element
from runtime.data.map_and_filter import Functional
from runtime.data.plan import INFINITE, UNKNOWN, Arrays, DatasetPlan, InputPlan, Tensors
from runtime.errors import ArgumentValueError
from runtime.ops.data.dataset_state import ShuffleSeeds
from runtime.ops.data.datasets import Item
from runtime.ops.random.distributions import doubles, sums_of_chances
from runtime.ops.random.philox import scrambled, words


@dataclass(frozen=True)
class Weights(DatasetPlan):
    """Random indices with given probabilities, without an end; the tensor has the seeds."""

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
    """Iterates over random indices."""

    def __init__(self, chances: tuple[float, ...], seeds: ShuffleSeeds) -> None:
        logits = np.log(np.array([chances], np.float32))
        self._sums: list[float] = sums_of_chances(logits)[0].tolist()
        self._seeds = seeds
        self._begin(seeds.next_epoch())

    def _begin(self, epoch: list[int]) -> None:
        self._epoch, self._words, self._given = epoch, self._seeds.words(epoch), 0

    def __next__(self) -> Item:
        # As in TensorFlow, two random numbers are the seed of a stateless draw.
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


# -- rejection resampling --------------------------------------------------------------------------


# The initial count of each class, if no frequencies are given.
_SEEN_BEFORE = 10.0


@dataclass(frozen=True)
class Resampled(Functional):
    """Items with their classes, resampled to given frequencies; the first tensor has the seeds.

    Attributes:
        wanted: the target frequency of each class.
        found: the actual frequency of each class; None to count them.
    """

    wanted: tuple[float, ...]
    found: tuple[float, ...] | None

    @property
    def element(self) -> Element:
        return Element((self.function.result.structure, self.source.element.structure))

    @property
    def own_width(self) -> int:
        return 1 + self.function.captured

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return ResamplingCursor(below.start(), self, unboxed(own[0]), own[1:])

    def size_of(self, size: int, own: Tensors) -> int:
        return UNKNOWN if size else 0

    def as_text(self) -> str:
        return f"rejection_resample({self.function})"


class ResamplingCursor(Wrapping):
    """Iterates over the items that a draw accepts."""

    def __init__(
        self, source: Cursor, plan: Resampled, seeds: ShuffleSeeds, captured: Arrays
    ) -> None:
        super().__init__(source)
        self._plan, self._seeds, self._captured = plan, seeds, captured
        self._wanted = np.array(plan.wanted)
        self._seen = np.full(len(plan.wanted), _SEEN_BEFORE)
        self._begin(seeds.next_epoch())

    def _begin(self, epoch: list[int]) -> None:
        self._epoch, self._words, self._drawn = epoch, self._seeds.words(epoch), 0

    def __next__(self) -> Item:
        while True:
            item = next(self._source)
            made = self._plan.function(item, self._captured)
            number = int(made[0])
            if not 0 <= number < len(self._wanted):
                raise ArgumentValueError(
                    f"rejection_resample: a class must be from 0 to {len(self._wanted) - 1}, not "
                    f"{number}"
                )
            self._seen[number] += 1
            self._drawn += 1
            if self._words.next() / 2**32 < self._chance(number):
                return (*made, *item)

    def _chance(self, number: int) -> float:
        found = self._seen if self._plan.found is None else np.array(self._plan.found)
        share = found / found.sum()
        ratios = np.divide(self._wanted, share, out=np.zeros_like(share), where=share > 0)
        most = float(ratios.max())
        return float(ratios[number]) / most if most else 0.0

    def save(self) -> State:
        mine = {"epoch": list(self._epoch), "drawn": self._drawn, "seen": self._seen.tolist()}
        return {**super().save(), **mine}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._seeds.go_on_after(state["epoch"])
        self._begin(list(state["epoch"]))
        self._words.skip(state["drawn"])
        self._drawn, self._seen = state["drawn"], np.array(state["seen"])
