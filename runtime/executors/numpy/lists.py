"""Decides which lists of a graph become Python lists that are changed in place.

    %more = list_append(%out, %s)                  out.append(s)
    %row_1 = tensor_array_write(%row, %j, %v)      row[j] = v
    %kept_1 = list_append(%kept, %tanh, %x)        kept.append((tanh, x))
    %less, %t, %x = list_pop(%kept_1)              t, x = kept.pop()

Items are tuples, or, in lists that meet TensorArrays, single numbers or arrays of one shape.

A list of a graph is a value, so each change makes a new one. If nobody reads the old one again, the
list is changed in place instead. So are the lists that store the residuals of a loop: one loop
appends, another one pops, and numbers stay numbers in between.

An item refers to a value that was just computed. Rows of one array, allocated before the loop, were
measured instead: an iteration that adds, stores, takes back and multiplies costs (Zen 4, NumPy 2.4,
CPU time of the list / of rows that are copied into / of rows that results are written into):

    a number      1.16 / 1.27 / 1.34 us        [128, 128]      12.9 / 13.6 / 14.7 us
    [16]          0.84 / 1.02 / 0.89 us        [256, 512]       143 / 153 / 164 us
    [32, 128]     3.37 / 4.69 / 4.06 us        [1024, 1024]    2660 / 2680 / 2540 us

Only rows of megabytes gain, by a twentieth, and the memory is the same except for numbers (30 bytes
each instead of 4). Rows that grow by doubling take up to 2.5 times the time and 1.9 times the
memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.executors.numpy.list_analysis import (
    FORMS,
    LastUses,
    Leaves,
    ListUses,
    has_lists,
    is_list,
    list_of,
)
from runtime.executors.numpy.numbers.representation import is_number
from runtime.executors.plan import Plan, Run, Slot, written_by
from runtime.executors.slot_kinds import SlotKinds

IsNumber: TypeAlias = "Callable[[Slot, SymbolicTensor, bool], bool]"

# The forms in which a part of an item is kept.
NUMBER, ARRAY, LIST, NOTHING = "number", "array", "list", "nothing"


@dataclass(frozen=True, eq=False)
class ListFacts:
    """The facts about all slots that hold the same kind of list.

    Attributes:
        parts: the form of each part of an item.
        dtypes: the dtypes of the parts that are kept as numbers, None for the others.
        single: the spec of the items if they are single numbers or arrays; None if they are tuples.
        is_given: whether the list comes from outside of the function, with items of any kind.
        is_array: whether it is a TensorArray.
        has_gaps: whether None stands for unwritten elements, since they may not be zero.
    """

    parts: tuple[str, ...]
    dtypes: tuple[DType | None, ...]
    single: TensorSpec | None = None
    is_given: bool = False
    is_array: bool = False
    has_gaps: bool = False

    @property
    def is_bare(self) -> bool:
        """True if an item is a single value, not a tuple of parts."""
        return self.single is not None


class Lists:
    """The lists of a plan that are kept as Python lists.

    Args:
        plan: the plan, coalesced.
        last_uses: for each statement, the slots that no later statement reads.
        is_number: whether a value is kept as a number, or could be: `(slot, tensor, could)`.

    Attributes:
        empty: slots that only ever hold a new empty list.
        read: all slots that are read.
    """

    def __init__(self, plan: Plan, last_uses: LastUses, is_number: IsNumber) -> None:
        self._found: dict[Slot, ListFacts] = {}
        self.empty: set[Slot] = set()
        self.read: set[Slot] = set()
        if has_lists(plan):
            uses = ListUses(plan, last_uses)
            self.empty, self.read = uses.empty, uses.read
            self._found = _Search(uses, is_number).kept()

    def of(self, slot: Slot) -> ListFacts | None:
        """Return the facts about the list in a slot, None if it is not kept as a Python list."""
        return self._found.get(slot)

    def of_run(self, run: Run) -> ListFacts | None:
        """Return the facts about an op's list, None if the op uses it as a value of the graph."""
        form = FORMS.get(run.node.op.name)
        found = None if form is None else self._found.get(list_of(run))
        return None if found is None or form is None or form.of_singles > found.is_bare else found


