"""Shapes: broadcasting against NumPy, merging and joining against their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.core.shapes import TensorShape, broadcast, join, merge
from runtime.errors import OutOfBoundsError, ShapeError

full = st.lists(st.integers(0, 3), max_size=4).map(tuple)


def forgetting(dims: tuple[int, ...]) -> st.SearchStrategy[TensorShape]:
    """Return a strategy of shapes that know at most the sizes in `dims`."""
    known = st.tuples(*(st.sampled_from((dim, None)) for dim in dims)) if dims else st.just(())
    return st.one_of(st.just(TensorShape(None)), known.map(TensorShape))


@given(full, full)
def test_broadcast_of_known_shapes_agrees_with_numpy(
    a: tuple[int, ...], b: tuple[int, ...]
) -> None:
    try:
        expected = np.broadcast_shapes(a, b)
    except ValueError:
        with pytest.raises(ShapeError, match="do not broadcast"):
            broadcast(a, b)
        return
    assert broadcast(a, b) == TensorShape(expected)


@given(st.data(), full, full)
def test_broadcast_of_partial_shapes_contains_the_actual_shape(
    data: st.DataObject, a: tuple[int, ...], b: tuple[int, ...]
) -> None:
    try:
        truth = np.broadcast_shapes(a, b)
    except ValueError:
        return
    less_a, less_b = data.draw(forgetting(a)), data.draw(forgetting(b))
    assert less_a.broadcast(less_b).contains(truth)


@given(st.data(), full)
def test_merge_keeps_the_knowledge_of_both(data: st.DataObject, dims: tuple[int, ...]) -> None:
    a, b = data.draw(forgetting(dims)), data.draw(forgetting(dims))
    merged = merge(a, b)
    assert merged.contains(dims) and a.contains(merged) and b.contains(merged)


@given(st.data(), full, full)
def test_join_allows_both(data: st.DataObject, x: tuple[int, ...], y: tuple[int, ...]) -> None:
    a, b = data.draw(forgetting(x)), data.draw(forgetting(y))
    joined = join(a, b)
    assert joined.contains(a) and joined.contains(b)
    assert join(a, a) == a


def test_contradicting_shapes_do_not_merge() -> None:
    with pytest.raises(ShapeError, match=r"\(2,\) and \(3,\) contradict"):
        TensorShape([2]).merge([3])
    assert not TensorShape([2]).is_compatible_with([2, 2])


def test_text() -> None:
    assert str(TensorShape([2, None])) == "(2, None)"
    assert str(TensorShape([2])) == "(2,)" and str(TensorShape([])) == "()"
    assert str(TensorShape(None)) == "<unknown>"
    assert repr(TensorShape([2, None])) == "TensorShape([2, None])"


def test_the_sequence_side() -> None:
    shape = TensorShape([2, None, 4])
    assert list(shape) == [2, None, 4] == shape.as_list() and len(shape) == 3
    assert shape[0] == 2 and shape[-1] == 4 and shape[1:] == TensorShape([None, 4])
    assert shape == (2, None, 4) and shape == [2, None, 4] and shape != (2, 3, 4)
    assert shape + [5] == (2, None, 4, 5) and [1] + shape == (1, 2, None, 4)
    assert {shape: 1}[TensorShape((2, None, 4))] == 1


def test_unknown_rank() -> None:
    unknown = TensorShape(None)
    assert unknown.rank is None and unknown[0] is None and unknown[1:] == unknown
    assert not unknown and TensorShape([])
    with pytest.raises(ShapeError):
        len(unknown)
    with pytest.raises(ValueError):
        unknown.as_list()


def test_counts_and_definedness() -> None:
    assert TensorShape([2, 3]).num_elements() == 6 and TensorShape([]).num_elements() == 1
    assert TensorShape([2, None]).num_elements() is None
    assert TensorShape([2]).is_fully_defined() and not TensorShape([None]).is_fully_defined()
    assert TensorShape(None).with_rank(2) == (None, None)


@pytest.mark.parametrize("dim", [-1, True])
def test_dimensions_are_checked(dim: object) -> None:
    with pytest.raises(ShapeError, match="a dimension must be None or an int"):
        TensorShape([dim])


@pytest.mark.parametrize("dims", [[1.5], ["a"], 1.5])
def test_a_dimension_that_is_no_int_raises_type_error(dims: object) -> None:
    with pytest.raises(TypeError, match="a dimension must be None or an int"):
        TensorShape(dims)
    with pytest.raises(TypeError, match="must be ints"):
        TensorShape("ab")


@pytest.mark.parametrize(
    "check",
    [
        lambda shape: shape.assert_has_rank(3),
        lambda shape: shape.assert_same_rank([1]),
        lambda shape: shape.assert_is_compatible_with([1, 3]),
        lambda shape: shape.assert_is_fully_defined(),
        lambda shape: shape.with_rank_at_least(3),
        lambda shape: shape.with_rank_at_most(1),
    ],
)
def test_assertions_of_shapes_that_fail(check: Any) -> None:
    with pytest.raises(ShapeError):
        check(TensorShape([None, 2]))


def test_assertions_of_shapes_that_hold() -> None:
    shape = TensorShape([None, 2])
    assert shape.with_rank_at_least(2).with_rank_at_most(2) is shape
    assert shape.assert_has_rank(2) is shape.assert_same_rank([1, 1]) is None
    assert shape.assert_is_compatible_with([1, 2]) is None
    assert TensorShape([1, 2]).is_subtype_of(shape) and not shape.is_subtype_of([1, 2])
    assert TensorShape(None)[:2].as_list() == [None, None] and TensorShape(None)[1:].rank is None


def test_an_axis_that_a_shape_lacks_is_told() -> None:
    with pytest.raises(IndexError, match=r"shape \(2, None\) has 2 axes, and no axis 5") as raised:
        TensorShape([2, None])[5]
    assert isinstance(raised.value, OutOfBoundsError)
    with pytest.raises(IndexError, match="has 1 axis, and no axis -2"):
        TensorShape([2])[-2]
