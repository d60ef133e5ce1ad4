"""Logic against Python's own operators."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from runtime.errors import DTypeError

OPERATORS = [operator.and_, operator.or_, operator.xor]


@pytest.mark.parametrize("operation", OPERATORS, ids=lambda op: op.__name__)
@given(st.integers(-99, 99), st.integers(-99, 99))
def test_integers_are_combined_bit_by_bit(operation: Any, x: int, y: int) -> None:
    for result in (operation(rt.constant(x), y), operation(x, rt.constant(y))):
        assert result.numpy() == operation(x, y) and result.dtype is rt.int32
    assert (~rt.constant(x)).numpy() == ~x


@pytest.mark.parametrize("operation", OPERATORS, ids=lambda op: op.__name__)
def test_bools_are_combined_logically(operation: Any) -> None:
    x, y = np.array([True, True, False, False]), np.array([True, False, True, False])
    result = operation(rt.constant(x), rt.constant(y))
    assert result.dtype is rt.bool and (result.numpy() == operation(x, y)).all()


def test_the_functions() -> None:
    assert rt.logical_and(True, [True, False]).numpy().tolist() == [True, False]
    assert rt.logical_or(False, [True, False]).numpy().tolist() == [True, False]
    assert rt.logical_xor(True, [True, False]).numpy().tolist() == [False, True]
    assert (~rt.constant([True])).numpy().tolist() == [False]
    assert rt.bitwise.left_shift(3, 2).numpy() == 12 and rt.bitwise.right_shift(-9, 1).numpy() == -5


def test_integers_and_bools_do_not_mix() -> None:
    with pytest.raises(DTypeError):
        rt.logical_and(1, 0)
    with pytest.raises(DTypeError):
        rt.constant(1.0) & rt.constant(2.0)


def test_shifts_are_limited_to_the_width() -> None:
    # Recorded from TensorFlow 2.21.
    assert -(2**31) == rt.bitwise.left_shift(rt.constant(1), 40).numpy()
    assert 1 == rt.bitwise.left_shift(rt.constant(1), -1).numpy()
    assert [4, -128] == rt.bitwise.left_shift(rt.constant([1, -1], "int8"), [2, 9]).numpy().tolist()
    assert -1 == rt.bitwise.right_shift(rt.constant(-1), 40).numpy()
