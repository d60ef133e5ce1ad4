"""The table of joined dtypes against NumPy's, for every pair."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.backends.graph.values.dtype_join import dtype_join, joined_dtype, promoted
from tests.each import for_each

INTS = (rt.int8, rt.int16, rt.int32, rt.int64)
UINTS = (rt.uint8, rt.uint16, rt.uint32, rt.uint64)
FLOATS = (rt.float16, rt.float32, rt.float64)
NUMBERS = (rt.bool, *INTS, *UINTS, *FLOATS, rt.complex64, rt.complex128)
PAIRS = list(itertools.product(NUMBERS, repeat=2))
NONE_FOR_BOTH = {frozenset((rt.uint64, each)) for each in INTS}


def expected(a: rt.DType, b: rt.DType) -> rt.DType | None:
    if frozenset((a, b)) in NONE_FOR_BOTH:
        return None
    return rt.as_dtype(np.result_type(a.as_numpy_dtype, b.as_numpy_dtype))


@for_each("a, b", PAIRS, ids=lambda d: d.name)
def test_two_tensors_are_promoted_as_numpy_does(a, b):
    assert expected(a, b) == promoted(a, b) == joined_dtype(a, False, b, False)


@for_each("a, b", PAIRS, ids=lambda d: d.name)
def test_strictly_only_equal_dtypes_join(a, b):
    with dtype_join("strict"):
        assert (a if a == b else None) == joined_dtype(a, False, b, False)


@pytest.mark.parametrize("other", NUMBERS, ids=lambda d: d.name)
def test_a_string_joins_a_string_alone(other):
    assert joined_dtype(rt.string, False, other, False) is None
    assert rt.string == joined_dtype(rt.string, True, rt.string, False)


@pytest.mark.parametrize("policy", ["promote", "strict"])
@pytest.mark.parametrize("strong", [*INTS, *UINTS, *FLOATS], ids=lambda d: d.name)
def test_a_python_int_takes_the_dtype_of_a_number(strong, policy):
    with dtype_join(policy):
        assert strong == joined_dtype(rt.int32, True, strong, False)
        assert strong == joined_dtype(strong, False, rt.int32, True)


@pytest.mark.parametrize(
    ("a", "b", "both"),
    [
        (rt.bool, rt.int32, rt.int32),
        (rt.int32, rt.float32, rt.float32),
        (rt.bool, rt.float32, rt.float32),
        (rt.int32, rt.int64, rt.int64),
        (rt.float32, rt.complex128, rt.complex128),
    ],
)
def test_two_python_numbers_join_as_the_wider_kind(a, b, both):
    assert both == joined_dtype(a, True, b, True) == joined_dtype(b, True, a, True)


def test_a_python_float_and_an_integer_tensor():
    assert rt.float64 == joined_dtype(rt.float32, True, rt.int32, False)
    with dtype_join("strict"):
        assert joined_dtype(rt.float32, True, rt.int32, False) is None


def test_the_policy_ends_with_its_block():
    with pytest.raises(ValueError, match="x"), dtype_join("strict"):
        raise ValueError("x")
    assert rt.int64 == joined_dtype(rt.int32, False, rt.int64, False)


def repeated(w: Any, x: rt.Tensor, n: rt.Tensor) -> Any:
    while n > 0:
        w = w * x
        n -= 1
    return w


def replaced(w: Any, x: rt.Tensor, n: rt.Tensor) -> Any:
    y = w
    if n > 1:
        y = x * x
    return y + x


ARRAYS = [np.array([0.1, 0.2]), np.array([1, 2]), np.array([True, False]), np.float64(0.1)]


@for_each(
    "function, array, x, n",
    itertools.product((repeated, replaced), ARRAYS, (2.0, np.float64(2.0)), (0, 1, 3)),
)
def test_an_array_adopts_the_dtype_of_a_tensor_in_loops_and_on_paths(function, array, x, n):
    given = rt.constant(x), rt.constant(n)
    expected = function(array, *given)
    result = ag.function(lambda x, n: ag.convert(function)(array, x, n))(*given)
    np.testing.assert_allclose(result, expected, rtol=1e-6)
    if isinstance(expected, rt.Tensor):
        assert expected.dtype == result.dtype


def test_an_array_of_integers_beyond_32_bits_keeps_them():
    big = np.array([2**40, 1])
    result = ag.function(lambda x, n: x * x if n > 1 else big)(rt.constant(3), rt.constant(0))
    assert [2**40, 1] == result.numpy().tolist()
