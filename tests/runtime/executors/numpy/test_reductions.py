"""Reductions give the same bits in printed functions as in the interpreter, and eagerly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors import interpreter
from tests.suite_length import sample

SHAPES = [(1,), (33,), (1000,), (1200,), (3, 4), (30, 20), (600, 2), (0,), (2, 0)]
DTYPES = ["float16", "float32", "float64", "int8", "int32", "uint16", "int64"]
REDUCTIONS = [rt.reduce_sum, rt.reduce_mean, rt.reduce_max, rt.reduce_min]


def _numbers(shape: tuple[int, ...], dtype: str) -> np.ndarray[Any, Any]:
    found = (np.random.default_rng(sum(shape)).standard_normal(shape) * 50).astype(dtype)
    if found.size > 30 and found.dtype.kind == "f":
        found.flat[7] = np.nan
    return found


@pytest.mark.parametrize("dtype", sample(DTYPES, 2))
@pytest.mark.parametrize("reduction", REDUCTIONS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_reductions_are_bit_identical_in_all_executors(
    reduction: Any, shape: tuple[int, ...], dtype: str
) -> None:
    array = _numbers(shape, dtype)
    for axis in (None, 0, (-1,)):
        staged = ag.function(lambda x, at=axis: reduction(x, axis=at)).get_concrete_function(array)
        (found,) = interpreter.run(staged.graph, [array])
        for other in (staged(array), reduction(array, axis=axis)):
            assert (found.dtype, found.shape) == (other.numpy().dtype, other.shape)
            assert found.tobytes() == other.numpy().tobytes()


def test_gradients_that_add_up_many_rows() -> None:
    weights = _numbers((600, 2), "float32")
    weights[np.isnan(weights)] = 1

    @ag.function
    def gradient(x: Any, scale: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(scale)
            total = rt.reduce_sum(rt.sin(x * scale))
        return tape.gradient(total, scale)

    scale = np.array([1.5, -0.25], np.float32)
    staged = gradient.get_concrete_function(weights, scale)
    (found,) = interpreter.run(staged.graph, [weights, scale])
    assert found.tobytes() == staged(weights, scale).numpy().tobytes()


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "int32", "uint16"])
@pytest.mark.parametrize("shape", [(), (1,), (7,), (3000,)], ids=str)
def test_second_powers_are_squares(shape: tuple[int, ...], dtype: str) -> None:
    array = np.asarray((np.random.default_rng(3).standard_normal(shape) * 90).astype(dtype))
    staged = ag.function(lambda x: x**2).get_concrete_function(array)
    (found,) = interpreter.run(staged.graph, [array])
    for other in (staged(array).numpy(), (rt.constant(array) ** 2).numpy(), np.square(array)):
        assert (found.dtype, found.tobytes()) == (other.dtype, other.tobytes())


@pytest.mark.parametrize("dtype", sample(DTYPES, 2))
@pytest.mark.parametrize("width", [2, 7, 32])
def test_many_short_rows_are_searched_as_few_are(width: int, dtype: str) -> None:
    rows = np.round(_numbers((5000, width), dtype).astype("float64") / 40)
    array = rows.astype(dtype)
    if array.dtype.kind == "f":
        array[3], array[4, 1:] = np.nan, np.nan
    for search, worst in ((rt.argmax, -np.inf), (rt.argmin, np.inf)):
        known = array if array.dtype.kind != "f" else np.where(np.isnan(array), worst, array)
        expected = getattr(np, search.__name__)(known, -1)
        np.testing.assert_array_equal(search(array, -1).numpy(), expected)
        np.testing.assert_array_equal(search(array[:50], -1).numpy(), expected[:50])
