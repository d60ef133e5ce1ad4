"""Lookup of optimizers by identifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.errors import DTypeError
from runtime.nn.optimizers.adagrad import Adadelta, Adafactor, Adagrad, RMSprop
from runtime.nn.optimizers.adam import Adam, Adamax, AdamW, Lamb, Lion, Nadam
from runtime.nn.optimizers.ftrl import Ftrl
from runtime.nn.optimizers.optimizer import Optimizer
from runtime.nn.optimizers.sgd import SGD, Momentum
from runtime.nn.registry import ObjectRegistry

_KINDS = (
    *(Adadelta, Adafactor, Adagrad, Adam, AdamW, Adamax, Ftrl, Lamb, Lion, Nadam),
    *(Momentum, RMSprop, SGD),
)
_ENTRIES = {name: kind for kind in _KINDS for name in (kind.__name__, kind.__name__.lower())}


def get(identifier: object) -> Any:
    """Return the optimizer of an identifier: a name, a class, a config or an object.

    Raises:
        ArgumentValueError: the name is unknown, or the object is not an optimizer.

    >>> type(get("adam")).__name__, type(get("SGD")).__name__
    ('Adam', 'SGD')
    """
    return deserialize(identifier)


def serialize(optimizer: Any) -> Any:
    """Return the config from which `get` makes the same optimizer, without its state.

    >>> serialize(SGD(0.5))["config"]["learning_rate"]
    0.5
    """
    return _registry(None).config_of(optimizer)


def deserialize(config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Return the optimizer for a config from `serialize`.

    Args:
        config: a dict with `class_name` and `config`.
        custom_objects: more classes by name.

    >>> deserialize(serialize(Adam(0.5, beta_1=0.8))).beta_1
    0.8
    """
    return _registry(custom_objects).get(config)


def _registry(custom: Mapping[str, Any] | None) -> ObjectRegistry:
    if not isinstance(custom, (dict, type(None))):
        raise DTypeError(f"custom_objects must be a dict from names to classes, not {custom!r}")
    return ObjectRegistry("optimizer", Optimizer, {**_ENTRIES, **(custom or {})}, callables=False)
