"""Arrays that loops read element by element are converted to lists of numbers."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from tests.runtime.executors.graphs import body_of, both


def largest_at(x):
    best, at = x[0], 0
    for i in rt.range(1, rt.size(x)):
        if x[i] > best:
            best = x[i]
            at = i
    return at, best


def from_the_end(x, n):
    total = x[0] * 0
    for i in range(n):
        total = total * 3 + x[-1 - i]
    return total


def product_of(a, b):
    total = a[0, 0] * 0
    for i in rt.range(a.shape[0]):
        for j in rt.range(a.shape[1]):
            total = total * 3 + a[i, j] * b[j, (i + j) % 2]
    return total


def index_of(x, wanted):
    for i in rt.range(rt.size(x)):
        if x[i] == wanted:
            return i
    return -1


def changed_on_the_way(x, n):
    for i in range(n):
        x = rt.concat([x[1:], [x[0] + i]], 0)
    return x


def iterations_of_one_range(x, n):
    for _ in rt.range(n):
        if x > 9:
            x = x - 5
            continue
        for _ in rt.range(n):
            if x % 4 == 3:
                x = x + 2
                break
            x = x + 1
    return x


@pytest.mark.parametrize("dtype", ["int32", "uint8", "int64", "float32", "float64"])
@pytest.mark.parametrize("size", [1, 5, 300])
def test_vectors(dtype, size):
    x = (np.arange(size) * 7 % 11).astype(dtype)
    _alike(largest_at, x)
    for n in (0, 1, size, size + 1):
        _alike(from_the_end, x, n)
    _alike(index_of, x, x[size // 2])


@pytest.mark.parametrize("dtype", ["int8", "float32", "float64"])
@pytest.mark.parametrize("size", [2, 40])
def test_matrices(dtype, size):
    a = (np.arange(size * size) * 7 % 11).astype(dtype).reshape(size, size)
    _alike(product_of, a, a.T[:, ::-1])


def test_arrays_that_change_are_read_as_they_are():
    _alike(changed_on_the_way, np.arange(4, dtype=np.int32), 6)


def test_a_length_that_is_not_read_of_a_shape():
    for n in (0, 1, 4):
        _alike(iterations_of_one_range, 12, n)


def test_lists_are_created_only_for_enough_iterations():
    many = np.arange(5000, dtype=np.int32)
    assert "numbers_of(x)" in body_of(largest_at, many)
    assert "numbers_for(x, n)" in body_of(from_the_end, many, 3)
    assert "x.item(" in body_of(index_of, many, 3) or "elements(x)" in body_of(index_of, many, 3)


def _alike(function, *arguments):
    printed, interpreted = both(function, *arguments)
    assert interpreted == printed
