"""Functions of the user's that ops are given mean in a graph what they mean in Python."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
ROWS = [1.0, 3.0, -2.5, 0.0]


def tenfold_if_large(x: Any) -> Any:
    if x > 2.0:
        return x * 10.0
    return x


def added_if_positive(total: Any, x: Any) -> Any:
    if x > 0.0:
        return total + x
    return total * 0.5


def next_power(n: Any) -> Any:
    if n % 2 == 0:
        return n * 2
    return n + 1


def below(n: Any) -> Any:
    return not (n >= 20 or n < 0)


def larger(a: Any, b: Any) -> Any:
    if a > b:
        return a
    return b


OPS: dict[str, Callable[[Any], Any]] = {
    "map_fn": lambda x: rt.map_fn(tenfold_if_large, x),
    "vectorized_map": lambda x: rt.vectorized_map(tenfold_if_large, x),
    "foldl": lambda x: rt.foldl(added_if_positive, x),
    "foldr": lambda x: rt.foldr(added_if_positive, x),
    "scan": lambda x: rt.scan(added_if_positive, x),
    "while_loop": lambda x: rt.while_loop(below, next_power, [rt.cast(x[0], rt.int32)]),
    "cond": lambda x: rt.cond(
        x[0] > x[1],
        functools.partial(larger, x[2], x[3]),
        functools.partial(larger, x[1], x[0]),
    ),
    "cond of a bool": lambda x: rt.cond(True, functools.partial(larger, x[0], x[1]), abs),
    "switch_case": lambda x: rt.switch_case(
        rt.cast(x[0], rt.int32),
        [functools.partial(larger, x[2], x[3]), functools.partial(larger, x[1], x[0])],
    ),
    "case": lambda x: rt.case(
        [(x[0] > x[1], functools.partial(larger, x[2], x[3]))],
        default=functools.partial(larger, x[0], x[1]),
    ),
}


@pytest.mark.parametrize("op", OPS)
def test_a_graph_gives_what_python_gives(op: str) -> None:
    wanted, found = OPS[op](rt.constant(ROWS)), ag.function(OPS[op])(rt.constant(ROWS))
    for expected, actual in zip(rt.nest.flatten(wanted), rt.nest.flatten(found), strict=True):
        np.testing.assert_array_equal(expected.numpy(), actual.numpy())


def clipped_slope(dy: Any) -> Any:
    if dy > 1.0:
        return rt.ones_like(dy)
    return dy


@rt.custom_gradient
def cubed(x: Any) -> Any:
    if x > 100.0:
        x = rt.constant(100.0)

    def slope(dy: Any) -> Any:
        if dy < -1.0:
            return rt.zeros_like(dy)
        return dy * 2.0

    return x * x * x, slope


@rt.custom_gradient
def squared(x: Any) -> Any:
    return x * x, clipped_slope


@rt.recompute_grad
def grown(x: Any) -> Any:
    while x < 10.0:
        x = x * x
    return x


@pytest.mark.parametrize("f", [cubed, squared, grown], ids=lambda f: f.__name__)
@pytest.mark.parametrize("scale", [0.25, 7.0, -3.0])
def test_a_gradient_of_its_own_may_have_a_conditional(f: Any, scale: float) -> None:
    def slope(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = f(x) * scale
        return y, tape.gradient(y, x)

    expected, actual = slope(rt.constant(1.5)), ag.function(slope)(rt.constant(1.5))
    assert [float(each) for each in expected] == [float(each) for each in actual]


def test_what_is_exempt_stays_as_it_is() -> None:
    @ag.do_not_convert
    def exempt(x: Any) -> Any:
        if x > 2.0:
            return x * 10.0
        return x

    with pytest.raises(rt.errors.OpError, match="used as a Python truth value"):
        ag.function(lambda x: rt.map_fn(exempt, x))(rt.constant(ROWS))


def test_functions_inside_of_a_converted_one_are_traced_once() -> None:
    traced = []

    @ag.function
    def doubled(x: Any) -> Any:
        def body(n: Any) -> Any:
            traced.append("body")
            if n > 4:
                n = n + 1
            return n * 2

        return rt.while_loop(lambda n: n < x, body, [rt.constant(1)])[0]

    wanted = 1
    while wanted < 20:
        wanted = (wanted + (wanted > 4)) * 2
    assert wanted == int(doubled(rt.constant(20)))
    assert ["body"] == traced
