"""Objects and functions of the user's inside of networks: layers, losses, metrics and optimizers.

    Sequential([Counting(), Dense(1)])     ->     the Counting layer, which is the user's
    model.compile(loss=own_loss)           ->     the function, and what it closes over

What networks of this library hold otherwise is their own affair, and no trace looks at it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import partial
from types import FunctionType, MethodType
from typing import Any

from autograph.operators.kinds import own_attributes

_NETWORKS = ("runtime.nn.", "runtime.nn")
_OURS = ("autograph", "runtime", "numpy", "builtins")
_CALLABLE = (FunctionType, MethodType, partial)
_ITEMS = (list, tuple, set, deque)


def is_network(kind: type) -> bool:
    """Tell whether objects of a class are parts of networks that are not the user's.

    >>> import runtime as rt
    >>> is_network(rt.nn.Sequential), is_network(rt.Variable)
    (True, False)
    """
    return str(own_attributes(kind).get("__module__")).startswith(_NETWORKS)


def users_parts(network: object, visited: dict[int, Any]) -> list[Any]:
    """Return the objects and functions of the user's that a network holds, each one once.

    What those hold in turn is not gone into.

    Args:
        network: the object to begin with.
        visited: what was gone into before, by identity; what is gone into is added.

    >>> import runtime as rt
    >>> class Doubling(rt.nn.layers.Layer):
    ...     __module__ = "model"
    ...     def call(self, x):
    ...         return x * 2
    >>> users_parts(rt.nn.Sequential([Doubling(), rt.nn.layers.Dense(1)]), {})
    [<Doubling name=doubling, built=False>]
    """
    if id(network) in visited:
        return []
    found: dict[int, Any] = {}
    visited[id(network)] = network
    waiting = [network]
    while waiting:
        for value in _inside(waiting.pop()):
            if _is_gone_into(type(value)):
                if id(value) not in visited:
                    visited[id(value)] = value
                    waiting.append(value)
            elif _is_users(value):
                found[id(value)] = value
    return list(found.values())


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        return iter([*value.values()])
    if isinstance(value, _ITEMS):
        return iter([*value])
    return iter([*getattr(value, "__dict__", {}).values()])


def _is_gone_into(kind: type) -> bool:
    return kind in (dict, *_ITEMS) or is_network(kind)


def _is_users(value: object) -> bool:
    if type(value) is FunctionType:
        return _package(value.__module__) not in _OURS
    if type(value) in _CALLABLE:
        return True
    # Classes of Python's own, written in C, name no module.
    return _package(own_attributes(type(value)).get("__module__", "builtins")) not in _OURS


def _package(module: object) -> str:
    return str(module).partition(".")[0]
