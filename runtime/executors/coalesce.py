"""Coalesces slots: a slot that only receives the final value of another slot is merged with it.

add = add(i, 1)
i = add             ->      i = add(i, 1)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from runtime.executors.liveness import Live, go_back
from runtime.executors.plan import (
    Block,
    Choose,
    Loop,
    Move,
    Plan,
    Run,
    Slot,
    Statement,
    Stop,
    Try,
    blocks_in,
    walk,
    written_by,
)

Names: TypeAlias = "dict[Slot, Slot]"

# Each round merges pairs of slots; a later round may merge a merged slot again.
_ROUNDS = 12


def coalesce(plan: Plan, may_join: Callable[[Slot, Slot], bool]) -> Plan:
    """Return a plan with fewer moves, in which pairs of slots are merged into one slot.

    Args:
        plan: the plan.
        may_join: whether the first slot could hold the value of the second one unchanged.
    """
    for _ in range(_ROUNDS):
        wanted = _wanted(plan, may_join)
        if not wanted:
            return plan
        apart = _apart(plan, wanted)
        names: Names = {}
        taken: set[Slot] = set()
        for target, source in wanted:
            if (target, source) in apart or target in taken or source in taken:
                continue
            stays, goes = (source, target) if source in plan.parameters else (target, source)
            names[goes] = stays
            taken.update((target, source))
        if not names:
            return plan
        plan = renamed(plan, names)
    return plan


def _wanted(plan: Plan, may_join: Callable[[Slot, Slot], bool]) -> list[tuple[Slot, Slot]]:
    """Return the pairs of target and source of moves that could be one slot, innermost first."""
    found: dict[tuple[Slot, Slot], int] = {}
    parameters = set(plan.parameters)
    tries = [each for each in walk(plan.body) if isinstance(each, Try)]
    alone = {slot for tried in tries for slot in written_by(tried)}

    def look(block: Block, depth: int) -> None:
        for statement in block:
            if isinstance(statement, Move):
                for pair in zip(statement.writes, statement.reads):
                    target, source = pair
                    if source.is_fixed or target in alone or source in alone:
                        continue
                    if target in parameters and source in parameters:
                        continue
                    if may_join(target, source):
                        found[pair] = max(depth, found.get(pair, 0))
            for inner in blocks_in(statement):
                look(inner, depth + isinstance(statement, Loop))

    look(plan.body, 0)
    return sorted(found, key=lambda pair: -found[pair])


def _apart(plan: Plan, pairs: list[tuple[Slot, Slot]]) -> set[tuple[Slot, Slot]]:
    """Return the pairs whose slots hold two different values at the same time."""
    partners: dict[Slot, list[tuple[Slot, Slot]]] = {}
    for pair in pairs:
        partners.setdefault(pair[0], []).append(pair)
        partners.setdefault(pair[1], []).append(pair)
    apart: set[tuple[Slot, Slot]] = set()

    def look(statement: Statement, live: Live) -> None:
        if not isinstance(statement, (Run, Move)):
            return
        copied = dict(zip(statement.writes, statement.reads)) if isinstance(statement, Move) else {}
        for slot in statement.writes:
            for pair in partners.get(slot, ()):
                other = pair[1] if pair[0] is slot else pair[0]
                is_other = other in live or other in statement.writes
                if is_other and not (copied.get(slot) is other and other not in copied):
                    apart.add(pair)

    go_back(plan, look)
    return apart


def renamed(plan: Plan, names: Names) -> Plan:
    """Return a plan with some slots replaced by others, without moves from a slot to itself."""
    parameters = tuple([names.get(slot, slot) for slot in plan.parameters])
    return Plan(plan.name, parameters, _renamed(plan.body, names))


def _renamed(block: Block, names: Names) -> Block:
    made: Block = []
    for statement in block:
        if isinstance(statement, Run):
            reads, writes = _all(statement.reads, names), _all(statement.writes, names)
            made.append(Run(statement.node, reads, writes))
        elif isinstance(statement, Move):
            pairs = zip(_all(statement.writes, names), _all(statement.reads, names))
            kept = [pair for pair in pairs if pair[0] is not pair[1]]
            if kept:
                made.append(Move(*map(tuple, zip(*kept))))
        elif isinstance(statement, Choose):
            branches = [_renamed(branch, names) for branch in statement.branches]
            made.append(
                Choose(statement.node, names.get(statement.test, statement.test), tuple(branches))
            )
        elif isinstance(statement, Loop):
            made.append(
                Loop(
                    statement.node,
                    _all(statement.variables, names),
                    _all(statement.flags, names),
                    _renamed(statement.head, names),
                    None if statement.test is None else names.get(statement.test, statement.test),
                    _renamed(statement.body, names),
                    statement.limit,
                )
            )
        elif isinstance(statement, Try):
            body, orelse, *handlers = [_renamed(each, names) for each in blocks_in(statement)]
            head = statement.record, _all(statement.initial, names), statement.noted
            made.append(Try(statement.node, statement.caught, body, orelse, tuple(handlers), *head))
        elif isinstance(statement, Stop):
            made.append(Stop(_all(statement.reads, names), statement.is_reached))
        else:
            made.append(statement)
    return made


def _all(slots: tuple[Slot, ...], names: Names) -> tuple[Slot, ...]:
    return tuple([names.get(slot, slot) for slot in slots])
