"""A tape watches the variables that a Function reads, in all its regions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt

V = rt.Variable(2.0)
ASSIGNED = rt.Variable(5.0)
FROZEN = rt.Variable(7.0, trainable=False)


@ag.function
def in_a_branch(x: Any) -> Any:
    if x > 1.0:
        return x * V * FROZEN
    ASSIGNED.assign(x)
    return x


@ag.function
def in_a_loop(x: Any) -> Any:
    for _ in rt.range(rt.cast(x, rt.int32)):
        x = x * V
        ASSIGNED.assign(x)
    return x


@ag.function
def by_a_call(x: Any) -> Any:
    return in_a_branch(x) + in_a_branch(x)


@ag.function
def as_an_argument(x: Any) -> Any:
    @ag.function
    def called(v: Any, x: Any) -> Any:
        return v * x if x > 1.0 else x

    return called(V, x)


@ag.function
def only_assigned(x: Any) -> Any:
    if x > 1.0:
        ASSIGNED.assign(x)
    return x


@pytest.mark.parametrize("is_warm", [False, True])
@pytest.mark.parametrize(
    ("program", "expected"),
    [(in_a_branch, 10.5), (in_a_loop, 1.5), (by_a_call, 21.0), (as_an_argument, 1.5)],
)
def test_variables_of_functions(
    program: Callable[..., Any], expected: float, is_warm: bool
) -> None:
    x = rt.constant(1.5)
    if is_warm:
        program(x)

    @ag.function
    def gradient(x: Any) -> Any:
        with rt.GradientTape() as tape:
            y = program(x)
        assert (V,) == tape.watched_variables()
        return tape.gradient(y, V)

    assert expected == gradient(x).numpy()


def test_variables_that_are_only_assigned_are_not_watched() -> None:
    @ag.function
    def gradient(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = only_assigned(x)
        assert () == tape.watched_variables()
        return tape.gradient(y, x)

    assert 1.0 == gradient(rt.constant(1.5)).numpy()


def test_a_tape_that_watches_no_reads_watches_none_inside() -> None:
    @ag.function
    def gradient(x: Any) -> Any:
        with rt.GradientTape(watch_accessed_variables=False) as tape:
            y = in_a_branch(x)
        return tape.gradient(y, [V])

    assert [None] == gradient(rt.constant(1.5))
