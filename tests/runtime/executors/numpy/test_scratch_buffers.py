"""Scratch buffers: loops reuse memory invisibly."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors import run
from runtime.executors.numpy import buffer_reuse, scratch_buffers
from runtime.executors.numpy.printed_function import printed_function
from runtime.graph import Graph
from tests.runtime.executors.numpy.test_random_graphs import observed_runs
from tests.runtime.passes.random_graphs import random_graph
from tests.suite_length import sample

SHAPE = (80, 80)
SPEC = rt.TensorSpec(SHAPE, rt.float32)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every array be large enough for a buffer."""
    for module in (buffer_reuse, scratch_buffers):
        monkeypatch.setattr(module, "MIN_REUSED_BYTES", 1)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("block", sample(range(200, 320, 20), 2))
def test_random_graphs_agree_with_the_interpreter(block: int) -> None:
    for seed in range(block, block + 20):
        made = random_graph(seed)
        wanted = observed_runs(made, lambda given, graph=made.graph: run(graph, given))  # type: ignore[misc]
        assert wanted == observed_runs(made, printed_function(made.graph).run), seed


def matrix(seed: int) -> Any:
    return np.random.default_rng(seed).standard_normal(SHAPE).astype(np.float32)


def source_of(function: Callable[..., Any], *args: Any) -> str:
    return ag.function(function).get_concrete_function(*args).executable.source


def test_a_training_loop_allocates_no_new_arrays() -> None:
    w, m = rt.Variable(matrix(0)), rt.Variable(matrix(1))

    def train(x: Any) -> Any:
        for _ in rt.range(6):
            m.assign(0.9 * m + 0.1 * rt.matmul(x, w))
            w.assign_sub(0.01 * m)
        return rt.reduce_sum(w)

    text = source_of(train, SPEC)
    assert 2 == text.count("= freed(") and "np_empty((80, 80), float32)" in text
    first, second = w.numpy(), m.numpy()
    ag.function(train)(matrix(2))
    for _ in range(6):
        product = np.matmul(matrix(2), first)
        second = np.float32(0.9) * second + np.float32(0.1) * product
        first = first - np.float32(0.01) * second
    np.testing.assert_array_equal(first, w.numpy())
    np.testing.assert_array_equal(second, m.numpy())


def test_values_read_before_an_assignment_are_unchanged() -> None:
    w = rt.Variable(matrix(0))

    @ag.function
    def grown(x: Any) -> Any:
        before = w.read_value()
        kept = before[1:3]
        for i in rt.range(5):
            now = w.read_value()
            if i == 2:
                before, kept = now, now[4:6]
            w.assign(now * 1.5 + x)
        return before, kept, w.read_value()

    outside = w.read_value()
    was, x, seen_at = w.numpy(), matrix(1), []
    for _ in range(6):
        seen_at.append(was)
        was = was * np.float32(1.5) + x
    before, kept, after = grown(x)
    np.testing.assert_array_equal(matrix(0), outside)
    np.testing.assert_array_equal(seen_at[2], before)
    np.testing.assert_array_equal(seen_at[2][4:6], kept)
    np.testing.assert_array_equal(seen_at[5], after)
    grown(x)
    np.testing.assert_array_equal(seen_at[5], after)


def test_one_array_in_two_variables_is_two_values() -> None:
    v, w = rt.Variable(matrix(0)), rt.Variable(matrix(1))

    @ag.function
    def both(x: Any) -> None:
        for _ in rt.range(4):
            new = v * 0.5 + x
            v.assign(new)
            w.assign(new)
            v.assign(new * 2.0)

    was, x = v.numpy(), matrix(2)
    both(x)
    for _ in range(4):
        new = was * np.float32(0.5) + x
        was = new * np.float32(2.0)
    np.testing.assert_array_equal(new, w.numpy())
    np.testing.assert_array_equal(was, v.numpy())


