"""Logs: the results of a batch or an epoch as Python numbers by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Logs = dict[str, Any]


def as_numbers(logs: Any) -> Logs:
    """Return logs in the order of their names, with numbers for scalar tensors.

    The entries of a dict, such as the metrics of `compile`, take the position of the dict.

    >>> as_numbers({"loss": np.float32(0.5), "compile_metrics": {"mae": 1.0}})
    {'mae': 1.0, 'loss': 0.5}
    """
    return {name: _number(value) for name, value in in_one(logs).items()}


def in_one(logs: Mapping[str, Any]) -> Logs:
    """Return logs in the order of their names, with the entries of nested dicts merged in."""
    found: Logs = {}
    for name in sorted(logs):
        value = logs[name]
        found.update(in_one(value) if isinstance(value, Mapping) else {name: value})
    return found


def _number(value: Any) -> Any:
    array = np.asarray(value)
    if array.ndim == 0 and array.dtype.kind in "biuf":
        return float(array)
    return array


def in_order(logs: Logs, names: Sequence[str]) -> Any:
    """Return the numbers of logs, those of `names` first; a single number, not in a list.

    >>> in_order({"accuracy": 1.0, "loss": 0.5}, ["loss"])
    [0.5, 1.0]
    """
    first = [name for name in names if name in logs]
    found = [logs[name] for name in (*first, *(each for each in logs if each not in first))]
    return found[0] if len(found) == 1 else found
