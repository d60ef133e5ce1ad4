"""Losses, metrics and optimizers in the forms that `compile` accepts."""

from __future__ import annotations

from typing import Any

from runtime.errors import ArgumentValueError
from runtime.nn import losses, metrics, optimizers
from runtime.nn.losses.loss import Loss, LossOfFunction
from runtime.nn.metrics.mean import MeanMetricWrapper
from runtime.nn.metrics.metric import Metric


def optimizer_of(identifier: Any) -> Any:
    """Return the optimizer of an identifier: a name, a class, an object or a config.

    >>> optimizer_of("sgd").get_config()["learning_rate"] > 0
    True
    """
    if hasattr(identifier, "apply_gradients") and not isinstance(identifier, type):
        return identifier
    return optimizers.get(identifier)


def loss_of(identifier: Any) -> Any:
    """Return the loss of an identifier; a function of y_true and y_pred is wrapped, None stays.

    >>> loss_of("mse").name, loss_of(None)
    ('mean_squared_error', None)
    """
    found = losses.get(identifier)
    if found is None or isinstance(found, Loss):
        return found
    return LossOfFunction(found, name=getattr(found, "__name__", type(found).__name__))


def metric_of(identifier: Any) -> Any:
    """Return the metric of an identifier; a function of y_true and y_pred is wrapped.

    >>> metric_of("mean").name
    'mean'
    """
    if identifier is None:
        raise ArgumentValueError("None is not a metric: give a name or an object")
    if isinstance(identifier, Loss):
        return MeanMetricWrapper(identifier, name=identifier.name)
    found = _metric_or_function(identifier)
    if not isinstance(found, Metric):
        name = getattr(found, "__name__", type(found).__name__)
        found = MeanMetricWrapper(found, name=name.strip("<>"))
    if isinstance(identifier, str):
        found._own.name = identifier
    return found


def _metric_or_function(identifier: Any) -> Any:
    try:
        return metrics.get(identifier)
    except ArgumentValueError:
        if not isinstance(identifier, str):
            raise
        try:
            found = losses.get(identifier)  # Keras also accepts the name of a loss function.
        except ArgumentValueError:
            found = None
        if found is None or isinstance(found, Loss):
            raise
        return found


# -- "accuracy" and "crossentropy", which depend on the shapes -------------------------------------


_ACCURACY = ("accuracy", "acc")
_CROSSENTROPY = ("crossentropy", "ce")


def metric_for(identifier: Any, y_true: Any, y_pred: Any) -> Any:
    """Return the metric of an identifier for labels and predictions.

    Args:
        identifier: as in `metric_of`; "accuracy", "acc", "crossentropy" and "ce" become the binary
            metric for one output, the sparse one for class indices, else the categorical one.
        y_true, y_pred: tensors, whose shapes determine the metric.
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
    """Return the first part of a name, which depends on the encoding of classes.

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
