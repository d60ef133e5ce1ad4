"""Coalesces slots: a slot that only receives the final value of another slot is merged with it.

add = add(i, 1)
i = add             ->      i = add(i, 1)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from runtime.executors.analysis.liveness import Live, walk_backward
from runtime.executors.plan.plan import (
    Block,
    Loop,
    Move,
    NodeRun,
    Plan,
    PlanSlot,
    Return,
    Statement,
    Switch,
    Try,
    blocks_in,
    walk,
    written_by,
)

Replacements: TypeAlias = "dict[PlanSlot, PlanSlot]"

# The most rounds; each merges disjoint pairs of slots, a later one may merge a merged slot again.
_ROUNDS = 12


def coalesce(plan: Plan, may_share: Callable[[PlanSlot, PlanSlot], bool]) -> Plan:
    """Return a plan with fewer moves, in which pairs of slots are merged into one slot.

    Args:
        plan: the plan.
        may_share: whether the two slots keep a value in the same form.
    """
    for _ in range(_ROUNDS):
        candidates = _candidates(plan, may_share)
        if not candidates:
            return plan
        interfering = _interfering(plan, candidates)
        replacements: Replacements = {}
        merged: set[PlanSlot] = set()
        for target, source in candidates:
            if (target, source) in interfering or target in merged or source in merged:
                continue
            target, source = (source, target) if source in plan.parameters else (target, source)
            if _is_variable(source) and not _is_variable(target):
                target.name = source.name
            replacements[source] = target
            merged.update((target, source))
        if not replacements:
            return plan
        plan = replace_slots(plan, replacements)
    return plan


def _is_variable(slot: PlanSlot) -> bool:
    """Return whether a slot has the name of a variable of the program."""
    return slot.tensor.node.op.name == "placeholder"


def _candidates(
    plan: Plan, may_share: Callable[[PlanSlot, PlanSlot], bool]
) -> list[tuple[PlanSlot, PlanSlot]]:
    """Return target and source of the moves that might be removed, those of inner loops first."""
    found: dict[tuple[PlanSlot, PlanSlot], int] = {}
    parameters = set(plan.parameters)
    tries = [each for each in walk(plan.body) if isinstance(each, Try)]
    excluded = {slot for tried in tries for slot in written_by(tried)}

    def visit(block: Block, depth: int) -> None:
        for statement in block:
            if isinstance(statement, Move):
                for pair in zip(statement.writes, statement.reads):
                    target, source = pair
                    if source.is_fixed or target in excluded or source in excluded:
                        continue
                    if target in parameters and source in parameters:
                        continue
                    if may_share(target, source):
                        found[pair] = max(depth, found.get(pair, 0))
            for inner in blocks_in(statement):
                visit(inner, depth + isinstance(statement, Loop))

    visit(plan.body, 0)
    return sorted(found, key=lambda pair: -found[pair])


def _interfering(
    plan: Plan, pairs: list[tuple[PlanSlot, PlanSlot]]
) -> set[tuple[PlanSlot, PlanSlot]]:
    """Return the pairs that interfere: their slots contain different values at the same time."""
    partners: dict[PlanSlot, list[tuple[PlanSlot, PlanSlot]]] = {}
    for pair in pairs:
        partners.setdefault(pair[0], []).append(pair)
        partners.setdefault(pair[1], []).append(pair)
    interfering: set[tuple[PlanSlot, PlanSlot]] = set()

    def visit(statement: Statement, live: Live) -> None:
        if not isinstance(statement, (NodeRun, Move)):
            return
        copied = dict(zip(statement.writes, statement.reads)) if isinstance(statement, Move) else {}
        for slot in statement.writes:
            for pair in partners.get(slot, ()):
                other = pair[1] if pair[0] is slot else pair[0]
                is_other = other in live or other in statement.writes
                if is_other and not (copied.get(slot) is other and other not in copied):
                    interfering.add(pair)

    walk_backward(plan, visit)
    return interfering


def replace_slots(plan: Plan, replacements: Replacements) -> Plan:
    """Return a plan with some slots replaced by others, without moves from a slot to itself."""
    parameters = tuple([replacements.get(slot, slot) for slot in plan.parameters])
    return Plan(plan.name, parameters, _replace_in_block(plan.body, replacements))


def _replace_in_block(block: Block, replacements: Replacements) -> Block:
    made: Block = []
    for statement in block:
        if isinstance(statement, NodeRun):
            reads, writes = (
                _replace_all(statement.reads, replacements),
                _replace_all(statement.writes, replacements),
            )
            made.append(NodeRun(statement.node, reads, writes))
        elif isinstance(statement, Move):
            pairs = zip(
                _replace_all(statement.writes, replacements),
                _replace_all(statement.reads, replacements),
            )
            pairs_left = [pair for pair in pairs if pair[0] is not pair[1]]
            if pairs_left:
                made.append(Move(*map(tuple, zip(*pairs_left))))
        elif isinstance(statement, Switch):
            branches = [_replace_in_block(branch, replacements) for branch in statement.branches]
            made.append(
                Switch(
                    statement.node,
                    replacements.get(statement.test, statement.test),
                    tuple(branches),
                )
            )
        elif isinstance(statement, Loop):
            made.append(
                Loop(
                    statement.node,
                    _replace_all(statement.variables, replacements),
                    _replace_all(statement.flags, replacements),
                    _replace_in_block(statement.head, replacements),
                    None
                    if statement.test is None
                    else replacements.get(statement.test, statement.test),
                    _replace_in_block(statement.body, replacements),
                    statement.limit,
                )
            )
        elif isinstance(statement, Try):
            body, orelse, *handlers = [
                _replace_in_block(each, replacements) for each in blocks_in(statement)
            ]
            head = statement.record, _replace_all(statement.initial, replacements), statement.noted
            made.append(Try(statement.node, statement.caught, body, orelse, tuple(handlers), *head))
        elif isinstance(statement, Return):
            made.append(Return(_replace_all(statement.reads, replacements), statement.is_reachable))
        else:
            made.append(statement)
    return made


def _replace_all(slots: tuple[PlanSlot, ...], replacements: Replacements) -> tuple[PlanSlot, ...]:
    return tuple([replacements.get(slot, slot) for slot in slots])
