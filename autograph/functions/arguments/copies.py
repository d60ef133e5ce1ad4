"""Copies of arguments with other leaves; the trace key of an argument tells its leaves."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from autograph.functions.arguments.key_relations import GIVEN
from autograph.functions.arguments.trace_key import CONTAINERS, Key
from runtime import nest


def rebuild(
    value: Any,
    key: Key,
    path: str,
    tensor: Callable[[Key, str, Any], Any],
    other: Callable[[Key, Any], Any],
    made: dict[int, Any] | None = None,
) -> Any:
    """Return a copy of an argument with all leaves replaced.

    Args:
        value: the argument.
        key: its key.
        path: the parameter's name; leaves in it get names like `d/a`.
        tensor: replaces a tensor, variable or dataset, by key, path and value.
        other: replaces any other leaf, by key and value.
        made: the copies of containers so far, by identity, if a container that occurs twice must
            have one copy.
    """
    if key[0] in GIVEN:
        return tensor(key, path, value)
    if key[0] not in CONTAINERS:
        return other(key, value)
    names, items = named_items(value, key)
    parts = [
        rebuild(item, part, f"{path}/{name}", tensor, other, made)
        for name, item, part in zip(names, items, key[-1])
    ]
    filled = refill(value, key, names, parts)
    if made is None or isinstance(value, tuple):
        return filled
    return made.setdefault(id(value), filled)


def named_items(value: Any, key: Key) -> tuple[list[Any], list[Any]]:
    """Return the names and the values of a container's items, in the order of its key."""
    if key[0] == "mapping":
        return list(key[1]), [value[name] for name in key[1]]
    if key[0] == "record":
        return list(key[2]), [getattr(value, name) for name in key[2]]
    if key[0] == "registered":
        return list(key[2]), nest.flatten(value)
    return list(range(len(value))), list(value)


def refill(value: Any, key: Key, names: list[Any], parts: list[Any]) -> Any:
    """Return a container like `value` with other parts."""
    if key[0] == "mapping":
        filled = copy.copy(value)
        for name, part in zip(names, parts):
            filled[name] = part
        return filled
    if key[0] == "record":
        return _refill_record(value, names, parts)
    if key[0] == "registered":
        return nest.unflatten(value, parts)
    return type(value)(parts)


def _refill_record(value: Any, names: list[Any], parts: list[Any]) -> Any:
    if isinstance(value, tuple):
        return type(value)(*parts)
    filled = copy.copy(value)
    for name, part in zip(names, parts):
        object.__setattr__(filled, name, part)  # dataclasses may be frozen
    return filled
