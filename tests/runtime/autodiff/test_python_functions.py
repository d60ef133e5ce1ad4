"""Gradients through Python functions that are called as ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import UnimplementedError

F = rt.float32


def once(x: Any, n: Any) -> Any:
    return rt.py_function(lambda a: a * a * 2.0, [x], F) * 3.0


def in_iterations(x: Any, n: Any) -> Any:
    y = x
    for _ in rt.range(n):
        y = rt.ensure_shape(rt.py_function(lambda a: rt.sin(a) * a, [y], F), [])
    return y


def in_a_branch(x: Any, n: Any) -> Any:
    y = 3.0 * x
    if n > 0:
        y = rt.ensure_shape(rt.py_function(lambda a: a * a, [x], F), [])
    return y


def of_several_kinds(x: Any, n: Any) -> Any:
    def several(a: Any, k: Any, s: Any) -> Any:
        return a * rt.cast(k, F), k + 1, a * float(s.numpy())

    one, count, other = rt.py_function(several, [x, n, rt.constant("2.5")], [F, rt.int32, F])
    return one * rt.cast(count, F) + other


def of_functions(x: Any, n: Any) -> Any:
    @ag.function
    def powers(a: Any, n: Any) -> Any:
        for _ in rt.range(n):
            a = a * a
        return a

    return rt.py_function(lambda a, n: rt.py_function(powers, [a, n], F) * a, [x, n], F)


def of_rows(x: Any, n: Any) -> Any:
    def squared(u: Any) -> Any:
        return rt.ensure_shape(rt.py_function(lambda a: a * a, [u], F), [])

    return rt.reduce_sum(rt.map_fn(squared, rt.stack([x, 2.0 * x])))


def of_the_argument_itself(x: Any, n: Any) -> Any:
    return rt.py_function(lambda a: a, [x], F) * x


def of_extracted_numbers(x: Any, n: Any) -> Any:
    return rt.py_function(lambda a: rt.constant(a.numpy() * 2.0) * a, [x], F)


def gradient(program: Callable[..., Any], x: Any, n: Any) -> Any:
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = program(x, n)
    return tape.gradient(y, x)


EXPECTED = {
    once: (12.0 * 0.7, 12.0 * 0.7),
    in_iterations: (1.0, 0.9928691),
    in_a_branch: (3.0, 1.4),
    of_several_kinds: (2.5, 8.5),
    of_functions: (1.4, 5 * 0.7**4),
    of_rows: (7.0, 7.0),
    of_the_argument_itself: (1.4, 1.4),
    of_extracted_numbers: (1.4, 1.4),
}


@pytest.mark.parametrize("program", EXPECTED)
@pytest.mark.parametrize("count", [0, 2])
def test_gradients_for_every_position_of_the_tape(program: Any, count: int) -> None:
    x, n = rt.constant(0.7), rt.constant(count)
    staged, outside = ag.function(lambda x, n: gradient(program, x, n)), ag.function(program)
    for actual in (gradient(program, x, n), staged(x, n), gradient(outside, x, n)):
        np.testing.assert_allclose(EXPECTED[program][count // 2], actual, rtol=1e-5)


def test_a_function_is_called_once_for_all_gradients() -> None:
    calls = []

    def pair(a: Any) -> Any:
        calls.append(1)
        return a * a, a + 1.0

    @ag.function
    def gradients(x: Any) -> Any:
        with rt.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y, z = rt.py_function(pair, [x], [F, F])
        return tape.gradient(y, x), tape.gradient(z, x), tape.gradient([y, z], x)

    assert [4.0, 1.0, 5.0] == [each.numpy() for each in gradients(rt.constant(2.0))]
    assert [1] == calls


@pytest.mark.parametrize("stage", [ag.function, lambda f: f])
def test_a_gradient_has_gradients_of_a_tape_outside(stage: Any) -> None:
    x = rt.constant(2.0)
    inner = stage(lambda x: gradient(lambda x, n: rt.py_function(lambda a: a**3, [x], F) * x, x, 0))
    with rt.GradientTape() as tape:
        tape.watch(x)
        first = inner(x)
    assert (32.0, 48.0) == (first.numpy(), tape.gradient(first, x).numpy())


def test_a_gradient_of_a_gradient_in_one_graph_is_refused() -> None:
    cube = lambda x, n: rt.py_function(lambda a: a**3, [x], F)
    twice = ag.function(lambda x: gradient(lambda x, n: gradient(cube, x, n), x, 0))
    with pytest.raises(UnimplementedError, match="the gradient of <lambda>"):
        twice(rt.constant(2.0))


@pytest.mark.parametrize("stage", [ag.function, lambda f: f])
def test_numpy_functions_have_no_gradient(stage: Any) -> None:
    doubled = lambda x: rt.numpy_function(lambda a: np.float32(2.0) * a, [x], F)
    x = rt.constant(3.0)
    assert 6.0 == stage(lambda x: gradient(lambda x, n: doubled(x) * x, x, 0))(x).numpy()
    assert stage(lambda x: gradient(lambda x, n: doubled(x), x, 0))(x) is None
