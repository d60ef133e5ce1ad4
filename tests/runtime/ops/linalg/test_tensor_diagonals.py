"""Diagonals of tensors: numbers recorded with TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError, ShapeError
from runtime.executors import run

WHOLE = [[[[1, 0], [0, 0]], [[0, 2], [0, 0]]], [[[0, 0], [3, 0]], [[0, 0], [0, 4]]]]


def test_tensor_diag_and_tensor_diag_part() -> None:
    assert WHOLE == rt.linalg.tensor_diag([[1, 2], [3, 4]]).numpy().tolist()
    assert [[1, 2], [3, 4]] == rt.linalg.tensor_diag_part(WHOLE).numpy().tolist()
    assert [[1, 0], [0, 2]] == rt.linalg.tensor_diag([1, 2]).numpy().tolist()


@pytest.mark.parametrize("known", [(2, 3), (None, 3), (None, None)])
def test_sizes_may_be_dynamic(known: Any) -> None:
    graph = rt.Graph("diagonals")
    x = graph.add_input(rt.TensorSpec(known, "float32"), "x")
    with graph.recording():
        graph.set_outputs([rt.linalg.tensor_diag_part(rt.linalg.tensor_diag(x))])
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(run(graph, [array])[0], array)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: rt.linalg.tensor_diag(1), "at least one axis"),
        (lambda: rt.linalg.tensor_diag_part([1]), "an even number of axes"),
        (lambda: rt.linalg.tensor_diag_part(1), "an even number of axes"),
        (lambda: rt.linalg.tensor_diag_part([[1, 2]]), "must be the same"),
    ],
)
def test_tensors_without_a_diagonal_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        call()


@pytest.mark.parametrize(
    "call, known, wrong",
    [
        (rt.linalg.tensor_diag, None, np.float32(1)),
        (rt.linalg.tensor_diag_part, (None, None), np.float32([[1, 2]])),
        (rt.linalg.tensor_diag_part, (1, None), np.float32([[1, 2]])),
    ],
)
def test_invalid_runtime_shapes_are_refused_by_the_run(call: Any, known: Any, wrong: Any) -> None:
    graph = rt.Graph("diagonals")
    x = graph.add_input(rt.TensorSpec(known, "float32"), "x")
    with graph.recording():
        graph.set_outputs([call(x)])
    with pytest.raises(InvalidArgumentError, match="at least one axis|must be the same"):
        run(graph, [wrong])
