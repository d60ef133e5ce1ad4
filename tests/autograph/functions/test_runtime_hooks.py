"""User functions passed to ops agree in a graph with Python."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import AutographError, TraceEffectWarning

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
def test_a_graph_agrees_with_python(op: str) -> None:
    wanted, found = OPS[op](rt.constant(ROWS)), ag.function(OPS[op])(rt.constant(ROWS))
    for expected, actual in zip(rt.nest.flatten(wanted), rt.nest.flatten(found), strict=True):
        np.testing.assert_array_equal(expected.numpy(), actual.numpy())


def clipped_gradient(dy: Any) -> Any:
    if dy > 1.0:
        return rt.ones_like(dy)
    return dy


@rt.custom_gradient
def cubed(x: Any) -> Any:
    if x > 100.0:
        x = rt.constant(100.0)

    def gradient(dy: Any) -> Any:
        if dy < -1.0:
            return rt.zeros_like(dy)
        return dy * 2.0

    return x * x * x, gradient


@rt.custom_gradient
def squared(x: Any) -> Any:
    return x * x, clipped_gradient


@rt.recompute_grad
def grown(x: Any) -> Any:
    while x < 10.0:
        x = x * x
    return x


@pytest.mark.parametrize("f", [cubed, squared, grown], ids=lambda f: f.__name__)
@pytest.mark.parametrize("scale", [0.25, 7.0, -3.0])
def test_a_custom_gradient_may_have_a_conditional(f: Any, scale: float) -> None:
    def gradient(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = f(x) * scale
        return y, tape.gradient(y, x)

    expected, actual = gradient(rt.constant(1.5)), ag.function(gradient)(rt.constant(1.5))
    assert [float(each) for each in expected] == [float(each) for each in actual]


def test_an_exempt_function_is_not_converted() -> None:
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


class Calls:
    def __init__(self) -> None:
        self.count = 0


def in_a_branch(x: Any) -> Any:
    seen: list[int] = []

    def first() -> Any:
        seen.append(1)
        return x

    return rt.cond(x > 0.0, first, lambda: -x), len(seen)


def in_a_case(x: Any) -> Any:
    box = {"count": 0}

    def counted() -> Any:
        box["count"] += 1
        return x

    return rt.switch_case(rt.cast(x, rt.int32), [counted, lambda: -x])


def in_a_loop(x: Any) -> Any:
    counter = Calls()

    def body(i: Any) -> Any:
        counter.count += 1
        return i + counter.count

    return rt.while_loop(lambda i: i < 5.0, body, [x])


def for_each_row(x: Any) -> Any:
    count = 0

    def numbered(row: Any) -> Any:
        nonlocal count
        count += 1
        return row + count

    return rt.map_fn(numbered, rt.stack([x, x]))


def for_each_row_and_state(x: Any) -> Any:
    counter = Calls()

    def added(total: Any, row: Any) -> Any:
        counter.count += 1
        return total + row * counter.count

    return rt.scan(added, rt.stack([x, x])), rt.foldl(lambda a, b: a + b, rt.stack([x, x]))


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (in_a_branch, "seen"),
        (in_a_case, "'count'"),
        (in_a_loop, "count"),
        (for_each_row, "count"),
        (for_each_row_and_state, "count"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_callback_that_changes_python_state_warns(f: Any, name: str) -> None:
    with pytest.warns(TraceEffectWarning, match="it changes once") as told:
        ag.function(f)(rt.constant(1.0))
    assert name in str(told[0].message)
    assert __file__ in str(told[0].message)
    assert __file__ == told[0].filename


def test_a_callback_that_stores_a_tensor_warns_and_does_not_leak() -> None:
    rows: list[Any] = []

    def kept(row: Any) -> Any:
        rows.append(row)
        return row

    def within(x: Any) -> Any:
        made: list[Any] = []
        found = rt.map_fn(lambda row: made.append(row) or row, rt.stack([x, x]))
        return found, len(made)

    with pytest.warns(TraceEffectWarning, match="map_fn was given"):
        found, count = ag.function(within)(rt.constant(1.0))
    assert ([1.0, 1.0], 1) == (found.numpy().tolist(), int(count))
    told = pytest.warns(TraceEffectWarning, match="'rows'|map_fn was given")
    with told, pytest.raises((AutographError, rt.errors.OpError)):
        ag.function(lambda x: rt.map_fn(kept, rt.stack([x, x])))(rt.constant(1.0))
    assert rows == []


@pytest.mark.filterwarnings("error::autograph.errors.TraceEffectWarning")
def test_layers_and_metrics_in_a_callback_are_no_python_state() -> None:
    layer, mean = rt.nn.layers.Dense(1, kernel_initializer="ones"), rt.nn.metrics.Mean()

    def f(x: Any) -> Any:
        rt.cond(rt.reduce_sum(x) > 0.0, lambda: mean.update_state(x), lambda: None)
        return rt.map_fn(layer, x), mean.result()

    rows, found = ag.function(f)(rt.constant([[[1.0, 2.0]], [[3.0, 4.0]]]))
    assert [[[3.0]], [[7.0]]] == rows.numpy().tolist()
    assert 2.5 == float(found)
