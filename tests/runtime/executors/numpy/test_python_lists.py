"""Lists and TensorArrays of numbers are printed as lists of Python's, changed in place."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from tests.runtime.executors.graphs import body_of, both


def gathered(x):
    out = []
    for v in x:
        if v % 2 == 0:
            out.append(v * v)
    return rt.stack(out)


def popped(n):
    stack = []
    for i in rt.range(n):
        stack.append(i * i)
    total = rt.constant(0)
    while len(stack) > 2:
        total = total * 3 + stack.pop()
        if len(stack) > 5:
            total += stack.pop(0) - stack.pop(1)
    return total, stack


def popped_too_often(n):
    stack = []
    for i in rt.range(n):
        stack.append(i)
    total = rt.constant(0)
    for _ in rt.range(n + 1):
        total += stack.pop()
    return total


def read_at(x, i):
    items = []
    for v in x:
        items.append(v)
    return items[i]


def set_at(x, i):
    items = []
    for v in x:
        items.append(v)
    items[i] = 7
    return rt.stack(items)


def two_names(n):
    one = []
    for i in rt.range(n):
        one.append(i)
    other = list(one)
    for i in rt.range(n):
        other[i] = other[i] * 10 + one[n - 1 - i]
    return rt.stack(one), rt.stack(other)


def the_list_of_the_iteration_before(n):
    kept, grown = [0], [0]
    for i in rt.range(n):
        kept = grown
        grown = grown + [i]
    return rt.stack(kept), rt.stack(grown)


def floats_of(x):
    out = []
    for v in x:
        out.append(v * 0.1)
        out.append(v)
    return rt.stack(out)


def rows_of_arrays(n):
    out = []
    for i in rt.range(n):
        out.append(rt.stack([i, i * 2]))
    return rt.stack(out)


def in_both_branches(x):
    out = []
    for v in x:
        if v > 2:
            out.append(v)
        else:
            out = [v]
    return out


@pytest.mark.parametrize("function", [gathered, floats_of, in_both_branches])
@pytest.mark.parametrize("x", [[1], [1, 2, 3, 4], [4, 6, 1, 9, 9]])
def test_lists_over_arrays(function, x):
    dtype = np.float32 if function is floats_of else np.int32
    _alike(function, np.array(x, dtype))


@pytest.mark.parametrize(
    "function",
    [popped, popped_too_often, two_names, the_list_of_the_iteration_before, rows_of_arrays],
)
@pytest.mark.parametrize("n", [1, 4, 12])
def test_lists_that_grow_and_shrink(function, n):
    _alike(function, n)


@pytest.mark.parametrize("function", [read_at, set_at])
@pytest.mark.parametrize("i", [0, 2, 3, -1, -3, -4, 2**31 - 1])
def test_places_of_lists_and_errors(function, i):
    _alike(function, np.array([3, 1, 4], np.int32), i)


def fibonacci(n):
    found = rt.TensorArray(rt.int32, size=n, element_shape=(), clear_after_read=False)
    found = found.write(0, 1)
    for i in rt.range(1, n):
        found = found.write(i, found.read(i - 1) + found.read(rt.maximum(i - 2, 0)))
    return found.stack()


def unwritten(n):
    found = rt.TensorArray(rt.float32, size=n, element_shape=(), clear_after_read=False)
    for i in rt.range(0, n, 2):
        found = found.write(i, rt.cast(i, rt.float32) * 0.1)
    return found.read(n - 1), found.stack(), found.size()


def sorted_by_bubbles(x):
    n = rt.size(x)
    items = rt.TensorArray(rt.int32, size=n, element_shape=(), clear_after_read=False).unstack(x)
    for i in rt.range(n):
        for j in rt.range(n - 1 - i):
            a, b = items.read(j), items.read(j + 1)
            if a > b:
                items = items.write(j, b).write(j + 1, a)
    return items.stack()


def written_at(n, i):
    items = rt.TensorArray(rt.int32, size=n, element_shape=(), clear_after_read=False)
    for k in rt.range(2):
        items = items.write(i + k, k)
    return items.stack()


def an_old_one(n):
    items = rt.TensorArray(rt.int32, size=n, element_shape=(), clear_after_read=False)
    old = items
    for i in rt.range(n):
        old = items
        items = items.write(i, i + 1)
    return old.stack(), items.stack()


@pytest.mark.parametrize("function", [fibonacci, unwritten, an_old_one])
@pytest.mark.parametrize("n", [1, 2, 9])
def test_tensor_arrays(function, n):
    _alike(function, n)


@pytest.mark.parametrize("i", [0, 1, 2, -1, -2, 5])
@pytest.mark.parametrize("n", [3, 0, -1])
def test_places_of_tensor_arrays_and_errors(n, i):
    _alike(written_at, n, i)


def test_sorting_in_a_tensor_array():
    _alike(sorted_by_bubbles, np.array([5, 1, 4, 4, -2], np.int32))


def test_numbers_are_stored_in_python_lists():
    assert "list_append.append(gather)" in body_of(floats_of, np.ones(200, np.float32))
    assert "rt_list" not in body_of(popped_too_often, 3)
    assert "rt_tensor_array" not in body_of(sorted_by_bubbles, [3, 1])
    # Somebody still looks at the one before.
    assert "rt_list_append" in body_of(the_list_of_the_iteration_before, 3)


def _alike(function, *arguments):
    printed, interpreted = both(function, *arguments)
    assert interpreted == printed
