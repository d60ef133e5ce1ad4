"""Backward graphs are built by the first step of each kind only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt

V = rt.Variable(2.0)


@rt.custom_gradient
def doubled(x: Any) -> Any:
    return x * 2.0, lambda dy: dy * 7.0


def straight(x: Any) -> Any:
    return rt.sin(x) * V * x


def with_a_loop(x: Any) -> Any:
    y = x
    for _ in rt.range(3):
        y = y * x * V
    return y


def with_a_choice(x: Any) -> Any:
    return x * V if rt.reduce_sum(x) > 0.5 else rt.sin(x)


def with_rules(x: Any) -> Any:
    return doubled(x) * V + rt.recompute_grad(lambda x: rt.sin(x) * x)(x)


def with_effects(x: Any) -> Any:
    for _ in rt.range(2):
        V.assign_add(0.0)
    return x * V + rt.random.uniform([])


def once(f: Any, x: Any) -> Any:
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = f(f(x))
    return tape.gradient(y, [x, V])


def several_times(f: Any, x: Any) -> Any:
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x), tape.gradient(y, V), tape.jacobian(y, x)


def tapes_in_tapes(f: Any, x: Any) -> Any:
    with rt.GradientTape() as outer:
        outer.watch(x)
        with rt.GradientTape() as middle:
            middle.watch(x)
            with rt.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            gradients = tape.gradient(y, x)
        V.assign(V.read_value() + 0.0)
        curves = middle.gradient(gradients, x, unconnected_gradients="zero")
    return outer.jacobian(curves, x, unconnected_gradients="zero")


def checkpoint(f: Any, x: Any) -> Any:
    with rt.GradientTape(residuals="checkpoint") as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, [x, V])


def forward(f: Any, x: Any) -> Any:
    with rt.ForwardAccumulator(x, rt.ones_like(x)) as accumulator:
        y = f(x)
    return accumulator.jvp(y)


@pytest.mark.parametrize("way", [once, several_times, tapes_in_tapes, checkpoint, forward])
@pytest.mark.parametrize(
    "program", [straight, with_a_loop, with_a_choice, with_rules, with_effects]
)
def test_steps_after_the_first_build_no_nodes(
    program: Any, way: Callable[[Any, Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    append = rt.Graph.append
    monkeypatch.setattr(
        rt.Graph, "append", lambda graph, *args: made.append(graph.name) or append(graph, *args)
    )
    staged, x = ag.function(program), rt.constant([0.3, 0.6])
    way(staged, x)
    assert made
    made.clear()
    for _ in range(2):
        way(staged, x)
    assert made == []
