"""Losses, metrics and optimizers as `compile` takes them: by name, as functions, as objects."""

from __future__ import annotations

from typing import Any

from runtime.errors import ArgumentValueError
from runtime.nn import losses, metrics, optimizers
from runtime.nn.losses.loss import Loss, LossOfFunction
from runtime.nn.metrics.mean import MeanMetricWrapper
from runtime.nn.metrics.metric import Metric


def optimizer_of(identifier: Any) -> Any:
    """Return the optimizer that is meant: by a name, a class, an object or a config.

    >>> optimizer_of("sgd").get_config()["learning_rate"] > 0
    True
    """
    if hasattr(identifier, "apply_gradients") and not isinstance(identifier, type):
        return identifier
    return optimizers.get(identifier)


def loss_of(identifier: Any) -> Any:
    """Return the loss that is meant; a function of y_true and y_pred becomes one, None stays.

    >>> loss_of("mse").name, loss_of(None)
    ('mean_squared_error', None)
    """
    found = losses.get(identifier)
    if found is None or isinstance(found, Loss):
        return found
    return LossOfFunction(found, name=getattr(found, "__name__", type(found).__name__))


def metric_of(identifier: Any) -> Any:
    """Return the metric that is meant; a function of y_true and y_pred becomes one.

    >>> metric_of("mean").name
    'mean'
    """
    if identifier is None:
        raise ArgumentValueError("None is no metric: give a name or an object")
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
            found = losses.get(identifier)  # What is a function by its name counts, too.
        except ArgumentValueError:
            found = None
        if found is None or isinstance(found, Loss):
            raise
        return found
