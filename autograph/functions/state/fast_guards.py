"""The fast check of guards: whether all values that a trace has read are unchanged.

For an immutable value the check is one test of identity. For mutable values the guard itself
compares the contents.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from operator import is_
from types import FunctionType
from typing import Any

from autograph.backends.graph.objects.object_contents import contents_of, is_indexed
from autograph.functions.state.guards import AnyGuard, Guard, ShapeGuard, is_guarded_by_identity
from autograph.functions.state.place_access import (
    attribute,
    getter_of,
    has_plain_attributes,
    owner_getter,
)
from autograph.functions.state.places import WHOLE
from autograph.operators.user_classes import is_made_in_python, mro_of, own_attributes

Check = Callable[[], bool]

_ATOMS = (bool, int, float, complex, str, bytes, type(None))


def unchanged(guards: Iterable[AnyGuard]) -> Check | None:
    """Return a check that all guarded values are unchanged; None for no guards.

    The check does not keep the guarded objects alive.
    """
    checks = tuple(map(_check, guards))

    def check() -> bool:
        for each in checks:
            if not each():
                return False
        return True

    return check if checks else None


def _check(guard: AnyGuard) -> Check:
    quick = _value_check(guard) if isinstance(guard, Guard) else _shape_check(guard)
    if quick is not None:
        return quick
    seen = guard.now()
    return lambda: guard.now() == seen


# -- guards on values ------------------------------------------------------------------------------


def _value_check(guard: Guard) -> Check | None:
    owner = guard.place.owner()
    if owner is None:
        return None
    if guard.place.key is WHOLE:
        return _items_check(guard, owner)
    find, kind, read = owner_getter(guard.place), type(owner), getter_of(owner, guard.place.key)
    value = read(owner)
    if _is_constant(value):

        def is_same() -> bool:
            owner = find()
            return type(owner) is kind and read(owner) is value

        return is_same
    if not is_guarded_by_identity(value, guard.is_fast):
        return None
    reference = _reference_to(value)

    def is_it() -> bool:
        owner, wanted = find(), reference()
        return wanted is not None and type(owner) is kind and read(owner) is wanted

    return is_it


def _items_check(guard: Guard, owner: Any) -> Check | None:
    """Return a check of the items of a list or dict; None if one is compared by its contents."""
    find, kind = owner_getter(guard.place), type(owner)
    if kind not in (list, dict):
        return None
    values: list[object] = [*(owner.values() if isinstance(owner, dict) else owner)]
    if not all(_is_constant(it) or is_guarded_by_identity(it, guard.is_fast) for it in values):
        return None
    items, keys = list(map(_reference_to, values)), [*owner]

    def is_same() -> bool:
        now = find()
        if type(now) is not kind or len(now) != len(items):
            return False
        parts: Any = now
        if kind is dict:
            if not all(map(is_, parts, keys)):
                return False
            parts = parts.values()
        return all(part is reference() for part, reference in zip(parts, items))

    return is_same


def _reference_to(value: object) -> Callable[[], object]:
    """Return a function that returns an object; it is a weak reference where that is possible."""
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: value


def _is_constant(value: object) -> bool:
    """Return whether a value is an immutable Python value."""
    return type(value) in _ATOMS or (type(value) is tuple and all(map(_is_constant, value)))


# -- guards on shapes ------------------------------------------------------------------------------


def _shape_check(guard: ShapeGuard) -> Check | None:
    owner = guard.owner()
    if owner is None or is_indexed(owner):
        return None
    if isinstance(owner, FunctionType):
        return _function_check(guard, owner)
    if isinstance(owner, type):
        return _class_check(guard, owner)
    find, names, kind = guard.owner, guard.names, type(owner)
    contents = contents_of(owner)
    if contents is None:
        return lambda: type(find()) is kind
    if not has_plain_attributes(owner):
        return None
    had = names & contents.keys()

    def check() -> bool:
        owner = find()
        return type(owner) is kind and names & attribute(owner, "__dict__").keys() == had

    return check


def _function_check(guard: ShapeGuard, owner: FunctionType) -> Check | None:
    find, code = guard.owner, owner.__code__
    if owner.__kwdefaults__ or not _is_constant(defaults := owner.__defaults__):
        return None

    def check() -> bool:
        now = find()
        if now is None or now.__code__ is not code or now.__kwdefaults__:
            return False
        return now.__defaults__ is defaults

    return check


def _class_check(guard: ShapeGuard, owner: type) -> Check:
    find, names = guard.owner, guard.names
    rows = [_row(each, names) for each in mro_of(owner)]

    def check() -> bool:
        owner = find()
        line = () if owner is None else mro_of(owner)
        if len(line) != len(rows):
            return False
        for each, (identity, had, held) in zip(line, rows):
            if id(each) != identity:
                return False
            if had is not None:
                own = own_attributes(each)
                if names & own.keys() != had or [id(own[name]) for name in had] != held:
                    return False
        return True

    return check


def _row(kind: type, names: frozenset[str]) -> tuple[int, frozenset[str] | None, list[int]]:
    """Return the identity of a class, and its attributes under some names with their identities.

    A class made in C has None in place of the attributes: they never change.
    """
    if not is_made_in_python(kind):
        return id(kind), None, []
    own = own_attributes(kind)
    had = names & own.keys()
    return id(kind), had, [id(own[name]) for name in had]
