"""Jacobians, directional derivatives and custom gradients."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

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
    with pytest.raises(ArgumentValueError, match="must return a pair"):
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


class Line(NamedTuple):
    w: Any
    b: Any


@dataclass
class Affine:
    w: Any
    b: Any


STRUCTURES = {
    "dict": ({"w": [1.0, 2.0], "b": 0.5}, lambda p: (p["w"], p["b"])),
    "list of dicts": ([{"w": [1.0, 2.0]}, {"b": 0.5}], lambda p: (p[0]["w"], p[1]["b"])),
    "named tuple": (Line([1.0, 2.0], 0.5), tuple),
    "dataclass": (Affine([1.0, 2.0], 0.5), lambda p: (p.w, p.b)),
}


def tensors_of(structure: Any) -> Any:
    if isinstance(structure, dict):
        return {key: tensors_of(each) for key, each in structure.items()}
    if isinstance(structure, Line | Affine):
        return type(structure)(rt.constant(structure.w), rt.constant(structure.b))
    if isinstance(structure, list) and isinstance(structure[0], dict):
        return [tensors_of(each) for each in structure]
    return rt.constant(structure)


def values(structure: Any) -> list[Any]:
    return [each.numpy().tolist() for each in rt.nest.flatten(structure)]


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("name", STRUCTURES)
def test_derivatives_by_structures_have_their_structure(name: str, staged: bool) -> None:
    written, parts = STRUCTURES[name]
    params = tensors_of(written)

    def loss(p: Any, x: Any) -> Any:
        w, b = parts(p)
        total = rt.reduce_sum(w * x) + b
        if total > 10.0:
            total = total * total
        return total

    def call(f: Any) -> Any:
        return ag.function(f)(params) if staged else f(params)

    x = rt.constant([3.0, 4.0])
    # total = 3 w0 + 4 w1 + b = 11.5; keys of a dict are sorted.
    slopes: list[Any] = [[69.0, 92.0], 23.0]
    second = [[[18.0, 24.0], [24.0, 32.0]], [6.0, 8.0]]
    if name == "dict":
        slopes.reverse()
    both = call(lambda p: rt.value_and_grad(loss)(p, x))
    assert [132.25, *slopes] == values(both)
    assert type(both[1]) is type(params)
    assert slopes == values(call(lambda p: rt.grad(loss)(p, x)))
    assert slopes == values(call(lambda p: rt.jacobian(lambda p: loss(p, x), p)))
    assert slopes == values(call(lambda p: rt.vjp(lambda p: loss(p, x), p)[1](1.0)))
    ones = rt.nest.map_structure(lambda each: each * 0.0 + 1.0, params)
    # Along ones, total grows by 8: its square by 2 * 11.5 * 8.
    assert 184.0 == float(call(lambda p: rt.jvp(lambda p: loss(p, x), [p], [ones]))[1])
    product = values(call(lambda p: rt.hvp(lambda p: loss(p, x), p, ones)))
    assert [[48.0, 64.0], 16.0] == (product[::-1] if name == "dict" else product)
    blocks = values(call(lambda p: rt.hessian(lambda p: loss(p, x), p)))
    assert second == (blocks[:1:-1] if name == "dict" else blocks[:2])


def test_derivatives_by_several_arguments() -> None:
    def f(a: Any, b: Any) -> Any:
        return rt.reduce_sum(a * a * b)

    a, b = rt.constant([1.0, 2.0]), rt.constant(3.0)
    for call in (rt.hessian, ag.function(rt.hessian)):
        (aa, ab), (ba, bb) = call(f, a, b)
        assert [[6.0, 0.0], [0.0, 6.0]] == aa.numpy().tolist()
        assert [[2.0, 4.0], [2.0, 4.0], 0.0] == values([ab, ba, bb])
    assert [[6.0, 12.0], 5.0] == values(rt.jacobian(f, a, b))
    assert [[6.0, 12.0], 5.0] == values(rt.grad(f, argnums=(0, 1))(a, b))
    assert 5.0 == float(rt.grad(f, 1)(a, b))


def test_each_argument_has_the_gradient_of_its_own_uses() -> None:
    x = rt.constant(3.0)
    assert [3.0, 3.0] == values(rt.vjp(lambda a, b: a * b, x, x)[1](1.0))
    assert [3.0, 3.0] == values(rt.grad(lambda a, b: a * b, (0, 1))(x, x))
    assert 3.0 == float(rt.grad(lambda a: a * x)(x))
    assert 6.0 == float(rt.hessian(lambda a: a * a * x, x))


def test_a_gradient_of_a_gradient_is_a_function() -> None:
    third = rt.grad(rt.grad(rt.grad(lambda x: x * x * x * x)))
    assert 48.0 == float(third(2.0)) == float(ag.function(third)(rt.constant(2.0)))


def quartered(x: Any) -> Any:
    while x > 1.0:
        x = x / 4.0
    return x


@pytest.mark.parametrize(
    "derivative",
    [
        lambda x: rt.vjp(quartered, x)[1](1.0)[0],
        lambda x: rt.jvp(quartered, [x], [1.0])[1],
        lambda x: rt.jacobian(quartered, x),
        lambda x: rt.grad(quartered)(x),
        lambda x: rt.value_and_grad(quartered)(x)[1],
        rt.grad(quartered),
        rt.grad(ag.function(quartered)),
    ],
)
def test_a_function_of_a_module_is_converted(derivative: Any) -> None:
    x = rt.constant(9.0)
    assert 0.0625 == float(derivative(x)) == float(ag.function(derivative)(x))


def test_the_second_of_a_pair_has_no_gradient() -> None:
    def loss(x: Any) -> Any:
        return x * x, {"half": x / 2.0}

    (value, others), slope = rt.value_and_grad(loss, has_aux=True)(3.0)
    assert (9.0, 1.5, 6.0) == (float(value), float(others["half"]), float(slope))
    slope, others = rt.grad(loss, has_aux=True)(3.0)
    assert (6.0, 1.5) == (float(slope), float(others["half"]))


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda: rt.grad(3.0), DTypeError, "f must be a function"),
        (lambda: rt.grad(lambda x: x)([1.0, 2.0]), ShapeError, "rt.reduce_sum"),
        (lambda: rt.grad(lambda x: (x, x))(1.0), ShapeError, "f must return a scalar"),
        (lambda: rt.grad(lambda x: None)(1.0), ShapeError, "a scalar, not None"),
        (
            lambda: rt.grad(lambda m: 1.0)(rt.nn.Sequential([])),
            DTypeError,
            "is a Sequential",
        ),
        (lambda: rt.grad(lambda x: x, 1)(1.0), ArgumentValueError, "argnums must be positions of"),
        (lambda: rt.grad(lambda x: x, "x")(1.0), DTypeError, "argnums must be a list"),
        (lambda: rt.grad(lambda x: x, has_aux=True)(1.0), ArgumentValueError, "a pair"),
        (lambda: rt.grad(lambda p: p["n"])({"n": 1}), DTypeError, r"args\[0\]\['n'\] is int32"),
        (lambda: rt.hessian(lambda x: np.sum(x**2), [1.0]), ArgumentValueError, "rt ops"),
    ],
)
def test_errors_of_gradients_say_what_to_write(ask: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        ask()


@pytest.mark.skipif(sys.version_info < (3, 11), reason="lines have no columns")
def test_a_function_of_numpy_that_leaves_the_tape_is_a_warning() -> None:
    x = rt.constant([1.0, 2.0])
    with pytest.warns(UserWarning, match=r"np.sin\(x\) is computed by NumPy") as warned:
        rt.grad(lambda x: rt.reduce_sum(np.sin(x) * x))(x)
    assert [__file__] == [each.filename for each in warned]
    with pytest.warns(UserWarning, match=r"np.linalg.norm\(x\) is computed by NumPy"):
        rt.grad(lambda x: rt.reduce_sum(x) * np.linalg.norm(x))(x)


def test_other_uses_of_numpy_beside_a_tape_are_no_warning() -> None:
    def loss(x: Any) -> Any:
        y = rt.reduce_sum(x * x)
        assert np.isfinite(y) and np.asarray(y).shape == () and np.argmax(x) == 1
        return y * float(np.sum(np.ones(3)))

    x = rt.constant([1.0, 2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rt.grad(loss)(x)
        np.sin(x)
        # The function is a graph, which has the gradient.
        found = rt.grad(ag.function(lambda x: np.sum(np.sin(x))))(x)
    np.testing.assert_allclose(found, np.cos([1.0, 2.0]), rtol=1e-6)
