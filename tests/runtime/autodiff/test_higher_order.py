"""Jacobians, directional derivatives and custom gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, ShapeError

MATRIX = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)


def test_the_jacobian_of_a_product_is_the_matrix() -> None:
    with rt.GradientTape() as tape:
        x = rt.constant([1.0, 2.0, 3.0])
        tape.watch(x)
        y = rt.reshape(rt.matmul(MATRIX, x[:, None]), [2])
    assert MATRIX.tolist() == tape.jacobian(y, x).numpy().tolist()


@pytest.mark.parametrize("size", [3, 40])
def test_a_jacobian_in_a_function(size: int) -> None:
    @ag.function(input_signature=[rt.TensorSpec((None,), rt.float32)])
    def gradients(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = x * x + rt.reduce_sum(x)
        return tape.jacobian(y, x)

    x = np.linspace(0.1, 1.0, size, dtype=np.float32)
    np.testing.assert_allclose(gradients(x).numpy(), np.diag(2 * x) + 1, rtol=1e-6)


def test_a_batch_jacobian_has_a_matrix_for_each_row() -> None:
    x = rt.constant([[1.0, 2.0], [3.0, 4.0]])
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = x * x * x
    expected = [[[3.0, 0.0], [0.0, 12.0]], [[27.0, 0.0], [0.0, 48.0]]]
    assert expected == tape.batch_jacobian(y, x).numpy().tolist()


def test_a_batch_jacobian_needs_rows() -> None:
    x = rt.constant([1.0, 2.0])
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(ShapeError, match="rows"):
        tape.batch_jacobian(y, x)


def test_a_hessian_and_its_product_with_a_vector() -> None:
    def f(x: Any) -> Any:
        return rt.reduce_sum(x * x * x) + x[0] * x[1]

    assert [[6.0, 1.0], [1.0, 12.0]] == rt.hessian(f, [1.0, 2.0]).numpy().tolist()
    assert [7.0, 13.0] == rt.hvp(f, [1.0, 2.0], [1.0, 1.0]).numpy().tolist()


def test_a_gradient_along_a_direction_through_a_loop() -> None:
    @ag.function
    def gradient(x: Any, n: Any) -> Any:
        def f(x: Any) -> Any:
            y = x
            for _ in rt.range(n):
                y = y * x
            return y

        return rt.jvp(f, [x], [rt.constant(2.0)])

    y, dy = gradient(rt.constant(3.0), rt.constant(3))
    assert (81.0, 216.0) == (y.numpy(), dy.numpy())


@rt.custom_gradient
def log1pexp(x: Any) -> Any:
    e = rt.exp(x)
    return rt.math.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))


def test_a_gradient_of_the_users_own_is_finite_where_the_formula_is_not() -> None:
    x = rt.constant(100.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = log1pexp(x)
    assert 1.0 == tape.gradient(y, x).numpy()


def test_a_gradient_of_the_users_own_in_a_staged_loop() -> None:
    @rt.custom_gradient
    def halved(x: Any) -> Any:
        return x * 1.0, lambda dy: dy * 0.5

    @ag.function
    def f(x: Any, n: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in rt.range(n):
                y = halved(y) * 4.0
        return tape.gradient(y, x)

    assert 8.0 == f(rt.constant(1.0), rt.constant(3)).numpy()


def test_a_custom_gradient_takes_variables_by_name() -> None:
    v = rt.Variable(3.0)

    @rt.custom_gradient
    def f(x: Any) -> Any:
        def grad(dy: Any, variables: Any = ()) -> Any:
            return dy * 10.0, [dy * 20.0 for _ in variables]

        return x * v, grad

    x = rt.constant(2.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert [10.0, 20.0] == [each.numpy() for each in tape.gradient(y, [x, v])]


def test_a_function_that_returns_no_rule_is_refused() -> None:
    with pytest.raises(ArgumentValueError, match="returns a pair"):
        rt.custom_gradient(lambda x: x)(1.0)


def test_recompute_grad_does_not_change_gradients() -> None:
    v, x = rt.Variable(3.0), rt.constant(2.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = rt.recompute_grad(lambda x: rt.sin(x) * v)(x)
    found = [each.numpy() for each in tape.gradient(y, [x, v])]
    np.testing.assert_allclose(found, [3 * np.cos(2.0), np.sin(2.0)], rtol=1e-6)


@pytest.mark.parametrize("stage", [lambda f: f, ag.function], ids=["eager", "graph"])
def test_gradients_reach_tensors_that_a_recomputed_function_reads(stage: Any) -> None:
    def main(v: Any) -> Any:
        p = v * 2.0

        def read(m: Any, *, factor: Any) -> Any:
            found = p if m > 1.0 else rt.reduce_sum(p * p) * p
            for each in v:
                found += each * factor
            return found * m

        unchanged = rt.recompute_grad(lambda: p)()
        return rt.recompute_grad(read)(v[0], factor=v[1]) + unchanged

    for values in ([0.5, 2.0, 3.0], [1.5, -2.0, 3.0]):
        v = rt.constant(values, rt.float64)
        with rt.GradientTape() as tape:
            tape.watch(v)
            y = rt.reduce_sum(stage(main)(v))
        slopes = [
            (rt.reduce_sum(main(v + h)) - rt.reduce_sum(main(v - h))).numpy() / 2e-5
            for h in 1e-5 * np.eye(3)
        ]
        np.testing.assert_allclose(tape.gradient(y, v).numpy(), slopes, rtol=1e-6)


def test_recompute_grad_takes_variables_as_arguments() -> None:
    v, u, x = rt.Variable(3.0), rt.Variable(5.0, trainable=False), rt.constant(2.0)
    again = rt.recompute_grad(lambda v, x, u: rt.sin(x) * v * v * u)
    for f in (again, ag.function(lambda v, x, u: again(v, x, u))):
        with rt.GradientTape() as tape:
            tape.watch([x, u])
            y = f(v, x, u)
        found = [each.numpy() for each in tape.gradient(y, [x, v, u])]
        expected = [45 * np.cos(2.0), 30 * np.sin(2.0), 9 * np.sin(2.0)]
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_recompute_grad_adds_gradients_of_repeated_arguments() -> None:
    v, x = rt.Variable(3.0), rt.constant(2.0)
    product = rt.recompute_grad(lambda x, y, v, w: rt.sin(x) * y * v * w)
    for f in (product, ag.function(lambda x, y, v, w: product(x, y, v, w))):
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = f(x, x, v, v)
        found = [each.numpy() for each in tape.gradient(y, [x, v])]
        expected = [9 * (np.sin(2.0) + 2 * np.cos(2.0)), 12 * np.sin(2.0)]
        np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("x", [3, rt.constant([1, 2])])
def test_whole_numbers_have_no_gradients(x: Any) -> None:
    for ask in (
        lambda: rt.jacobian(lambda x: x * x, x),
        lambda: rt.hessian(lambda x: x * x, x),
        lambda: rt.hvp(lambda x: x * x, x, x),
        lambda: rt.jvp(lambda x: x * x, [x], [x]),
        lambda: rt.vjp(lambda x: x * x, x),
    ):
        with pytest.raises(DTypeError, match="is int32, and only floats have slopes: write 2.0"):
            ask()
