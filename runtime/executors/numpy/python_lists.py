"""Decides which lists of a graph become Python lists that are changed in place.

    %more = list_append(%out, %s)                  out.append(s)
    %row_1 = tensor_array_write(%row, %j, %v)      row[j] = v
    %kept_1 = list_append(%kept, %tanh, %x)        kept.append((tanh, x))
    %less, %t, %x = list_pop(%kept_1)              t, x = kept.pop()

Items are tuples, single numbers, or, in lists that meet TensorArrays, single arrays of one shape.

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
from typing import Any, NamedTuple, TypeAlias

from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.executors.analysis.disjoint_sets import DisjointSets
from runtime.executors.numpy.list_analysis import (
    EFFECTS,
    LastUses,
    Leaves,
    ListUses,
    has_lists,
    is_list,
    list_of,
)
from runtime.executors.numpy.numbers.representation import is_number
from runtime.executors.plan.plan import NodeRun, Plan, PlanSlot, written_by

IsNumber: TypeAlias = "Callable[[PlanSlot, SymbolicTensor, bool], bool]"

# The forms of a part of an item.
NUMBER, ARRAY, LIST, NOTHING = "number", "array", "list", "nothing"


class ListForm(NamedTuple):
    """The facts about all slots of one group, which hold the same lists.

    Attributes:
        parts: the form of each part of an item.
        dtypes: the dtypes of the parts that are stored as numbers, None for the others.
        single: the spec of the items if they are single numbers or arrays; None if they are tuples.
        is_parameter: whether the list comes from outside of the function, with items of any kind.
        is_array: whether it is a TensorArray.
        has_gaps: whether None stands for unwritten elements, since they may not be zero.
    """

    parts: tuple[str, ...]
    dtypes: tuple[DType | None, ...]
    single: TensorSpec | None = None
    is_parameter: bool = False
    is_array: bool = False
    has_gaps: bool = False

    @property
    def is_bare(self) -> bool:
        """True if an item is a single value, not a tuple of parts."""
        return self.single is not None


class PythonLists:
    """The lists of a plan that are stored as Python lists.

    Args:
        plan: the plan, coalesced.
        last_uses: for each statement, the slots that no later statement reads.
        is_number: whether a value is stored as a number, or could be: `(slot, tensor, could)`.

    Attributes:
        empty: slots that only ever contain a new empty list.
        read: all slots that are read.
    """

    def __init__(self, plan: Plan, last_uses: LastUses, is_number: IsNumber) -> None:
        self._found: dict[PlanSlot, ListForm] = {}
        self.empty: set[PlanSlot] = set()
        self.read: set[PlanSlot] = set()
        if has_lists(plan):
            uses = ListUses(plan, last_uses)
            self.empty, self.read = uses.empty, uses.read
            self._found = _ListSearch(uses, is_number).forms()

    def of(self, slot: PlanSlot) -> ListForm | None:
        """Return the facts about the list in a slot, None if it is not stored as a Python list."""
        return self._found.get(slot)

    def of_run(self, run: NodeRun) -> ListForm | None:
        """Return the facts about an op's list, None if the op uses it as a value of the graph."""
        effect = EFFECTS.get(run.node.op.name)
        found = None if effect is None else self._found.get(list_of(run))
        return (
            None if found is None or effect is None or effect.of_singles > found.is_bare else found
        )


