"""In-place updates of arrays are invisible to the program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from tests.runtime.executors.graphs import body_of, both
from tests.suite_length import sample

put = rt.tensor_scatter_nd_update


def prime_flags(x: Any, n: Any) -> Any:
    is_prime = rt.ones([n], rt.bool)
    for i in rt.range(2, n):
        if is_prime[i]:
            j = i * i
            while j < n:
                is_prime = put(is_prime, [[j]], [False])
                j += i
    return is_prime


def sorted_by_bubbles(x: Any, n: Any) -> Any:
    for i in rt.range(rt.size(x)):
        for j in rt.range(rt.size(x) - 1 - i):
            a, b = x[j], x[j + 1]
            if a > b:
                x = put(x, [[j], [j + 1]], [b, a])
    return x


def of_an_argument(x: Any, n: Any) -> Any:
    y = x
    for i in rt.range(rt.size(x)):
        y = put(y, [[i]], [x[i] * n])
    return x, y


def the_one_before(x: Any, n: Any) -> Any:
    old = x
    for i in rt.range(rt.size(x)):
        old = x
        x = put(x, [[i]], [x[i] + old[0]])
    return old, x


def one_of_each_iteration(x: Any, n: Any) -> Any:
    kept = []
    for i in rt.range(rt.size(x)):
        x = put(x, [[i]], [i])
        kept.append(x)
    return rt.stack(kept)


def swapped(x: Any, n: Any) -> Any:
    y = x * 2
    for i in rt.range(rt.size(x)):
        x = put(x, [[i]], [y[i] + 1])
        x, y = y, x
    return x, y


def at_any_place(x: Any, n: Any) -> Any:
    for i in rt.range(3):
        x = put(x, [[n - i]], [i])
    return x


def at_two_places(x: Any, n: Any) -> Any:
    for i in rt.range(3):
        x = put(x, [[i], [n]], [7, x[0]])
    return x


def added(x: Any, n: Any) -> Any:
    for i in rt.range(rt.size(x)):
        x = rt.tensor_scatter_nd_add(x, [[i], [0]], [n, 2**31 - 1])
    return x


def of_extremes(x: Any, n: Any) -> Any:
    for i in rt.range(rt.size(x)):
        x = rt.tensor_scatter_nd_max(x, [[i]], [n])
        x = rt.tensor_scatter_nd_min(x, [[0]], [i])
    return x


def rows(x: Any, n: Any) -> Any:
    table = rt.zeros([4, rt.size(x)], rt.int32)
    for i in rt.range(1, 4):
        above = table[i - 1]
        table = put(table, [[i - 1]], [x * i])
        table = put(table, [[i]], [above + table[0]])
        table = put(table, [[i, 0], [0, i]], [n, above[0]])
    return table, rt.reduce_sum(table, axis=0)


def a_row_that_stays(x: Any, n: Any) -> Any:
    table = rt.stack([x, x * 2, x * 3])
    row = table[0]
    for i in rt.range(3):
        row = table[i]
        table = put(table, [[i]], [row * 0])
    return row, table


def rows_that_others_take(x: Any, n: Any) -> Any:
    y, old = x + 0, x
    for i in rt.range(rt.size(x)):
        row = rt.stack([i])
        rows = rt.stack([row])
        old, x = x, put(x, rows, [n])
        y = put(y, rows, [n + 1])
        y = put(y, rt.stack([row, [0]]), [i, n])
    return old, x, y


def in_a_branch(x: Any, n: Any) -> Any:
    y = x
    for i in rt.range(rt.size(x)):
        if x[i] > n:
            x = put(x, [[i]], [0])
        elif x[i] == n:
            y = x
    return x, y


def return_early(x: Any, n: Any) -> Any:
    for i in rt.range(rt.size(x)):
        x = put(x, [[i]], [-1])
        if i == n:
            return x, rt.reduce_sum(x)
    return x, rt.constant(0)


def restarted_in_an_outer_loop(x: Any, n: Any) -> Any:
    total = x
    for i in rt.range(3):
        y = x
        for j in rt.range(rt.size(x)):
            y = put(y, [[j]], [i + j])
        total += y
    return total, x


def restarted_in_the_same_loop(x: Any, n: Any) -> Any:
    y = x
    for i in rt.range(rt.size(x)):
        if i % 2 == 0:
            y = x
        y = put(y, [[i]], [n])
    return x, y


def a_large_row(x: Any, n: Any) -> Any:
    table = rt.zeros([2, 400_000], rt.int32)
    table = put(table, [[1]], [rt.fill([400_000], n)])
    table = put(table, [[0]], [rt.fill([400_000], n) + x[0]])
    return table[:, 1], rt.reduce_sum(table, 1)


def tried(x: Any, n: Any) -> Any:
    for i in rt.range(rt.size(x)):
        try:
            x = put(x, [[i], [i + n]], [7, n])
            x = put(x, [[i]], [n])
        except rt.errors.InvalidArgumentError:
            x = put(x, [[0]], [x[0] + 1])
    return x


def iterated(x: Any, n: Any) -> Any:
    total = 0
    for v in x:
        x = put(x, [[rt.size(x) - 1]], [v + 1])
        total += v
    return total, x


def of_what_a_variable_holds(x: Any, n: Any) -> Any:
    W.assign(x)
    y = W.read_value()
    for i in rt.range(rt.size(x)):
        y = put(y, [[i]], [i])
        if i == n:
            W.assign(y)
    return W.read_value(), y


def elements_of_variables(x: Any, n: Any) -> Any:
    V.assign([1, 2, 3, 4])
    T.assign([[0, 1, 2], [3, 4, 5]])
    before = V.read_value()
    for v in x:
        V.scatter_nd_update([[n]], [v])
        V.scatter_nd_add([[0], [n]], [v, 1])
        V[n - 1].assign(v)
        T[1, n - 2].assign(v)
        T[0].assign(V[1:] + n)
        T.scatter_nd_update([[1]], [T[0] * 2])
        T.scatter_nd_add([[1, 0]], [V[0]])
    return before, V.read_value(), T.read_value()


def rows_for_a_variable_of_any_shape(x: Any, n: Any) -> Any:
    W.assign([1, 2, 3, 4])
    for i in rt.range(n):
        rows = rt.stack([rt.stack([i])])
        W.scatter_nd_update(rows, [7])
        W.scatter_nd_add(rows, [x[0]])
    return W.read_value()


def variables_after_an_error(x: Any, n: Any) -> Any:
    for i in rt.range(rt.size(x)):
        V[i - n].assign(x[i])
        V.scatter_nd_update([[i]], [n])
    return V.read_value()


V, T = rt.Variable([1, 2, 3, 4]), rt.Variable([[0, 1, 2], [3, 4, 5]])
W = rt.Variable([1, 2, 3, 4], shape=rt.TensorShape(None))
PROGRAMS = [each for each in list(globals().values()) if getattr(each, "__module__", 0) == __name__]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("n", sample([0, 2, 3, -1, 9], 3))
def test_in_place_updates_agree_with_the_interpreter(program: Any, n: int) -> None:
    for x in ([5, 1, 4, 4], [3], [2**31 - 1, -7, 0, 8, 8, -2], list(range(40, 0, -1))):
        array = np.array(x, np.int32)
        printed, interpreted = both(program, array, n)
        assert interpreted == printed
        V.assign([1, 2, 3, 4])
        assert array.tolist() == x


def test_numbers_are_assigned() -> None:
    x = np.arange(60, dtype=np.int32)
    assert "is_prime[j if j >= 0 else nowhere] = False" in body_of(prime_flags, x, 9)
    assert "scatter" not in body_of(sorted_by_bubbles, x, 9)
    assert body_of(of_an_argument, x, 9).count(".copy()") == 1


@pytest.mark.parametrize(
    "program", [the_one_before, one_of_each_iteration, restarted_in_the_same_loop]
)
def test_an_array_that_is_still_read_is_copied(program: Any) -> None:
    assert "rt_tensor_scatter_nd_update(" in body_of(program, np.arange(60, dtype=np.int32), 9)
