"""Dicts whose keys are in a different order on different paths.

    if c: d["a"] = 1
    d["b"] = 2
    d["a"] = 3         a, b if c holds, else b, a

The trace has one order, so iteration over such a dict is refused. Where one order is right for both
paths, the dict gets it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from autograph.backends.graph.objects.object_contents import contents_of, put_contents
from autograph.backends.graph.state.object_paths import WatchedObject
from autograph.backends.graph.values.branch_facts import is_known_true
from autograph.backends.graph.values.unknown_key_order import record_unknown_order
from autograph.backends.possibly_unbound import PossiblyUnbound

Keys = list[Hashable]
Orders = dict[int, tuple[WatchedObject, Keys]]


def changed_key_orders(watched: Iterable[WatchedObject]) -> Orders:
    """Return the dicts, by identity, whose keys or order of keys have changed.

    It is called before the variables of the statement are restored, one of which may be an item.
    """
    dicts = [each for each in watched if isinstance(each.value, dict)]
    found = [(each, _keys(contents_of(each.value) or {})) for each in dicts]
    return {id(each.value): (each, now) for each, now in found if now != _keys(each.contents)}


def join_key_orders(paths: Sequence[Orders]) -> None:
    """Give each dict an order that is right for both paths, or record that there is none.

    Args:
        paths: for each path that was reached, the orders it leaves.
    """
    changed = {identity: each for path in paths for identity, (each, _) in path.items()}
    for identity, each in changed.items():
        as_before = (each, _keys(each.contents))
        orders = [path.get(identity, as_before)[1] for path in paths]
        _set_order(each.value, _merged_order(orders[0], orders[-1]))  # type: ignore[arg-type]


def record_reordered(left: Orders) -> None:
    """Record the dicts whose order of keys is changed by code that a run may skip or repeat."""
    for each, now in left.values():
        if _merged_order(_keys(each.contents), now) is None:
            record_unknown_order(each.value)  # type: ignore[arg-type]


def record_key_assigned(owner: dict[Any, Any], key: object) -> None:
    """Record the assignment of an optional key: on the path without it, it comes last."""
    old = dict.get(owner, key)
    may_be_missing = type(old) is PossiblyUnbound and not is_known_true(old.defined)
    if may_be_missing and next(reversed(list(dict.keys(owner)))) != key:
        record_unknown_order(owner)


def _keys(contents: Any) -> Keys:
    return list(contents)


def _set_order(owner: dict[Any, Any], order: Keys | None) -> None:
    if order is None:
        record_unknown_order(owner)
        return
    now = dict(dict.items(owner))
    wanted = {key: now[key] for key in (*order, *now) if key in now}
    if list(wanted) != list(now):
        put_contents(owner, wanted)


def _merged_order(first: Keys, second: Keys) -> Keys | None:
    """Return the keys of both in an order that is right for both; None if there is none.

    >>> _merged_order(["a", "b"], ["b", "c"]), _merged_order(["a", "b"], ["b", "a"])
    (['a', 'b', 'c'], None)
    """
    places, common = {key: at for at, key in enumerate(first)}, set(second)
    result: Keys = []
    taken = 0
    for key in second:
        if key in places:
            if places[key] < taken:
                return None
            result += [each for each in first[taken : places[key]] if each not in common]
            taken = places[key] + 1
        result.append(key)
    return [*result, *first[taken:]]
