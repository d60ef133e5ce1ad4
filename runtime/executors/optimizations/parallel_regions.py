"""Finds the statements of a plan that can run in parallel, where that pays.

    a = tanh(x @ v)                   a = tanh(x @ v)   |   b = tanh(x @ w)
    b = tanh(x @ w)         ->
    y = a + b                         y = a + b

The statements of a part use no values of the other parts. They have no effects, so the order in
which parts run is not visible, except by errors: the first error of a part is raised before those
of the next part, as in sequence. A group pays if the estimated work of the other threads outweighs
the cost of handing it over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from runtime.executors.analysis.cost_model import cores, work_of
from runtime.executors.analysis.liveness import BackwardWalk, with_blocks
from runtime.executors.plan.plan import (
    Block,
    Break,
    Continue,
    Loop,
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
from runtime.graph.callee import called_graph
from runtime.graph.node import Node
from runtime.passes.node_traits import is_value
from runtime.passes.prune import may_fail

# The least work that another core takes over, in nanoseconds: if the user asked for parallel
# parts, and by default. Handing work over costs 20,000 on an idle core, and several times that on
# a busy one; while two threads run, NumPy calls wait for each other.
MIN_WORK = 1_000_000
MIN_WORK_BY_DEFAULT = 10_000_000
# The least share of the work that other threads take over is 1/5: splitting a chain costs too.
_SHARE = 5
# The most statements examined per segment, which bounds the time for long segments with few parts.
_MOST_STEPS = 50_000

# For each position in a segment of statements, the positions that it must follow.
Order: TypeAlias = "list[set[int]]"
Places: TypeAlias = "Sequence[int]"
Partition: TypeAlias = "tuple[list[int], list[list[int]], list[int]]"


class ParallelGroup(NamedTuple):
    """Statements of a segment that run in parallel parts, by their positions.

    Attributes:
        ahead: those that run before the parts.
        parts: those of each part.
        later: those that run after the parts.
        saved: the work that other threads take over.
    """

    ahead: list[int]
    parts: list[list[int]]
    later: list[int]
    saved: float


def parallelize(plan: Plan, parallel: bool | int | None) -> Plan:
    """Return a plan in which independent statements form parallel parts.

    Args:
        plan: the plan.
        parallel: the user's option: None if the gain is large, True if there is any gain, False
            never, a number for at most that many parts at once.
    """
    most = cores() if parallel is None or parallel is True else int(parallel)
    if most < 2:
        return plan
    least = MIN_WORK_BY_DEFAULT if parallel is None else MIN_WORK
    work: dict[Statement, float] = {}
    for statement in walk(plan.body):
        if isinstance(statement, NodeRun):
            found = work_of(statement.node)
            if found:
                work[statement] = found
    if sum(work.values()) < 2 * least:
        return plan
    return Plan(plan.name, plan.parameters, _Parallelizer(plan, work, least, most).body())


class _LiveAtEnd(BackwardWalk):
    """Records the slots that are live at the end of each block."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(lambda statement, live: None)
        self.at_end: dict[int, frozenset[PlanSlot]] = {}
        self.block(plan.body, set())

    def block(self, block: Block, live: set[PlanSlot]) -> set[PlanSlot]:
        self.at_end.setdefault(id(block), frozenset(live))
        return super().block(block, live)

    def before(self, block: Block, live: Iterable[PlanSlot]) -> set[PlanSlot]:
        """Return the slots that are live before a block, given those live after it."""
        return super().block(block, set(live))


class _Parallelizer:
    def __init__(
        self, plan: Plan, work: Mapping[Statement, float], least: float, most: int
    ) -> None:
        self._plan = plan
        self._work = dict(work)
        self._least = least
        self._most = most
        self._ends = _LiveAtEnd(plan)

    def body(self) -> Block:
        return self._block(self._plan.body)

    def _block(self, block: Block) -> Block:
        """Return a block with its parallel parts grouped."""
        made: Block = []
        segment: Block = []
        for at, statement in enumerate(block):
            # The values that a handler sees depend on the statements that ran before, so keep
            # their order.
            blocks = () if isinstance(statement, Try) else blocks_in(statement)
            inside = [self._block(each) for each in blocks]
            new = with_blocks(statement, inside) if inside else statement
            if isinstance(new, Switch):
                self._work[new] = min(map(self._work_in, new.branches))
            if _may_move(statement):
                segment.append(new)
                continue
            made += self._parallelize_segment(segment, block[at:], block)
            made.append(new)
            segment = []
        return made + self._parallelize_segment(segment, [], block)

    def _work_in(self, block: Iterable[Statement]) -> float:
        return sum(self._work.get(each, 0) for each in block)

    def _parallelize_segment(self, segment: Block, rest: Block, block: Block) -> Block:
        """Return a segment with parallel parts; `rest` follows it in `block`."""
        if len(segment) < 2 or self._work_in(segment) < 2 * self._least:
            return segment
        live_after = self._ends.before(rest, self._ends.at_end[id(block)])
        work = [self._work.get(each, 0) for each in segment]
        return _Segment(segment, work, self._least, self._most, self._ends).parallelized(live_after)


