"""Facts about slots at a point of a plan: a known truth value, or equality with another slot."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from runtime.executors.plan import Block, Move, Slot, Statement, walk, written_by
from runtime.graph.node import Node


class TestedPath(NamedTuple):
    """The result of a test on this path; reads of the test are not replaced by the constant."""

    held: bool


# For each slot, its truth value, a slot with the same value, or the result of its test.
Known: TypeAlias = "dict[Slot, bool | Slot | TestedPath]"


def _constant(value: bool, like: Slot) -> Slot:
    slot = Slot(str(value), like.tensor)
    slot.value = np.array(value)
    return slot


def held_in(slot: Slot) -> bool | None:
    """Return the constant truth value of a slot, None if it is not known."""
    value = slot.value
    return bool(value) if value is not None and value.dtype.kind == "b" and not value.ndim else None


def resolved(slot: Slot, known: Known) -> Slot:
    """Return the slot to read in place of `slot`."""
    found = known.get(slot)
    if found is None or isinstance(found, TestedPath):
        return slot
    return found if isinstance(found, Slot) else _constant(found, slot)


def truth(slot: Slot, known: Known) -> bool | None:
    """Return the truth value of a slot at a point of a plan, None if it is not known."""
    source = resolved(slot, known)
    went = known.get(source)
    return went.held if isinstance(went, TestedPath) else held_in(source)


def resolved_all(slots: Sequence[Slot], known: Known) -> tuple[Slot, ...]:
    """Return the slots to read in place of `slots`."""
    if not known:
        return tuple(slots)
    return tuple([resolved(slot, known) for slot in slots])


def folded(node: Node, reads: Sequence[Slot], known: Known) -> bool | Slot | None:
    """Return the result of an op on truth values, None if it is not known."""
    name = node.op.name
    if name not in ("logical_not", "logical_and", "logical_or"):
        return None
    held = [truth(each, known) for each in reads]
    if name == "logical_not":
        return None if held[0] is None else not held[0]
    if any(each.tensor.spec.shape.rank != 0 for each in reads):
        return None
    decides = name == "logical_or"
    if decides in held:
        return decides
    open_ones = [slot for slot, value in zip(reads, held) if value is None]
    if not open_ones:
        return not decides
    return open_ones[0] if len(open_ones) == 1 else None


def move(statement: Move, known: Known, made: Block) -> None:
    """Add a move without its redundant parts, and record the facts that follow from it."""
    reads = resolved_all(statement.reads, known)
    pairs = [pair for pair in zip(statement.writes, reads) if pair[0] is not pair[1]]
    if not pairs:
        return
    writes = tuple([slot for slot, _ in pairs])
    made.append(Move(writes, tuple([source for _, source in pairs])))
    kill(writes, known)
    for slot, source in pairs:
        held = held_in(source)
        if held is not None:
            known[slot] = held
        elif source not in writes:
            known[slot] = source


def without(statement: Statement, flags: set[Slot]) -> Statement:
    """Return a move without the parts that set one of `flags` to False."""
    assert isinstance(statement, Move)
    pairs = [
        (slot, source)
        for slot, source in zip(statement.writes, statement.reads)
        if not (slot in flags and held_in(source) is False)
    ]
    return Move(tuple([slot for slot, _ in pairs]), tuple([source for _, source in pairs]))


def forget(block: Block, known: Known) -> None:
    """Remove the facts about the slots that a block assigns."""
    if known:
        kill({slot for statement in walk(block) for slot in written_by(statement)}, known)


def kill(slots: Collection[Slot], known: Known) -> None:
    """Remove the facts about assigned slots, and those that refer to them."""
    if not known:
        return
    for slot in slots:
        known.pop(slot, None)
    for each in [each for each, found in known.items() if found in slots]:
        del known[each]
