"""Lists, dicts and objects that a list contains twice, at positions known only at run time.

rows[i] = rows[j]                      the graph has two copies of one row
rows[i].append(1)                      Python appends to both: refused
rows[i], rows[j] = rows[j], rows[i]    after both assignments no row is in the list twice
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import runtime as rt
from autograph.backends.graph.source.source_location import SourceLocation, user_location
from autograph.backends.graph.state.alias_state import (
    AliasState,
    DuplicateRef,
    ElementOrigin,
    alias_state,
)
from autograph.backends.graph.values.container_snapshot import is_mutable
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.errors import ContainerMutationError
from autograph.operators.call_listeners import is_within
from runtime.core.context import current_recorder
from runtime.graph.graph import PLACEHOLDER, Graph
from runtime.ops.arguments import static_value

# Ops between a counter and its next value; the first input has the counter. `add` and `subtract`
# step it by a constant, and `identity` and casts keep its value.
_STEPS = ("identity", "cast", "exact_cast", "add", "subtract")
# Indices are seldom longer expressions.
_DEEPEST = 6


def record_origin(value: object, owner: object, key: object, items: DynamicItems) -> None:
    """Record that a container was picked from a list."""
    aliases = alias_state()
    if aliases is not None and is_mutable(value):
        aliases.origins.append(ElementOrigin(value, owner, key, current_recorder(), items.handle))


def is_element_of(value: object, owner: object) -> bool:
    """Return whether a value was picked from a list."""
    aliases = alias_state()
    return aliases is not None and any(_origins(aliases, value, owner))


def was_replaced(aliases: AliasState, value: object) -> bool:
    """Return whether another item has replaced a container in its list, as in a swap."""
    found = [each for each in aliases.origins if each.value is value]
    return bool(found) and all(each.is_gone for each in found)


def record_inserted(owner: list[Any], key: object, value: object, before: Iterable[object]) -> None:
    """Record that an item was assigned or inserted in a list at an index.

    Args:
        owner: the list.
        key: the index; None for an insertion at an unknown index.
        value: the item.
        before: the list's items before.
    """
    aliases, recorder = alias_state(), current_recorder()
    if aliases is None:
        return
    if any(
        not each.is_gone and is_same_index(each.key, key)
        for each in _origins(aliases, value, owner)
    ):
        return  # The item is at this index already.
    for origin in aliases.origins:
        same = origin.owner is owner and origin.graph is recorder and is_same_index(origin.key, key)
        origin.is_gone = origin.is_gone or same
    aliases.duplicates[:] = [
        each
        for each in aliases.duplicates
        if each.owner is not owner
        or each.graph is not recorder
        or not any(is_same_index(one, key) for one in each.keys)
    ]
    if is_mutable(value):
        held = [at for at, item in enumerate(before) if item is value]
        picked = [each.key for each in _origins(aliases, value, owner) if not each.is_gone]
        others = [each for each in (*held, *picked) if not is_same_index(each, key)]
        aliases.duplicates += [
            DuplicateRef(owner, (each, key), recorder, user_location()) for each in others
        ]


def record_known_duplicates(owner: list[Any]) -> None:
    """Record a list that contains a container twice when its items become dynamic."""
    aliases = alias_state()
    held = [id(item) for item in owner if is_mutable(item)]
    if aliases is not None and len(set(held)) < len(held):
        aliases.duplicates.append(
            DuplicateRef(owner, (None, None), current_recorder(), user_location())
        )


def record_repeated_insertion(owners: Iterable[list[Any]]) -> None:
    """Record that lists may hold a container twice, since each iteration of a loop inserts it."""
    aliases = alias_state()
    if aliases is not None:
        place, recorder = user_location(), current_recorder()
        aliases.duplicates += [DuplicateRef(each, (None, None), recorder, place) for each in owners]


def refuse_duplicates(owner: object, originals: Iterable[object]) -> None:
    """Refuse a change of an item of a list that may contain one object twice.

    Args:
        owner: the list.
        originals: the containers among its known items; one that was picked from the same list may
            be among the dynamic items as well.

    Raises:
        ContainerMutationError: the list may contain one object twice.
    """
    aliases = alias_state()
    if aliases is None:
        return
    for each in aliases.duplicates:
        if each.owner is owner:
            raise duplicate_error(each.place)
    for original in originals:
        if any(not each.is_gone for each in _origins(aliases, original, owner)):
            raise duplicate_error(user_location())


def duplicate_error(place: SourceLocation | None) -> ContainerMutationError:
    """Return the error for a change of an item that is in its list twice."""
    return ContainerMutationError(
        "an item of this list is changed under an index that is known when the graph runs, and "
        "one object is in the list more than once, as [[0] * 2] * 3 or rows[i] = rows[j] makes it: "
        "make each item an object of its own, as in [[0] * 2 for _ in range(3)]",
        place,
    )


def is_same_index(one: object, other: object, depth: int = 0) -> bool:
    """Return whether two indices are known to be equal: one number, or the same computation."""
    if one is other:
        return one is not None
    if isinstance(one, int) and isinstance(other, int):
        return one == other
    if not (isinstance(one, rt.SymbolicTensor) and isinstance(other, rt.SymbolicTensor)):
        return False
    first, second = one.node, other.node
    if one.graph is not other.graph or one.index != other.index or depth > _DEEPEST:
        return False
    if first.op is not second.op or first.op is PLACEHOLDER or first.effect != "none":
        return False
    if first.regions or dict(first.attrs) != dict(second.attrs):
        return False
    pairs = zip(first.inputs, second.inputs, strict=True)
    return all(is_same_index(a, b, depth + 1) for a, b in pairs)


def is_distinct_per_iteration(
    aliases: AliasState, value: object, changed: Sequence[object], body: Graph
) -> bool:
    """Return whether each iteration picks another item of a list, and changes no other item of it.

    Args:
        aliases: the alias state of the trace.
        value: the picked item.
        changed: the items of the list that an iteration changes.
        body: the graph of the loop's body.
    """
    keys = [each.key for each in aliases.origins if each.value is value]
    if not any(differs_per_iteration(key, body) for key in keys):
        return False
    others = [each for each in changed if each is not value]
    places = [[each.key for each in aliases.origins if each.value is other] for other in others]
    return all(any(is_same_index(a, b) for a in keys for b in place) for place in places)


def differs_per_iteration(key: object, body: Graph) -> bool:
    """Return whether an index differs in each iteration: it depends on a counter with a step."""
    counter = _counter_in(key, body)
    at = next((at for at, each in enumerate(body.parameters) if each is counter), None)
    if at is None:
        return False
    following, step = without_steps(body.outputs[at])
    return following is counter and bool(step)


def _counter_in(key: object, body: Graph) -> object:
    """Return the counter in an index: `i` in `i + 1`, and in `n - 1 - i`."""
    value = _before_captured(key)
    while isinstance(value, rt.SymbolicTensor) and value.node.op.name in _STEPS:
        changing = [each for each in value.node.inputs if not _is_constant(each, body)]
        if len(changing) != 1:
            break
        value = _before_captured(changing[0])
    return value


def _is_constant(value: object, body: Graph, depth: int = 0) -> bool:
    """Return whether an operand of an index has the same value in all iterations."""
    known = _before_captured(value)
    if not isinstance(known, rt.SymbolicTensor) or not is_within(known.graph, body):
        return True
    node = known.node
    if depth > _DEEPEST or node.op is PLACEHOLDER or node.regions or node.effect != "none":
        return False
    return all(_is_constant(each, body, depth + 1) for each in node.inputs)


def _before_captured(value: object) -> object:
    """Return the tensor that a capture stands for, out of all regions; any other value itself."""
    while isinstance(value, rt.SymbolicTensor) and value.node.op is PLACEHOLDER:
        outer = next((each.outer for each in value.graph.captures if each.inner is value), None)
        if outer is None:
            break
        value = outer
    return value


def without_steps(value: object) -> tuple[object, Any]:
    """Return the operand of a chain of steps by constants, and the sum of the steps."""
    together: Any = 0
    while isinstance(value, rt.SymbolicTensor) and value.node.op.name in _STEPS:
        steps = [static_value(each) for each in value.node.inputs[1:]]
        if any(each is None or each.ndim for each in steps):
            break
        together += sum(each for each in steps if each is not None) * (
            -1 if value.node.op.name == "subtract" else 1
        )
        value = value.node.inputs[0]
    return value, together


def _origins(aliases: AliasState, value: object, owner: object) -> Iterator[ElementOrigin]:
    return (each for each in aliases.origins if each.value is value and each.owner is owner)
