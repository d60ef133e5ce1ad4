"""Liveness: the slots that a plan still reads after each of its statements."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from runtime.executors.plan.plan import (
    Block,
    BlockLoop,
    Break,
    Continue,
    Loop,
    Move,
    NodeRun,
    Parallel,
    ParallelPart,
    Plan,
    PlanSlot,
    Return,
    Statement,
    Switch,
    Try,
    blocks_in,
    read_by,
    walk,
    written_by,
)
from runtime.graph.node import Node
from runtime.passes.node_traits import is_total


def ends_in_jump(block: Block) -> bool:
    """Return whether a block always ends in a jump."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, Switch):
        return all(map(ends_in_jump, last.branches))
    return isinstance(last, (Break, Continue, Return))


def single_use_runs(
    block: Block, last_uses: dict[Statement, set[PlanSlot]], loop: Loop | None = None
) -> set[Statement]:
    """Return the nodes whose result is read once, by one statement of the same block.

    `loop` is the loop that the block is the head of, if any.
    """
    found: set[Statement] = set()
    unread: dict[PlanSlot, Statement] = {}
    for statement in [*block, *([] if loop is None else [loop])]:
        own = read_by(statement)
        if statement is loop or not isinstance(statement, Loop):
            for slot in own:
                writer = unread.get(slot)
                if writer and slot in last_uses[statement] and own.count(slot) == 1:
                    found.add(writer)
        inside = (
            () if statement is loop else (each for b in blocks_in(statement) for each in walk(b))
        )
        for slot in (*own, *(slot for each in inside for slot in read_by(each))):
            unread.pop(slot, None)
        if isinstance(statement, NodeRun) and len(statement.writes) == 1:
            unread[statement.writes[0]] = statement
    return found


# -- liveness: the slots that a plan still reads after each of its statements ----------------------


Live: TypeAlias = "set[PlanSlot]"
# Called with a statement and the slots that are live after it, which it must not change. If it
# returns True, the walk treats the statement as removed.
Visit: TypeAlias = "Callable[[Statement, Live], bool | None]"

# Removing a dead statement may make other statements dead.
_ROUNDS = 4


def walk_backward(plan: Plan, visit: Visit) -> None:
    """Call `visit` with the statements of a plan and the slots live after them, last one first.

    A Switch comes with the slots live before its branches, a Loop with those before its body, a Try
    with those before its body. Break and Continue are not visited.
    """
    BackwardWalk(visit).block(plan.body, set())


