"""Checks of dtypes and of iterables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt

debugging = rt.debugging


def test_whole_numbers_and_dtypes() -> None:
    debugging.assert_integer([1])
    debugging.assert_type(rt.constant(1.0), rt.float32)
    with pytest.raises(TypeError, match="m. expected integers, found float32"):
        debugging.assert_integer(1.0, message="m")
    with pytest.raises(TypeError, match="must be int32, not float32"):
        debugging.assert_type(rt.constant(1.0), rt.int32)


@pytest.mark.parametrize("value", [rt.constant([1]), np.zeros(2), "text", b"bytes", 5])
def test_improper_iterables_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="expected a list or another iterable"):
        debugging.assert_proper_iterable(value)


def test_proper_iterables_are_accepted() -> None:
    for value in ([1], (1,), {1}, {"a": 1}, (k for k in [1])):
        debugging.assert_proper_iterable(value)


def test_one_floating_dtype() -> None:
    one, two = rt.constant(1.0), rt.constant(1.0, "float64")
    assert rt.float64 is debugging.assert_same_float_dtype([two])
    assert rt.float32 is debugging.assert_same_float_dtype()
    assert rt.float32 is debugging.assert_same_float_dtype([one], "float32")
    with pytest.raises(ValueError, match="must all be float32, but one is float64"):
        debugging.assert_same_float_dtype([one, two])
    with pytest.raises(ValueError, match="Expected floating point type, got int32"):
        debugging.assert_same_float_dtype([rt.constant(1)])


def test_tensors_of_numbers() -> None:
    found = [debugging.is_numeric_tensor(x) for x in (rt.constant(1), rt.constant("a"), 1)]
    assert [True, False, False] == found
