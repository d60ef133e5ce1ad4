"""State of outer objects between calls agrees with plain calls."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ContainerMutationError


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


class Total:
    def __init__(self) -> None:
        self.value: Any = 0
        self.items: list[Any] = []


def changed_or_replaced(owner: Any, xs: Any) -> None:
    for x in xs:
        if x == 9:
            owner.total = Total()
        else:
            owner.total.value = x


def begun_anew(owner: Any, xs: Any) -> None:
    for x in xs:
        if x > 2:
            owner.total = Total()
        owner.total.value += x
        owner.total.items.append(x)


def items_begun_anew(owner: Any, xs: Any) -> None:
    for x in xs:
        if x > 2:
            owner.total = Total()
        owner.total.items.append(x)


def _numbers(total: Total) -> tuple[int, list[int]]:
    return int(total.value), [int(x) for x in total.items]


@pytest.mark.parametrize("kept", ("nothing", "object", "items"))
@pytest.mark.parametrize("function", (changed_or_replaced, begun_anew, items_begun_anew))
def test_an_object_is_replaced_and_changed_in_a_loop(function: Any, kept: str) -> None:
    for xs in ([1, 9, 3], [1, 1], [9]):
        found = []
        for staged in (False, True):
            owner = SimpleNamespace(total=Total())
            held = {"object": owner.total, "items": owner.total.items}.get(kept)
            run = ag.function(lambda xs: ag.convert(function)(owner, xs)) if staged else None
            try:
                for _ in range(2):
                    run(rt.constant(xs)) if run else function(owner, rt.constant(xs))
            except ContainerMutationError:
                assert kept != "nothing"  # Python would show the change under the other name, too.
                break
            other = _numbers(held) if isinstance(held, Total) else str(held and [*map(int, held)])
            found.append((_numbers(owner.total), other))
        assert len(found) == 1 or found[0] == found[1]
