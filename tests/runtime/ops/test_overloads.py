"""Operators of tensors are complete and defer to other types."""

from __future__ import annotations

import operator

import pytest

import runtime as rt
from runtime.ops.overloads import operators


class Knowing:
    """A type with operators of its own."""

    def __radd__(self, other: object) -> str:
        return "mine"

    def __add__(self, other: object) -> str:
        return "mine too"


def test_operators_defer_to_other_types() -> None:
    x = rt.constant(1)
    assert x + Knowing() == "mine" and Knowing() + x == "mine too"
    with pytest.raises(TypeError, match="None is not a tensor value"):
        x + None
    for beside_none in (lambda: None + x, lambda: x < None, lambda: x**None, lambda: None - x):
        with pytest.raises(ValueError, match="None is not a tensor value"):
            beside_none()
    with pytest.raises(TypeError, match="unsupported operand"):
        x + object()
    with pytest.raises(TypeError):
        x < "a".join


def test_every_operator_has_its_reflection() -> None:
    methods = operators()
    for name in (
        "add",
        "sub",
        "mul",
        "truediv",
        "floordiv",
        "mod",
        "pow",
        "matmul",
        "and",
        "or",
        "xor",
    ):
        assert methods[f"__{name}__"] and methods[f"__r{name}__"]
    assert rt.Tensor.__add__.__name__ == "__add__"


def test_reflected_operands_keep_their_sides() -> None:
    x = rt.constant(2)
    for operation, left in (
        (operator.sub, 7),
        (operator.floordiv, 7),
        (operator.mod, 7),
        (operator.pow, 3),
    ):
        assert operation(left, x).numpy() == operation(left, 2)
    assert (1 / rt.constant(4)).numpy() == 0.25
    assert ([[1, 2]] @ rt.constant([[1], [1]])).numpy().tolist() == [[3]]
    assert (True & rt.constant(False)).numpy() == False  # noqa: E712


def test_in_place_operators_create_new_tensors() -> None:
    x = y = rt.constant(1)
    x += 1
    assert x.numpy() == 2 and y.numpy() == 1


def test_divmod_is_a_pair() -> None:
    x = rt.constant([7, -7])
    for found, expected in ((divmod(x, 2), ([3, -4], [1, 1])), (divmod(7, x), ([1, -1], [0, 0]))):
        assert tuple(part.numpy().tolist() for part in found) == expected
    quotient, rest = divmod(rt.Variable(7), 2)
    assert (int(quotient), int(rest)) == (3, 1)
