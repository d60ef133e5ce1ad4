"""Turns loops that count into loops over a range of numbers or over the rows of an array.

i = 0                                  for i in range(n):
loop: test  less = less(i, n)    ->        v = gather(x, i)
      body  v = gather(x, i)
            ...                        for v in x:
            i = add(i, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from runtime.core.tensor import SymbolicTensor
from runtime.executors.analysis.liveness import with_blocks
from runtime.executors.plan.plan import (
    Block,
    Break,
    Continue,
    Loop,
    LoopIterable,
    Move,
    NodeRun,
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


def make_counted_loops(plan: Plan, is_number: Callable[[PlanSlot], bool]) -> Plan:
    """Return a plan in which loops that only count iterate over a range or over rows.

    Args:
        plan: the plan, after coalescing: a loop's `add` writes directly to the counter's slot.
        is_number: whether a slot contains a number.
    """
    reads: dict[PlanSlot, int] = {}
    for statement in walk(plan.body):
        for slot in read_by(statement):
            reads[slot] = reads.get(slot, 0) + 1
    lengths = lengths_of(plan)
    return Plan(plan.name, plan.parameters, _counted(plan.body, reads, is_number, lengths))


def is_row_read(node: Node) -> bool:
    """Return whether a node reads one row of an array, at a scalar index of any sign."""
    attrs = node.attrs
    return (
        node.op.name == "gather"
        and attrs["axis"] == 0
        and not attrs.get("batch_dims")
        and not attrs.get("wrap")
        and node.inputs[1].spec.shape.rank == 0
    )


def lengths_of(plan: Plan) -> dict[PlanSlot, PlanSlot]:
    """Return the array's slot for slots that hold an array's length, if both are assigned once."""
    writers: dict[PlanSlot, list[Statement]] = {}
    for statement in walk(plan.body):
        for slot in written_by(statement):
            writers.setdefault(slot, []).append(statement)
    found: dict[PlanSlot, PlanSlot] = {}
    for slot, statements in writers.items():
        shape = _shape_read(statements[0]) if len(statements) == 1 else None
        sizes = writers.get(shape, []) if shape is not None else []
        if len(sizes) == 1 and isinstance(sizes[0], NodeRun) and sizes[0].node.op.name == "shape":
            (array,) = sizes[0].reads
            if len(writers.get(array, ())) + (array in plan.parameters) == 1:
                found[slot] = array
    return found


def _shape_read(statement: Statement) -> PlanSlot | None:
    """Return the slot of the shape whose first dimension a statement reads, else None."""
    if not isinstance(statement, NodeRun) or statement.node.op.name != "strided_slice":
        return None
    index: object = statement.node.attrs["index"]
    return statement.reads[0] if getattr(index, "items", None) == (0,) else None


# -- loops -----------------------------------------------------------------------------------------


def _counted(
    block: Block,
    reads: dict[PlanSlot, int],
    is_number: Callable[[PlanSlot], bool],
    lengths: dict[PlanSlot, PlanSlot],
) -> Block:
    made: Block = []
    for statement in block:
        if blocks_in(statement):
            inner = [_counted(each, reads, is_number, lengths) for each in blocks_in(statement)]
            statement = with_blocks(statement, inner)
        if isinstance(statement, Loop):
            statement = _CountedLoopSearch(statement, made, reads, is_number, lengths).counted()
        made.append(statement)
    return made


@dataclass(eq=False, repr=False)
class _CountedLoopSearch:
    """A loop that may become a counted loop, and the statements before it."""

    original: Loop
    before: Block
    reads: dict[PlanSlot, int]
    is_number: Callable[[PlanSlot], bool]
    lengths: dict[PlanSlot, PlanSlot]

    def counted(self) -> Loop:
        """Return the counted loop, or the loop unchanged."""
        loop = self.original
        found = self._counter()
        if found is None or loop.limit is not None:
            return loop
        counter, limit = found
        start = self._start(counter)
        written = {slot for inner in walk(loop.body) for slot in written_by(inner)}
        if start is None or {limit, start} & written or not self._is_read_only_inside(counter):
            return loop
        if not _IterationCheck(loop, counter).is_counted():
            return loop
        # An outer loop may use this loop's start as its own counter, so the start is still read.
        self.reads[start] = self.reads.get(start, 0) + 1
        body = _without(loop.body, counter)
        iterable = LoopIterable(counter, start, limit)
        if (
            body
            and isinstance(body[0], NodeRun)
            and self._reads_each_row(body[0], iterable, written)
        ):
            (item,), items = body[0].writes, body[0].reads[0]
            iterable, body = LoopIterable(item=item, items=items), body[1:]
        return Loop(loop.node, loop.variables, loop.flags, [], None, body, None, iterable)

    def _counter(self) -> tuple[PlanSlot, PlanSlot] | None:
        """Return the counter and the slot of the limit that its test compares it with."""
        head = self.original.head
        if len(head) != 1 or not isinstance(head[0], NodeRun) or head[0].node.op.name != "less":
            return None
        (test,), (counter, limit) = head[0].writes, head[0].reads
        dtype = counter.tensor.dtype
        is_plain = dtype.is_integer and self.is_number(counter) and not counter.is_fixed
        if test is not self.original.test or self.reads.get(test) != 1 or counter is limit:
            return None
        return (counter, limit) if is_plain and _is_scalar(limit.tensor) else None

    def _start(self, counter: PlanSlot) -> PlanSlot | None:
        """Return the slot of the counter's initial value, if it still holds that at the loop."""
        written: set[PlanSlot] = set()
        for statement in reversed(self.before):
            if not isinstance(statement, Move):
                return None
            written.update(statement.writes)
            if counter in statement.writes:
                start = statement.reads[statement.writes.index(counter)]
                is_unchanged = self.is_number(start) and start not in written
                return start if start.is_fixed or is_unchanged else None
        return None

    def _reads_each_row(self, run: NodeRun, iterable: LoopIterable, written: set[PlanSlot]) -> bool:
        """Return whether a node reads an array's next number in each iteration, up to its end."""
        start, limit, counter = iterable.start, iterable.limit, iterable.counter
        if not is_row_read(run.node) or run.reads[1] is not counter or limit is None:
            return False
        items, starts = run.reads[0], None if start is None else start.value
        if items in written or not self.is_number(run.writes[0]) or starts is None or starts:
            return False
        size: object = items.tensor.shape[0] if items.tensor.shape.rank else None
        is_whole = limit.value is not None and size == limit.value.item()
        # The counter may have one read besides those of the test and the increment: this one.
        return (is_whole or self.lengths.get(limit) is items) and self._count_reads(counter) == 1

    def _count_reads(self, counter: PlanSlot) -> int:
        """Return the number of reads of the counter in the body, without its increments."""
        inside = [each for each in walk(self.original.body) if not _adds_one(each, counter)]
        return sum(read_by(each).count(counter) for each in inside)

    def _is_read_only_inside(self, counter: PlanSlot) -> bool:
        """Return whether nothing outside of the loop reads the counter."""
        inside = sum(read_by(each).count(counter) for each in walk([self.original]))
        return inside == self.reads.get(counter)


