"""A test whether the user's program can still reach a container.

Python counts the references to an object, and shows most referrers. References that are not from
this package count as the user's.
"""

from __future__ import annotations

import gc
import sys
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from threading import local
from types import CellType, FrameType
from typing import Any

import numpy as np

from autograph.backends.graph.objects.object_contents import Globals, contents_of, users_classes
from autograph.backends.graph.state.alias_state import AliasMember, AliasState
from autograph.backends.graph.state.object_paths import WatchedObject
from autograph.backends.graph.state.state_slots import StateSlots
from autograph.backends.graph.values.container_identity import current_identities
from autograph.backends.graph.values.container_snapshot import ContainerSnapshot
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.possibly_unbound import PossiblyUnbound
from runtime.core.context import is_internal_frame
from runtime.core.stored_attributes import stored_attributes

# The stand-ins hold a container for the program if the program holds them.
_COMMON = (tuple, list, dict, OptionalValue, PossiblyUnbound)
# The depth of containers in containers that is searched; deeper ones count as reachable.
_DEEPEST = 5
_HOLDERS = (list, dict, set, deque, CellType)
# The module in which a trace begins: the frames of its callers take no part in the trace.
_ROOT = "autograph.functions.tracing.trace"


def has_user_references(part: AliasMember) -> bool:
    """Return whether the user's program can still reach a container."""
    return _count_of_users(part) > 0


def _is_seen_inside(part: AliasMember, depth: int, is_object: bool) -> bool:
    """Return whether the program can reach a container or object that holds another one.

    Args:
        part: the holder.
        depth: the nesting depth of the search.
        is_object: whether it holds the other one as an attribute.
    """
    count = _count_of_users(part, depth)
    if _PROBE.active:
        _PROBE.count = count
        return False
    return count > _count_of_ours(is_object)


class _ReferrerProbe(local):
    """A probe that counts this project's own references to a container inside of another one."""

    active, count = False, 0


_PROBE = _ReferrerProbe()


class _AttributeProbe:
    """An object with a container as an attribute, for the probe."""

    __module__ = "users"  # Objects of the package's own classes are not the user's.

    def __init__(self, items: object) -> None:
        self.items = items


@cache
def _count_of_ours(is_object: bool) -> int:
    """Return the number of our own references to a container while its referrers are counted.

    The frames, cells and lists that count depend on the Python version: a trial finds out.
    """
    inside = AliasMember([], None)
    # Only this variable refers to the holder.
    around = ContainerSnapshot(_AttributeProbe(inside.value) if is_object else [inside.value], None)
    if is_object:
        vars(around.value)  # From here on it has a dict in all versions.
    _PROBE.active = True
    try:
        _count_of_users(inside)
    finally:
        _PROBE.active = False
    del around
    return _PROBE.count


def _count_of_users(part: AliasMember, depth: int = 0) -> int:
    """Return the number of references to a container from the user's objects."""
    old = [] if depth >= _DEEPEST or _PROBE.active else list(_old_holders(part.value))
    attributes = [each for _, each in old]
    ours = sum(
        _times_held(each, part.value)
        for each in gc.get_referrers(part.value)
        if not any(each is a for a in attributes) and _is_ours(each, part.value, depth)
    )
    for owner, held in old:
        # Only records refer to the object here, so no trial has to find our own references.
        if not _count_of_users(owner, depth + 1):
            ours += sum(each is part.value for each in held.values())
    ours += _count_in_slots(part.value)
    del old, attributes
    # One more is the argument of `getrefcount`.
    return sys.getrefcount(part.value) - 1 - ours


def _old_holders(value: object) -> Iterator[tuple[AliasMember, dict[str, object]]]:
    """Yield the objects older than the trace with a container as an attribute, and the attributes.

    They are set aside, so they are not among the referrers.
    """
    known = current_identities()
    seen: set[int] = set()
    for watched in () if known is None else known.reach:
        if id(watched.value) not in seen and users_classes(watched.value):
            seen.add(id(watched.value))
            attributes = stored_attributes(watched.value)
            if any(each is value for each in attributes.values()):
                # Python 3.13 shows the object as the referrer of the value, earlier ones the dict.
                around = gc.get_referrers(value, attributes)
                is_old = not any(each is watched.value for each in around)
                del around
                if is_old:
                    yield AliasMember(watched.value, None), attributes


def _times_held(holder: object, value: object) -> int:
    """Return the number of references to a container that one of our objects has for itself.

    A list of the alias state may have it several times. In the values of a statement's variables
    each further time is another variable of the user's, an alias, which does not count as ours.
    """
    if type(holder) is not list:
        return 1
    records = _records_among(gc.get_referrers(holder))
    is_record = any(type(each) is AliasState for each in records)
    return sum(each is value for each in holder) if is_record else 1


