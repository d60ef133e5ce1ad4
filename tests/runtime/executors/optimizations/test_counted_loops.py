"""Loops that only count are printed as loops over ranges and over the numbers of arrays."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.runtime.executors.graphs import body_of, both


def of_a_range(n):
    total = 0
    for i in rt.range(n):
        if i % 3 == 0:
            continue
        total += i
    return total


def of_a_python_range(n):
    total = 0
    for i in range(n):
        total += i
    return total


def by_twos(a, b, step):
    total = rt.constant(0)
    for i in rt.range(a, b, step):
        total = total * 3 + i
    return total


def counted_by_hand(n):
    i, total = 0, rt.constant(0)
    while i < n:
        total += i * i
        i += 1
    return total


def read_after_it_counted(n):
    i, total = 0, rt.constant(0)
    while i < n:
        i += 1
        total += i
    return total


def the_last_is_read(n):
    i = 0
    while i < n:
        i += 1
    return i


def the_limit_moves(n):
    i = 0
    while i < n:
        n = n - 1
        i += 1
    return n


def counts_on_one_path(n):
    i, iterations = 0, 0
    while i < n:
        iterations += 1
        if iterations % 2 == 0:
            i += 1
    return iterations


def of_elements(x):
    total = 0
    for v in x:
        if v > 6:
            break
        total += v
    return total


def the_last_element(x):
    last = rt.constant(-1)
    for v in x:
        last = v
    return last


def a_range_read_elsewhere(n):
    numbers = rt.range(n)
    total = 0
    for i in numbers:
        total += i * i
    return total + rt.reduce_sum(numbers)


def triangles(n):
    total = 0
    for i in range(1, n):
        for j in range(i, n):
            for k in range(j, n):
                total += i * j - k
    return total


def from_where_it_stands(n):
    start, total = n - 5, 0
    for i in range(start, n):
        start = start + i
        total += start
    return start, total


def started_by_a_swapped_counter(n):
    i, total = 0, 0
    for k in range(n):
        i, k = k, i
        while i < n:
            total += i
            i += 1
        total += k
    return total


def unused_behind(n, m):
    total = 0
    for i in range(n):
        for j in range(1, m):
            if j % 2 == 0:
                total += i
            _last = j * 2
    return total


def beyond_a_range(n):
    numbers = rt.range(n)
    return rt.gather(numbers, rt.abs(n)) * 1


def _alike(function, *arguments):
    printed, interpreted = both(function, *arguments)
    assert interpreted == printed


@pytest.mark.parametrize(
    "function",
    [of_a_range, of_a_python_range, counted_by_hand, read_after_it_counted, the_last_is_read]
    + [the_limit_moves, counts_on_one_path, a_range_read_elsewhere]
    + [triangles, from_where_it_stands, started_by_a_swapped_counter],
)
@pytest.mark.parametrize("n", [0, 1, 7, -3])
def test_iterations_agree_with_the_interpreter(function, n):
    _alike(function, n)


def test_loops_in_loops_are_printed_as_for():
    assert 3 == body_of(triangles, 3).count("for ")
    assert 2 == body_of(unused_behind, 3, 4).count("for ")
    assert " * 2" not in body_of(unused_behind, 3, 4)
    _alike(unused_behind, 3, 4)


@pytest.mark.parametrize("bounds", [(0, 9, 2), (9, 0, -2), (4, 4, 1), (-3, 3, 1), (3, 0, 1)])
def test_ranges_go_in_all_directions(bounds):
    _alike(by_twos, *bounds)


@pytest.mark.parametrize("x", [[1, 2, 3], [7, 1], [], list(range(-700, 700))])
def test_elements_are_numbers(x):
    _alike(of_elements, np.array(x, np.int32))
    _alike(the_last_element, np.array(x, np.int32))


def test_loops_that_count_are_printed_as_for():
    assert "for gather in range_1:" in body_of(of_a_range, 3)
    assert "in range(n):" in body_of(of_a_python_range, 3)
    assert "in range(n):" in body_of(counted_by_hand, 3)
    assert "for gather in elements(x):" in body_of(of_elements, [1, 2])
    for kept in (read_after_it_counted, the_last_is_read, the_limit_moves, counts_on_one_path):
        assert "while " in body_of(kept, 3)


def test_errors_of_ranges_agree_with_kernels():
    with pytest.raises(rt.errors.InvalidArgumentError, match="delta of a range cannot be 0"):
        ag.function(by_twos)(rt.constant(0), rt.constant(3), rt.constant(0))
    with pytest.raises(rt.errors.InvalidArgumentError, match="is not in"):
        ag.function(beyond_a_range)(rt.constant(3))
