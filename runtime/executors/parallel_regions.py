"""Finds the statements of a plan that can run in parallel, where that pays.

    a = tanh(x @ v)                   a = tanh(x @ v)   |   b = tanh(x @ w)
    b = tanh(x @ w)         ->
    y = a + b                         y = a + b

A part is statements that need nothing of the other parts. They have no effects, so nobody can tell
in which order parts run: which one raises first is looked at, and errors of one part come before
those of the next in any case. It pays where the estimated work that another core takes over
outweighs handing it over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from runtime.executors.cost_model import work_of
from runtime.executors.liveness import BackwardWalk, rebuilt
from runtime.executors.plan import (
    Block,
    Choose,
    Leave,
    Loop,
    Parallel,
    ParallelPart,
    Plan,
    Repeat,
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
from runtime.executors.thread_pool import cores
from runtime.graph.callee import called_graph
from runtime.graph.node import Node
from runtime.passes.node_traits import is_value
from runtime.passes.prune import may_fail

# Nanoseconds of work that another core is to take over: where it was asked for, and by itself.
# Handing over takes 20,000 where a core is idle, and several times that where none is; while two
# threads run, calls of NumPy wait for each other in between.
LEAST = 1_000_000
LEAST_BY_ITSELF = 10_000_000
# Which part of the work it is to be at least: a chain that is cut costs more.
_SHARE = 5
# Statements that are looked at for one row of them: it may be long, and hold few parts.
_MOST_STEPS = 50_000

# By place in a row of statements, those it must follow.
Order: TypeAlias = "list[set[int]]"
Places: TypeAlias = "Sequence[int]"
Apart: TypeAlias = "tuple[list[int], list[list[int]], list[int]]"


class Group(NamedTuple):
    """Statements by their places: what goes ahead, what runs side by side then, what is later.

    `saved` is the work that other threads take over.
    """

    ahead: list[int]
    parts: list[list[int]]
    later: list[int]
    saved: float


def with_parts(plan: Plan, parallel: bool | int | None) -> Plan:
    """Return a plan in which independent parts stand side by side.

    Args:
        plan: the plan.
        parallel: as the user asked for it: None where it pays by far, True where it pays, False
            never, a number for at most so many parts at once.
    """
    most = cores() if parallel is None or parallel is True else int(parallel)
    if most < 2:
        return plan
    least = LEAST_BY_ITSELF if parallel is None else LEAST
    work: dict[Statement, float] = {}
    for statement in walk(plan.body):
        if isinstance(statement, Run):
            found = work_of(statement.node)
            if found:
                work[statement] = found
    if sum(work.values()) < 2 * least:
        return plan
    return Plan(plan.name, plan.parameters, _Finder(plan, work, least, most).body())


class _LiveAtEnd(BackwardWalk):
    """Remembers what is live at the end of each block."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(lambda statement, live: None)
        self.at_end: dict[int, frozenset[Slot]] = {}
        self.block(plan.body, set())

    def block(self, block: Block, live: set[Slot]) -> set[Slot]:
        self.at_end.setdefault(id(block), frozenset(live))
        return super().block(block, live)

    def before(self, block: Block, live: Iterable[Slot]) -> set[Slot]:
        """Return the slots that are live before a block, given those behind it."""
        return super().block(block, set(live))


class _Finder:
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
        """Return a block with its parts side by side."""
        made: Block = []
        row: Block = []
        for at, statement in enumerate(block):
            # What a handler finds depends on what has run before.
            blocks = () if isinstance(statement, Try) else blocks_in(statement)
            inside = [self._block(each) for each in blocks]
            new = rebuilt(statement, inside) if inside else statement
            if isinstance(new, Choose):
                self._work[new] = min(map(self._work_in, new.branches))
            if _may_move(statement):
                row.append(new)
                continue
            made += self._arranged(row, block[at:], block)
            made.append(new)
            row = []
        return made + self._arranged(row, [], block)

    def _work_in(self, block: Iterable[Statement]) -> float:
        return sum(self._work.get(each, 0) for each in block)

    def _arranged(self, row: Block, rest: Block, block: Block) -> Block:
        """Return statements in a row with their parts side by side."""
        if len(row) < 2 or self._work_in(row) < 2 * self._least:
            return row
        behind = self._ends.before(rest, self._ends.at_end[id(block)])
        work = [self._work.get(each, 0) for each in row]
        return _Row(row, work, self._least, self._most, self._ends).arranged(behind)