class _ListSearch:
    """Groups slots that contain the same list over time, and finds the groups that stay values."""

    def __init__(self, uses: ListUses, is_number: IsNumber) -> None:
        self._uses, self._is_number = uses, is_number
        self._values, self._read_values = set(uses.values), set[PlanSlot]()
        self._sets = groups = DisjointSets[PlanSlot]()
        self._find, self._union = groups.find, groups.union
        for one, other in uses.linked:
            self._union(one, other)
        self._singles = self._single_specs()
        self._mark_values()

    def forms(self) -> dict[PlanSlot, ListForm]:
        """Return the facts of all lists that are stored as Python lists."""
        while self._propagate():
            pass
        made = {group: self._form_of_singles(group, spec) for group, spec in self._singles.items()}
        made.update(self._forms_of_others())
        found = {slot: made.get(self._find(slot)) for slot in self._uses.lists}
        return {slot: kept for slot, kept in found.items() if kept is not None}

    # -- lists of single values --------------------------------------------------------------------

    def _single_specs(self) -> dict[PlanSlot, TensorSpec]:
        """Return the groups whose items are numbers of one dtype or arrays of one spec, with specs.

        Lists of arrays count only if they are used together with TensorArrays.
        """
        uses = self._uses
        bad = self._groups(uses.values | uses.not_singles)
        specs: dict[PlanSlot, set[TensorSpec]] = {self._find(slot): set() for slot in uses.lists}
        with_arrays = self._groups(uses.arrays)
        # Specs spread between lists that one op uses together, until nothing changes.
        before: Any = None
        now: Any = ()
        while before != now:
            for slots, known in uses.used_together:
                groups = self._groups(slots)
                found = known.union(*[specs[group] for group in groups])
                specs.update(dict.fromkeys(groups, found))
                if len(found) > 1 or not bad.isdisjoint(groups):
                    bad |= groups
                if not with_arrays.isdisjoint(groups):
                    with_arrays |= groups
            for slot, dtype in uses.unshaped:
                group = self._find(slot)
                if any(is_number(each) or each.dtype is not dtype for each in specs[group]):
                    bad.add(group)
            before, now = now, (len(bad), sum(map(len, specs.values())), len(with_arrays))
        return {
            group: spec
            for group, found in specs.items()
            if group not in bad and len(found) == 1
            for spec in found
            if is_number(spec) or group in with_arrays
        }

    def _form_of_singles(self, group: PlanSlot, spec: TensorSpec) -> ListForm:
        of = [group in self._groups(x) for x in (self._uses.arrays, self._uses.gaps)]
        part = NUMBER if is_number(spec) else ARRAY
        return ListForm((part,), (spec.dtype if part == NUMBER else None,), spec, False, *of)

    def _mark_values(self) -> None:
        """Mark lists of other items that an op for single values reads as values of the graph."""
        reads = list(self._uses.value_reads)
        for run in self._uses.single_ops:
            if self._find(list_of(run)) not in self._singles:
                reads += [(slot, run) for slot in run.reads if is_list(slot)]
                self._values.update(filter(is_list, written_by(run)))
        for slot, statement in reads:
            if self._find(slot) not in self._singles:
                self._read_values.add(slot)
                if not self._uses.may_read_value(statement, slot):
                    self._values.add(slot)

    # -- lists of other things ---------------------------------------------------------------------

    def _forms_of_others(self) -> dict[PlanSlot, ListForm]:
        value_groups, given = self._groups(self._values), self._groups(self._uses.parameters)
        open_groups = given | self._groups(self._read_values)
        made: dict[PlanSlot, ListForm] = {}
        for group, (stored, loaded) in self._items().items():
            if group not in value_groups:
                leaves = _transposed(stored, loaded)
                parts = tuple([self._part_form(*each, value_groups) for each in leaves])
                if group in given:
                    # The items that come with the list are arrays; stored ones stand among them.
                    parts = tuple([ARRAY if each == NUMBER else each for each in parts])
                if group not in open_groups:
                    # The gradient may need only the shape of a part, and that is known.
                    parts = tuple(map(self._if_read, parts, leaves))
                firsts = [(*store, *load)[0][1].dtype for store, load in leaves]
                dtypes = [to if kept == NUMBER else None for to, kept in zip(firsts, parts)]
                made[group] = ListForm(parts, tuple(dtypes), is_parameter=group in given)
        return made

    def _propagate(self) -> bool:
        """Propagate the restrictions of each group once; return whether any were added."""
        uses, before = self._uses, (len(self._values), self._sets.unions)
        value_groups = self._groups(self._values) | self._groups(uses.parameters) - self._groups(
            uses.emptied
        )
        open_groups = self._groups(uses.parameters | self._read_values | uses.shared)
        self._values |= {
            source for target, source in uses.begun_empty if self._find(target) in value_groups
        }
        for group, (stored, loaded) in self._items().items():
            items = [*stored, *loaded]
            is_consistent = _specs_match(stored, loaded)
            if group in value_groups or not is_consistent:
                self._values.add(group)
            if group in value_groups or group in open_groups or not is_consistent:
                self._values.update(slot for each in items for slot, _ in each if is_list(slot))
                continue
            for leaves in items[1:]:
                for (slot, _), (first, _) in zip(leaves, items[0]):
                    if is_list(slot):
                        self._union(first, slot)
        return before != (len(self._values), self._sets.unions)

    def _items(self) -> dict[PlanSlot, tuple[list[Leaves], list[Leaves]]]:
        """Return, for each group, the items that are stored in it and those loaded from it."""
        groups = self._groups(self._uses.lists) - self._singles.keys()
        items: dict[PlanSlot, tuple[list[Leaves], list[Leaves]]] = {
            group: ([], []) for group in groups
        }
        for at, pairs in enumerate((self._uses.stored, self._uses.loaded)):
            for slot, leaves in pairs:
                if (group := self._find(slot)) in items:
                    items[group][at].append(leaves)
        return items

    def _part_form(self, stored: Leaves, loaded: Leaves, value_groups: set[PlanSlot]) -> str:
        first = (*stored, *loaded)[0][0]
        if is_list(first):
            return ARRAY if self._find(first) in value_groups else LIST
        if not stored or not all(self._is_number(*each, True) for each in (*stored, *loaded)):
            return ARRAY
        asked = [self._is_number(*each, False) for each in loaded]
        own = all(self._is_number(*each, False) for each in stored)
        return NUMBER if any(asked) and (own or all(asked)) else ARRAY

    def _if_read(self, kept: str, leaves: tuple[Leaves, Leaves]) -> str:
        return kept if any(slot in self._uses.read for slot, _ in leaves[1]) else NOTHING

    def _groups(self, slots: Iterable[PlanSlot]) -> set[PlanSlot]:
        return set(map(self._find, slots))


def _transposed(stored: Sequence[Leaves], loaded: Sequence[Leaves]) -> list[tuple[Leaves, Leaves]]:
    """Return, for each part of an item, the stored parts and the loaded parts."""
    width = len((*stored, *loaded, ())[0])
    return [
        (tuple([each[at] for each in stored]), tuple([each[at] for each in loaded]))
        for at in range(width)
    ]


def _specs_match(stored: Sequence[Leaves], loaded: Sequence[Leaves]) -> bool:
    """Return whether the specs of stored items fit those of the items that are loaded."""
    if len(set(map(len, (*stored, *loaded)))) > 1:
        return False
    return all(
        load.dtype is store.dtype and load.shape.contains(store.shape)
        for one in stored
        for other in loaded
        for (_, store), (_, load) in zip(one, other)
    )
