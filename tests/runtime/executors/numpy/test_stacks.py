"""Staged lists that are printed as Python lists agree with Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors import run
from runtime.executors.numpy.printed_function import printed_function


def of_rows(xs: Any, n: Any) -> Any:
    rows = []
    for x in xs:
        rows.append(x * x)
    return rt.stack(rows)


def read_again(xs: Any, n: Any) -> Any:
    rows = []
    for x in xs:
        rows.append(x + 1.0)
    total = rt.constant(0.0)
    for row in rows:
        total += row
    return total * rt.cast(len(rows), rt.float32)


def of_two_that_were_one(xs: Any, n: Any) -> Any:
    rows = []
    for x in xs:
        rows.append(x)
    others = list(rows)
    others.append(xs[0])
    return rt.stack(rows), rt.stack(others)


def that_stay_as_they_were(xs: Any, n: Any) -> Any:
    rows = [xs[0]]
    before = rows
    while len(rows) < n:
        rows = [*rows, xs[0] + rt.cast(len(rows), rt.float32)]
    return rt.stack(before), rt.stack(rows)


def changed_and_counted(xs: Any, n: Any) -> Any:
    rows = []
    for x in xs:
        rows.append(x)
        rows[0] = rows[0] + x
    count = len(rows)
    last = rows.pop()
    rows.append(last * 2.0)
    if n > 2:
        rows.append(rows.pop(0))
    return last, rows[0], count, len(rows)


def of_numbers(xs: Any, n: Any) -> Any:
    counts = []
    i = 0
    while i < n:
        counts.append(i * 1_003)
        i += 1
    total = 0
    while len(counts) > 1:
        total = total * 31 + counts.pop()
    return total, counts


def of_lists(xs: Any, n: Any) -> Any:
    table = []
    for x in xs:
        row = []
        for i in rt.range(n):
            row.append(x * rt.cast(i, rt.float32))
        table.append(row)
    total = rt.constant(0.0)
    for row in table:
        for each in row:
            total = total * 0.5 + each
    return total


def that_one_way_changes(xs: Any, n: Any) -> Any:
    rows = []
    for x in xs:
        if x > 1.0:
            rows.append(x)
        else:
            rows = []
    return len(rows), rows


def that_are_emptied(xs: Any, n: Any) -> Any:
    rows = []
    for x in xs:
        rows.append(x)
    while True:
        rows.pop()
        if len(rows) > 100:
            break
    return rows


def with_a_loop(x: Any, n: Any) -> Any:
    y = x
    for i in rt.range(n):
        y = rt.sin(y) * x + rt.cast(i, rt.float64)
    return y


def with_a_loop_in_a_loop(x: Any, n: Any) -> Any:
    y = x
    for i in rt.range(n):
        z = y
        while rt.abs(z) > 0.5:
            z = z * x * 0.5
        y = rt.sin(y) + z * rt.cast(i + 1, rt.float64)
    return y


def with_a_choice_in_a_loop(x: Any, n: Any) -> Any:
    y = x
    for _ in rt.range(n):
        if y > 1.0:
            y = rt.sqrt(y) * x
            if y > 1.5:
                continue
        else:
            y = rt.exp(y * x)
            if y > 100.0:
                break
    return y


def with_rows(x: Any, n: Any) -> Any:
    y = rt.stack([x, x * x])
    for _ in rt.range(n):
        y = rt.tanh(y) * rt.reduce_sum(y)
    return rt.reduce_sum(y)


W = rt.Variable([0.4, -0.3, 0.9])
LOOPS = [with_a_loop, with_a_loop_in_a_loop, with_a_choice_in_a_loop, with_rows]


PROGRAMS = [
    of_rows,
    read_again,
    of_two_that_were_one,
    that_stay_as_they_were,
    changed_and_counted,
    of_numbers,
    of_lists,
    that_one_way_changes,
]


def shown(value: Any) -> Any:
    return [np.asarray(each).tolist() for each in rt.nest.flatten(value)]


@pytest.mark.parametrize("program", PROGRAMS)
def test_list_programs_agree_with_python(program: Callable[..., Any]) -> None:
    staged = ag.function(program)
    for values in ([1.5, 0.5, 2.5, 4.0], [2.0]):
        xs, n = rt.constant(values), rt.constant(3)
        assert shown(staged(xs, n)) == shown(program(xs, n))
        concrete = staged.get_concrete_function(xs, n)
        arrays = [xs.numpy(), n.numpy()]
        outputs = run(concrete.graph, arrays)
        for one, other in zip(outputs, printed_function(concrete.graph).run(arrays), strict=True):
            assert repr(one) == repr(other)


@pytest.mark.parametrize("program", PROGRAMS)
def test_calls_share_no_list_state(program: Callable[..., Any]) -> None:
    staged = ag.function(program)
    xs, n = rt.constant([1.5, 3.0]), rt.constant(4)
    assert shown(staged(xs, n)) == shown(staged(xs, n))


def test_popping_an_empty_list_raises_index_error() -> None:
    with pytest.raises(IndexError, match="pop from empty list"):
        ag.function(that_are_emptied)(rt.constant([1.0, 2.0]), rt.constant(0))


@pytest.mark.parametrize("at", [0.7, 1.3, -0.4])
@pytest.mark.parametrize("program", LOOPS)
def test_gradients_agree_with_finite_differences(program: Callable[..., Any], at: float) -> None:
    @ag.function
    def gradient(x: Any, n: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = program(x, n)
        return tape.gradient(y, x)

    staged = ag.function(program)
    for n in (rt.constant(0), rt.constant(3)):
        x, step = rt.constant(at, rt.float64), 1e-6
        with rt.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = staged(x, n)
        high, low = (float(program(x + by, n)) for by in (step, -step))
        expected = (high - low) / (2 * step)
        found = [gradient(x, n), tape.gradient(y, x), tape.gradient(y, x)]
        np.testing.assert_allclose(list(map(float, found)), [expected] * 3, rtol=1e-6)


@pytest.mark.parametrize("program", LOOPS)
def test_residuals_of_a_loop_are_python_lists(program: Callable[..., Any]) -> None:
    @ag.function
    def gradient(x: Any, n: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = program(x, n)
        return tape.gradient(y, x)

    concrete = gradient.get_concrete_function(rt.constant(1.0, rt.float64), rt.constant(3))
    source = concrete.executable.source
    assert ".append((" in source and ".pop()" in source and "rt_list" not in source


def test_checkpointed_gradients_of_higher_order() -> None:
    x, v = rt.constant(0.7), rt.constant([0.3, -0.5, 0.9])

    def third(x: Any, v: Any, order: int) -> Any:
        if order:
            with rt.GradientTape(residuals="checkpoint") as tape:
                tape.watch([x, v])
                y = third(x, v, order - 1)
                y = rt.reduce_sum(y + 0.2 * rt.cos(0.7 + y))
            return rt.concat([rt.reshape(each, [-1]) for each in tape.gradient(y, [x, v, W])], 0)
        if x > 1.0:
            return rt.cos(W[-1])
        y = x * x
        for each in v:
            y = 0.5 * each + rt.sin(-W[0])
        return y + x

    staged = ag.function(third)
    for order in (1, 2):
        np.testing.assert_allclose(staged(x, v, order), third(x, v, order), rtol=1e-5)
