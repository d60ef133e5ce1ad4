"""Arithmetic against Python and NumPy."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph as ag
import runtime as rt
from runtime.errors import InvalidArgumentError, ShapeError

ints = st.integers(-1000, 1000)
floats = st.floats(-1e3, 1e3, width=32)
BINARY: list[Callable[[Any, Any], Any]] = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.floordiv,
    operator.mod,
]


@pytest.mark.parametrize("operation", BINARY, ids=lambda op: op.__name__)
@given(ints, ints.filter(bool))
def test_int_scalars_agree_with_python(operation: Any, x: int, y: int) -> None:
    expected = operation(x, y)
    for result in (
        operation(rt.constant(x), y),
        operation(x, rt.constant(y)),
        operation(rt.constant(x), rt.constant(y)),
    ):
        assert result.numpy() == expected and result.dtype is rt.int32 and result.shape == ()


@given(ints, ints.filter(bool))
def test_true_division_of_ints_is_float64(x: int, y: int) -> None:
    result = rt.constant(x) / y
    assert result.dtype is rt.float64 and result.numpy() == x / y
    assert (rt.constant(1, "int8") / rt.constant(2, "int8")).dtype is rt.float32
    assert (rt.constant(1, "int64") / 2).dtype is rt.float64


@given(st.lists(floats, min_size=1, max_size=5), floats)
def test_float_vectors_agree_with_numpy(xs: list[float], y: float) -> None:
    array, number = np.array(xs, np.float32), np.float32(y)
    tensor = rt.constant(xs)
    for operation in (operator.add, operator.sub, operator.mul):
        np.testing.assert_array_equal(operation(tensor, y).numpy(), operation(array, number))
    np.testing.assert_array_equal(rt.maximum(tensor, y).numpy(), np.maximum(array, number))
    np.testing.assert_array_equal(rt.minimum(tensor, y).numpy(), np.minimum(array, number))
    np.testing.assert_array_equal((-abs(tensor)).numpy(), -np.abs(array))


@given(st.integers(-9, 9), st.integers(-9, 9).filter(bool))
def test_truncatediv_truncates_towards_zero(x: int, y: int) -> None:
    assert rt.truncatediv(x, y).numpy() == int(x / y)


def test_floor_division_from_the_reference_model() -> None:
    assert repr(rt.constant([-2, -3]) // 2) == (
        "<rt.Tensor: shape=(2,), dtype=int32, numpy=array([-1, -2], dtype=int32)>"
    )


def test_division_by_zero() -> None:
    for call in (rt.floordiv, rt.floormod, rt.truncatediv):
        with pytest.raises(InvalidArgumentError, match="integer division by zero"):
            call(1, [1, 0])
    assert (rt.constant(1) / 0).numpy() == np.inf and np.isnan((rt.constant(0.0) / 0).numpy())
    assert rt.math.divide_no_nan(1.0, 0.0).numpy() == 0


@pytest.mark.parametrize("dtype", [rt.float32, rt.float64, rt.float16])
@pytest.mark.parametrize("half", [0.5, [0.5], [[0.5], [0.5]]])
def test_the_power_of_a_half_is_that_of_python(dtype: rt.DType, half: Any) -> None:
    x = [-math.inf, -0.0, 0.0, 4.0, math.inf]
    found = rt.pow(rt.constant(x, dtype), rt.constant(half, dtype)).numpy().reshape(-1, 5)
    assert all(str([each**0.5 for each in x]) == str(row.tolist()) for row in found)


@pytest.mark.parametrize("x", [-math.inf, -0.0, 4.0])
def test_the_power_of_a_half_in_a_loop_of_numbers(x: float) -> None:
    @ag.function
    def powers(x: Any, n: Any) -> Any:
        y = x
        for _ in range(n):
            y = x**0.5
        return y

    assert str(x**0.5) == str(float(powers(rt.constant(x), rt.constant(2))))
    assert str(x**0.5) == str(float(ag.function(lambda x: x**0.5)(rt.constant(x))))


def test_powers() -> None:
    assert (rt.constant(2) ** 10).numpy() == 1024 and (2 ** rt.constant(3)).numpy() == 8
    assert (rt.constant(4.0) ** 0.5).numpy() == 2 and rt.pow(2.0, -1).numpy() == 0.5
    with pytest.raises(InvalidArgumentError, match="negative integer powers"):
        rt.constant(2) ** -1


def test_int32_wraps_around_as_c_does() -> None:
    assert (rt.constant(2**31 - 1) + 1).numpy() == -(2**31)


def test_broadcasting_and_its_error() -> None:
    result = rt.constant([[1], [2]]) * rt.constant([10, 20])
    assert result.numpy().tolist() == [[10, 20], [20, 40]]
    with pytest.raises(ShapeError, match=r"multiply: shapes \(2,\) and \(3,\)"):
        rt.multiply([1, 2], [1, 2, 3])


def test_strings_are_joined_by_plus() -> None:
    assert (rt.constant("a") + "b").numpy() == b"ab"
    assert ("x" + rt.constant(["a", "b"])).numpy().tolist() == [b"xa", b"xb"]


def test_the_rest_of_the_family() -> None:
    assert rt.add_n([rt.constant([1, 2]), [3, 4]]).numpy().tolist() == [4, 6]
    assert rt.clip_by_value([-1.0, 0.5, 9.0], 0, 1).numpy().tolist() == [0, 0.5, 1]
    assert rt.math.squared_difference(3, 5).numpy() == 4
    assert np.isclose(rt.atan2(1.0, 1.0).numpy(), np.pi / 4)
    assert (
        rt.math.xlogy(0.0, 0.0).numpy() == 0 and rt.math.multiply_no_nan(np.inf, 0.0).numpy() == 0
    )
    with pytest.raises(InvalidArgumentError, match="at least one"):
        rt.add_n([])


def test_complex_numbers() -> None:
    z = rt.constant([3 + 4j])
    assert abs(z).dtype is rt.float64 and abs(z).numpy() == [5.0]
    assert (z * 2).numpy() == [6 + 8j]


def test_add_n_takes_one_shape() -> None:
    with pytest.raises(ShapeError, match="of one shape"):
        rt.add_n([[1, 2], [3]])
    unknown = ag.function(rt.add_n, input_signature=[[rt.TensorSpec([None])] * 2])
    assert unknown([[1.0, 2.0], [3.0, 4.0]]).numpy().tolist() == [4.0, 6.0]
    with pytest.raises(ShapeError, match="of one shape"):
        unknown([[1.0, 2.0], [3.0]])


def test_divide_no_nan_takes_integers_as_division_does() -> None:
    result = rt.math.divide_no_nan(7, [2, 0])
    assert result.dtype is rt.float64 and result.numpy().tolist() == [3.5, 0.0]
    small = rt.math.divide_no_nan(rt.constant(1, rt.int8), rt.constant(4, rt.int8))
    assert small.dtype is rt.float32 and float(small) == 0.25


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_truncated_division_of_the_least_integer(dtype: str) -> None:
    least = int(np.iinfo(dtype).min)
    x, y = rt.constant([least, -7, 7, 7], dtype), rt.constant([2, 2, -2, 2], dtype)
    assert rt.truncatediv(x, y).numpy().tolist() == [least // 2, -3, -3, 3]
