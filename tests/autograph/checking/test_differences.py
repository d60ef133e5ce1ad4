"""Equal values, plain against converted and plain against staged."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import runtime as rt
from autograph.checking.differences import difference
from autograph.checking.value_snapshot import snapshot_of

SAME_STAGED = [
    (3, rt.constant(3)),
    (3, rt.constant(3, rt.int64)),
    (3, rt.constant(3.0)),
    (True, rt.constant(True)),
    (0.1, rt.constant(0.1)),
    (math.nan, rt.constant(math.nan)),
    ("a", rt.constant("a")),
    ([1, 2.5], [rt.constant(1), rt.constant(2.5)]),
    ({"k": 1}, {"k": rt.constant(1)}),
    (np.float64(2.0), rt.constant(2.0, rt.float64)),
    (rt.constant([1.0, 2.0]), rt.constant([1.0, 2.0 + 1e-6])),
    (None, None),
]
DIFFERENT_STAGED = [
    (3, rt.constant(4)),
    (3.5, rt.constant(3)),
    (1, rt.constant(True)),
    (True, rt.constant(1)),
    (None, rt.constant(0)),
    (rt.constant(3), rt.constant(3, rt.int64)),
    (rt.constant([1, 2]), rt.constant([1, 2, 3])),
    (rt.constant(1.0), rt.constant(1.001)),
    ([1, 2], (1, 2)),
    ([1, 2], [1]),
    ({"a": 1}, {"b": 1}),
    ("a", "b"),
]


@pytest.mark.parametrize(("expected", "actual"), SAME_STAGED)
def test_a_graph_may_return_tensors_for_numbers(expected: Any, actual: Any) -> None:
    assert difference(snapshot_of(expected), snapshot_of(actual), staged=True) is None


@pytest.mark.parametrize(("expected", "actual"), DIFFERENT_STAGED)
def test_a_different_number_kind_or_structure_is_a_difference(expected: Any, actual: Any) -> None:
    assert difference(snapshot_of(expected), snapshot_of(actual), staged=True)


@pytest.mark.parametrize(
    ("expected", "actual"), [(3, rt.constant(3)), (1, True), (1, 1.0), (np.int64(1), 1)]
)
def test_converted_code_returns_the_same_type(expected: Any, actual: Any) -> None:
    assert difference(snapshot_of(expected), snapshot_of(actual), staged=False)
    assert difference(snapshot_of(expected), snapshot_of(expected), staged=False) is None


def test_the_path_to_the_difference_is_named() -> None:
    found = difference(snapshot_of({"a": [1, 2]}), snapshot_of({"a": [1, 3]}), staged=False)
    assert "['a'][1]: 3 instead of 2" == found


def test_a_snapshot_does_not_change() -> None:
    values = [1, [2]]
    kept = snapshot_of(values)
    values[1].append(3)
    assert "[1, [2]]" == str(kept)


def test_a_snapshot_of_a_value_that_contains_itself() -> None:
    values: list[Any] = [1]
    values.append(values)
    assert "list" == snapshot_of(values).kind
