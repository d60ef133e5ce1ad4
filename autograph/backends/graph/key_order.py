"""Dicts whose keys are in another order on one path than on another.

    if c: d["a"] = 1
    d["b"] = 2
    d["a"] = 3         a, b where c holds, else b, a

In the trace they have one order, so that going over them is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autograph.backends.graph.facts import is_known_true
from autograph.backends.graph.unknown_order import note_unknown_order
from autograph.backends.maybe import Maybe


def note_orders(left: Iterable[tuple[Any, Mapping[object, object]]]) -> None:
    """Note the dicts that a path leaves with their keys in another order than they have now.

    Args:
        left: pairs of an object and what a path leaves in it.
    """
    for owner, contents in left:
        if isinstance(owner, dict):
            now = [key for key in dict.keys(owner) if key in contents]
            if now != [key for key in contents if key in owner]:
                note_unknown_order(owner)


def note_put(owner: dict[Any, Any], key: object) -> None:
    """Note that a key is assigned that may not be there: then it comes last."""
    old = dict.get(owner, key)
    may_be_missing = type(old) is Maybe and not is_known_true(old.defined)
    if may_be_missing and next(reversed(list(dict.keys(owner)))) != key:
        note_unknown_order(owner)
