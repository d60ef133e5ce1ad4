"""Copies of containers and objects for display, with stand-ins in the places of tensors."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

import runtime as rt
from autograph.backends.graph.arrays.staged_array import is_array, staged_tensor
from autograph.backends.graph.control.case_dispatch import has_alternatives
from autograph.backends.graph.values.dynamic_items import is_staged
from autograph.backends.graph.values.dynamic_shapes import DynamicShape
from autograph.backends.graph.values.unknown_key_order import refuse_unknown_order
from autograph.operators.user_classes import shown_parts
from runtime.diagnostics.exceptions import CaughtPlaceholder

_DEEPEST = 8
_SHOWN_BY_RUN = (rt.SymbolicTensor, rt.Variable, CaughtPlaceholder)
StandIn = Callable[[Any], Any]


def shows_tensors(value: Any, depth: int = 0) -> bool:
    """Return whether the text of a value includes run-time values."""
    if _is_shown_at_run_time(value) or is_staged_builtin(value):
        return True
    if depth > _DEEPEST:
        return False
    if type(value) not in (list, tuple, dict, deque):
        return any(shows_tensors(each, depth + 1) for each in shown_parts(value).values())
    refuse_unknown_order(value)
    items = value.values() if type(value) is dict else value
    return any(shows_tensors(item, depth + 1) for item in items)


def _is_shown_at_run_time(value: object) -> bool:
    is_tensor = isinstance(value, _SHOWN_BY_RUN) or has_alternatives(value)
    return is_tensor or (is_array(value) and staged_tensor(value) is not None)


def is_staged_builtin(value: object) -> TypeGuard[list[Any] | deque[Any]]:
    """Return whether a value is a staged list or deque, of no subclass."""
    return type(value) in (list, deque) and is_staged(value)


def display_copy(value: Any, stand_in: StandIn, made: dict[int, Any] | None = None) -> Any:
    """Return a copy with stand-ins for run-time values; cycles in the value are preserved."""
    made = {} if made is None else made
    if isinstance(value, DynamicShape) or _is_shown_at_run_time(value) or is_staged_builtin(value):
        return stand_in(value)
    if id(value) in made:
        return made[id(value)]
    if type(value) is dict:
        made[id(value)] = copy = {}
        copy.update({key: display_copy(item, stand_in, made) for key, item in value.items()})
        return copy
    if type(value) in (list, deque):
        made[id(value)] = items = type(value)(*_bound_of(value))
        items.extend(display_copy(item, stand_in, made) for item in value)
        return items
    if type(value) is tuple:
        return tuple(display_copy(item, stand_in, made) for item in value)
    parts = shown_parts(value)
    return _like(value, parts, stand_in, made) if parts else value


def _bound_of(value: Any) -> tuple[Any, ...]:
    return ((), value.maxlen) if type(value) is deque else ()


def _like(value: Any, parts: Mapping[str, Any], stand_in: StandIn, made: dict[int, Any]) -> Any:
    """Return an object of the same class with other attributes, which is only displayed."""
    if isinstance(value, tuple):
        return tuple.__new__(
            type(value), (display_copy(part, stand_in, made) for part in parts.values())
        )
    made[id(value)] = like = object.__new__(type(value))
    for name, part in parts.items():
        object.__setattr__(like, name, display_copy(part, stand_in, made))
    return like
