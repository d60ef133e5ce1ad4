"""A gradient that is zero but at one index is added to a sum in place."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors import run
from runtime.executors.numpy.printed_function import printed_function
from runtime.ops.arrays.index import Index
from runtime.ops.grad.indexing import SLICED_BACK
from runtime.ops.op import apply
from runtime.passes import optimize, select_passes

X = np.array([[0.5, -1.0, 0.0], [2.0, -0.0, 3.0], [-2.5, 1.5, -0.25], [7.0, 0.125, -4.0]], "f4")


def of_rows(x, n):
    total = rt.constant(0.0)
    for i in rt.range(n):
        total += rt.reduce_sum(x[i % 4] ** 2 * x[0, 1])
    return total


def of_elements(x, n):
    total = rt.constant(0.0)
    for i in rt.range(n):
        v = x[i % 4, (i * 2) % 3]
        if v < 0:
            continue
        if v > 6:
            break
        total = total * 0.5 + v * v
    return total


def row_recurrence(x, n):
    total = rt.constant([0.0, 0.0, 0.0])
    for row in x:
        total = total * row + row
    return rt.reduce_sum(total) * rt.cast(n, rt.float32)


def from_the_end(x, n):
    total = rt.constant(0.0)
    for i in rt.range(n):
        total += rt.reduce_sum(x[-1 - i % 4, ::-1] * x[1])
    return total


def of_a_column(x, n):
    total = rt.constant(0.0)
    for i in rt.range(n):
        total += rt.reduce_prod(x[1:, i % 3])
    return total


def of_two_places(x, n):
    total = rt.constant(0.0)
    for i in rt.range(n):
        total += x[i % 4, 0] * x[(i + 1) % 4, 0]
    return total


def gathered(x, n):
    total = rt.constant(0.0)
    for i in rt.range(n):
        total += rt.reduce_sum(rt.gather(x, i % 4) * 3.0)
    return total


def infinite(x, n):
    total = rt.constant(0.0)
    for i in rt.range(n):
        total += rt.reduce_sum(1.0 / x[i % 4]) * 0.5
    return total


ALL = (
    *(of_rows, of_elements, row_recurrence, from_the_end, of_a_column, of_two_places),
    *(gathered, infinite),
)
IN_PLACE = (of_elements, row_recurrence, of_a_column, gathered, infinite)


def gradient_of(function):
    def gradient(x, n):
        with rt.GradientTape() as tape:
            tape.watch(x)
            total = function(x, n)
        return tape.gradient(total, x)

    return ag.function(gradient)


def traced(function):
    return gradient_of(function).get_concrete_function(rt.constant(X), rt.constant(2)).graph


@pytest.mark.parametrize("n", [0, 1, 3, 9])
@pytest.mark.parametrize("function", ALL)
def test_sums_are_the_same_to_the_last_bit(function, n):
    graph = traced(function)
    given = [X, np.array(n, np.int32)]
    (expected,) = run(graph, given)
    (found,) = run(optimize(graph, select_passes("scatter_accumulate")), given)
    (printed,) = printed_function(graph).run(given)
    assert expected.tobytes() == found.tobytes() == printed.tobytes()


@pytest.mark.parametrize("n", [1, 9])
@pytest.mark.parametrize("function", [each for each in ALL if each is not infinite])
def test_sums_agree_with_eager_tensors(function, n):
    staged = gradient_of(function)(rt.constant(X), rt.constant(n))
    with rt.GradientTape() as tape:
        x = rt.constant(X)
        tape.watch(x)
        total = function(x, n)
    np.testing.assert_allclose(staged.numpy(), tape.gradient(total, x).numpy(), rtol=2e-5)


@pytest.mark.parametrize("function", IN_PLACE)
def test_places_are_written_in_the_array_of_the_sum(function):
    source = printed_function(traced(function)).source
    assert "_back(" not in source and ".copy()\n    while" in source


def test_arguments_are_not_overwritten():
    staged, x, n = gradient_of(of_elements), rt.constant(X), rt.constant(3)
    first = staged(x, n)
    before = first.numpy().copy()
    second = staged(x, n)
    assert before.tobytes() == first.numpy().tobytes() == second.numpy().tobytes()


def _back(x):
    return apply(SLICED_BACK, (x[0], x), index=Index((0,)))


def test_a_sum_that_starts_with_negative_zero_is_not_rewritten():
    def added(x, n):
        total = rt.constant([-0.0, -0.0])
        for _ in rt.range(n):
            total = total + _back(x)
        return total

    graph = ag.function(added).get_concrete_function(rt.constant([1.0, 2.0]), rt.constant(1)).graph
    assert not any(each.op.name == "set_item" for each in optimize(graph).walk())
    (found,) = printed_function(graph).run([np.ones(2, np.float32), np.array(1, np.int32)])
    assert [1.0, 0.0] == found.tolist() and not np.signbit(found[1])


def test_a_gradient_with_other_uses_is_not_rewritten():
    def added(x, n):
        total, last = rt.constant([0.0, 0.0]), rt.constant([0.0, 0.0])
        for _ in rt.range(n):
            last = _back(x)
            total = total + last
        return total, last

    graph = ag.function(added).get_concrete_function(rt.constant([1.0, 2.0]), rt.constant(1)).graph
    assert not any(each.op.name == "set_item" for each in optimize(graph).walk())
    found = printed_function(graph).run([np.full(2, 3.0, np.float32), np.array(2, np.int32)])
    assert [[6.0, 0.0], [3.0, 0.0]] == [each.tolist() for each in found]
