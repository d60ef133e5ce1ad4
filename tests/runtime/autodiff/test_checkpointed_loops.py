"""Tapes of `checkpoint` around calls of graphs: the gradients of `store`, of less memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

W = rt.Variable(1.5)
COUNT = rt.Variable(0.0, trainable=False)


def _curve(x: Any) -> Any:
    for _ in rt.range(3):
        x = rt.sin(x) * W + x
    return x


def _break_early(x: Any) -> Any:
    a = b = x
    while rt.reduce_sum(a) < 50.0:
        a = a * b * W
        if rt.reduce_max(a) > 9.0:
            break
        b = b + 1.0
    return a + b


def _nested(x: Any) -> Any:
    for i in rt.range(3):
        j = 0
        while j < i:
            x = rt.tanh(x) * W + x / 2.0
            j += 1
    return x


def _grown(x: Any) -> Any:
    rows = []
    for i in rt.range(3):
        rows.append(x * rt.cast(i, rt.float32) * W)
    total = rt.zeros_like(x)
    for row in rows:
        total = total + row * row
    return total


def _array(x: Any) -> Any:
    kept = rt.TensorArray(rt.float32, 3)
    for i in rt.range(3):
        kept = kept.write(i, x * x * W)
    return rt.reduce_sum(kept.stack(), 0)


def _counted(x: Any) -> Any:
    for _ in rt.range(3):
        COUNT.assign_add(1.0)
        x = x * COUNT * W
    return x


def _noisy(x: Any) -> Any:
    for _ in rt.range(3):
        x = x * rt.random.uniform([2], seed=7) * W
    return x


def _of_data(x: Any) -> Any:
    for row in rt.data.Dataset.from_tensor_slices([[1.0, 2.0], [3.0, 4.0]]):
        x = x * row * W
    return x


@ag.function
def _half(x: Any) -> Any:
    return x / 2.0 if rt.reduce_sum(x) > 1.0 else x * W


def _calling(x: Any) -> Any:
    for _ in rt.range(4):
        x = _half(x) + x
    return x


def _tried(x: Any) -> Any:
    total = x
    for i in rt.range(3):
        try:
            total = total * rt.cast(6 // (i - 1), rt.float32)
        except ZeroDivisionError:
            total = total + 1.0
    return total * x


LOOPS = [
    *(_curve, _break_early, _nested, _grown, _array, _counted, _noisy, _of_data, _calling),
]


def _gradients(f: Callable[..., Any], residuals: str) -> Any:
    x = rt.constant([0.5, 1.25])
    COUNT.assign(0.0)
    rt.random.set_seed(1)
    with rt.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with rt.GradientTape(residuals=residuals) as tape:
            tape.watch(x)
            y = f(x)
        first = tape.gradient(y, [x, W])
        watched = [each.name for each in tape.watched_variables()]
    second = outer.gradient(first[0], [x, W])
    return y, first, second, watched, COUNT.numpy()


@pytest.mark.parametrize("f", LOOPS)
def test_checkpointed_gradients_agree_with_stored_ones(f: Callable[..., Any]) -> None:
    staged = ag.function(f)
    expected = _gradients(staged, "store")
    found = _gradients(staged, "checkpoint")
    for one, other in zip(rt.nest.flatten(expected), rt.nest.flatten(found), strict=True):
        if isinstance(one, rt.Tensor):
            # Turn by turn there is no gradient along ways that no run has gone; in a graph it is 0.
            actual = np.zeros(()) if other is None else other.numpy()
            np.testing.assert_allclose(one.numpy(), actual, rtol=1e-6)
        else:
            assert one == other


def test_a_loop_with_handlers_is_differentiated() -> None:
    staged = ag.function(_tried)
    x = rt.constant(2.0)
    with rt.GradientTape(residuals="checkpoint") as tape:
        tape.watch(x)
        y = staged(x)
    assert (y.numpy(), tape.gradient(y, x).numpy()) == (-132.0, -138.0)


def _peak(residuals: str) -> int:
    @ag.function
    def far(x: Any) -> Any:
        for _ in rt.range(50):
            for _ in range(4):
                x = x + rt.exp(-rt.square(rt.tanh(rt.cos(rt.sin(x)))))
        return rt.reduce_sum(x)

    x = rt.zeros([20_000])
    far(x)
    tracemalloc.start()
    with rt.GradientTape(residuals=residuals) as tape:
        tape.watch(x)
        y = far(x)
    tape.gradient(y, x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_checkpointing_needs_less_memory() -> None:
    assert 4 * _peak("checkpoint") < _peak("store")


def test_an_error_in_an_iteration_names_the_line() -> None:
    @ag.function
    def divided(n: Any) -> Any:
        total = 0
        for i in rt.range(3):
            total += 6 // (n - i)
        return total

    with rt.GradientTape(residuals="checkpoint"):
        with pytest.raises(ZeroDivisionError, match=r"test_checkpointed_loops\.py:\d+, in divided"):
            divided(rt.constant(1))
