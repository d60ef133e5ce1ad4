"""Lookup of metrics by identifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.core.argument_checks import dict_argument
from runtime.nn.metrics import (
    accuracy,
    auc,
    confusion_metrics,
    f_score,
    iou,
    loss_metrics,
    mean,
    regression,
    sensitivity_specificity,
)
from runtime.nn.metrics.metric import Metric
from runtime.nn.modules.names import snake_case
from runtime.nn.registry import Identifier, ObjectRegistry

_MODULES = (
    accuracy,
    sensitivity_specificity,
    auc,
    confusion_metrics,
    loss_metrics,
    mean,
    iou,
    regression,
    f_score,
)
_KINDS = {
    name: kind
    for module in _MODULES
    for name, kind in vars(module).items()
    if isinstance(kind, type)
    and issubclass(kind, Metric)
    and kind.__module__ == module.__name__
    and not name.startswith("_")
    and kind not in (confusion_metrics.ConfusionMetric, mean.PlainMean)
}
_SHORT = {
    "bce": loss_metrics.BinaryCrossentropy,
    "mae": loss_metrics.MeanAbsoluteError,
    "mape": loss_metrics.MeanAbsolutePercentageError,
    "mse": loss_metrics.MeanSquaredError,
    "msle": loss_metrics.MeanSquaredLogarithmicError,
}
_ENTRIES: dict[str, Any] = {
    **_KINDS,
    **{snake_case(name): kind for name, kind in _KINDS.items()},
    **_SHORT,
    **{name.upper(): kind for name, kind in _SHORT.items()},
}


def get(identifier: Identifier | None) -> Metric:
    """Return the metric of an identifier: a name, a class, a config or an object.

    Args:
        identifier: a name of a class, also as `snake_case`, or a short one such as "mse"; a class;
            an object; a function of y_true and y_pred; or a result of `serialize`.

    Raises:
        ArgumentValueError: the name is unknown.

    >>> get("sparse_categorical_accuracy"), get("mse").name
    (<SparseCategoricalAccuracy name=sparse_categorical_accuracy>, 'mean_squared_error')
    """
    return deserialize(identifier)


def serialize(metric: Any) -> Any:
    """Return the config from which `get` makes the same metric, without its state.

    >>> serialize(confusion_metrics.Precision(0.25))["config"]["thresholds"]
    0.25
    """
    return _registry(None).config_of(metric)


def deserialize(config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Return the metric for a config from `serialize`.

    Args:
        config: a name, or a dict with `class_name` and `config`.
        custom_objects: more classes and functions by name.

    >>> deserialize(serialize(accuracy.BinaryAccuracy(threshold=0.25))).name
    'binary_accuracy'
    """
    return _registry(custom_objects).get(config)


def _registry(custom: Mapping[str, Any] | None) -> ObjectRegistry:
    return ObjectRegistry("metric", Metric, {**_ENTRIES, **dict_argument(custom, "custom_objects")})
