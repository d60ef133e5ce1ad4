"""Finds updates that can write into an array in place, since only one slot holds it.

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

from runtime.executors.numpy.buffer_reuse import LEAST, bytes_of, makes_new
from runtime.executors.plan import (
    Block,
    Loop,
    Move,
    Parallel,
    Plan,
    Run,
    Slot,
    Statement,
    Stop,
    Try,
    blocks_in,
    read_by,
    walk,
    written_by,
)
from runtime.executors.slot_kinds import SlotKinds
from runtime.ops.arrays.scatter import WRITES

# Ops whose result differs from their first operand in some elements.
_CHANGING = frozenset(("set_item", *WRITES))
# Ops that keep no reference to their operands after they ran.
_LOOKING = frozenset(("shape", "size", "rank", "stack", "print", "assert", "check", *_CHANGING))
# Ops whose result may be a view of their operand.
_CUTTING = ("strided_slice", "gather", "gather_nd")


@dataclass(eq=False)
class InPlace:
    """The updates of a plan that write in place.

    Attributes:
        changes: the nodes that write into their first operand.
        copied: other nodes that write slots whose arrays are changed, or take a part of them; their
            results are copied.
        moved: by move, the slots that take a copy.
        parameters: the parameters that are copied.
        feeding: `stack` nodes that only collect the numbers for such changes, and how often their
            results are read.
        is_caught: whether a handler may see the effect of a failed change.
    """

    changes: set[Run] = field(default_factory=set)
    copied: set[Run] = field(default_factory=set)
    moved: dict[Move, set[Slot]] = field(default_factory=dict)
    parameters: set[Slot] = field(default_factory=set)
    feeding: dict[Run, int] = field(default_factory=dict)
    is_caught: bool = False


def in_place(plan: Plan, held: set[Slot], last_uses: Mapping[Statement, set[Slot]]) -> InPlace:
    """Return the changes that are made in place, as an `InPlace`.

    Args:
        plan: the plan, coalesced.
        held: the slots that hold numbers.
        last_uses: for each statement, the slots that no later statement reads.
    """
    if not any(_may_change(each) or _is_of_variable(each) for each in walk(plan.body)):
        return InPlace()
    found = _Arrays(plan, held, last_uses).found()
    found.is_caught = any(isinstance(each, Try) for each in walk(plan.body))
    reads = Counter(slot for each in walk(plan.body) for slot in read_by(each))
    of_variables = {each for each in walk(plan.body) if _is_of_variable(each)}
    found.feeding = dict(_feeding(plan, found.changes | of_variables, reads))
    return found


def feeds(plan: Plan) -> Iterator[Run]:
    """Yield the nodes that only collect numbers for possible in-place changes."""
    changes = {each for each in walk(plan.body) if _may_change(each) or _is_of_variable(each)}
    for run, _ in _feeding(plan, changes):
        yield run


def _feeding(
    plan: Plan, changes: Container[Statement], reads: Counter[Slot] | None = None
) -> Iterator[tuple[Run, int]]:
    """Yield the nodes that collect numbers for changes, and how often these read their results.

    Args:
        plan: the plan.
        changes: the changes.
        reads: how often slots are read, if only the changes may read them; else None.
    """
    wanted: Counter[Slot] = Counter()
    for run in reversed([each for each in walk(plan.body) if isinstance(each, Run)]):
        if run in changes:
            wanted.update(run.reads[1:])
        elif run.node.op.name == "stack" and (count := wanted[run.writes[0]]):
            if reads is None or count == reads[run.writes[0]]:
                wanted.update(run.reads)
                yield run, count


def _may_change(statement: Statement) -> bool:
    if not isinstance(statement, Run) or statement.node.op.name not in _CHANGING:
        return False
    return bool(statement.reads[0].tensor.spec.shape.rank)


def _is_of_variable(statement: Statement) -> bool:
    return isinstance(statement, Run) and statement.node.op.name == "scatter_nd_variable"


class _Arrays:
    """Groups slots that hold the same array over time, and excludes arrays that others may know."""

    def __init__(
        self, plan: Plan, held: set[Slot], last_uses: Mapping[Statement, set[Slot]]
    ) -> None:
        self._plan, self._held, self._last_uses = plan, held, last_uses
        kinds = SlotKinds()
        self._first, self._join = kinds.first, kinds.join
        self._statements = list(_by_depth(plan.body, 0))
        self._beside = {
            slot
            for each in walk(plan.body)
            if isinstance(each, Parallel)
            for inner in walk([each])
            for slot in (*read_by(inner), *written_by(inner))
        }
        self._made = InPlace()
        # For each group, the loop depth of its outermost in-place change, and the index of its last
        # one.
        self._depths: dict[Slot, int] = {}
        # For each group that is changed outside of loops, the number of copies of other arrays.
        self._entries: Counter[Slot] = Counter()
        self._ends_at: dict[Slot, int] = {}
        self._bad: set[Slot] = set()

    def found(self) -> InPlace:
        """Return the changes that are made in place."""
        for statement, _ in self._statements:
            for target, source in self._handed_on(statement):
                self._join(source, target)
        for at, (statement, depth) in enumerate(self._statements):
            if self._is_change(statement):
                kind = self._first(read_by(statement)[0])
                self._depths[kind] = min(depth, self._depths.get(kind, depth))
                self._ends_at[kind] = at
        self._bad = {kind for kind in map(self._first, self._beside) if kind in self._depths}
        for slot in filter(self._is_kept, self._plan.parameters):
            self._enters(slot, 0)
        for at, (statement, depth) in enumerate(self._statements):
            for slot in written_by(statement):
                if self._is_kept(slot):
                    self._look_at_write(statement, slot, depth)
            for slot in read_by(statement):
                if self._is_kept(slot) and (depth or at < self._ends_at[self._first(slot)]):
                    self._look_at_read(statement, slot)
        return self._without_bad()

    def _without_bad(self) -> InPlace:
        good = {kind for kind in self._depths if kind not in self._bad and self._saves(kind)}
        runs = [each for each, _ in self._statements if isinstance(each, Run)]
        made = self._made
        return InPlace(
            {r for r in runs if self._is_change(r) and self._first(r.reads[0]) in good},
            {r for r in made.copied if {*map(self._first, (*r.reads, *r.writes))} & good},
            {m: {s for s in slots if self._first(s) in good} for m, slots in made.moved.items()},
            {slot for slot in self._plan.parameters if self._first(slot) in good},
        )

    def _saves(self, kind: Slot) -> bool:
        """Return whether in-place changes outside of loops save copies."""
        entries = self._entries[kind]
        if not entries:
            return True
        is_small = 0 < bytes_of(kind.tensor) <= LEAST
        block = [each for each, _ in self._statements] if is_small else self._plan.body
        changes = filter(self._is_change, block)
        return entries < sum(self._first(read_by(each)[0]) is kind for each in changes)

    def _look_at_write(self, statement: Statement, slot: Slot, depth: int) -> None:
        if isinstance(statement, Move):
            source = statement.reads[statement.writes.index(slot)]
            if (slot, source) not in self._handed_on(statement):
                self._made.moved.setdefault(statement, set()).add(slot)
                self._enters(slot, depth)
        elif not isinstance(statement, Run):
            self._bad.add(self._first(slot))
        elif not self._is_change(statement) and not _is_new(statement):
            if statement.node.op.name in _CHANGING:
                return  # The kernel makes a copy, since the old array is read again.
            self._made.copied.add(statement)
            self._enters(slot, depth)
            if len(statement.writes) > 1:
                self._bad.add(self._first(slot))

    def _enters(self, slot: Slot, depth: int) -> None:
        """Note an array from elsewhere: it is copied, unless that is in a loop that changes it."""
        kind = self._first(slot)
        if depth == self._depths[kind] == 0:
            self._entries[kind] += 1
        elif depth >= self._depths[kind]:
            self._bad.add(kind)
        if slot in self._held:
            self._bad.add(kind)

    def _look_at_read(self, statement: Statement, slot: Slot) -> None:
        if isinstance(statement, Stop) or self._ends(statement, slot):
            return
        if isinstance(statement, Run):
            name = statement.node.op.name
            if makes_new(statement) or name in _LOOKING or self._gives_numbers(statement):
                return
            if name in _CUTTING or _is_smaller(statement, slot):
                self._made.copied.add(statement)
                return
        self._bad.add(self._first(slot))

    def _gives_numbers(self, run: Run) -> bool:
        """Return whether a node only computes numbers from its operands."""
        return bool(run.writes) and run.node.effect == "none" and self._held.issuperset(run.writes)

    def _is_kept(self, slot: Slot) -> bool:
        return self._first(slot) in self._depths

    def _is_change(self, statement: Statement) -> bool:
        return bool(isinstance(statement, Run) and self._handed_on(statement))

    def _handed_on(self, statement: Statement) -> list[tuple[Slot, Slot]]:
        """Return the pairs of target and source where the target takes over the source's array."""
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
            and self._ends(statement, source)
            and not {source, target} & self._held
        ]

    def _ends(self, statement: Statement, slot: Slot) -> bool:
        """Return whether no statement after this one reads the value of a slot."""
        return slot in self._last_uses[statement] or slot in written_by(statement)


def _is_new(run: Run) -> bool:
    """Return whether a node's result shares no memory with other arrays."""
    return makes_new(run) or run.node.op.name == "fill"


def _is_smaller(run: Run, slot: Slot) -> bool:
    """Return whether a node without effects returns one array of lower rank than an operand."""
    node, whole = run.node, slot.tensor.spec.shape.rank or 0
    if node.effect != "none" or node.regions or node.op.kernel is None or len(node.outputs) != 1:
        return False
    rank = node.outputs[0].spec.shape.rank
    return node.outputs[0].dtype.kind in "biufc" and rank is not None and rank < whole


def _by_depth(block: Block, depth: int) -> Iterator[tuple[Statement, int]]:
    """Yield all statements in order, with the number of loops around each."""
    for statement in block:
        yield statement, depth
        for inner in blocks_in(statement):
            yield from _by_depth(inner, depth + isinstance(statement, Loop))
