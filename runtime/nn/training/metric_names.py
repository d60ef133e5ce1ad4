"""Metrics called "accuracy" or "crossentropy": which one is meant depends on the shapes."""

from __future__ import annotations

from typing import Any

from runtime.errors import ArgumentValueError
from runtime.nn import metrics
from runtime.nn.training.compile_arguments import metric_of

_ACCURACY = ("accuracy", "acc")
_CROSSENTROPY = ("crossentropy", "ce")


def metric_for(identifier: Any, y_true: Any, y_pred: Any) -> Any:
    """Return the metric that is meant for what is true and what is predicted.

    Args:
        identifier: what `metric_of` takes; "accuracy", "acc", "crossentropy" and "ce" become the
            binary one for one output, the sparse one for numbers of classes, else the categorical
            one.
        y_true, y_pred: tensors, of which the shapes count.
    """
    if identifier not in (*_ACCURACY, *_CROSSENTROPY) or not isinstance(identifier, str):
        return metric_of(identifier)
    what = "Accuracy" if identifier in _ACCURACY else "Crossentropy"
    name = f"{_kind(y_true, y_pred)}{what}"
    found = getattr(metrics, name, None)
    if found is None:
        raise ArgumentValueError(f"there is no metric {name}, which {identifier!r} means here")
    return found(name=identifier)


def _kind(y_true: Any, y_pred: Any) -> str:
    """Return the first part of a name: how classes are told.

    >>> from runtime.core.spec import TensorSpec
    >>> _kind(TensorSpec((None,)), TensorSpec((None, 10)))
    'SparseCategorical'
    """
    truth, predicted = y_true.shape, y_pred.shape
    if predicted.rank is None or truth.rank is None:
        return "SparseCategorical"
    if predicted.rank == 0 or predicted[-1] == 1 or (predicted.rank == 1 and truth.rank == 1):
        return "Binary"
    if truth.rank < predicted.rank or (truth.rank == predicted.rank and truth[-1] == 1):
        return "SparseCategorical"
    return "Categorical"
