"""Checks of shapes: refused while tracing where possible, else when the graph runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, ShapeError

debugging = rt.debugging
ANY = [rt.TensorSpec(None, rt.float32)]


def test_ranks_are_checked() -> None:
    debugging.assert_rank([1, 2], 1)
    debugging.assert_rank([1, 2], rt.constant(1))
    debugging.assert_rank_at_least([[1]], 1)
    debugging.assert_rank_in([1], [0, 1])
    for check in (
        lambda: debugging.assert_rank([1, 2], 2, message="m"),
        lambda: debugging.assert_rank_at_least([1], 2, message="m"),
        lambda: debugging.assert_rank_in([1], [0, 2], message="m"),
        lambda: debugging.assert_scalar([1], message="m"),
    ):
        with pytest.raises(ValueError, match=r"m\. a tensor of shape .* must have"):
            check()


def test_assert_scalar_returns_the_scalar() -> None:
    assert 5 == debugging.assert_scalar(5).numpy()


def test_ranks_that_a_call_decides_are_checked_on_every_call() -> None:
    @ag.function(input_signature=ANY)
    def matrix(x: Any) -> Any:
        debugging.assert_rank(x, 2)
        return rt.reduce_sum(x)

    assert 4.0 == matrix(rt.ones([2, 2])).numpy()
    with pytest.raises(ShapeError, match=r"shape \(2,\) must have rank 2"):
        matrix(rt.ones([2]))


def test_a_known_rank_is_refused_while_traced() -> None:
    @ag.function
    def matrix(x: Any) -> Any:
        debugging.assert_rank(x, 2)
        return x

    with pytest.raises(ShapeError, match="must have rank 2"):
        matrix.get_concrete_function(rt.TensorSpec([3], rt.float32))


x, y = np.zeros((2, 3)), np.zeros((3, 7))
FITTING = [
    [(x, ("N", "Q")), (y, ("Q", "D"))],
    [(x, "NQ"), (y, "QD")],
    [(x, (2, None)), (y, ("*", 7))],
    [(x, ("...", "Q")), (y, (..., "Q", "D"))],
    [(x, "...NQ")],
    [(1.0, ())],
]


@pytest.mark.parametrize("shapes", FITTING)
def test_shapes_that_fit(shapes: Any) -> None:
    debugging.assert_shapes(shapes)


NOT_FITTING = [
    ([(x, ("N", "Q")), (y, ("D", "Q"))], "dimension 1 of shape .* is 7, but Q is 3"),
    ([(x, ("A", "A"))], "dimension 1 of shape .* is 3, but A is 2"),
    ([(x, (2,))], "must have rank 1"),
    ([(x, ("...", "A", "B", "C"))], "must have at least rank 3"),
    ([(x, (2, 4))], "is 3, but 4 is wanted"),
]


@pytest.mark.parametrize(("shapes", "words"), NOT_FITTING)
def test_shapes_that_do_not_fit(shapes: Any, words: str) -> None:
    with pytest.raises(ShapeError, match=words):
        debugging.assert_shapes(shapes)


def test_an_ellipsis_must_be_first() -> None:
    with pytest.raises(ArgumentValueError, match="write it first"):
        debugging.assert_shapes([(x, ("N", "..."))])


def test_shapes_that_a_call_decides_are_checked_on_every_call() -> None:
    @ag.function(input_signature=[rt.TensorSpec([None]), rt.TensorSpec([None, None])])
    def both(v: Any, m: Any) -> Any:
        debugging.assert_shapes([(v, ("N",)), (m, ("N", "D"))], message="m")
        return rt.reduce_sum(v)

    assert 3.0 == both(rt.ones([3]), rt.ones([3, 2])).numpy()
    with pytest.raises(ShapeError, match=r"m\. dimension 0 of shape \(2, 2\) is 2, but N is 3"):
        both(rt.ones([3]), rt.ones([2, 2]))


def test_lists_of_pairs_and_of_ranks() -> None:
    for shapes in (5, [(1,)], [5]):
        with pytest.raises(ArgumentValueError, match="a list of pairs"):
            debugging.assert_shapes(shapes)
    with pytest.raises(DTypeError, match="ranks must be a list, not 5"):
        debugging.assert_rank_in([1], 5)
