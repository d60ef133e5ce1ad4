"""Guards looked at again, by the shortest way there is: whether nothing has changed since.

What a guard is on is what it was if it is the same object still, and one that does not change.
Of the rest the guard itself says what there is by now.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from types import FunctionType

from autograph.backends.graph.program.contents import contents_of, is_indexed
from autograph.function.guards import AnyGuard, Guard, is_told_by_identity
from autograph.function.guards_of_shape import ShapeGuard
from autograph.function.state_fast_key import attribute, has_plain_attributes, reader, way_to
from autograph.function.state_places import WHOLE
from autograph.operators.user_classes import is_made_in_python, mro_of, own_attributes

Check = Callable[[], bool]

_ATOMS = (bool, int, float, complex, str, bytes, type(None))


def unchanged(guards: Iterable[AnyGuard]) -> Check | None:
    """Return what tells whether all that some guards are on is what it is now; None for no guards.

    It does not keep alive what they are on.
    """
    checks = tuple(map(_check, guards))

    def check() -> bool:
        for each in checks:
            if not each():
                return False
        return True

    return check if checks else None


def _check(guard: AnyGuard) -> Check:
    quick = _of_value(guard) if isinstance(guard, Guard) else _of_shape(guard)
    if quick is not None:
        return quick
    seen = guard.now()
    return lambda: guard.now() == seen


# -- values ----------------------------------------------------------------------------------------


def _of_value(guard: Guard) -> Check | None:
    owner = guard.place.owner()
    if owner is None or guard.place.key is WHOLE:
        return None
    find, kind, read = way_to(guard.place), type(owner), reader(owner, guard.place.key)
    value = read(owner)
    if _is_constant(value):

        def is_same() -> bool:
            owner = find()
            return type(owner) is kind and read(owner) is value

        return is_same
    if not is_told_by_identity(value):
        return None
    try:
        reference = weakref.ref(value)
    except TypeError:
        return None

    def is_it() -> bool:
        owner, wanted = find(), reference()
        return wanted is not None and type(owner) is kind and read(owner) is wanted

    return is_it


def _is_constant(value: object) -> bool:
    """Tell whether a value is one of Python's own that never changes."""
    return type(value) in _ATOMS or (type(value) is tuple and all(map(_is_constant, value)))


# -- shapes ----------------------------------------------------------------------------------------


def _of_shape(guard: ShapeGuard) -> Check | None:
    owner = guard.owner()
    if owner is None or isinstance(owner, FunctionType) or is_indexed(owner):
        return None
    if isinstance(owner, type):
        return _of_class(guard, owner)
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


def _of_class(guard: ShapeGuard, owner: type) -> Check:
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
    """Return what tells a class from others, and from itself with other attributes."""
    if not is_made_in_python(kind):
        return id(kind), None, []  # it never changes
    own = own_attributes(kind)
    had = names & own.keys()
    return id(kind), had, [id(own[name]) for name in had]
