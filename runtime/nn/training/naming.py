"""Losses, metrics and optimizers by their names, in the namespaces that have them."""

from __future__ import annotations

from difflib import get_close_matches
from types import ModuleType
from typing import Any

from runtime.errors import ArgumentValueError
from runtime.nn import losses, metrics, optimizers
from runtime.nn.losses.loss import Loss, LossOfFunction
from runtime.nn.metrics.mean import MeanMetricWrapper
from runtime.nn.metrics.metric import Metric
from runtime.nn.modules.names import snake_case
from runtime.nn.optimizers.optimizer import Optimizer

# Short names, and what they stand for.
_SHORT = {
    "mse": "mean_squared_error",
    "mae": "mean_absolute_error",
    "mape": "mean_absolute_percentage_error",
    "msle": "mean_squared_logarithmic_error",
    "bce": "binary_crossentropy",
    "kld": "kl_divergence",
    "kullback_leibler_divergence": "kl_divergence",
    "logcosh": "log_cosh",
    "msd": "mean_squared_error",
}


def optimizer_of(identifier: Any) -> Any:
    """Return the optimizer that is meant: by a name, a class, an object or a config.

    >>> optimizer_of("sgd").get_config()["learning_rate"] > 0
    True
    """
    if isinstance(identifier, Optimizer) or hasattr(identifier, "apply_gradients"):
        return identifier() if isinstance(identifier, type) else identifier
    return _made("optimizer", optimizers, identifier)


def loss_of(identifier: Any) -> Any:
    """Return the loss that is meant; a function of y_true and y_pred becomes one, None stays.

    >>> loss_of("mse").name
    'mean_squared_error'
    """
    if identifier is None or isinstance(identifier, Loss):
        return identifier
    found = identifier
    if not callable(identifier) or isinstance(identifier, type):
        found = _made("loss", losses, identifier)
    if isinstance(found, Loss) or not callable(found):
        return found
    return LossOfFunction(found, name=getattr(found, "__name__", type(found).__name__))


def metric_of(identifier: Any) -> Any:
    """Return the metric that is meant; a function of y_true and y_pred becomes one.

    >>> metric_of("mean").name
    'mean'
    """
    if isinstance(identifier, Metric):
        return identifier
    if isinstance(identifier, Loss):
        raise ArgumentValueError(
            f"loss {identifier.name!r} is no metric: give its name, as metrics=['mse']"
        )
    if callable(identifier) and not isinstance(identifier, type):
        return MeanMetricWrapper(identifier, name=getattr(identifier, "__name__", None))
    try:
        found = _made("metric", metrics, identifier)
    except ArgumentValueError:
        if not isinstance(identifier, str):
            raise
        name = identifier.lower()
        function = getattr(losses, _SHORT.get(name, name), None)
        if not callable(function) or name in _NOT_THINGS:
            raise
        found = function  # What is a loss by its name counts as a metric, too.
    if isinstance(found, Metric):
        if isinstance(identifier, str):
            found._own.name = identifier
        return found
    return MeanMetricWrapper(found, name=identifier if isinstance(identifier, str) else None)


def _made(kind: str, namespace: ModuleType, identifier: Any) -> Any:
    if isinstance(identifier, type):
        return identifier()
    if isinstance(identifier, dict) and "class_name" in identifier:
        found = _entry(namespace, identifier["class_name"])
        if found is not None:
            return found.from_config(identifier.get("config", {}))
        identifier = identifier["class_name"]
    if not isinstance(identifier, str):
        raise ArgumentValueError(f"{identifier!r} is no {kind}: give a name or an object")
    found = _entry(namespace, identifier)
    if found is None:
        near = get_close_matches(snake_case(identifier), _names(namespace), 1)
        hint = f": did you mean {near[0]!r}?" if near else ""
        raise ArgumentValueError(f"there is no {kind} {identifier!r}{hint}")
    return found() if isinstance(found, type) else found


def _names(namespace: ModuleType) -> dict[str, Any]:
    """Return the public things of a namespace by their names in lower case, classes preferred."""
    found: dict[str, Any] = {}
    for name, value in vars(namespace).items():
        if not name.startswith("_") and callable(value) and name not in _NOT_THINGS:
            short = snake_case(name) if isinstance(value, type) else name
            if short not in found or isinstance(value, type):
                found[short] = value
    return found


_NOT_THINGS = ("get", "serialize", "deserialize", "Loss", "Metric", "Optimizer")


def _entry(namespace: ModuleType, name: str) -> Any:
    """Return what a namespace has under a name, as written, in snake case or in lower case."""
    own = getattr(namespace, name, None)
    if callable(own) and name not in _NOT_THINGS and not name.startswith("_"):
        return _as_class(namespace, own)
    names = _names(namespace)
    short = _SHORT.get(name.lower(), snake_case(name))
    if short in names:
        return names[short]
    flat = {each.replace("_", ""): value for each, value in names.items()}
    return flat.get(name.lower().replace("_", ""))


def _as_class(namespace: ModuleType, found: Any) -> Any:
    """Return the class of the same name as a function, which a namespace may have beside it."""
    if isinstance(found, type):
        return found
    return _names(namespace).get(_SHORT.get(found.__name__, found.__name__), found)