class _Search:
    """Groups slots that hold the same list over time, and finds the groups that stay values."""

    def __init__(self, uses: ListUses, is_number: IsNumber) -> None:
        self._uses, self._is_number = uses, is_number
        self._wrong, self._left = set(uses.wrong), set[Slot]()
        self._joined = kinds = SlotKinds()
        self._first, self._join = kinds.first, kinds.join
        for one, other in uses.linked:
            self._join(one, other)
        self._singles = self._of_singles()
        self._look_at_others()

    def kept(self) -> dict[Slot, ListFacts]:
        """Return the facts of all lists that are kept as Python lists."""
        while self._learns():
            pass
        made = {kind: self._kept_of_singles(kind, spec) for kind, spec in self._singles.items()}
        made.update(self._kept_of_others())
        found = {slot: made.get(self._first(slot)) for slot in self._uses.lists}
        return {slot: kept for slot, kept in found.items() if kept is not None}

    # -- lists of single values --------------------------------------------------------------------

    def _of_singles(self) -> dict[Slot, TensorSpec]:
        """Return the groups whose items are numbers of one dtype or arrays of one spec, with specs.

        Lists of arrays count only if they are used together with TensorArrays.
        """
        uses = self._uses
        bad = self._kinds(uses.wrong | uses.of_things)
        specs: dict[Slot, set[TensorSpec]] = {self._first(slot): set() for slot in uses.lists}
        with_arrays = self._kinds(uses.arrays)
        # Specs spread between lists that one op uses together, until nothing changes.
        before: Any = None
        now: Any = ()
        while before != now:
            for slots, known in uses.alike:
                kinds = self._kinds(slots)
                found = known.union(*[specs[kind] for kind in kinds])
                specs.update(dict.fromkeys(kinds, found))
                if len(found) > 1 or not bad.isdisjoint(kinds):
                    bad |= kinds
                if not with_arrays.isdisjoint(kinds):
                    with_arrays |= kinds
            for slot, dtype in uses.open:
                kind = self._first(slot)
                if any(is_number(each) or each.dtype is not dtype for each in specs[kind]):
                    bad.add(kind)
            before, now = now, (len(bad), sum(map(len, specs.values())), len(with_arrays))
        return {
            kind: spec
            for kind, found in specs.items()
            if kind not in bad and len(found) == 1
            for spec in found
            if is_number(spec) or kind in with_arrays
        }

    def _kept_of_singles(self, kind: Slot, spec: TensorSpec) -> ListFacts:
        of = [kind in self._kinds(x) for x in (self._uses.arrays, self._uses.gaps)]
        part = NUMBER if is_number(spec) else ARRAY
        return ListFacts((part,), (spec.dtype if part == NUMBER else None,), spec, False, *of)

    def _look_at_others(self) -> None:
        """Mark lists that an op for single values reads, though their items are none, as values."""
        asked = list(self._uses.asked)
        for run in self._uses.of_singles:
            if self._first(list_of(run)) not in self._singles:
                asked += [(slot, run) for slot in run.reads if is_list(slot)]
                self._wrong.update(filter(is_list, written_by(run)))
        for slot, statement in asked:
            if self._first(slot) not in self._singles:
                self._left.add(slot)
                if not self._uses.may_ask(statement, slot):
                    self._wrong.add(slot)

    # -- lists of other things ---------------------------------------------------------------------

    def _kept_of_others(self) -> dict[Slot, ListFacts]:
        wrong, given = self._kinds(self._wrong), self._kinds(self._uses.given)
        open_ = given | self._kinds(self._left)
        made: dict[Slot, ListFacts] = {}
        for kind, (put, taken) in self._items().items():
            if kind not in wrong:
                leaves = _part_by_part(put, taken)
                parts = tuple([self._kept_as(*each, wrong) for each in leaves])
                if kind not in open_:
                    # The gradient may need only the shape of a part, and that is known.
                    parts = tuple(map(self._if_read, parts, leaves))
                firsts = [(*there, *here)[0][1].dtype for there, here in leaves]
                dtypes = [to if kept == NUMBER else None for to, kept in zip(firsts, parts)]
                made[kind] = ListFacts(parts, tuple(dtypes), is_given=kind in given)
        return made

    def _learns(self) -> bool:
        """Propagate the restrictions of each group once; return whether any were added."""
        uses, before = self._uses, (len(self._wrong), self._joined.joins)
        wrong = self._kinds(self._wrong) | self._kinds(uses.given) - self._kinds(uses.emptied)
        open_ = self._kinds(uses.given | self._left | uses.shared)
        self._wrong |= {source for target, source in uses.begun if self._first(target) in wrong}
        for kind, (put, taken) in self._items().items():
            items = [*put, *taken]
            fits = _fit(put, taken)
            if kind in wrong or not fits:
                self._wrong.add(kind)
            if kind in wrong or kind in open_ or not fits:
                self._wrong.update(slot for each in items for slot, _ in each if is_list(slot))
                continue
            for leaves in items[1:]:
                for (slot, _), (first, _) in zip(leaves, items[0]):
                    if is_list(slot):
                        self._join(first, slot)
        return before != (len(self._wrong), self._joined.joins)

    def _items(self) -> dict[Slot, tuple[list[Leaves], list[Leaves]]]:
        """Return, for each group, the items that are stored in it and those taken from it."""
        kinds = self._kinds(self._uses.lists) - self._singles.keys()
        items: dict[Slot, tuple[list[Leaves], list[Leaves]]] = {kind: ([], []) for kind in kinds}
        for at, pairs in enumerate((self._uses.put, self._uses.taken)):
            for slot, leaves in pairs:
                if (kind := self._first(slot)) in items:
                    items[kind][at].append(leaves)
        return items

    def _kept_as(self, put: Leaves, taken: Leaves, wrong: set[Slot]) -> str:
        first = (*put, *taken)[0][0]
        if is_list(first):
            return ARRAY if self._first(first) in wrong else LIST
        if not put or not all(self._is_number(*each, True) for each in (*put, *taken)):
            return ARRAY
        asked = [self._is_number(*each, False) for each in taken]
        own = all(self._is_number(*each, False) for each in put)
        return NUMBER if any(asked) and (own or all(asked)) else ARRAY

    def _if_read(self, kept: str, leaves: tuple[Leaves, Leaves]) -> str:
        return kept if any(slot in self._uses.read for slot, _ in leaves[1]) else NOTHING

    # -- kinds -------------------------------------------------------------------------------------

    def _kinds(self, slots: Iterable[Slot]) -> set[Slot]:
        return set(map(self._first, slots))


def _part_by_part(put: Sequence[Leaves], taken: Sequence[Leaves]) -> list[tuple[Leaves, Leaves]]:
    """Return, for each part of an item, the stored parts and the taken parts."""
    width = len((*put, *taken, ())[0])
    return [
        (tuple([each[at] for each in put]), tuple([each[at] for each in taken]))
        for at in range(width)
    ]


def _fit(put: Sequence[Leaves], taken: Sequence[Leaves]) -> bool:
    """Return whether the specs of stored items fit those of the items that are taken."""
    if len(set(map(len, (*put, *taken)))) > 1:
        return False
    return all(
        here.dtype is there.dtype and here.shape.contains(there.shape)
        for one in put
        for other in taken
        for (_, there), (_, here) in zip(one, other)
    )
