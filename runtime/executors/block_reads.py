"""What a block reads, and what comes after it."""

from __future__ import annotations

from runtime.executors.plan import (
    Block,
    Choose,
    Leave,
    Loop,
    Repeat,
    Run,
    Slot,
    Statement,
    Stop,
    blocks_in,
    read_by,
    walk,
)


def is_left(block: Block) -> bool:
    """Return whether nothing that comes after a block follows it."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, Choose):
        return all(map(is_left, last.branches))
    return isinstance(last, (Leave, Repeat, Stop))


def read_once(
    block: Block, last_uses: dict[Statement, set[Slot]], loop: Loop | None = None
) -> set[Statement]:
    """Return the nodes whose result one statement of the same block reads once, and nothing else.

    `loop` is the loop whose head this is, if it is one.
    """
    found: set[Statement] = set()
    waiting: dict[Slot, Statement] = {}
    for statement in [*block, *([] if loop is None else [loop])]:
        own = read_by(statement)
        if statement is loop or not isinstance(statement, Loop):
            for slot in own:
                maker = waiting.get(slot)
                if maker and slot in last_uses[statement] and own.count(slot) == 1:
                    found.add(maker)
        inside = (
            () if statement is loop else (each for b in blocks_in(statement) for each in walk(b))
        )
        for slot in (*own, *(slot for each in inside for slot in read_by(each))):
            waiting.pop(slot, None)
        if isinstance(statement, Run) and len(statement.writes) == 1:
            waiting[statement.writes[0]] = statement
    return found
