"""Tapes inside of functions and around them agree with plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

V = rt.Variable(1.5)


def branches(x: Any, n: Any) -> Any:
    y = x
    if rt.reduce_sum(x) > 1.0:
        y = y * x * V
    elif n > 2:
        y = rt.sin(y)
    return y


def loop_with_exits(x: Any, n: Any) -> Any:
    y, i = x, 0
    while i < n:
        i += 1
        if rt.reduce_sum(y) > 40.0:
            break
        if i % 3 == 2:
            continue
        y = y * x + V
    return y


def loop_that_returns(x: Any, n: Any) -> Any:
    y = x
    for i in rt.range(n):
        y = y * x + rt.cast(i, rt.float32)
        if rt.reduce_sum(y) > 20.0:
            return y * V
    return y + x


def loops_in_loops(x: Any, n: Any) -> Any:
    y = x
    for i in rt.range(n):
        for _ in rt.range(i):
            y = rt.sin(y) * V + x
    return y


def grown_list(x: Any, n: Any) -> Any:
    items = []
    for i in rt.range(n):
        items.append(x * rt.cast(i + 1, rt.float32))
    total = x
    for item in items:
        total = total + item * item * V
    return total


def tensor_array(x: Any, n: Any) -> Any:
    array = rt.TensorArray(rt.float32, size=0, dynamic_size=True)
    y = x
    for i in rt.range(n):
        y = y * V
        array = array.write(i, y)
    return rt.reduce_sum(array.stack()) + rt.reduce_sum(x)


def calls(x: Any, n: Any) -> Any:
    return square(x) + square(x * V)


@ag.function
def square(x: Any) -> Any:
    return x * x


def recursion(x: Any, n: Any) -> Any:
    if n <= 1:
        return rt.sin(x) * V
    return recursion(x * 0.9, n - 1) * x + recursion(x + 0.1, n - 2)


PROGRAMS = [
    branches,
    loop_with_exits,
    loop_that_returns,
    loops_in_loops,
    grown_list,
    tensor_array,
    calls,
    recursion,
]


def gradients(program: Callable[..., Any], x: Any, n: Any, residuals: str = "store") -> list[Any]:
    with rt.GradientTape() as outer:
        outer.watch(x)
        with rt.GradientTape(residuals=residuals) as tape:
            tape.watch(x)
            y = rt.reduce_sum(program(x, n))
        first = tape.gradient(y, [x, V], unconnected_gradients="zero")
    second = outer.gradient(first, [x, V], unconnected_gradients="zero")
    return [y, *first, *second]


def numbers(tensors: Any) -> list[Any]:
    return [each.numpy().tolist() for each in tensors]


@pytest.mark.parametrize("residuals", ["store", "checkpoint"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_a_tape_in_a_function(program: Callable[..., Any], residuals: str) -> None:
    staged = ag.function(lambda x, n: gradients(program, x, n, residuals))
    for n in (0, 1, 2, 5):
        for x in ([0.3, 0.4], [1.1, 0.9]):
            expected = numbers(gradients(program, rt.constant(x), n))
            found = numbers(staged(rt.constant(x), rt.constant(n)))
            np.testing.assert_allclose(np.hstack(found), np.hstack(expected), rtol=2e-5)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_a_tape_around_a_function(program: Callable[..., Any]) -> None:
    staged = ag.function(program)
    for n in (0, 1, 2, 5):
        x = rt.constant([1.1, 0.9])
        expected = numbers(gradients(program, x, n))
        found = numbers(gradients(staged, x, rt.constant(n)))
        np.testing.assert_allclose(np.hstack(found), np.hstack(expected), rtol=2e-5)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_gradients_are_finite_differences(program: Callable[..., Any]) -> None:
    x, step = np.array([0.45, 0.35], np.float32), 1e-2
    staged = ag.function(program)

    def total(values: Any) -> float:
        return float(rt.reduce_sum(staged(rt.constant(values), rt.constant(3))))

    found = gradients(staged, rt.constant(x), rt.constant(3))[1].numpy()
    for at in range(2):
        bump = np.zeros_like(x)
        bump[at] = step
        expected = (total(x + bump) - total(x - bump)) / (2 * step)
        np.testing.assert_allclose(found[at], expected, rtol=2e-2)


def test_a_tape_outside_changes_no_graph() -> None:
    called = ag.function(lambda x: x * x)
    outer = ag.function(lambda x: called(x) + called(x + 1.0))
    x = rt.constant(2.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = outer(x)
    assert 10.0 == tape.gradient(y, x).numpy()
    names = [node.op.name for node in outer.get_concrete_function(x).graph]
    assert 2 == names.count("function_call")


def test_a_training_loop_in_a_graph_learns() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 5)).astype(np.float32)
    y = (x @ rng.normal(size=(5, 3))).argmax(1).astype(np.int32)
    w, b = rt.Variable(np.zeros((5, 3), np.float32)), rt.Variable(np.zeros(3, np.float32))
    dataset = rt.data.Dataset.from_tensor_slices((x, y)).batch(20).repeat(10)
    traces = []

    @ag.function
    def train() -> Any:
        traces.append(1)
        loss = 0.0
        for rows, labels in dataset:
            with rt.GradientTape() as tape:
                logits = rt.matmul(rows, w) + b
                losses = rt.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
                loss = rt.reduce_mean(losses)
            for variable, gradient in zip([w, b], tape.gradient(loss, [w, b])):
                variable.assign_sub(gradient * 0.5)
        return loss

    train()
    assert 1 == len(traces)
    assert np.mean((x @ w.numpy() + b.numpy()).argmax(1) == y) > 0.95


@rt.custom_gradient
def noted_product(x: Any, y: Any) -> Any:
    def grad(dy: Any) -> Any:
        rt.print("asked")
        return dy * y, dy * x

    return x * y, grad


def test_a_rule_that_prints_in_a_function_that_calls_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def power(x: Any, n: Any) -> Any:
        return x if n <= 1 else noted_product(x, power(x, n - 1))

    @ag.function
    def gradient(x: Any, n: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = power(x, n)
        return tape.gradient(y, x)

    assert 32.0 == gradient(rt.constant(2.0), rt.constant(4)).numpy()
    assert 3 == capsys.readouterr().err.count("asked")


def test_a_rule_that_reads_variables_in_a_function_that_calls_itself_is_refused() -> None:
    def power(x: Any, n: Any) -> Any:
        return x if n <= 1 else noted_product(power(x, n - 1), V)

    @ag.function
    def gradient(x: Any, n: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = power(x, n)
        return tape.gradient(y, x)

    with pytest.raises(rt.errors.UnimplementedError, match="v.read_value"):
        gradient(rt.constant(2.0), rt.constant(4))


@pytest.mark.parametrize("residuals", ["store", "checkpoint"])
def test_a_gradient_has_the_static_shape_of_its_value(residuals: str) -> None:
    # Of what the second loop gives only the rank is known, and of its gradient no more.
    def f(v: Any, n: Any) -> Any:
        p, turns = v * 2.0, 2
        while turns > 0 and n > 1:
            turns -= 1
            p = rt.tanh(rt.stack([rt.cos(rt.cast(n, rt.float32)) for _ in v]))
        while turns > 0:
            turns -= 1
            p = rt.sin(rt.map_fn(lambda u: u * u, v))
        return rt.reduce_sum((p + v) ** 2)

    def gradient(v: Any, n: Any) -> Any:
        with rt.GradientTape(residuals=residuals) as tape:
            tape.watch(v)
            y = f(v, n)
        return tape.gradient(y, v)

    v = rt.constant([0.3, -0.5, 0.9])
    signature = [rt.TensorSpec((3,), rt.float32), rt.TensorSpec((), rt.int32)]
    staged = ag.function(gradient, input_signature=signature)
    for n in (0, 2):
        expected, found = gradient(v, n).numpy(), staged(v, rt.constant(n)).numpy()
        np.testing.assert_allclose(found, expected, rtol=2e-5)


HELD = rt.constant([1.0, 2.0])


def used(x: Any, n: Any) -> Any:
    return rt.reduce_sum(HELD * x)


def multiplied_in_a_loop(x: Any, n: Any) -> Any:
    for _ in rt.range(n):
        x = rt.reduce_sum(HELD * x)
    return x


def used_in_a_branch(x: Any, n: Any) -> Any:
    if n > 0:
        x = rt.reduce_sum(HELD * x)
    return x


def used_by_a_call(x: Any, n: Any) -> Any:
    return ag.function(multiplied_in_a_loop)(x, n)


@pytest.mark.parametrize("program", [used, multiplied_in_a_loop, used_in_a_branch, used_by_a_call])
def test_gradients_by_an_eager_tensor_that_a_graph_holds(program: Callable[..., Any]) -> None:
    def gradient(x: Any, n: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(HELD)
            y = program(x, n)
        return tape.gradient(y, HELD)

    x, n = rt.constant(0.5), rt.constant(2)
    expected = gradient(x, n).numpy().tolist()
    assert [3.0, 3.0] == expected or program is not multiplied_in_a_loop
    assert expected == ag.function(gradient)(x, n).numpy().tolist()

    @ag.function
    def without_tape(x: Any, n: Any) -> Any:
        return rt.gradients(program(x, n), HELD)

    assert expected == without_tape(x, n)[0].numpy().tolist()


# -- arrays of NumPy's that a function stores into -------------------------------------------------


def stored_in_a_loop(x: Any) -> Any:
    out = np.zeros(3)
    for i in range(3):
        out[i] = x[i] * x[i]
    return rt.reduce_sum(rt.constant(out) * 2.0)


def stored_by_a_staged_loop(x: Any) -> Any:
    out = np.zeros(3)
    for i in rt.range(3):
        out[i] = x[i] * x[i]
    return rt.reduce_sum(out * x)


def stored_on_a_path(x: Any) -> Any:
    out = np.ones(3)
    if x[0] > 0.0:
        out[1] = x[0] * 3.0
    return rt.reduce_sum(out * out)


def added_in_place(x: Any) -> Any:
    out = np.ones(3)
    out[0] += x[1]
    out[1] *= x[2]
    return rt.reduce_sum(out * out)


def stored_through_a_view(x: Any) -> Any:
    out = np.zeros((2, 3))
    row = out[0]
    row[1] = x[0]
    out[1] = x
    return rt.reduce_sum(out * out)


def each_from_the_one_before(x: Any) -> Any:
    out = np.zeros(3)
    out[0] = x[0]
    for i in range(1, 3):
        out[i] = out[i - 1] * x[i]
    return np.sum(out)


def copied_before_it_changes(x: Any) -> Any:
    out = np.zeros(3)
    out[0] = x[0]
    kept = out.copy()
    kept[1] = x[1]
    out[0] = 5.0
    return np.dot(kept, kept)


STORED = [
    *(stored_in_a_loop, stored_by_a_staged_loop, stored_on_a_path, added_in_place),
    *(stored_through_a_view, each_from_the_one_before, copied_before_it_changes),
]


def differences(f: Any, x: np.ndarray[Any, Any], step: float = 1e-5) -> list[float]:
    """Return the central differences of a function, one for each element."""
    moved = [x + step * sign * row for row in np.eye(len(x)) for sign in (1.0, -1.0)]
    values = [float(f(rt.constant(each))) for each in moved]
    return [(up - down) / (2.0 * step) for up, down in zip(values[::2], values[1::2])]


@pytest.mark.parametrize("f", STORED)
def test_gradients_go_through_arrays_that_a_graph_stores_into(f: Any) -> None:
    x = np.array([1.5, -0.7, 2.2])
    expected = differences(f, x)

    def gradient_of(function: Any, x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = rt.convert_to_tensor(function(x))
        return tape.gradient(y, x)

    traced = ag.function(f)
    of_a_graph = gradient_of(traced, rt.constant(x))
    in_a_graph = ag.function(lambda x: gradient_of(f, x))(rt.constant(x))
    np.testing.assert_allclose(of_a_graph.numpy(), expected, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(in_a_graph.numpy(), expected, rtol=1e-6, atol=1e-6)
