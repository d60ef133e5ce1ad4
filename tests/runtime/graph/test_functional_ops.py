"""Functions called row by row, eagerly and in graphs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import InvalidArgumentError, ShapeError

WAYS: list[Callable[[Any], Any]] = [lambda f: f, ag.function]
ROWS = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)


@pytest.mark.parametrize("way", WAYS, ids=["eager", "graph"])
def test_rows_are_mapped_and_folded(way: Any) -> None:
    x = rt.constant(ROWS)
    call = way(lambda x: rt.map_fn(lambda row: row * 2, x, parallel_iterations=3))
    np.testing.assert_array_equal(call(x).numpy(), ROWS * 2)
    call = way(lambda x: rt.map_fn(rt.reduce_sum, x, fn_output_signature=rt.float32))
    np.testing.assert_array_equal(call(x).numpy(), ROWS.sum(1))
    call = way(lambda x: rt.scan(lambda total, row: total + row, x))
    np.testing.assert_array_equal(call(x).numpy(), np.cumsum(ROWS, 0))
    call = way(lambda x: rt.scan(lambda total, row: total + row, x, reverse=True))
    np.testing.assert_array_equal(call(x).numpy(), np.cumsum(ROWS[::-1], 0)[::-1])
    call = way(lambda x: (rt.foldl(fold, x, rt.zeros(2)), rt.foldr(fold, x)))
    left, right = call(x)
    np.testing.assert_array_equal(left.numpy(), functools.reduce(fold, ROWS, np.zeros(2)))
    np.testing.assert_array_equal(right.numpy(), functools.reduce(fold, ROWS[::-1]))


def fold(so_far: Any, row: Any) -> Any:
    return so_far * 10 + row


@pytest.mark.parametrize("way", WAYS, ids=["eager", "graph"])
def test_map_fn_takes_and_returns_structures(way: Any) -> None:
    signature = {"sum": rt.float32, "more": (rt.TensorSpec((2,), rt.int32),)}

    def pairs(x: Any, n: Any) -> Any:
        return rt.map_fn(
            lambda pair: {"sum": rt.reduce_sum(pair[0]), "more": ([pair[1], pair[1] + 1],)},
            (x, n),
            fn_output_signature=signature,
        )

    def stacked(x: Any, n: Any) -> Any:
        return rt.map_fn(
            lambda pair: {"sum": rt.reduce_sum(pair[0]), "more": (rt.stack([pair[1], 7]),)},
            (x, n),
            fn_output_signature=signature,
        )

    found = way(stacked)(rt.constant(ROWS), rt.constant([4, 5, 6]))
    assert [3.0, 7.0, 11.0] == found["sum"].numpy().tolist()
    assert [[4, 7], [5, 7], [6, 7]] == found["more"][0].numpy().tolist()
    with pytest.raises((TypeError, ValueError)):
        pairs(rt.constant(ROWS), rt.constant([4, 5, 6]))


@pytest.mark.parametrize("way", WAYS, ids=["eager", "graph"])
def test_vectorized_map_infers_its_result_dtypes(way: Any) -> None:
    found = way(lambda x: rt.vectorized_map(lambda row: row > 2, x))(rt.constant(ROWS))
    np.testing.assert_array_equal(found.numpy(), ROWS > 2)


@pytest.mark.parametrize("way", WAYS, ids=["eager", "graph"])
def test_case_takes_the_first_true_condition(way: Any) -> None:
    def kind(x: Any) -> Any:
        pairs = [(x < 0, lambda: rt.constant(-1)), (x < 10, lambda: rt.constant(1))]
        return rt.case(pairs, default=lambda: rt.constant(10))

    assert [-1, 1, 10] == [int(way(kind)(rt.constant(n))) for n in (-5, 5, 50)]


@pytest.mark.parametrize("way", WAYS, ids=["eager", "graph"])
def test_a_case_without_a_match_and_one_with_several(way: Any) -> None:
    def strict(x: Any) -> Any:
        pairs = [(x < 0, lambda: rt.constant(-1)), (x < 10, lambda: rt.constant(1))]
        return rt.case(pairs, exclusive=True)

    assert 1 == int(way(strict)(rt.constant(5)))
    with pytest.raises(InvalidArgumentError, match="no condition holds"):
        way(strict)(rt.constant(50))
    with pytest.raises(InvalidArgumentError, match="several conditions hold"):
        way(strict)(rt.constant(-5))


def test_map_fn_over_an_unknown_number_of_rows() -> None:
    @ag.function(input_signature=[rt.TensorSpec((None, 2), rt.float32)])
    def doubled(x: Any) -> Any:
        return rt.map_fn(lambda row: row * 2, x)

    np.testing.assert_array_equal(doubled(ROWS).numpy(), ROWS * 2)


def test_scalars_and_unequal_rows_are_refused() -> None:
    with pytest.raises(ShapeError, match="a scalar has none"):
        rt.map_fn(lambda x: x, rt.constant(1))
    with pytest.raises(ShapeError, match="differ in their rows"):
        rt.foldl(lambda a, x: a, (rt.zeros(2), rt.zeros(3)))


@pytest.mark.parametrize("way", WAYS, ids=["eager", "graph"])
def test_vectorized_map_over_no_rows_keeps_shapes(way: Any) -> None:
    x = rt.zeros([0, 2])
    both = way(lambda x: rt.vectorized_map(lambda row: (row * 2, rt.reduce_any(row > 1)), x))(x)
    assert [((0, 2), "float32"), ((0,), "bool")] == [(tuple(t.shape), t.dtype.name) for t in both]


def test_map_fn_explains_how_to_declare_another_structure() -> None:
    x = rt.ones([2])
    with pytest.raises(rt.errors.ArgumentValueError, match="give fn_output_signature="):
        rt.map_fn(lambda row: (row, row), x)
    signature = (rt.float32, rt.float32)
    assert 2 == len(rt.map_fn(lambda row: (row, row), x, fn_output_signature=signature))