class BackwardWalk:
    """Walks backward over statements; `visit` is as in `walk_backward`."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        # For each loop, the slots live at its head, and those live after it.
        self._loops: dict[Node, tuple[Live, Live]] = {}
        # Slots that handlers read: they are live wherever an error may be raised.
        self._live_in_handlers: Live = set()

    def block(self, block: Block, live: Live) -> Live:
        """Walk back over a block whose end has `live`; return the slots live at its beginning."""
        for statement in reversed(block):
            if isinstance(statement, (NodeRun, BlockLoop, Move)):
                if self._visit(statement, live):
                    continue
                live.difference_update(statement.writes)
                live.update(statement.reads)
            elif isinstance(statement, Switch):
                before = [self.block(branch, set(live)) for branch in statement.branches]
                live = set().union(*before)
                self._visit(statement, live)
                live.add(statement.test)
            elif isinstance(statement, Loop):
                live = self._loop(statement, live)
            elif isinstance(statement, Try):
                live = self._try(statement, live)
            elif isinstance(statement, Parallel):
                self._visit(statement, live)
                for part in reversed(statement.parts):
                    live = self.block(part.body, live)
            elif isinstance(statement, Break):
                live = set(self._loops[statement.loop][1])
            elif isinstance(statement, Continue):
                live = set(self._loops[statement.loop][0])
            else:
                self._visit(statement, set())
                live = set(statement.reads)
            live.update(self._live_in_handlers)
        return live

    def _loop(self, loop: Loop, after: Live) -> Live:
        assigned = set(written_by(loop))
        at_head = after | (read_before_written(loop) - assigned)
        self._loops[loop.node] = (at_head, after)
        in_body = self.block(loop.body, set(at_head))
        live = (in_body - assigned) | after
        self._visit(loop, live)
        live.update(read_by(loop))
        return self.block(loop.head, live) | at_head

    def _try(self, tried: Try, after: Live) -> Live:
        around = self._live_in_handlers
        handled = [self.block(handler, set(after)) for handler in tried.handlers]
        at_end = self.block(tried.orelse, set(after))
        self._live_in_handlers = around | (set().union(*handled) - {tried.caught, *tried.noted})
        if tried.noted and tried.record is not None:
            self._live_in_handlers.add(tried.record)
        live = self.block(tried.body, at_end | self._live_in_handlers) | self._live_in_handlers
        self._live_in_handlers = around
        self._visit(tried, live)
        return live - {tried.caught, tried.record} | set(read_by(tried))


def read_before_written(loop: Loop) -> Live:
    """Return the slots that an iteration reads before it writes them, or never writes."""
    reads: Live = set()
    writes: Live = set()
    for statement in walk([loop]):
        reads.update(read_by(statement))
        writes.update(written_by(statement))
    return reads & set(loop.variables) | (reads - writes)


def last_uses(plan: Plan) -> dict[Statement, set[PlanSlot]]:
    """Return, for each statement, the slots whose current value no later statement reads."""
    found: dict[Statement, set[PlanSlot]] = {}

    def visit(statement: Statement, live: Live) -> None:
        found[statement] = {slot for slot in read_by(statement) if slot not in live}

    walk_backward(plan, visit)
    return found


def eliminate_dead_statements(plan: Plan, never_fails: Callable[[Node], bool] = is_total) -> Plan:
    """Return a plan without the nodes and moves whose results are never read.

    Statements with effects stay, and so do those that may raise: passes kept them because their
    error is visible. A value that only keeps itself alive, through the iterations of a loop, is
    dead.
    """
    unused = _unneeded(plan, never_fails)
    if unused:
        plan = Plan(plan.name, plan.parameters, _without(plan.body, unused))
    for _ in range(_ROUNDS):
        dead = _dead_statements(plan, never_fails)
        if not dead:
            break
        plan = Plan(plan.name, plan.parameters, _without(plan.body, dead))
    return plan


def _unneeded(
    plan: Plan, never_fails: Callable[[Node], bool]
) -> set[Statement | tuple[Statement, PlanSlot]]:
    """Return the statements whose written slots contribute to no visible result."""
    sources: dict[PlanSlot, list[PlanSlot]] = {}
    needed: set[PlanSlot] = set()
    removable: list[NodeRun | Move] = []
    for statement in walk(plan.body):
        if isinstance(statement, Move):
            removable.append(statement)
            for slot, source in zip(statement.writes, statement.reads):
                sources.setdefault(slot, []).append(source)
        elif isinstance(statement, NodeRun) and never_fails(statement.node):
            removable.append(statement)
            for slot in statement.writes:
                sources.setdefault(slot, []).extend(statement.reads)
        else:
            needed.update(read_by(statement))
    unread = list(needed)
    while unread:
        found = [each for each in sources.pop(unread.pop(), ()) if each not in needed]
        needed.update(found)
        unread += found
    dead: set[Statement | tuple[Statement, PlanSlot]] = set()
    for each in removable:
        if isinstance(each, Move):
            dead.update((each, slot) for slot in each.writes if slot not in needed)
        elif needed.isdisjoint(each.writes):
            dead.add(each)
    return dead


def _dead_statements(
    plan: Plan, never_fails: Callable[[Node], bool]
) -> set[Statement | tuple[Statement, PlanSlot]]:
    dead: set[Statement | tuple[Statement, PlanSlot]] = set()

    def visit(statement: Statement, live: Live) -> bool:
        if isinstance(statement, Move):
            dead_slots = [slot for slot in statement.writes if slot not in live]
            dead.update((statement, slot) for slot in dead_slots)
            return len(dead_slots) == len(statement.writes)
        if not isinstance(statement, NodeRun) or not live.isdisjoint(statement.writes):
            return False
        if not never_fails(statement.node):
            return False
        dead.add(statement)
        return True

    walk_backward(plan, visit)
    return dead


def _without(block: Block, dead: Collection[Statement | tuple[Statement, PlanSlot]]) -> Block:
    made: Block = []
    for statement in block:
        if isinstance(statement, Move):
            pairs = [
                (slot, source)
                for slot, source in zip(statement.writes, statement.reads)
                if (statement, slot) not in dead
            ]
            if pairs:
                made.append(Move(*map(tuple, zip(*pairs))))
        elif blocks_in(statement):
            made.append(
                with_blocks(statement, [_without(each, dead) for each in blocks_in(statement)])
            )
        elif statement not in dead:
            made.append(statement)
    return made


def with_blocks(statement: Statement, blocks: list[Block]) -> Statement:
    """Return a copy of a statement with its blocks replaced."""
    if isinstance(statement, Switch):
        return Switch(statement.node, statement.test, tuple(blocks))
    if isinstance(statement, Parallel):
        pairs = zip(statement.parts, blocks)
        return Parallel(
            tuple([ParallelPart(body, part.reads, part.writes) for part, body in pairs])
        )
    if isinstance(statement, Try):
        tried, orelse, *handlers = blocks
        notes = statement.record, statement.initial, statement.noted
        return Try(statement.node, statement.caught, tried, orelse, tuple(handlers), *notes)
    assert isinstance(statement, Loop)
    head, body = blocks
    return Loop(
        statement.node,
        statement.variables,
        statement.flags,
        head,
        statement.test,
        body,
        statement.limit,
        statement.iterable,
    )
