"""Lookup of schedules by identifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.core.argument_checks import dict_argument
from runtime.nn.optimizers.schedules.decays import (
    CosineDecay,
    CosineDecayRestarts,
    ExponentialDecay,
    InverseTimeDecay,
    PiecewiseConstantDecay,
    PolynomialDecay,
)
from runtime.nn.optimizers.schedules.schedule import LearningRateSchedule
from runtime.nn.registry import ObjectRegistry

_KINDS = (
    CosineDecay,
    CosineDecayRestarts,
    ExponentialDecay,
    InverseTimeDecay,
    PiecewiseConstantDecay,
    PolynomialDecay,
)
_ENTRIES = {kind.__name__: kind for kind in _KINDS}


def serialize(learning_rate_schedule: Any) -> Any:
    """Return the config from which `deserialize` makes the same schedule.

    >>> serialize(PiecewiseConstantDecay([1], [0.5, 0.1]))["class_name"]
    'PiecewiseConstantDecay'
    """
    return _registry(None).config_of(learning_rate_schedule)


def deserialize(
    config: Mapping[str, object], custom_objects: Mapping[str, Any] | None = None
) -> Any:
    """Return the schedule for a config from `serialize`.

    Args:
        config: a dict with `class_name` and `config`.
        custom_objects: more classes by name.

    >>> schedule = deserialize(serialize(ExponentialDecay(1.0, 2, 0.25)))
    >>> float(schedule(2))
    0.25
    """
    return _registry(custom_objects).get(config)


def _registry(custom: Mapping[str, Any] | None) -> ObjectRegistry:
    return ObjectRegistry(
        "schedule", LearningRateSchedule, {**_ENTRIES, **dict_argument(custom, "custom_objects")}
    )
