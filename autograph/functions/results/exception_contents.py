"""Contents of exceptions that the graph raises: containers and objects at the time of the `raise`.

if y < 0:
    raise ValueError(rows)      the run raises an exception with these rows,
rows.append(y)                  not with those at the end of the trace
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Sequence
from typing import Any

from autograph.backends.graph.objects.object_contents import (
    StoredAttributes,
    contents_of,
    is_indexed,
    put_contents,
)
from autograph.backends.graph.values.container_identity import current_identities
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.object_values import record_of
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import LeakError
from autograph.functions.results.call_objects import ObjectsById, allocator
from autograph.functions.results.object_templates import (
    MADE_AT_RUN_TIME,
    Maker,
    ObjectTemplates,
    holds,
    holds_symbolic,
)
from autograph.operators.user_classes import is_a
from runtime import nest
from runtime.core.tensor import Tensor
from runtime.diagnostics.exceptions import register_maker_finder
from runtime.diagnostics.snapshot import ContainerCopies, snapshot_function

Arrays = Sequence[Any]
# Containers that are copied without their items.
_COPIED_SHALLOW = (set, deque, bytearray)


@snapshot_function
def snapshot_of(value: Any, snapshot: ContainerCopies) -> Any:
    """Return a value with copies of all mutable objects in it.

    An object from before the trace is not copied: a run raises the object itself.
    """
    if id(value) in snapshot.copies:
        return snapshot.copies[id(value)].copy
    if isinstance(value, (OptionalValue, PossiblyUnbound)):
        return value.with_value(snapshot_of(value.value, snapshot))
    if isinstance(value, tuple):
        parts = [snapshot_of(part, snapshot) for part in value]
        return value if all(a is b for a, b in zip(parts, value)) else nest.rebuild(value, parts)
    known = current_identities()
    if type(value) is DynamicItems or (_is_plain_object(value) and known and known.is_outer(value)):
        return value
    if type(value) in _COPIED_SHALLOW:
        return snapshot.note(copy.copy(value), value)
    if not nest.is_nested(value) and record_of(value) is None:
        return value
    return _copied(value, snapshot)


def _is_plain_object(value: object) -> bool:
    return not is_indexed(value)


def _copied(value: Any, snapshot: ContainerCopies) -> Any:
    """Return a copy of a list, dict or object, made without calling its class."""
    if (record := record_of(value)) is not None:
        # Recorded before it is filled: a part may lead back to it.
        new = snapshot.note(record.kind.__new__(record.kind), value)  # type: ignore[call-overload]
        for name, part in zip(record.names, record.values):
            object.__setattr__(new, name, snapshot_of(part, snapshot))
        return new
    if not is_indexed(value):
        parts = [snapshot_of(part, snapshot) for part in nest.children(value) or ()]
        return snapshot.note(nest.rebuild(value, parts), value)
    new = snapshot.note(allocator(value)(), value)
    put_contents(new, {k: snapshot_of(v, snapshot) for k, v in (contents_of(value) or {}).items()})
    for key, part in (contents_of(StoredAttributes(value)) or {}).items():
        object.__setattr__(new, str(key), part)
    return new


@register_maker_finder
def exception_builder(value: Any, original: Any, tensors: list[Tensor]) -> Maker | None:
    """Return a builder for a value in an exception; None if it needs none.

    A builder is needed for an optional value, a staged list, one of several objects, and for an
    object that contains tensors or changes later.

    Args:
        value: a snapshot of the value.
        original: the value itself.
        tensors: the list to which its tensors are appended.
    """
    is_symbolic = holds_symbolic(value)
    if nest.is_nested(value) and not (is_symbolic and holds(value, MADE_AT_RUN_TIME, ())):
        return None
    if not is_symbolic and value is original:
        return None
    if type(value) is bytearray:
        return lambda arrays, made: copy.copy(value)
    make = _unless_refused(ObjectTemplates(tensors, frozenset()), value)
    if is_symbolic and value is not original:
        return make
    if is_symbolic:
        return lambda arrays, made: make(arrays, made) if holds_symbolic(value) else value
    # It does not depend on the run: raise the original, unless the trace has changed it since.
    then = snapshot_of(value, ContainerCopies())
    return lambda arrays, made: original if _is_like(original, then) else make(arrays, made)


def _unless_refused(templates: ObjectTemplates, value: Any) -> Maker:
    """Return the builder of a value, or, for a LeakError, one that raises the error in the run."""
    try:
        return templates.maker(value, "an exception")
    except LeakError as refused:
        message = str(refused)

    def refuse(arrays: Arrays, made: ObjectsById) -> object:
        raise LeakError(message)

    return refuse


def _is_like(a: Any, b: Any, seen: frozenset[int] = frozenset()) -> bool:
    """Return whether two values have equal contents, down to immutable parts."""
    if a is b or id(a) in seen:
        return True
    if type(a) is not type(b) or isinstance(a, (OptionalValue, PossiblyUnbound)):
        return False
    items, others = ({}, {}) if is_a(a, (tuple,)) else (contents_of(a), contents_of(b))
    if is_a(a, (tuple,)):
        items, others = dict(enumerate(a)), dict(enumerate(b))
    if items is None or others is None or list(items) != list(others):
        return False
    seen = seen | {id(a)}
    return all(_is_like(item, others[key], seen) for key, item in items.items())
