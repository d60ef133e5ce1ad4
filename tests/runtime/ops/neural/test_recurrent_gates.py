"""The gates of recurrent cells agree with their formulas, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, ShapeError
from runtime.graph.graph import Graph
from runtime.ops.neural.recurrent_gates import GRU_GATES, LSTM_GATES, gru_gates, lstm_gates
from runtime.ops.op import apply

RNG = np.random.default_rng(5)


def numbers(*shape: int) -> Any:
    return rt.constant(RNG.normal(size=shape))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def test_lstm_gates_agree_with_their_formulas() -> None:
    x, inner, carry = numbers(3, 8), numbers(3, 8), numbers(3, 2)
    output, new = lstm_gates(x, inner, carry)
    i, f, g, o = np.split(x.numpy() + inner.numpy(), 4, axis=1)
    expected = sigmoid(f) * carry.numpy() + sigmoid(i) * np.tanh(g)
    np.testing.assert_allclose(expected, new.numpy(), rtol=1e-12)
    np.testing.assert_allclose(sigmoid(o) * np.tanh(expected), output.numpy(), rtol=1e-12)


def test_gru_gates_agree_with_their_formulas() -> None:
    x, inner, state = numbers(3, 6), numbers(3, 6), numbers(3, 2)
    (xz, xr, xg), (hz, hr, hg) = (np.split(each.numpy(), 3, axis=1) for each in (x, inner))
    z, candidate = sigmoid(xz + hz), np.tanh(xg + sigmoid(xr + hr) * hg)
    expected = z * state.numpy() + (1 - z) * candidate
    np.testing.assert_allclose(expected, gru_gates(x, inner, state).numpy(), rtol=1e-12)


def test_gates_that_are_full_do_not_overflow() -> None:
    huge = rt.constant(np.array([[1e4, 1e4, -1e4, -1e4] * 2], "f"))
    output, new = lstm_gates(huge, huge, rt.constant([[3.0, 3.0]]))
    assert np.isfinite(output.numpy()).all()
    assert np.isfinite(new.numpy()).all()
    assert rt.float32 is output.dtype


# Each with the name of its op, and how many sums there are for each unit.
GATES = [(LSTM_GATES, 4), (GRU_GATES, 3)]


@pytest.mark.parametrize(("op", "count"), GATES)
@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize(
    ("shapes", "error", "words"),
    [
        (((2, 1), (2, 1), (2, 1)), ShapeError, "times as long"),
        (((3, 12), (2, 12), (2, 3)), ShapeError, "not of one step"),
        (((2, 24), (2, 24), (2, 3)), ShapeError, "do not fit a state"),
        (((12,), (12,), ()), ShapeError, "rank 1 or more"),
    ],
)
def test_sums_that_do_not_fit_are_refused(
    op: Any, count: int, recorded: bool, shapes: Any, error: Any, words: str
) -> None:
    arrays = [np.zeros(shape, "f") for shape in shapes]
    with pytest.raises(error, match=words):
        tried(op, arrays, recorded)


@pytest.mark.parametrize(("op", "count"), GATES)
@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("position", [0, 1, 2])
def test_operands_of_two_dtypes_are_refused(
    op: Any, count: int, recorded: bool, position: int
) -> None:
    arrays = [np.zeros(shape, "f") for shape in ((2, count), (2, count), (2, 1))]
    arrays[position] = arrays[position].astype("d")
    with pytest.raises(DTypeError, match="do not mix"):
        tried(op, arrays, recorded)
    with pytest.raises(DTypeError, match="works on float tensors"):
        tried(op, [each.astype("i4") for each in arrays], recorded)


def tried(op: Any, arrays: list[np.ndarray], recorded: bool) -> None:
    tensors = [rt.constant(each) for each in arrays]
    if recorded:
        with Graph("tried").recording():
            apply(op, tensors)
    else:
        apply(op, tensors)
