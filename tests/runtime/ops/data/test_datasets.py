# ruff: noqa: C417
"""Positions in a dataset, which a graph iterates with."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import FailedPreconditionError, InvalidArgumentError, OutOfRangeError
from runtime.ops.data import datasets
from runtime.ops.data.datasets import DatasetPosition


def counted(drawn: list[int], *items: Any) -> Iterator[Any]:
    for item in items:
        drawn.append(item)
        yield (item,)


def test_an_item_is_computed_lazily_and_once() -> None:
    drawn: list[int] = []
    place = DatasetPosition(counted(drawn, 1, 2, 3))
    assert [] == drawn
    assert place.has_item() and place.has_item()
    following = place.after()
    assert (1,) == place.take()
    assert [1] == drawn
    assert (2,) == following.take()
    assert [1, 2] == drawn


def test_the_position_after_the_end_is_the_end() -> None:
    place = DatasetPosition(iter([(1,)]))
    end = place.after().after().after()
    assert not end.has_item()
    with pytest.raises(OutOfRangeError, match="no item is left"):
        end.take()


def test_a_raised_exception_is_an_item() -> None:
    place = DatasetPosition(map(lambda x: (12 // x,), [0, 3]))
    assert place.has_item()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            place.take()
    assert (4,) == place.after().take()


def test_an_old_position_yields_the_next_item() -> None:
    first = DatasetPosition(iter([(1,), (2,), (3,), (4,)]))
    first.take()
    assert (2,) == first.after().take()
    assert first.has_item()
    assert (3,) == first.take()
    assert (4,) == first.after().take()


def test_a_dropped_item_is_refused() -> None:
    first = DatasetPosition(iter([(1,), (2,)]))
    first.after().has_item()
    with pytest.raises(FailedPreconditionError, match="item 0 of a dataset is gone: 1 is there"):
        first.take()


def test_no_more_than_one_item_is_held() -> None:
    arrays = [np.array(number) for number in range(3)]
    held = [weakref.ref(array) for array in arrays]
    first = DatasetPosition((arrays.pop(0),) for _ in range(3))
    first.after().after().take()
    assert [True, True, False] == [reference() is None for reference in held]


def test_dataset_positions_work_eagerly() -> None:
    dataset = rt.data.Dataset.range(1)
    place = dataset.begin()
    assert bool(datasets.has_item(place))
    assert 0 == int(dataset.element_at(place))
    assert not datasets.has_item(datasets.position_after(place))
    with pytest.raises(InvalidArgumentError, match="a place in a dataset was expected"):
        datasets.has_item(rt.TensorArray(rt.int32, 1).handle)


def test_an_item_is_checked_against_its_spec() -> None:
    place = rt.data.Dataset.range(1).begin()
    with pytest.raises(InvalidArgumentError, match="where int32 of shape"):
        datasets.item_at(place, [rt.TensorSpec((), rt.int32)])