class _Row:
    """Statements in a row, which may run in any order in which they find what they need."""

    def __init__(
        self, row: Block, work: Sequence[float], least: float, most: int, ends: _LiveAtEnd
    ) -> None:
        self._row, self._work = row, work
        self._least, self._most, self._ends = least, most, ends
        self._order, self._fails = _order(row), [_fails(each) for each in row]
        self._left = _MOST_STEPS

    def arranged(self, behind: Iterable[Slot]) -> Block:
        """Return the row with its parts side by side; `behind` is what is live behind it."""
        return self._split(range(len(self._row)), behind)

    def _at(self, places: Places) -> Block:
        return [self._row[at] for at in places]

    def _split(self, places: Places, behind: Iterable[Slot]) -> Block:
        found = self._best(places)
        if found is None:
            return self._at(places)
        count, group = found
        live = self._ends.before(self._at(group.later), behind)
        parts = Parallel(tuple([self._part(self._at(each), live) for each in group.parts]))
        here = [*group.ahead, *(at for part in group.parts for at in part)]
        before = self._split(places[:count], self._ends.before(self._at(here), live))
        return [*before, *self._at(group.ahead), parts, *self._split(group.later, behind)]

    def _best(self, places: Places) -> tuple[int, Group] | None:
        """Return the group that lets others take over most, and how many statements precede it."""
        found: list[tuple[int, Group]] = []
        count = 0
        while self._left > 0:
            count += _until_fork(places[count:], self._order, self._work)
            if count == len(places):
                break
            group = self._group(places[count:])
            if group is not None:
                found.append((count, group))
            # The first one with work goes ahead; others may wait for it together.
            count += next(n for n, at in enumerate(places[count:], 1) if self._work[at])
        return max(found, key=lambda each: each[1].saved, default=None)

    def _group(self, places: Places) -> Group | None:
        """Return the group that begins with the first of some statements; None where none pays."""
        most, total = self._least, sum(self._work[at] for at in places)
        found = []
        while most < total:
            self._left -= len(places)
            made = self._shared_out(_apart(self._work, places, self._order, most))
            if made is None:
                break
            if _raises_alike(made, self._fails):
                found.append(made)
            most *= 2
        # Of those that are alike, the one with the larger parts: fewer groups follow it.
        return max(reversed(found), key=lambda each: each.saved, default=None)

    def _shared_out(self, apart: Apart) -> Group | None:
        """Return parts put together so that each is worth a thread; None where two are not."""
        ahead, parts, later = apart
        weighed = sorted([(-sum(self._work[at] for at in part), part) for part in parts])
        for count in range(min(self._most, len(parts)), 1, -1):
            bins: list[list[int]] = [[] for _ in range(count)]
            loads = [0.0] * count
            for load, part in weighed:
                lightest = loads.index(min(loads))
                loads[lightest] -= load
                bins[lightest] += part
            saved = sum(loads) - max(loads)
            if min(loads) >= self._least and saved >= sum(loads) / _SHARE:
                return Group(ahead, sorted(map(sorted, bins)), later, saved)
        return None

    def _part(self, body: Block, live: Iterable[Slot]) -> ParallelPart:
        written = dict.fromkeys(slot for each in walk(body) for slot in written_by(each))
        writes = tuple([slot for slot in written if slot in live])
        read = self._ends.before(body, writes)
        known = (slot for each in walk(body) for slot in (*read_by(each), *written_by(each)))
        reads = [slot for slot in dict.fromkeys(known) if slot in read and not slot.is_fixed]
        return ParallelPart(body, tuple(reads), writes)


def _until_fork(waiting: Places, order: Order, work: Sequence[float]) -> int:
    """Return the number of statements before the first place where two with work could run.

    >>> _until_fork([0, 1, 2], [set(), {0}, {0}], [9, 9, 9])
    1
    """
    # By place, that of the last statement with work that it needs, counted from 1.
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


def _apart(work: Sequence[float], waiting: Places, order: Order, most: float) -> Apart:
    """Return the quick statements that need no others, the parts, and the statements after them.

    What needs two parts that have more work than `most` comes after them; smaller ones become one.
    """
    ahead: list[int] = []
    later: set[int] = set()
    # By place, the part it is in: statements and their work.
    home: dict[int, list[int]] = {}
    loads: dict[int, float] = {}
    for at in waiting:
        before = {id(home[each]): home[each] for each in order[at] if each in home}
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
                    home.update(dict.fromkeys(other, part))
            part.append(at)
            home[at] = part
            loads[id(part)] = load
    parts = {id(part): part for part in home.values()}
    return ahead, list(parts.values()), sorted(later)


def _raises_alike(group: Group, fails: Sequence[bool]) -> bool:
    """Tell whether the first one to raise something is the same as if all ran one by one."""
    order = (*group.ahead, *(at for part in group.parts for at in part), *group.later)
    raising = [at for at in order if fails[at]]
    return raising == sorted(raising)


def _order(row: Block) -> Order:
    """Return, by place, which statements one must follow: those it shares a slot with."""
    order: Order = []
    wrote: dict[Slot, int] = {}
    have_read: dict[Slot, set[int]] = {}
    for at, statement in enumerate(row):
        reads, writes = _slots_of(statement)
        before = {wrote[slot] for slot in (*reads, *writes) if slot in wrote}
        for slot in writes:
            before |= have_read.pop(slot, set())
            wrote[slot] = at
        for slot in reads:
            have_read.setdefault(slot, set()).add(at)
        order.append(before - {at})
    return order


def _slots_of(statement: Statement) -> tuple[set[Slot], set[Slot]]:
    reads: set[Slot] = set()
    writes: set[Slot] = set()
    for each in walk([statement]):
        reads.update(slot for slot in read_by(each) if not slot.is_fixed)
        writes.update(written_by(each))
    return reads, writes


def _may_move(statement: Statement) -> bool:
    """Tell whether nobody can tell when a statement runs, and it comes to an end."""
    for each in walk([statement]):
        if isinstance(each, (Loop, Try, Leave, Repeat, Stop)):
            return False
        if isinstance(each, Run) and not _is_free(each.node):
            return False
    return True


def _is_free(node: Node) -> bool:
    called = called_graph(node.attrs)
    if called is not None:
        return node.effect in ("none", "read") and all(map(_is_free, called.graph.nodes))
    if node.op.name == "read_variable":
        return True
    if node.op.name in ("cond", "switch_case"):
        return all(_is_free(inner) for region in node.regions for inner in region.nodes)
    return is_value(node)


def _nodes_in(statement: Statement) -> Iterator[Node]:
    for each in walk([statement]):
        if isinstance(each, (Run, Choose)):
            yield each.node


def _fails(statement: Statement) -> bool:
    """Tell whether a statement may raise: a variable may have no value."""
    if isinstance(statement, Choose):
        return True
    return any(may_fail(n) or n.op.name == "read_variable" for n in _nodes_in(statement))
