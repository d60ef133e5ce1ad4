"""A writer of random statements on a state of three arrays and a number, for subclasses."""

from __future__ import annotations

from random import Random
from typing import Any

import runtime as rt
from autograph import do_not_convert


class RandomWriter:
    """Writes statements in the graph that records, in branches and loops of it as well.

    Args:
        random: chooses.
        state: what the statements are about, and change.
    """

    def __init__(self, random: Random, state: list[Any]) -> None:
        self.random, self.state = random, state

    def array(self) -> int:
        """Return the place of an array in the state."""
        return self.random.randrange(3)

    def condition(self) -> Any:
        """Return the condition of a branch."""
        raise NotImplementedError

    def statement(self, is_inside: bool = False) -> None:
        """Write a statement, or one of a region."""
        raise NotImplementedError

    def handed_on(self) -> None:
        self.state[self.array()] = self.state[self.array()]

    def swapped(self) -> None:
        one, other = self.array(), self.array()
        self.state[one], self.state[other] = self.state[other], self.state[one]

    def branched(self) -> None:
        test = self.condition()
        ways = [do_not_convert(lambda count=count: self.inside(count)) for count in (2, 1)]
        self.state = list(rt.cond(test, *ways))

    def looped(self) -> None:
        iterations = self.random.randrange(1, 4)

        @do_not_convert
        def iteration(i: Any, *state: Any) -> Any:
            self.state = list(state)
            return i + 1, *self.inside(self.random.randrange(1, 5))

        @do_not_convert
        def test(i: Any, *state: Any) -> Any:
            return i < iterations + state[3] * 0

        before = list(self.state)
        _, *after = rt.while_loop(test, iteration, [rt.constant(0), *before])
        self.state = after

    def inside(self, count: int) -> list[Any]:
        """Write statements in a region, and return the state behind them."""
        before = list(self.state)
        for _ in range(count):
            self.statement(is_inside=True)
        after, self.state = self.state, before
        return after
