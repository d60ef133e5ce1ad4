"""Directional derivatives: numbers recorded with TensorFlow 2.21, and finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, ShapeError, TapeError

ZERO = rt.UnconnectedGradients.ZERO


def test_directional_derivatives_agree_with_tensorflow() -> None:
    x, v = rt.constant(3.0), rt.Variable(2.0)
    with rt.ForwardAccumulator(x, rt.constant(1.0)) as accumulator:
        y = x * x * v
    assert 12.0 == float(accumulator.jvp(y)) and accumulator.jvp(v) is None
    assert 0.0 == float(accumulator.jvp(v, ZERO)) == float(accumulator.jvp(v, "zero"))
    assert 1.0 == float(accumulator.jvp(x))


def test_structures_of_primals_and_results() -> None:
    x, v = rt.constant(3.0), rt.Variable(2.0)
    with rt.ForwardAccumulator([x, v], [rt.constant(1.0), rt.constant(10.0)]) as accumulator:
        results = (x * x * v, {"a": x + 1, "b": rt.constant(1.0), "c": rt.cast(x, rt.int32)})
    found = accumulator.jvp(results)
    assert (102.0, 1.0) == (float(found[0]), float(found[1]["a"]))
    assert found[1]["b"] is None and found[1]["c"] is None


def test_an_accumulator_can_be_read_while_open_and_reopened() -> None:
    x = rt.constant(3.0)
    accumulator = rt.ForwardAccumulator(x, rt.constant(1.0))
    with accumulator:
        y = x * x
        assert 6.0 == float(accumulator.jvp(y))
        with pytest.raises(TapeError, match="open already"), accumulator:
            pass
    with accumulator:
        z = y * 2
    assert 12.0 == float(accumulator.jvp(z))


def test_gradients_of_gradients() -> None:
    x, one = rt.constant(3.0), rt.constant(1.0)
    with rt.ForwardAccumulator(x, one) as outer:
        with rt.ForwardAccumulator(x, one) as inner:
            y = x * x * x
        gradient = inner.jvp(y)
    assert (27.0, 18.0, 27.0) == tuple(map(float, (gradient, outer.jvp(gradient), outer.jvp(y))))
    v = rt.Variable(2.0)
    with rt.ForwardAccumulator(v, one) as forward:
        with rt.GradientTape() as tape:
            y = v * v * v
        back = tape.gradient(y, v)
    assert 12.0 == float(forward.jvp(back))
    with rt.GradientTape() as tape:
        tape.watch(x)
        with rt.ForwardAccumulator(x, one) as forward:
            y = x * x * x
        gradient = forward.jvp(y)
    assert 18.0 == float(tape.gradient(gradient, x))


def test_gradients_agree_with_finite_differences() -> None:
    rng = np.random.default_rng(0)
    at, along = rng.normal(size=(2, 3, 3))

    def f(x: Any) -> Any:
        q, r = rt.linalg.qr(rt.tanh(x) + x @ x)
        return rt.reduce_sum(q * x, 1) + rt.nn.softmax(r[0])

    with rt.ForwardAccumulator(x := rt.constant(at), rt.constant(along)) as accumulator:
        y = f(x)
    ends = [f(rt.constant(at + sign * 1e-6 * along)).numpy() for sign in (1, -1)]
    expected = (ends[0] - ends[1]) / 2e-6
    np.testing.assert_allclose(accumulator.jvp(y).numpy(), expected, rtol=1e-6, atol=1e-8)


def test_loops_of_a_graph_have_gradients() -> None:
    x = rt.constant(1.5)
    with rt.ForwardAccumulator(x, rt.constant(1.0)) as accumulator:
        y = rt.while_loop(lambda a: a < 100.0, lambda a: [a * a], [x])[0]
    # Nine squarings would be too many: 1.5 ** 16 is the first above 100.
    assert pytest.approx(16 * 1.5**15) == float(accumulator.jvp(y))


X = rt.constant(3.0)


@pytest.mark.parametrize(
    "primals, tangents, error, message",
    [
        (
            X,
            rt.constant([1.0]),
            ShapeError,
            r"a tangent must have the shape of its primal, .*, not \(1,\)",
        ),
        (X, rt.constant(1), DTypeError, "is not float32"),
        (X, None, ArgumentValueError, "a tangent must not be None"),
        ([X, X], [1.0, 1.0], ArgumentValueError, "given twice"),
        ([X], [1.0, 1.0], ArgumentValueError, "2 tangents are given for 1"),
        (3.0, 1.0, ArgumentValueError, "a primal must be a tensor or variable"),
    ],
)
def test_directions_that_do_not_fit_are_refused(
    primals: Any, tangents: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        rt.ForwardAccumulator(primals, tangents)


def test_only_tensors_have_gradients() -> None:
    accumulator = rt.ForwardAccumulator(X, 1.0)
    with pytest.raises(ArgumentValueError, match="jvp takes tensors and variables"):
        accumulator.jvp(3.0)
    with pytest.raises(DTypeError, match="'none' or 'zero'"):
        accumulator.jvp(X, "nothing")
