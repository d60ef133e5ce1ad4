"""TensorArrays of equally shaped arrays are printed as Python lists."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors import run
from runtime.executors.numpy.printed_function import printed_function
from tests.runtime.executors.graphs import body_of, both, graph_of


def written_and_stacked(n):
    found = rt.TensorArray(rt.float32, size=n)
    for i in rt.range(n):
        found = found.write(i, rt.fill([2, 3], rt.cast(i, rt.float32) * 0.3))
    return found.stack()


def grown(n):
    found = rt.TensorArray(rt.int32, size=0, dynamic_size=True)
    for i in rt.range(n):
        found = found.write(2 * i, rt.stack([i, i + 1]))
    return found.stack()


def grown_to(n):
    found = rt.TensorArray(rt.int32, size=0, dynamic_size=True, element_shape=[2])
    for i in rt.range(n):
        found = found.write(n - i - 1, rt.stack([i, i + 1]))
    return found.stack(), found.size()


def of_known_shape(n):
    found = rt.TensorArray(rt.int32, size=n, element_shape=[2], clear_after_read=False)
    for i in rt.range(n - 2):
        found = found.write(i, rt.stack([i, i * i]))
    total = rt.constant([0, 0])
    for i in rt.range(n):
        total += found.read(i)
    return total, found.concat()


def read_twice(n):
    found = rt.TensorArray(rt.int32, size=n, element_shape=[2])
    for i in rt.range(n):
        found = found.write(i, rt.stack([i, i]))
    total = rt.constant([0, 0])
    for i in rt.range(n + 1):
        total += found.read(i // 2)
    return total


def of_rows(n):
    rows = rt.reshape(rt.range(3 * n), [n, 3])
    found = rt.TensorArray(rt.int32, size=n).unstack(rows)
    total = rt.constant([0, 0, 0])
    for i in rt.range(n):
        total = total * 2 + found.read(n - 1 - i)
    return total


def of_complex_numbers(n):
    found = rt.TensorArray(rt.complex64, size=n)
    for i in rt.range(n):
        found = found.write(i, rt.complex(rt.cast(i, rt.float32), 1.0))
    return found.stack()


def of_texts(n):
    found = rt.TensorArray(rt.string, size=n, clear_after_read=False, element_shape=[2])
    for i in rt.range(1, n):
        found = found.write(i, rt.stack([rt.as_string(i), "x"]))
    return found.stack()


def in_branches(n):
    found = rt.TensorArray(rt.int32, size=n, clear_after_read=False, element_shape=[2])
    for i in rt.range(n):
        if i % 3 == 0:
            found = found.write(i, rt.stack([i, 7]))
        elif i % 3 == 1:
            found = found.write(i, found.read(i - 1) * 2)
    return found.stack()


def an_old_one(n):
    one = rt.TensorArray(rt.int32, size=n, element_shape=[2], clear_after_read=False)
    other = one
    for i in rt.range(n):
        one = other
        other = other.write(i, rt.stack([i, i]))
    return one.stack(), other.stack()


def two_lists_at_once(n):
    one = rt.TensorArray(rt.int32, size=n, element_shape=[2])
    other = rt.TensorArray(rt.float32, size=n, element_shape=[1])
    for i in rt.range(n):
        one = one.write(i, rt.stack([i, i]))
        other = other.write(i, rt.cast(rt.stack([i]), rt.float32))
    return one.stack(), other.stack()


def written_where_it_is_changed(n):
    row = rt.constant([0, 0, 0])
    found = rt.TensorArray(rt.int32, size=n, element_shape=[3])
    for i in rt.range(n):
        row = rt.tensor_scatter_nd_update(row, [[i % 3]], [i + 1])
        found = found.write(i, row)
    return found.stack(), row


def given_back(n):
    found = rt.TensorArray(rt.int32, size=n, element_shape=[2], clear_after_read=False)
    for i in rt.range(n - 1):
        found = found.write(i, rt.stack([i, i]))
    return found.read(0), found.read(n - 1)


def never_written(n):
    found = rt.TensorArray(rt.int32, size=3, clear_after_read=False)
    for i in rt.range(n):
        found = found.write(2, rt.stack([i, i]))
    return found.read(0) + 1


ALL = (
    never_written,
    written_and_stacked,
    grown,
    grown_to,
    of_known_shape,
    read_twice,
    of_rows,
    of_complex_numbers,
    of_texts,
    in_branches,
    an_old_one,
    two_lists_at_once,
    written_where_it_is_changed,
    given_back,
)
KEPT_AS_LISTS = tuple(each for each in ALL if each not in (an_old_one,))


@pytest.mark.parametrize("n", [0, 1, 2, 7, -1])
@pytest.mark.parametrize("function", ALL)
def test_results_and_errors_agree_with_the_interpreter(function, n):
    printed, interpreted = both(function, n)
    assert interpreted == printed


@pytest.mark.parametrize("function", KEPT_AS_LISTS)
def test_tensor_arrays_of_arrays_are_printed_as_lists(function):
    assert "rt_tensor_array" not in body_of(function, 3)


def written_at(n, i):
    found = rt.TensorArray(rt.int32, size=n, element_shape=[2], clear_after_read=False)
    found = found.write(i, [3, 4])
    return found.read(n - 1) + found.read(i)


def read_at(n, i):
    found = rt.TensorArray(rt.int32, size=0, dynamic_size=True, clear_after_read=False)
    for j in rt.range(n):
        found = found.write(j, [j, 4])
    return found.read(i) + 1


@pytest.mark.parametrize("function", [written_at, read_at])
@pytest.mark.parametrize("i", [0, 1, 2, -1, -2, 5])
@pytest.mark.parametrize("n", [3, 0, -1])
def test_indices_and_errors_agree_with_the_interpreter(function, n, i):
    printed, interpreted = both(function, n, i)
    assert interpreted == printed


def test_unwritten_elements_are_not_shared():
    function = ag.function(given_back)
    first, last = (each.numpy() for each in function(rt.constant(3)))
    last += 5
    again = function(rt.constant(3))
    assert [[0, 0], [0, 0]] == [each.numpy().tolist() for each in again]


def test_rows_lie_in_memory_as_numpy_stacks_them():
    def stacked(x):
        found = rt.TensorArray(rt.float32, size=3)
        for i in rt.range(3):
            found = found.write(i, rt.transpose(x) * rt.cast(i, rt.float32))
        return found.stack()

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    graph = graph_of(stacked, x)
    (printed,), (interpreted,) = printed_function(graph).run([x]), run(graph, [x])
    assert interpreted.tolist() == printed.tolist()
    assert interpreted.strides == printed.strides
