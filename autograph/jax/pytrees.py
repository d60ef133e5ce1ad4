"""Pytrees: the leaves of a value, and whether two values that a trace knows are the same."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import jax
import numpy as np
from jax.tree_util import tree_flatten

from autograph.backends.undefined import Placeholder


def is_placeholder(value: object) -> bool:
    """Return whether a variable holds no value of the program."""
    return isinstance(value, Placeholder)


def flattened(value: object, is_kept: Callable[[Any], bool] | None = None) -> tuple[list[Any], Any]:
    """Return the leaves of a pytree, and its structure; a value that is none is one leaf.

    Args:
        is_kept: says which containers are leaves.
    """

    def is_leaf(each: object) -> bool:
        return is_placeholder(each) or (is_kept is not None and is_kept(each))

    try:
        return tree_flatten(value, is_leaf=is_leaf)
    except (TypeError, ValueError):
        return tree_flatten([value], is_leaf=lambda each: each is value)


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values that a trace knows are equal, and of one type."""
    if one is other:
        return True
    if type(one) is type(other) is FunctionType:
        return _is_same_function(one, other)
    if type(one) is not type(other) or isinstance(one, (np.ndarray, jax.Array)):
        return False
    try:
        return bool(one == other)
    except Exception:
        return False


def _is_same_function(one: FunctionType, other: FunctionType) -> bool:
    """Return whether two functions are of one `lambda` or `def`, with the same values in it."""
    held = [_held_by(one), _held_by(other)]
    return one.__code__ is other.__code__ and all(map(is_same, *held))


def _held_by(function: FunctionType) -> list[object]:
    named = (function.__kwdefaults__ or {}).values()
    return [*(function.__closure__ or ()), *(function.__defaults__ or ()), *named]
