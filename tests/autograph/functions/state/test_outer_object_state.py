"""State of outer objects between calls agrees with plain calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt


class Grows:
    def __init__(self) -> None:
        self.items: list[Any] = [0]

    def step(self, x: Any) -> Any:
        if x > 0:
            self.items.append(x)
        return len(self.items)


class GrowsFromNothing(Grows):
    def __init__(self) -> None:
        self.items = []


class GrowsInALoop(Grows):
    def step(self, x: Any) -> Any:
        for i in range(x):
            self.items.append(i)
        return x


class Shrinks(Grows):
    def __init__(self) -> None:
        self.items = [1, 2, 3]

    def step(self, x: Any) -> Any:
        if x > 1:
            return self.items.pop()
        return -1


class Defaults:
    total = 0
    best: Any = None

    def __init__(self) -> None:
        self.total += 0

    def step(self, x: Any) -> Any:
        if x > 1:
            self.total += x
        if self.best is None or x > self.best:
            self.best = x
        return self.total


class Machine:
    def __init__(self) -> None:
        self.state, self.names = "idle", ["a", "b"]

    def step(self, x: Any) -> Any:
        if self.state == "idle":
            self.state = "run" if x > 0 else "idle"
        else:
            self.state = "idle"
        if x > 2:
            self.names[0] = "z"
        return 1 if self.state == "run" and self.names[0] == "z" else 0


MAKERS = [Grows, GrowsFromNothing, GrowsInALoop, Shrinks, Defaults, Machine]


def plain(value: Any) -> Any:
    if isinstance(value, rt.Tensor):
        return value.numpy().item()
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return list(map(plain, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("calls", [(2, 3, 0, 1, 5), (0, 1, 2, 2), (1, 1, 0, 1)])
@pytest.mark.parametrize("make", MAKERS)
def test_object_state_after_calls_agrees_with_plain_calls(
    make: Callable[[], Any], calls: tuple[int, ...]
) -> None:
    expected, found = make(), make()
    staged = ag.function(found.step)
    for x in calls:
        assert (expected.step(x), vars(expected)) == (
            plain(staged(rt.constant(x))),
            plain(vars(found)),
        )
