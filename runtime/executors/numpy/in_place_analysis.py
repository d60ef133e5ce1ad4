"""Finds updates that can write into an array in place, since only one slot references it.

    x = x.copy()
    while ...:
        x[i] = x.item(j) + 1            %more = tensor_scatter_nd_update(%x, %rows, %v)

An array of a graph is a value, so an update copies the whole array. The update is made in place if
nobody reads the old array again and nothing else shares its memory: every statement that reads it
in between takes numbers, makes a new array, or copies the part that it takes. An array from
elsewhere is copied before the loop that changes it; if the copy would be inside of the loop,
nothing is changed in place. Outside of loops an array is copied if that saves copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field

from runtime.executors.analysis.disjoint_sets import DisjointSets
from runtime.executors.numpy.buffer_reuse import MIN_REUSED_BYTES, bytes_of, makes_new
from runtime.executors.plan.plan import (
    Block,
    Loop,
    Move,
    NodeRun,
    Parallel,
    Plan,
    PlanSlot,
    Return,
    Statement,
    Try,
    blocks_in,
    read_by,
    walk,
    written_by,
)
from runtime.ops.arrays.scatter import WRITES

# Ops whose result differs from their first operand in some elements.
_UPDATES = frozenset(("set_item", *WRITES))
# Ops that keep no reference to their operands after they ran.
_READERS = frozenset(("shape", "size", "rank", "stack", "print", "assert", "check", *_UPDATES))
# Ops whose result may be a view of their operand.
_VIEWS = ("strided_slice", "gather", "gather_nd")


@dataclass(eq=False, repr=False)
class InPlace:
    """The updates of a plan that write in place.

    Attributes:
        changes: the nodes that write into their first operand.
        copied: the other nodes whose results are copied: arrays that are changed later, or views of
            such arrays.
        moved: by move, the target slots that get a copy.
        parameters: the parameters that are copied at the start.
        operand_stacks: `stack` nodes that only collect the operands of such changes, with the
            number of reads of their results.
        is_caught: whether a handler may see the effect of a failed change.
    """

    changes: set[NodeRun] = field(default_factory=set)
    copied: set[NodeRun] = field(default_factory=set)
    moved: dict[Move, set[PlanSlot]] = field(default_factory=dict)
    parameters: set[PlanSlot] = field(default_factory=set)
    operand_stacks: dict[NodeRun, int] = field(default_factory=dict)
    is_caught: bool = False


def find_in_place_updates(
    plan: Plan, number_slots: set[PlanSlot], last_uses: Mapping[Statement, set[PlanSlot]]
) -> InPlace:
    """Find the updates of a plan that write in place.

    Args:
        plan: the plan, coalesced.
        number_slots: the slots that contain numbers.
        last_uses: for each statement, the slots that no later statement reads.
    """
    if not any(_may_change(each) or _updates_variable(each) for each in walk(plan.body)):
        return InPlace()
    found = _Arrays(plan, number_slots, last_uses).found()
    found.is_caught = any(isinstance(each, Try) for each in walk(plan.body))
    reads = Counter(slot for each in walk(plan.body) for slot in read_by(each))
    of_variables = {each for each in walk(plan.body) if _updates_variable(each)}
    found.operand_stacks = dict(_stacks_for(plan, found.changes | of_variables, reads))
    return found


def operand_stacks(plan: Plan) -> Iterator[NodeRun]:
    """Yield the `stack` nodes that only collect operands of possible in-place changes."""
    changes = {each for each in walk(plan.body) if _may_change(each) or _updates_variable(each)}
    for run, _ in _stacks_for(plan, changes):
        yield run


def _stacks_for(
    plan: Plan, changes: Container[Statement], reads: Counter[PlanSlot] | None = None
) -> Iterator[tuple[NodeRun, int]]:
    """Yield the `stack` nodes that collect operands of changes, with the number of these reads.

    Args:
        plan: the plan.
        changes: the changes.
        reads: the number of reads of each slot, if no statement but the changes may read them.
    """
    wanted: Counter[PlanSlot] = Counter()
    for run in reversed([each for each in walk(plan.body) if isinstance(each, NodeRun)]):
        if run in changes:
            wanted.update(run.reads[1:])
        elif run.node.op.name == "stack" and (count := wanted[run.writes[0]]):
            if reads is None or count == reads[run.writes[0]]:
                wanted.update(run.reads)
                yield run, count


def _may_change(statement: Statement) -> bool:
    if not isinstance(statement, NodeRun) or statement.node.op.name not in _UPDATES:
        return False
    return bool(statement.reads[0].tensor.spec.shape.rank)


def _updates_variable(statement: Statement) -> bool:
    return isinstance(statement, NodeRun) and statement.node.op.name == "scatter_nd_variable"


class _Arrays:
    """Groups slots that contain the same array over time, and finds groups that may be shared."""

    def __init__(
        self, plan: Plan, number_slots: set[PlanSlot], last_uses: Mapping[Statement, set[PlanSlot]]
    ) -> None:
        self._plan, self._number_slots, self._last_uses = plan, number_slots, last_uses
        sets = DisjointSets[PlanSlot]()
        self._find, self._union = sets.find, sets.union
        self._statements = list(_with_depth(plan.body, 0))
        self._parallel_slots = {
            slot
            for each in walk(plan.body)
            if isinstance(each, Parallel)
            for inner in walk([each])
            for slot in (*read_by(inner), *written_by(inner))
        }
        self._result = InPlace()
        # For each group, the loop depth of its outermost in-place change.
        self._depths: dict[PlanSlot, int] = {}
        # For each group that is changed outside of loops, the number of copies of other arrays.
        self._entries: Counter[PlanSlot] = Counter()
        # For each group, the index of the statement that changes it last.
        self._last_updates: dict[PlanSlot, int] = {}
        self._shared: set[PlanSlot] = set()

    def found(self) -> InPlace:
        """Return the changes that are made in place."""
        for statement, _ in self._statements:
            for target, source in self._handovers(statement):
                self._union(source, target)
        for at, (statement, depth) in enumerate(self._statements):
            if self._is_change(statement):
                group = self._find(read_by(statement)[0])
                self._depths[group] = min(depth, self._depths.get(group, depth))
                self._last_updates[group] = at
        self._shared = {
            group for group in map(self._find, self._parallel_slots) if group in self._depths
        }
        for slot in filter(self._is_updated_in_place, self._plan.parameters):
            self._add_entry(slot, 0)
        for at, (statement, depth) in enumerate(self._statements):
            for slot in written_by(statement):
                if self._is_updated_in_place(slot):
                    self._check_write(statement, slot, depth)
            for slot in read_by(statement):
                if self._is_updated_in_place(slot) and (
                    depth or at < self._last_updates[self._find(slot)]
                ):
                    self._check_read(statement, slot)
        return self._unshared_result()

    def _unshared_result(self) -> InPlace:
        good = {group for group in self._depths if group not in self._shared and self._saves(group)}
        runs = [each for each, _ in self._statements if isinstance(each, NodeRun)]
        made = self._result
        return InPlace(
            {r for r in runs if self._is_change(r) and self._find(r.reads[0]) in good},
            {r for r in made.copied if {*map(self._find, (*r.reads, *r.writes))} & good},
            {m: {s for s in slots if self._find(s) in good} for m, slots in made.moved.items()},
            {slot for slot in self._plan.parameters if self._find(slot) in good},
        )

    def _saves(self, group: PlanSlot) -> bool:
        """Return whether in-place changes outside of loops save copies."""
        entries = self._entries[group]
        if not entries:
            return True
        is_small = 0 < bytes_of(group.tensor) <= MIN_REUSED_BYTES
        block = [each for each, _ in self._statements] if is_small else self._plan.body
        changes = filter(self._is_change, block)
        return entries < sum(self._find(read_by(each)[0]) is group for each in changes)

    def _check_write(self, statement: Statement, slot: PlanSlot, depth: int) -> None:
        if isinstance(statement, Move):
            source = statement.reads[statement.writes.index(slot)]
            if (slot, source) not in self._handovers(statement):
                self._result.moved.setdefault(statement, set()).add(slot)
                self._add_entry(slot, depth)
        elif not isinstance(statement, NodeRun):
            self._shared.add(self._find(slot))
        elif not self._is_change(statement) and not _makes_unshared(statement):
            if statement.node.op.name in _UPDATES:
                return  # The kernel makes a copy, since the old array is read again.
            self._result.copied.add(statement)
            self._add_entry(slot, depth)
            if len(statement.writes) > 1:
                self._shared.add(self._find(slot))

    def _add_entry(self, slot: PlanSlot, depth: int) -> None:
        """Record that a copy of an array enters a group.

        If the loop that changes the group would repeat the copy, nothing is changed in place.
        """
        group = self._find(slot)
        if depth == self._depths[group] == 0:
            self._entries[group] += 1
        elif depth >= self._depths[group]:
            self._shared.add(group)
        if slot in self._number_slots:
            self._shared.add(group)

    def _check_read(self, statement: Statement, slot: PlanSlot) -> None:
        if isinstance(statement, Return) or self._is_last_read(statement, slot):
            return
        if isinstance(statement, NodeRun):
            name = statement.node.op.name
            if makes_new(statement) or name in _READERS or self._computes_numbers(statement):
                return
            if name in _VIEWS or _is_smaller(statement, slot):
                self._result.copied.add(statement)
                return
        self._shared.add(self._find(slot))

    def _computes_numbers(self, run: NodeRun) -> bool:
        """Return whether a node only computes numbers from its operands."""
        return (
            bool(run.writes)
            and run.node.effect == "none"
            and self._number_slots.issuperset(run.writes)
        )

    def _is_updated_in_place(self, slot: PlanSlot) -> bool:
        return self._find(slot) in self._depths

    def _is_change(self, statement: Statement) -> bool:
        return bool(isinstance(statement, NodeRun) and self._handovers(statement))

    def _handovers(self, statement: Statement) -> list[tuple[PlanSlot, PlanSlot]]:
        """Return the pairs of a target and the source whose array it takes over."""
        if isinstance(statement, Move):
            pairs = list(zip(statement.writes, statement.reads))
        elif _may_change(statement):
            pairs = [(written_by(statement)[0], read_by(statement)[0])]
        else:
            return []
        return [
            (target, source)
            for target, source in pairs
            if not source.is_fixed
            and read_by(statement).count(source) == 1
            and self._is_last_read(statement, source)
            and not {source, target} & self._number_slots
        ]

    def _is_last_read(self, statement: Statement, slot: PlanSlot) -> bool:
        """Return whether no statement after this one reads the value of a slot."""
        return slot in self._last_uses[statement] or slot in written_by(statement)


def _makes_unshared(run: NodeRun) -> bool:
    """Return whether a node's result shares no memory with other arrays."""
    return makes_new(run) or run.node.op.name == "fill"


def _is_smaller(run: NodeRun, slot: PlanSlot) -> bool:
    """Return whether a node without effects returns one array of lower rank than an operand."""
    node, whole = run.node, slot.tensor.spec.shape.rank or 0
    if node.effect != "none" or node.regions or node.op.kernel is None or len(node.outputs) != 1:
        return False
    rank = node.outputs[0].spec.shape.rank
    return node.outputs[0].dtype.kind in "biufc" and rank is not None and rank < whole


def _with_depth(block: Block, depth: int) -> Iterator[tuple[Statement, int]]:
    """Yield all statements in order, with the number of loops around each."""
    for statement in block:
        yield statement, depth
        for inner in blocks_in(statement):
            yield from _with_depth(inner, depth + isinstance(statement, Loop))