def _count_in_slots(value: object) -> int:
    """Return the number of references to an array from the records of statements.

    The garbage collector does not show tuples and dicts that contain only untracked objects.
    """
    if type(value) is not np.ndarray:
        return 0
    records = list[Any]()
    for each in gc.get_objects():
        if type(each) is StateSlots:
            records.append(each.initial_variables)
        elif type(each) is WatchedObject:
            records.append(each.contents)
    unseen = {id(each): each for each in records if not gc.is_tracked(each)}
    held = (each.values() if type(each) is dict else each for each in unseen.values())
    return sum(part is value for parts in held for part in parts)


def _is_ours(referrer: object, value: object, depth: int) -> bool:
    if type(referrer) is FrameType:
        return is_internal_frame(referrer)  # before Python 3.11, running frames are referrers
    if isinstance(referrer, AliasMember) or _holds_for_us(referrer):
        return True
    if type(referrer) not in _COMMON and not users_classes(referrer):
        return False
    if type(referrer) is dict and referrer.get(id(value)) is value:
        return True  # one of our tables keyed by identity
    owner = _having(referrer, gc.get_referrers(referrer)) if type(referrer) is dict else None
    is_of_object = owner is not None
    if is_of_object:
        referrer = owner
    del owner
    # A variable for the referrers would be one more reference to each, at the next depth.
    holders = list(_records_among(gc.get_referrers(referrer)))
    if any(_is_of_user(referrer, each) for each in holders):
        # A container of the user's, which we hold as well, counts if the program can reach it.
        return depth < _DEEPEST and not _is_seen_inside(
            AliasMember(referrer, None), depth + 1, is_of_object
        )
    return bool(holders)


def _having(attributes: dict[str, object], around: Iterable[object]) -> object:
    """Return the object whose attributes a dict contains, if there is one."""
    objects = (each for each in around if users_classes(each))
    return next((o for o in objects if stored_attributes(o) is attributes), None)


def _holds_for_us(holder: object) -> bool:
    """Return whether an object is a record of a trace: its class has `HOLDS_FOR_TRACE`."""
    kind = type(holder)
    is_ours = kind.__module__.partition(".")[0] in ("autograph", "runtime")
    return is_ours and getattr(kind, "HOLDS_FOR_TRACE", False)


def _records_among(holders: Iterable[object]) -> Iterator[object]:
    """Yield the records of a trace among the referrers to an object."""
    for each in holders:
        if sys.version_info < (3, 11) and type(each) is dict:
            # The attributes of an object are in a dict, which is the referrer.
            owners = (o for o in gc.get_referrers(each) if _holds_for_us(o))
            yield from (owner for owner in owners if stored_attributes(owner) is each)
        elif _holds_for_us(each):
            yield each


def _is_of_user(container: object, holder: object) -> bool:
    """Return whether a record of ours holds the user's container itself, not a copy."""
    names = ("value", "owner")
    return any(getattr(holder, name, None) is container for name in names)


# -- containers from outside of the function -------------------------------------------------------


def has_user_references_beside(part: AliasMember, made: object) -> bool:
    """Return whether the program can reach a container under another name while it is traced.

    Args:
        part: the container.
        made: the stand-in that may be the same object.
    """
    known = current_identities()
    if not has_user_references(part) or known is None or not known.has_own_number(made):
        return has_user_references(part)
    # A call puts its changes into the container at its end: references from outside do not count.
    # Count them first: reading a frame's variables makes a dict that refers to the container.
    from_outside = _seen_from_outside(part, known.reach)
    return _count_of_users(part) > from_outside


def _seen_from_outside(part: AliasMember, reach: Iterable[WatchedObject]) -> int:
    """Return the number of references to a container from outside the traced function's reach."""
    callers = list(_callers())
    if sys.version_info >= (3, 11):
        # Running frames are not among the referrers.
        found = sum(_locals_that_are(part.value, frame) for frame in callers)
    else:
        found = 0
    reached = {id(each.value) for each in reach}
    for holder in gc.get_referrers(part.value):
        if type(holder) is FrameType:
            found += sys.version_info < (3, 11) and any(holder is frame for frame in callers)
        elif not _is_ours(holder, part.value, 0):
            found += _is_outside(holder, part.value, reach, reached)
    return found


def _is_outside(
    holder: object, value: object, reach: Iterable[WatchedObject], reached: Collection[int]
) -> bool:
    """Return whether the traced function cannot reach the holder of a container."""
    if not isinstance(holder, _HOLDERS) and not users_classes(holder):
        return False
    if id(holder) in reached:
        return False
    modules = [e.value for e in reach if type(e.value) is Globals and e.value.namespace is holder]
    if modules:
        return not any(value is each for m in modules for each in (contents_of(m) or {}).values())
    return all(id(each) not in reached for each in gc.get_referrers(holder))


def _callers() -> Iterator[FrameType]:
    """Yield the frames of the callers of the traced function."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") != _ROOT:
        frame = frame.f_back
    while frame is not None:
        yield frame
        frame = frame.f_back


def _locals_that_are(value: object, frame: FrameType) -> int:
    code = frame.f_code
    if frame.f_locals is frame.f_globals:
        return 0
    names = set(code.co_varnames).difference(code.co_cellvars)
    return sum(name in names and each is value for name, each in frame.f_locals.items())
