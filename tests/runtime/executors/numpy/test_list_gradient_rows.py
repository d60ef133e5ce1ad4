"""Gradients of TensorArray writes in loops are Python lists, changed in place."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.spec import TensorSpec
from runtime.executors.numpy.printed_function import printed_function
from runtime.ops.containers.item_gradients import picked, without
from runtime.ops.containers.list_gradients import as_rows
from tests.runtime.executors.graphs import body_of, both

ROW = np.array([[0.5, -1.0], [2.0, 0.25], [-0.5, 3.0]], np.float32)


def gradients_of_rows(x, n):
    with rt.GradientTape() as tape:
        tape.watch(x)
        found = rt.TensorArray(rt.float32, size=n)
        state = x[0]
        for i in rt.range(n):
            state = rt.tanh(state * x[i % 3]) + 0.1
            found = found.write(i, state)
        total = rt.reduce_sum(found.stack() ** 2)
    return tape.gradient(total, x)


def gradients_of_numbers(x, n):
    with rt.GradientTape() as tape:
        tape.watch(x)
        found = rt.TensorArray(rt.float32, size=0, dynamic_size=True)
        state = rt.constant(0.0)
        for i in rt.range(n):
            state = state * 0.9 + x[i % 3, 0]
            found = found.write(i, state)
        total = rt.reduce_sum(found.stack() ** 2)
    return tape.gradient(total, x)


def written_twice(x, n):
    with rt.GradientTape() as tape:
        tape.watch(x)
        found = rt.TensorArray(rt.float32, size=3, element_shape=[2])
        for i in rt.range(n):
            found = found.write(i % 3, x[i % 3] * rt.cast(i, rt.float32))
        total = rt.reduce_sum(found.stack() * x)
    return tape.gradient(total, x)


def written_in_a_branch(x, n):
    with rt.GradientTape() as tape:
        tape.watch(x)
        found = rt.TensorArray(rt.float32, size=n, element_shape=[2])
        for i in rt.range(n):
            if i % 2 == 0:
                found = found.write(i, x[i % 3] * 2.0)
            elif x[i % 3, 1] > 0:
                found = found.write(i, x[i % 3] * x[0])
        total = rt.reduce_sum(found.stack() ** 3)
    return tape.gradient(total, x)


def stacked_twice(x, n):
    with rt.GradientTape() as tape:
        tape.watch(x)
        found = rt.TensorArray(rt.float32, size=n, element_shape=[2], clear_after_read=False)
        for i in rt.range(n):
            found = found.write(i, x[i % 3] ** 2)
        first = found.stack()
        for i in rt.range(n):
            found = found.write(n - 1 - i, x[i % 3] ** 3)
        total = rt.reduce_sum(found.stack() * first)
    return tape.gradient(total, x)


def read_again(x, n):
    with rt.GradientTape() as tape:
        tape.watch(x)
        found = rt.TensorArray(rt.float32, size=n + 1, element_shape=[2], clear_after_read=False)
        found = found.write(0, x[0])
        for i in rt.range(n):
            found = found.write(i + 1, found.read(i) * x[i % 3])
        total = rt.reduce_sum(found.stack())
    return tape.gradient(total, x)


def in_two_loops(x, n):
    with rt.GradientTape() as tape:
        tape.watch(x)
        found = rt.TensorArray(rt.float32, size=n * 3, element_shape=[2])
        for i in rt.range(n):
            for j in rt.range(3):
                found = found.write(i * 3 + j, x[j] * x[0])
        total = rt.reduce_sum(found.stack() ** 2)
    return tape.gradient(total, x)


def gradients_of_gradients(x, n):
    with rt.GradientTape() as outer:
        outer.watch(x)
        gradient = gradients_of_rows(x, n)
    return outer.gradient(gradient, x)


def appended(x, n):
    with rt.GradientTape() as tape:
        tape.watch(x)
        state, found = x[0], []
        for i in rt.range(n):
            state = rt.tanh(state * x[i % 3])
            found.append(state)
        total = rt.reduce_sum(rt.stack(found) ** 2)
    return tape.gradient(total, x)


def appended_now_and_then(x, n):
    with rt.GradientTape() as tape:
        tape.watch(x)
        found = [x[1]]
        for i in rt.range(n):
            if i % 2 == 0:
                found.append(x[i % 3] * 2.0)
                found.append(x[i % 3] * x[0])
        total = rt.reduce_sum(rt.stack(found) ** 3)
    return tape.gradient(total, x)


def popped(x, n):
    with rt.GradientTape() as tape:
        tape.watch(x)
        found = [x[0]]
        for i in rt.range(n):
            found.append(x[i % 3] * 2.0)
        total = rt.reduce_sum(rt.stack(found) ** 2)
        for i in rt.range(n):
            total += rt.reduce_sum(found.pop() * x[i % 3])
        total *= rt.cast(len(found), rt.float32)
    return tape.gradient(total, x)


def earlier_list_unchanged(x, n):
    with rt.GradientTape() as tape:
        tape.watch(x)
        found, before = [x[0]], [x[0]]
        for i in rt.range(n):
            before = found + [x[i % 3]]
            found.append(x[i % 3] ** 2)
        total = rt.reduce_sum(rt.stack(found) ** 2) + rt.reduce_sum(rt.stack(before))
    return tape.gradient(total, x)


def appended_in_two_loops(x, n):
    with rt.GradientTape() as tape:
        tape.watch(x)
        found = []
        for i in rt.range(n):
            row = []
            for j in rt.range(i + 1):
                row.append(x[j % 3] * x[i % 3])
            found.append(rt.reduce_sum(rt.stack(row), axis=0))
        total = rt.reduce_sum(rt.stack(found) ** 2)
    return tape.gradient(total, x)


ALL = (
    appended,
    appended_now_and_then,
    popped,
    earlier_list_unchanged,
    appended_in_two_loops,
    gradients_of_rows,
    gradients_of_numbers,
    written_twice,
    written_in_a_branch,
    stacked_twice,
    read_again,
    in_two_loops,
    gradients_of_gradients,
)


@pytest.mark.parametrize("n", [1, 2, 3, 8])
@pytest.mark.parametrize("function", ALL)
def test_gradients_agree_with_the_interpreter(function, n):
    printed, interpreted = both(function, ROW, n)
    assert interpreted == printed


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("function", ALL)
def test_gradients_agree_with_eager_tensors(function, n):
    x = rt.constant(ROW)
    eager, staged = function(x, n), ag.function(function)(x, rt.constant(n))
    np.testing.assert_allclose(staged.numpy(), eager.numpy(), rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("function", [gradients_of_rows, gradients_of_numbers, written_twice])
def test_rows_are_picked_from_a_list(function):
    body = body_of(function, ROW, 3)
    assert "row_at(" in body and "rt_pick_item_gradients" not in body


def test_lists_that_are_appended_to_are_not_kept_iteration_by_iteration():
    body = body_of(appended, ROW, 3)
    assert "found.append(" in body and "del gradient" in body and "rt_list_append" not in body


def test_item_gradients_that_are_read_stay_values():
    assert "rt_pick_item_gradients" in body_of(read_again, ROW, 3)


def test_gradients_agree_with_finite_differences():
    def loss(x):
        state, total = x[0], 0.0
        for i in range(4):
            state = np.tanh(state * x[i % 3]) + 0.1
            total += (state**2).sum()
        return total

    (found,), _ = both(gradients_of_rows, ROW, 4)
    gradient = np.frombuffer(found[2], np.float32).reshape(3, 2)
    x, step = ROW.astype(np.float64), 1e-6
    for at in np.ndindex(3, 2):
        shift = np.zeros_like(x)
        shift[at] = step
        expected = (loss(x + shift) - loss(x - shift)) / (2 * step)
        assert expected == pytest.approx(gradient[at], rel=1e-4, abs=1e-5)


def test_rows_that_are_still_read_are_not_dropped_in_place():
    x = TensorSpec((3,), rt.float32)
    graph = rt.Graph("read_again")
    rows, at = graph.add_input(x, "rows"), graph.add_input(TensorSpec((), rt.int32), "at")
    with graph.recording():
        gradients = as_rows(rows, 0)
        rest = without(gradients, gradients, at)
        kept, gone = (picked(each, each, at, [rows[0]]) for each in (gradients, rest))
        graph.set_outputs([*kept, *gone])
    found = printed_function(graph).run(
        [np.array([5.0, 6.0, 7.0], np.float32), np.array(1, np.int32)]
    )
    assert [6.0, 0.0] == [each.item() for each in found]
