"""Facts about slots at a point of a plan: a known truth value, or equality with another slot."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from runtime.executors.plan.plan import Block, Move, PlanSlot, Statement, walk, written_by
from runtime.graph.node import Node


class TestResult(NamedTuple):
    """The result of a test on this path; reads of the test are not replaced by the constant."""

    value: bool


# For each slot, its truth value, a slot with the same value, or the result of its test.
Facts: TypeAlias = "dict[PlanSlot, bool | PlanSlot | TestResult]"


def _constant(value: bool, like: PlanSlot) -> PlanSlot:
    slot = PlanSlot(str(value), like.tensor)
    slot.value = np.array(value)
    return slot


def constant_truth(slot: PlanSlot) -> bool | None:
    """Return the constant truth value of a slot, None if it is not known."""
    value = slot.value
    return bool(value) if value is not None and value.dtype.kind == "b" and not value.ndim else None


def resolved(slot: PlanSlot, facts: Facts) -> PlanSlot:
    """Return the slot to read in place of `slot`."""
    found = facts.get(slot)
    if found is None or isinstance(found, TestResult):
        return slot
    return found if isinstance(found, PlanSlot) else _constant(found, slot)


def truth(slot: PlanSlot, facts: Facts) -> bool | None:
    """Return the truth value of a slot at a point of a plan, None if it is not known."""
    source = resolved(slot, facts)
    fact = facts.get(source)
    return fact.value if isinstance(fact, TestResult) else constant_truth(source)


def resolved_all(slots: Sequence[PlanSlot], facts: Facts) -> tuple[PlanSlot, ...]:
    """Return the slots to read in place of `slots`."""
    if not facts:
        return tuple(slots)
    return tuple([resolved(slot, facts) for slot in slots])


def fold_truth(node: Node, reads: Sequence[PlanSlot], facts: Facts) -> bool | PlanSlot | None:
    """Return the result of an op on truth values, None if it is not known."""
    name = node.op.name
    if name not in ("logical_not", "logical_and", "logical_or"):
        return None
    held = [truth(each, facts) for each in reads]
    if name == "logical_not":
        return None if held[0] is None else not held[0]
    if any(each.tensor.spec.shape.rank != 0 for each in reads):
        return None
    decides = name == "logical_or"
    if decides in held:
        return decides
    unknown = [slot for slot, value in zip(reads, held) if value is None]
    if not unknown:
        return not decides
    return unknown[0] if len(unknown) == 1 else None


def move(statement: Move, facts: Facts, made: Block) -> None:
    """Add a move without its redundant parts, and record the facts that follow from it."""
    reads = resolved_all(statement.reads, facts)
    pairs = [pair for pair in zip(statement.writes, reads) if pair[0] is not pair[1]]
    if not pairs:
        return
    writes = tuple([slot for slot, _ in pairs])
    made.append(Move(writes, tuple([source for _, source in pairs])))
    kill(writes, facts)
    for slot, source in pairs:
        held = constant_truth(source)
        if held is not None:
            facts[slot] = held
        elif source not in writes:
            facts[slot] = source


def without(statement: Statement, flags: set[PlanSlot]) -> Statement:
    """Return a move without the parts that set one of `flags` to False."""
    assert isinstance(statement, Move)
    pairs = [
        (slot, source)
        for slot, source in zip(statement.writes, statement.reads)
        if not (slot in flags and constant_truth(source) is False)
    ]
    return Move(tuple([slot for slot, _ in pairs]), tuple([source for _, source in pairs]))


def forget(block: Block, facts: Facts) -> None:
    """Remove the facts about the slots that a block assigns."""
    if facts:
        kill({slot for statement in walk(block) for slot in written_by(statement)}, facts)


def kill(slots: Collection[PlanSlot], facts: Facts) -> None:
    """Remove the facts about assigned slots, and those that refer to them."""
    if not facts:
        return
    for slot in slots:
        facts.pop(slot, None)
    for each in [each for each, found in facts.items() if found in slots]:
        del facts[each]