def _is_scalar(tensor: SymbolicTensor) -> bool:
    return tensor.spec.shape.rank == 0


def _adds_one(statement: Statement, counter: PlanSlot) -> bool:
    if not isinstance(statement, NodeRun) or statement.node.op.name != "add":
        return False
    if statement.writes != (counter,) or statement.reads.count(counter) != 1:
        return False
    (step,) = (slot for slot in statement.reads if slot is not counter)
    return step.value is not None and step.value.ndim == 0 and bool(step.value == 1)


@dataclass(eq=False, repr=False)
class _IterationCheck:
    """A check that each path to the next iteration adds one to the counter after its last read."""

    original: Loop
    counter: PlanSlot
    _failed: bool = False

    def is_counted(self) -> bool:
        return self._after(self.original.body, False) is not False and not self._failed

    def _after(self, block: Iterable[Statement], added: bool) -> bool | None:
        """Return whether the counter is incremented by a block; None if the block always jumps."""
        for statement in block:
            if _adds_one(statement, self.counter):
                self._failed = self._failed or added
                added = True
            elif self.counter in written_by(statement):
                self._failed = True
            elif isinstance(statement, Switch):
                ends = {self._after(branch, added) for branch in statement.branches} - {None}
                self._failed = self._failed or len(ends) > 1 or (added and self._reads(statement))
                if not ends:
                    return None
                added = ends.pop() is True
            elif isinstance(statement, (Continue, Break, Return)):
                self._failed = self._failed or (isinstance(statement, Continue) and not added)
                return None
            else:
                self._failed = self._failed or (added and self._reads(statement))
                if isinstance(statement, (Loop, Try)):
                    inside = {slot for each in walk([statement]) for slot in written_by(each)}
                    self._failed = self._failed or self.counter in inside
        return added

    def _reads(self, statement: Statement) -> bool:
        return any(self.counter in read_by(each) for each in walk([statement]))


def _without(block: Block, counter: PlanSlot) -> Block:
    """Return a block without the statements that increment the counter."""
    made: Block = []
    for statement in block:
        if isinstance(statement, Switch):
            made.append(
                with_blocks(statement, [_without(each, counter) for each in statement.branches])
            )
        elif not _adds_one(statement, counter):
            made.append(statement)
    return made
