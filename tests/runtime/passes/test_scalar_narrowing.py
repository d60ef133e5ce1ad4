"""TensorArrays and lists of unknown shape whose items are scalars."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from tests.runtime.executors.graphs import body_of, both


def shortest_edits(a, b):
    m = rt.size(b)
    row = rt.TensorArray(rt.int32, size=m + 1, clear_after_read=False)
    for j in rt.range(m + 1):
        row = row.write(j, j)
    for i in rt.range(rt.size(a)):
        before = i
        row = row.write(0, i + 1)
        for j in rt.range(1, m + 1):
            old = row.read(j)
            least = rt.minimum(rt.minimum(old, before), row.read(j - 1)) + 1
            if a[i] == b[j - 1]:
                least = before
            row = row.write(j, least)
            before = old
    return row.read(m)


def read_back(n):
    found = rt.TensorArray(rt.float32, size=n)
    for i in rt.range(n):
        found = found.write(i, rt.cast(i, rt.float32) * 0.3)
    total = rt.constant(0.0)
    for i in rt.range(n):
        total += found.read(i)
    return total


def read_twice(n):
    found = rt.TensorArray(rt.int32, size=n)
    for i in rt.range(n):
        found = found.write(i, i)
    total = rt.constant(0)
    for i in rt.range(n + 1):
        total += found.read(i // 2)
    return total


def read_before_it_is_written(n):
    found = rt.TensorArray(rt.int32, size=5, clear_after_read=False)
    for i in rt.range(n, 5):
        found = found.write(i, i)
    return found.read(1) + 1, found.stack()


def grown(n):
    found = rt.TensorArray(rt.int32, size=0, dynamic_size=True)
    for i in rt.range(n):
        found = found.write(2 * i, i * i)
    return found.stack()


def grown_from(n):
    found = rt.TensorArray(rt.int32, size=0, dynamic_size=True)
    for i in rt.range(3):
        found = found.write(n + i, i * i)
    return found.stack()


def of_rows(n):
    found = rt.TensorArray(rt.int32, size=n, clear_after_read=False)
    for i in rt.range(n):
        found = found.write(i, rt.stack([i, i + 1]))
    return found.read(0) + 1


def of_rows_and_numbers(n):
    found = rt.TensorArray(rt.int32, size=2 * n, infer_shape=False, clear_after_read=False)
    for i in rt.range(n):
        found = found.write(i, i)
        found = found.write(i + n, rt.stack([i, i + 1]))
    return found.read(n) + found.read(0)


def in_branches(x):
    found = rt.TensorArray(rt.int32, size=rt.size(x), clear_after_read=False)
    for i in rt.range(rt.size(x)):
        if x[i] > 2:
            found = found.write(i, x[i])
        elif i > 0:
            found = found.write(i, found.read(i - 1) * 2)
        else:
            found = found.write(i, 1)
    return found.stack()


@pytest.mark.parametrize(
    "function",
    [read_back, read_twice, read_before_it_is_written, grown, grown_from, of_rows]
    + [of_rows_and_numbers],
)
@pytest.mark.parametrize("n", [0, 1, 2, 5, -1])
def test_results_and_errors_agree_with_the_interpreter(function, n):
    printed, interpreted = both(function, n)
    assert interpreted == printed


@pytest.mark.parametrize("x", [[1], [3, 1, 1, 4, 2], []])
def test_branches_may_write(x):
    printed, interpreted = both(in_branches, np.array(x, np.int32))
    assert interpreted == printed


@pytest.mark.parametrize("other", [[1], [2, 2, 3, 1], [1, 2, 3]])
def test_a_table_of_numbers(other):
    a, b = np.array([1, 2, 3, 1], np.int32), np.array(other, np.int32)
    printed, interpreted = both(shortest_edits, a, b)
    assert interpreted == printed
    assert "rt_" not in body_of(shortest_edits, a, b) and ".item()" not in body_of(
        shortest_edits, a, b
    )


def test_items_of_several_shapes_are_not_narrowed():
    assert "rt_tensor_array_read" not in body_of(read_back, 3)
    assert "rt_tensor_array_write" not in body_of(of_rows, 3)
    assert "rt_tensor_array_write" in body_of(of_rows_and_numbers, 3)