class _Segment:
    """A segment of statements that may run in any order that respects their dependencies."""

    def __init__(
        self, segment: Block, work: Sequence[float], least: float, most: int, ends: _LiveAtEnd
    ) -> None:
        self._statements, self._work = segment, work
        self._least, self._most, self._ends = least, most, ends
        self._order, self._fails = _order(segment), [_fails(each) for each in segment]
        self._left = _MOST_STEPS

    def parallelized(self, live_after: Iterable[PlanSlot]) -> Block:
        """Return the segment with parallel parts; `live_after` are the slots live after it."""
        return self._split(range(len(self._statements)), live_after)

    def _at(self, places: Places) -> Block:
        return [self._statements[at] for at in places]

    def _split(self, places: Places, live_after: Iterable[PlanSlot]) -> Block:
        found = self._best_group(places)
        if found is None:
            return self._at(places)
        count, group = found
        live = self._ends.before(self._at(group.later), live_after)
        parts = Parallel(tuple([self._part(self._at(each), live) for each in group.parts]))
        here = [*group.ahead, *(at for part in group.parts for at in part)]
        before = self._split(places[:count], self._ends.before(self._at(here), live))
        return [*before, *self._at(group.ahead), parts, *self._split(group.later, live_after)]

    def _best_group(self, places: Places) -> tuple[int, ParallelGroup] | None:
        """Return the group that saves the most work, and the number of statements before it."""
        found: list[tuple[int, ParallelGroup]] = []
        count = 0
        while self._left > 0:
            count += _count_before_fork(places[count:], self._order, self._work)
            if count == len(places):
                break
            group = self._group(places[count:])
            if group is not None:
                found.append((count, group))
            # Skip the first statement with work; later statements may depend on it together.
            count += next(n for n, at in enumerate(places[count:], 1) if self._work[at])
        return max(found, key=lambda each: each[1].saved, default=None)

    def _group(self, places: Places) -> ParallelGroup | None:
        """Return the group that starts at the first of some statements; None if no group pays."""
        most, total = self._least, sum(self._work[at] for at in places)
        found = []
        while most < total:
            self._left -= len(places)
            made = self._balanced(_partition(self._work, places, self._order, most))
            if made is None:
                break
            if _keeps_first_error(made, self._fails):
                found.append(made)
            most *= 2
        # Among groups with equal savings, prefer the one with larger parts: it leaves fewer groups
        # to follow.
        return max(reversed(found), key=lambda each: each.saved, default=None)

    def _balanced(self, partition: Partition) -> ParallelGroup | None:
        """Merge parts so that each is worth a thread; return None if fewer than two are."""
        ahead, parts, later = partition
        by_load = sorted([(-sum(self._work[at] for at in part), part) for part in parts])
        for count in range(min(self._most, len(parts)), 1, -1):
            bins: list[list[int]] = [[] for _ in range(count)]
            loads = [0.0] * count
            for load, part in by_load:
                lightest = loads.index(min(loads))
                loads[lightest] -= load
                bins[lightest] += part
            saved = sum(loads) - max(loads)
            if min(loads) >= self._least and saved >= sum(loads) / _SHARE:
                return ParallelGroup(ahead, sorted(map(sorted, bins)), later, saved)
        return None

    def _part(self, body: Block, live: Iterable[PlanSlot]) -> ParallelPart:
        written = dict.fromkeys(slot for each in walk(body) for slot in written_by(each))
        writes = tuple([slot for slot in written if slot in live])
        read = self._ends.before(body, writes)
        known = (slot for each in walk(body) for slot in (*read_by(each), *written_by(each)))
        reads = [slot for slot in dict.fromkeys(known) if slot in read and not slot.is_fixed]
        return ParallelPart(body, tuple(reads), writes)


