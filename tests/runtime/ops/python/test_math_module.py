"""Python's `math` on tensors, against the module."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from runtime.errors import DTypeError, ShapeError, UnimplementedError
from runtime.ops.python.math_module import PYTHON_MATH, python_math

OF_ONE = """
    acos acosh asin asinh atan atanh cbrt ceil cos cosh degrees erf erfc exp exp2 expm1 fabs floor
    gamma isfinite isinf isnan lgamma log log10 log1p log2 radians sin sinh sqrt tan tanh trunc
""".split()
OF_TWO = "atan2 copysign fmod hypot isclose log pow remainder".split()
OF_INTS = "comb gcd lcm perm".split()
NUMBERS = st.floats(-1e6, 1e6) | st.sampled_from([0.0, -0.0, 1.0, -1.0, 1e300, -1e300])


def outcome(function: Any, *values: Any) -> object:
    try:
        result = function(*values)
    except (ValueError, ArithmeticError) as error:
        return type(error), str(error)
    number = result.numpy().item() if isinstance(result, rt.Tensor) else result
    return type(number), repr(number)


def names(wanted: list[str]) -> list[str]:
    return [name for name in wanted if hasattr(math, name)]


@pytest.mark.parametrize("name", names(OF_ONE))
@given(x=NUMBERS | st.just(math.inf) | st.just(math.nan))
def test_functions_of_one_number_agree_with_math(name: str, x: float) -> None:
    expected = outcome(getattr(math, name), x)
    if expected[0] is int and abs(int(expected[1])) >= 2**63:
        with pytest.raises(OverflowError, match="does not fit int64"):
            python_math(name, rt.constant(x, rt.float64))
        return
    assert expected == outcome(lambda v: python_math(name, v), rt.constant(x, rt.float64))


@pytest.mark.parametrize("name", names(OF_TWO))
@given(x=NUMBERS, y=NUMBERS)
def test_functions_of_two_numbers_agree_with_math(name: str, x: float, y: float) -> None:
    tensors = [rt.constant(each, rt.float64) for each in (x, y)]
    expected = outcome(getattr(math, name), x, y)
    assert expected == outcome(lambda *values: python_math(name, *values), *tensors)


@pytest.mark.parametrize("name", names(OF_INTS))
@given(x=st.integers(-3, 12), y=st.integers(-3, 12))
def test_functions_of_two_ints_agree_with_math(name: str, x: int, y: int) -> None:
    expected = outcome(getattr(math, name), x, y)
    assert expected == outcome(lambda *values: python_math(name, *values), x, y)


def test_ints_are_as_wide_as_their_arguments() -> None:
    wide = rt.constant(20, rt.int64)
    assert math.factorial(20) == python_math("factorial", wide).numpy()
    assert rt.int64 is python_math("factorial", wide).dtype
    with pytest.raises(OverflowError, match="does not fit int32: write rt.cast"):
        python_math("factorial", 20)
    with pytest.raises(OverflowError, match=r"does not fit int64$"):
        python_math("factorial", rt.constant(21, rt.int64))


def test_tolerances_of_isclose() -> None:
    assert python_math("isclose", 1.0, 1.1, 0.2, 0.0).numpy()
    assert not python_math("isclose", 1.0, 1.1, 0.01, 0.0).numpy()
    assert python_math("isclose", 0.0, 0.05, 1e-9, 0.1).numpy()


def test_the_exact_sum_and_the_distance() -> None:
    values = [0.1] * 10
    assert math.fsum(values) == python_math("fsum", rt.constant(values, rt.float64)).numpy()
    one, other = [1.0, 2.0], [4.0, 6.0]
    assert 5.0 == python_math("dist", rt.constant(one), rt.constant(other)).numpy()


@pytest.mark.parametrize("name", ["isqrt", "factorial", "gcd"])
def test_a_float_is_no_int(name: str) -> None:
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        python_math(name, 2.0)


def test_wrong_shapes_and_dtypes_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"takes one number, not shape \(2,\)"):
        python_math("sqrt", [1.0, 2.0])
    with pytest.raises(ShapeError, match=r"takes a vector, not shape \(\)"):
        python_math("fsum", 1.0)
    with pytest.raises(DTypeError, match="must be real number, not string"):
        python_math("sqrt", "4")


def test_functions_without_a_gradient_are_refused() -> None:
    x = rt.constant(2.0, rt.float64)
    with pytest.raises(UnimplementedError, match=r"math\.gamma has no gradient"):
        PYTHON_MATH.grad([x], [x], [x], function="gamma", dtype=rt.float64)
    assert [None] == PYTHON_MATH.grad([x], [x], [x], function="floor", dtype=rt.int32)