def test_a_value_assigned_in_one_branch_keeps_its_buffer() -> None:
    best = rt.Variable(np.zeros(SHAPE, np.float32))

    @ag.function
    def search(x: Any, n: Any) -> Any:
        total = x
        for i in rt.range(n):
            found = rt.sin(x * rt.cast(i, rt.float32))
            if i == 1:
                best.assign(found)
            if i == 3:
                break
            total = total + found * 2.0
        return total

    x = matrix(3)
    search(x, 9)
    np.testing.assert_array_equal(np.sin(x * np.float32(1)), best.numpy())


@pytest.mark.parametrize("order", ["C", "F"])
def test_memory_layout_agrees_with_unbuffered_execution(order: Any) -> None:
    def scaled(x: Any, n: Any) -> Any:
        v.assign(x)
        total = rt.zeros([SHAPE[0]])
        for _ in rt.range(n):
            held = v * 1.01
            total += rt.reduce_sum(held + y, 1) + rt.reduce_sum(held * 3.0, 1)
            v.assign(held * 0.99 + y)
        return total, rt.reduce_sum(v)

    y = rt.constant(matrix(5))
    v = rt.Variable(np.zeros(SHAPE, np.float32))
    graph = ag.function(scaled).get_concrete_function(SPEC, rt.TensorSpec((), "int32")).graph
    x = np.asarray(matrix(4), order=order)
    wanted = run(graph, [x, np.array(5, np.int32)])
    assert [each.tobytes() for each in wanted] == [
        each.tobytes() for each in printed_function(graph).run([x, np.array(5, np.int32)])
    ]


def test_values_read_by_another_thread_do_not_change() -> None:
    v = rt.Variable(np.zeros(SHAPE, np.float32))

    @ag.function
    def count(n: Any) -> None:
        for _ in rt.range(n):
            v.assign_add(v * 0.0 + 1.0)

    count(1)
    is_done = threading.Event()
    torn: list[Any] = []

    def look() -> None:
        while not is_done.is_set():
            held = v.read_value()
            first = held.numpy().copy()
            if first.min() != first.max() or (held.numpy() != first).any():
                torn.append(first)

    thread = threading.Thread(target=look)
    thread.start()
    count(3000)
    is_done.set()
    thread.join()
    assert not torn and 3001 == v.numpy().max()


def test_a_shared_array_is_not_freed() -> None:
    def given(array: Any) -> Any:
        return scratch_buffers.freed(array, (3, 4), np.dtype("f4"))

    made = np.zeros((3, 4), np.float32)
    view = made[1:]
    assert scratch_buffers.freed(made, (3, 4), made.dtype) is not made
    del view
    assert scratch_buffers.freed(made, (3, 4), made.dtype) is made
    assert scratch_buffers.freed(made, (4, 3), made.dtype).shape == (4, 3)
    assert given(made[:, ::2]).shape == (3, 4)
    read_only = np.zeros((3, 4), np.float32)
    read_only.flags.writeable = False
    assert scratch_buffers.freed(read_only, (3, 4), made.dtype) is not read_only


def test_graphs_without_loops_have_no_scratch_buffers() -> None:
    graph = Graph("plain")
    x = graph.add_input(SPEC, "x")
    with graph.recording():
        graph.set_outputs([x * 2.0 + 1.0])
    assert "buffer" not in printed_function(graph).source


def test_residuals_of_a_gradient_are_not_overwritten() -> None:
    w = rt.Variable(matrix(6) * np.float32(0.01))

    @ag.function
    def steps(x: Any, n: Any) -> Any:
        total = rt.constant(0.0)
        for _ in rt.range(n):
            with rt.GradientTape() as tape:
                y, i = x, rt.constant(0)
                while i < 3:
                    y = rt.tanh(rt.matmul(y, w)) * 0.5 + y
                    i += 1
                loss = rt.reduce_mean(y * y)
            w.assign_sub(0.1 * tape.gradient(loss, w))
            total += loss
        return total, w.read_value()

    spec = rt.TensorSpec((), rt.int32)
    graph = steps.get_concrete_function(SPEC, spec).graph
    first, given = w.numpy(), [matrix(7), np.array(4, np.int32)]
    wanted = run(graph, given)
    w.assign(first)
    found = printed_function(graph).run(given)
    assert [each.tobytes() for each in wanted] == [each.tobytes() for each in found]
    assert "= freed(" in printed_function(graph).source
