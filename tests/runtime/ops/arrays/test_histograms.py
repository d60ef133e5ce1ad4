"""Counts by value, by range and by prediction: numbers recorded with TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError, OutOfMemoryError
from runtime.executors import run

ROWS = [[1, 1, 3], [0, 0, 0]]

COUNTS: list[tuple[dict[str, Any], Any, str]] = [
    ({"arr": [1, 1, 3], "minlength": 6}, [0, 2, 0, 1, 0, 0], "int32"),
    ({"arr": [1, 1, 3], "maxlength": 2}, [0, 2], "int32"),
    ({"arr": [1, 1, 3], "maxlength": 0}, [], "int32"),
    ({"arr": ROWS, "axis": -1}, [[0, 2, 0, 1], [3, 0, 0, 0]], "int32"),
    ({"arr": ROWS}, [3, 2, 0, 1], "int32"),
    ({"arr": ROWS, "axis": 0}, [3, 2, 0, 1], "int32"),
    ({"arr": [1, 1, 3], "binary_output": True}, [0, 1, 0, 1], "int32"),
    ({"arr": np.zeros(0, np.int32)}, [], "int32"),
    ({"arr": [1, 1, 3], "weights": [1.0, 2.0, 3.0]}, [0.0, 3.0, 0.0, 3.0], "float32"),
    ({"arr": [1, 2], "axis": -1}, [0, 1, 1], "int32"),
    ({"arr": [1, 2], "dtype": "float32"}, [0.0, 1.0, 1.0], "float32"),
    ({"arr": [1.5]}, [0, 1], "int32"),
    ({"arr": 3}, [0, 0, 0, 1], "int32"),
    (
        {"arr": ROWS, "weights": [[0.5, 1, 2], [1, 1, 1]], "axis": -1},
        [[0.0, 1.5, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0]],
        "float32",
    ),
    ({"arr": [1, 2], "weights": [1, 2], "dtype": "float32"}, [0, 1, 2], "int32"),
    ({"arr": [1, 2], "dtype": "int64"}, [0, 1, 1], "int64"),
    ({"arr": [1], "minlength": -1}, [0, 1], "int32"),
]


@pytest.mark.parametrize("options, expected, dtype", COUNTS)
def test_numbers_are_counted(options: dict[str, Any], expected: Any, dtype: str) -> None:
    found = rt.math.bincount(**options)
    assert (expected, dtype) == (found.numpy().tolist(), found.dtype.name)


@pytest.mark.parametrize("known", [(3,), (None,), None])
def test_numbers_of_a_graph_are_counted(known: Any) -> None:
    graph = rt.Graph("counts")
    x = graph.add_input(rt.TensorSpec(known, "int32"), "x")
    with graph.recording():
        found = [rt.math.bincount(x), rt.math.confusion_matrix(x, x)]
    graph.set_outputs(found)
    counts, matrix = run(graph, [np.array([1, 1, 3], np.int32)])
    assert [0, 2, 0, 1] == counts.tolist() and [0, 2, 0, 1] == np.diagonal(matrix).tolist()
    with pytest.raises(InvalidArgumentError, match="arr of bincount"):
        run(graph, [np.array([1, -1, 3], np.int32)])


def test_weights_have_a_gradient() -> None:
    weights = rt.constant([1.0, 2.0, 3.0])
    with rt.GradientTape() as tape:
        tape.watch(weights)
        y = rt.math.bincount([1, 1, 3], weights, maxlength=3) ** 2
    assert [6.0, 6.0, 0.0] == tape.gradient(y, weights).numpy().tolist()


def test_labels_and_predictions_are_counted_together() -> None:
    matrix = rt.math.confusion_matrix([1, 2, 4], [2, 2, 4]).numpy()
    expected = np.zeros((5, 5), int)
    expected[1, 2] = expected[2, 2] = expected[4, 4] = 1
    np.testing.assert_array_equal(matrix, expected)
    weighted = rt.math.confusion_matrix([1, 2], [2, 1], weights=[0.5, 2.0], dtype=rt.float32)
    assert [[0, 0, 0], [0, 0, 0.5], [0, 2, 0]] == weighted.numpy().tolist()
    cut = rt.math.confusion_matrix([1, 2], [[2], [1]], weights=[0.5, 2.0])
    assert [[0, 0, 0], [0, 0, 0], [0, 2, 0]] == cut.numpy().tolist()
    assert (0, 0) == rt.math.confusion_matrix([], []).shape


def test_values_are_counted_by_range() -> None:
    values = [-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]
    assert [2, 1, 1, 0, 2] == rt.histogram_fixed_width(values, [0.0, 5.0], 5).numpy().tolist()
    bins = rt.histogram_fixed_width_bins(values, [0.0, 5.0], 5)
    assert [0, 0, 1, 2, 4, 4] == bins.numpy().tolist()
    assert [1, 2] == rt.histogram_fixed_width([1, 2, 3], [0, 4], 2).numpy().tolist()
    assert [0, 0, 0] == rt.histogram_fixed_width([], [0.0, 1.0], 3).numpy().tolist()
    assert [0, 0] == rt.histogram_fixed_width_bins([-1.0, 0.0], [5.0, 5.0], 5).numpy().tolist()
    wide = rt.histogram_fixed_width(rt.constant([0.1], rt.float64), [0.0, 1.0], 2)
    assert [1, 0] == wide.numpy().tolist()
    assert "int64" == rt.histogram_fixed_width([0.1], [0.0, 1.0], 2, rt.int64).dtype.name


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: rt.math.bincount([-1]), "arr of bincount"),
        (lambda: rt.math.bincount(["a"]), "arr must be integers, not string"),
        (lambda: rt.math.bincount([1], [1.0], binary_output=True), "weights or binary_output"),
        (lambda: rt.math.bincount([1], axis=1), "None, 0 or -1, not 1"),
        (lambda: rt.math.bincount([[[1]]], axis=-1), "needs a matrix"),
        (lambda: rt.math.bincount([1, 2], weights=[1, 2, 3]), "must have the shape of arr"),
        (lambda: rt.math.bincount([1], maxlength=-1), "maxlength of bincount"),
        (lambda: rt.math.bincount([1], dtype=rt.int8), "counts must be int32"),
        (lambda: rt.math.confusion_matrix([1, 4], [2, 2], 3), "labels of confusion_matrix"),
        (lambda: rt.math.confusion_matrix([1, 2], [-1, 2]), "predictions of confusion_matrix"),
        (lambda: rt.math.confusion_matrix([1, 2], [1]), r"labels of shape \(2,\)"),
        (
            lambda: rt.math.confusion_matrix([1, 2], [1, 2], weights=[1]),
            "must have one number for each label",
        ),
        (lambda: rt.math.confusion_matrix([[[1]]], [1]), "labels and predictions must be vectors"),
        (lambda: rt.histogram_fixed_width([1.0], [3.0, 1.0]), "value_range of a histogram"),
        (lambda: rt.histogram_fixed_width([1.0], [1.0]), "value_range must be two numbers"),
        (lambda: rt.histogram_fixed_width([np.nan], [0.0, 1.0]), "must not be nan"),
        (lambda: rt.histogram_fixed_width([1.0], [0.0, 1.0], 0), "nbins of a histogram"),
        (lambda: rt.histogram_fixed_width([1.0], [0.0, 1.0], 2, rt.float32), "int32 or int64"),
    ],
)
def test_invalid_arguments_are_refused(call: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        call()


def test_too_many_bins_are_refused() -> None:
    with pytest.raises(OutOfMemoryError, match="larger than the memory there is"):
        rt.math.bincount([2**59])


def test_invalid_runtime_shapes_are_refused_by_the_run() -> None:
    graph = rt.Graph("ranges")
    ends = graph.add_input(rt.TensorSpec(None, "float32"), "ends")
    parts = graph.add_input(rt.TensorSpec(None, "int32"), "parts")
    with graph.recording():
        graph.set_outputs([rt.histogram_fixed_width([1.0, 2.0], ends, parts)])
    right, three = np.float32([0, 4]), np.float32([0, 4, 4])
    assert [1, 1] == run(graph, [right, np.int32(2)])[0].tolist()
    for wrong in ([three, np.int32(2)], [right, np.int32([2])]):
        with pytest.raises(InvalidArgumentError):
            run(graph, wrong)