def _count_before_fork(waiting: Places, order: Order, work: Sequence[float]) -> int:
    """Return the number of statements before the first point where two with work are independent.

    >>> _count_before_fork([0, 1, 2], [set(), {0}, {0}], [9, 9, 9])
    1
    """
    # For each position, the last statement with work that it depends on, counted from 1.
    needs: dict[int, int] = {}
    steps = [0] * (len(waiting) + 2)
    for count, at in enumerate(waiting, 1):
        needs[at] = max((needs[each] for each in order[at] if each in needs), default=0)
        if work[at]:
            steps[needs[at]] += 1
            steps[count] -= 1
            needs[at] = count
    ready = 0
    for count, step in enumerate(steps):
        ready += step
        if ready > 1:
            return count
    return len(waiting)


def _partition(work: Sequence[float], waiting: Places, order: Order, most: float) -> Partition:
    """Return the statements that run ahead, the independent parts, and the later statements.

    Statements without work or dependencies run ahead. A statement that needs two parts, each with
    more work than `most`, is later; smaller parts merge.
    """
    ahead: list[int] = []
    later: set[int] = set()
    # For each position, the part that it is in, and the work of each part.
    part_of: dict[int, list[int]] = {}
    loads: dict[int, float] = {}
    for at in waiting:
        before = {id(part_of[each]): part_of[each] for each in order[at] if each in part_of}
        if not order[at].isdisjoint(later) or sum(loads[each] > most for each in before) > 1:
            later.add(at)
        elif not before and not work[at]:
            ahead.append(at)
        else:
            part = max(before.values(), key=len, default=[])
            load = work[at] + sum(loads.pop(each) for each in before)
            for other in before.values():
                if other is not part:
                    part += other
                    part_of.update(dict.fromkeys(other, part))
            part.append(at)
            part_of[at] = part
            loads[id(part)] = load
    parts = {id(part): part for part in part_of.values()}
    return ahead, list(parts.values()), sorted(later)


def _keeps_first_error(group: ParallelGroup, fails: Sequence[bool]) -> bool:
    """Return whether the same error is raised first as if all statements ran in sequence."""
    order = (*group.ahead, *(at for part in group.parts for at in part), *group.later)
    raising = [at for at in order if fails[at]]
    return raising == sorted(raising)


def _order(segment: Block) -> Order:
    """Return, for each position, the earlier statements that it must follow.

    Such a statement writes a slot that this one reads or writes, or reads one that this one writes.
    """
    order: Order = []
    writer: dict[PlanSlot, int] = {}
    readers: dict[PlanSlot, set[int]] = {}
    for at, statement in enumerate(segment):
        reads, writes = _reads_and_writes(statement)
        before = {writer[slot] for slot in (*reads, *writes) if slot in writer}
        for slot in writes:
            before |= readers.pop(slot, set())
            writer[slot] = at
        for slot in reads:
            readers.setdefault(slot, set()).add(at)
        order.append(before - {at})
    return order


def _reads_and_writes(statement: Statement) -> tuple[set[PlanSlot], set[PlanSlot]]:
    reads: set[PlanSlot] = set()
    writes: set[PlanSlot] = set()
    for each in walk([statement]):
        reads.update(slot for slot in read_by(each) if not slot.is_fixed)
        writes.update(written_by(each))
    return reads, writes


def _may_move(statement: Statement) -> bool:
    """Return whether a statement ends and has no effects, so that it may run earlier or later."""
    for each in walk([statement]):
        if isinstance(each, (Loop, Try, Break, Continue, Return)):
            return False
        if isinstance(each, NodeRun) and not _is_movable(each.node):
            return False
    return True


def _is_movable(node: Node) -> bool:
    called = called_graph(node.attrs)
    if called is not None:
        return node.effect in ("none", "read") and all(map(_is_movable, called.graph.nodes))
    if node.op.name == "read_variable":
        return True
    if node.op.name in ("cond", "switch_case"):
        return all(_is_movable(inner) for region in node.regions for inner in region.nodes)
    return is_value(node)


def _nodes_in(statement: Statement) -> Iterator[Node]:
    for each in walk([statement]):
        if isinstance(each, (NodeRun, Switch)):
            yield each.node


def _fails(statement: Statement) -> bool:
    """Return whether a statement may raise; reading a variable may, as it may be uninitialized."""
    if isinstance(statement, Switch):
        return True
    return any(may_fail(n) or n.op.name == "read_variable" for n in _nodes_in(statement))
