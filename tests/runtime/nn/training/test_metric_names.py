"""The metric that "accuracy" stands for."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.core.spec import TensorSpec
from runtime.nn.training.compile_arguments import _kind, metric_for

# Shapes of y_true and y_pred, as Keras 3 takes them; but for the last, where it takes the batch
# for classes.
SHAPES: list[tuple[Any, Any, str]] = [
    ((None,), (None, 10), "SparseCategorical"),
    ((None, 1), (None, 10), "SparseCategorical"),
    ((None, 7, 1), (None, 7, 10), "SparseCategorical"),
    ((None, 10), (None, 10), "Categorical"),
    ((None, 1), (None, 1), "Binary"),
    ((None,), (None, 1), "Binary"),
    ((None, 7), (None, 7, 1), "Binary"),
    ((None, 7), (None, 7, 10), "SparseCategorical"),
    ((None, 7, 10), (None, 7, 10), "Categorical"),
    ((None,), (None,), "Binary"),
]


@pytest.mark.parametrize(("truth", "predicted", "kind"), SHAPES)
def test_shapes_select_the_accuracy_metric(truth: Any, predicted: Any, kind: str) -> None:
    assert kind == _kind(TensorSpec(truth), TensorSpec(predicted))


def test_the_metric_keeps_the_name_it_was_called() -> None:
    found = metric_for("acc", TensorSpec((None,)), TensorSpec((None, 10)))
    assert ("SparseCategoricalAccuracy", "acc") == (type(found).__name__, found.name)
