"""Stacks: lists of a graph that are Python's own lists while its function runs.

    %more = list_append(%kept, %tanh, %x)      kept.append((tanh, x))
    %less, %t, %x = list_pop(%kept)            t, x = kept.pop()

A list of a graph is a value: what looks like a change makes another one. Where nobody reads the old
one again, it may be changed instead. So are the lists in which a loop keeps what its gradient
needs: one loop appends, another one takes from the end, and numbers stay numbers in between.

An item holds references to what has just been made. Rows of one array, allocated before the loop,
were measured in their place: a turn that adds, keeps, takes back and multiplies costs (Zen 4, NumPy
2.4, CPU time of the list / of rows that are copied into / of rows that results are written into):

    a number      1.16 / 1.27 / 1.34 us        [128, 128]      12.9 / 13.6 / 14.7 us
    [16]          0.84 / 1.02 / 0.89 us        [256, 512]       143 / 153 / 164 us
    [32, 128]     3.37 / 4.69 / 4.06 us        [1024, 1024]    2660 / 2680 / 2540 us

Only rows of megabytes gain, by a twentieth, and memory is the same but for numbers (30 bytes each,
and 4). Rows that grow by doubling take up to 2.5 times the time and 1.9 times the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from runtime.dtypes import DType
from runtime.executors.plan import (
    Block,
    Loop,
    Move,
    Plan,
    Run,
    Slot,
    Statement,
    Stop,
    blocks_in,
    read_by,
    written_by,
)
from runtime.records import dataclass
from runtime.tensor import SymbolicTensor

LastUses: TypeAlias = "dict[Statement, set[Slot]]"
# The parts of an item, with the tensors that they are for the node.
Leaves: TypeAlias = "tuple[tuple[Slot, SymbolicTensor], ...]"

# As what a part of an item is kept.
NUMBER, ARRAY, STACK, NOTHING = "number", "array", "stack", "nothing"


class _Form(NamedTuple):
    """Where an op on lists has the parts of items: from which operand or result on, if at all."""

    put: int | None = None
    taken: int | None = None
    is_change: bool = False


_FORMS = {
    "list_of": _Form(put=0),
    "list_append": _Form(put=1, is_change=True),
    "list_set": _Form(put=2, is_change=True),
    "list_pop": _Form(taken=1, is_change=True),
    "list_get": _Form(taken=0),
    "list_length": _Form(),
}


@dataclass(frozen=True, eq=False)
class Stack:
    """What is known of the slots that hold one kind of list.

    Attributes:
        parts: as what each part of an item is kept.
        dtypes: those of the parts that are kept as numbers, None for the others.
        is_given: whether it comes from outside of the function, as items that may be anything.
    """

    parts: tuple[str, ...]
    dtypes: tuple[DType | None, ...]
    is_given: bool


class Stacks:
    """The stacks of a plan.

    Args:
        plan: the plan, coalesced.
        last_uses: the slots that a statement is the last one to read.
        is_number: whether a value is held as a number, or could be: `(slot, tensor, could)`.
        others: slots with lists that are kept in another way.

    Attributes:
        empty: slots that hold nothing but a new list without items.
        read: all slots that are read.
    """

    def __init__(
        self,
        plan: Plan,
        last_uses: LastUses,
        is_number: Callable[[Slot, SymbolicTensor, bool], bool],
        others: Collection[Slot] = (),
    ) -> None:
        self._found: dict[Slot, Stack] = {}
        self.empty: set[Slot] = set()
        statements = list(_walk(plan.body))
        self.read = {slot for each, _ in statements for slot in read_by(each)}
        if not any(_is_list(slot) for each, _ in statements for slot in _slots_of(each)):
            return
        self.empty = _empty(statements)
        facts = _Facts(plan, statements, last_uses, self.empty)
        found = _Search(facts, is_number, self.read).stacks()
        self._found = {slot: stack for slot, stack in found.items() if slot not in others}

    def of(self, slot: Slot) -> Stack | None:
        """Return what is known of the stack in a slot, None where it holds none."""
        return self._found.get(slot)

    def of_run(self, run: Run) -> Stack | None:
        """Return the stack to which a node does something."""
        form = _FORMS.get(run.node.op.name)
        if form is None:
            return None
        return self._found.get(run.reads[0] if run.node.op.name != "list_of" else run.writes[0])


def put_by(run: Run) -> list[Leaves]:
    """Return the items that a node puts into a list."""
    first, node = _FORMS[run.node.op.name].put, run.node
    if first is None:
        return []
    leaves = tuple(zip(run.reads[first:], node.inputs[first:]))
    width: Any = node.attrs.get("width")
    if width is None:
        return [leaves]
    return [leaves[at : at + width] for at in range(0, len(leaves), width)]


def is_change(run: Run) -> bool:
    """Return whether a node gives the list that it is given, changed."""
    return _FORMS[run.node.op.name].is_change


def taken_by(run: Run) -> Leaves | None:
    """Return the parts of the item that a node takes from a list, None where it takes none."""
    first, node = _FORMS[run.node.op.name].taken, run.node
    return None if first is None else tuple(zip(run.writes[first:], node.outputs[first:]))


# -- what happens to lists -------------------------------------------------------------------------


class _Facts:
    """What a plan does with slots that are lists.

    Attributes:
        lists: the slots.
        linked: pairs of slots of which the one takes over what the other one held.
        put, taken: items by the list they go into, or come from.
        wrong: lists to which something happens that can only happen to a value.
        given: those that are parameters of the function.
        left: those that become values of the graph again.
        emptied: those that a loop takes items from.
        shared: those whose items are read and stay.
        begun: pairs of slots of which the one takes the list without items that the other one has.
    """

    def __init__(
        self,
        plan: Plan,
        statements: Sequence[tuple[Statement, bool]],
        last_uses: LastUses,
        empty: set[Slot],
    ) -> None:
        self._last_uses, self._empty = last_uses, empty
        self.linked: list[tuple[Slot, Slot]] = []
        self.put: list[tuple[Slot, Leaves]] = []
        self.taken: list[tuple[Slot, Leaves]] = []
        self.given = set(filter(_is_list, plan.parameters))
        self.lists = set(self.given)
        self.wrong: set[Slot] = set()
        self.left: set[Slot] = set()
        self.emptied: set[Slot] = set()
        self.shared: set[Slot] = set()
        self.begun: list[tuple[Slot, Slot]] = []
        for statement, is_in_loop in statements:
            self.lists.update(filter(_is_list, _slots_of(statement)))
            if isinstance(statement, Run) and statement.node.op.name in _FORMS:
                self._look_at_op(statement, is_in_loop)
            elif isinstance(statement, Move):
                self._look_at_move(statement)
            else:
                self._look_at_use(statement)
        self.wrong.update(slot for slot in self.lists if slot.is_fixed)

    def _look_at_op(self, run: Run, is_in_loop: bool) -> None:
        name = run.node.op.name
        form, slot = _FORMS[name], run.writes[0] if name == "list_of" else run.reads[0]
        for leaves in put_by(run):
            self.put.append((slot, leaves))
            self._look_at_parts(run, leaves)
        taken = taken_by(run)
        if taken is not None:
            self.taken.append((slot, taken))
            (self.emptied if is_in_loop and form.is_change else self.shared).add(slot)
        if form.is_change:
            self.linked.append((slot, run.writes[0]))
            if slot is not run.writes[0]:
                self._check_gone(run, slot)
        if run.reads.count(slot) > 1:
            self.wrong.add(slot)

    def _look_at_parts(self, run: Run, leaves: Leaves) -> None:
        for slot, _ in leaves:
            if _is_list(slot):
                self._check_gone(run, slot)

    def _look_at_move(self, move: Move) -> None:
        for target, source in zip(move.writes, move.reads):
            if source in self._empty:
                self.begun.append((target, source))
            elif _is_list(target):
                self.linked.append((target, source))
                self._check_gone(move, source)

    def _look_at_use(self, statement: Statement) -> None:
        """Look at who takes a list for a value, or gives one."""
        self.wrong.update(filter(_is_list, written_by(statement)))
        for slot in filter(_is_list, read_by(statement)):
            self.left.add(slot)
            if not isinstance(statement, Stop):
                self._check_gone(statement, slot)

    def _check_gone(self, statement: Statement, slot: Slot) -> None:
        """Note a list that is given away, and which somebody still has."""
        if read_by(statement).count(slot) > 1 or slot not in self._last_uses[statement]:
            self.wrong.add(slot)


# -- which of them are stacks ----------------------------------------------------------------------


class _Search:
    """Joins slots that hold the same kind of list, and leaves out the kinds that are no stacks."""

    def __init__(
        self,
        facts: _Facts,
        is_number: Callable[[Slot, SymbolicTensor, bool], bool],
        read: set[Slot],
    ) -> None:
        self._facts, self._is_number, self._read = facts, is_number, read
        self._wrong = set(facts.wrong)
        self._leader: dict[Slot, Slot] = {}
        for one, other in facts.linked:
            self._join(one, other)

    def stacks(self) -> dict[Slot, Stack]:
        """Return all stacks, by their slots."""
        while self._learns():
            pass
        wrong, given = self._kinds(self._wrong), self._kinds(self._facts.given)
        open_ = given | self._kinds(self._facts.left)
        made: dict[Slot, Stack] = {}
        for kind, (put, taken) in self._items().items():
            if kind not in wrong:
                leaves = _part_by_part(put, taken)
                parts = tuple([self._kept_as(*each, wrong) for each in leaves])
                if kind not in open_:
                    # Of some the gradient needs the shape alone, which is known.
                    parts = tuple(map(self._if_read, parts, leaves))
                firsts = [(*there, *here)[0][1].dtype for there, here in leaves]
                dtypes = [to if kept == NUMBER else None for to, kept in zip(firsts, parts)]
                made[kind] = Stack(parts, tuple(dtypes), kind in given)
        found = {slot: made.get(self._first(slot)) for slot in self._facts.lists}
        return {slot: stack for slot, stack in found.items() if stack is not None}

    def _learns(self) -> bool:
        """Look at each kind, with what is known of all so far; return whether more is known."""
        facts, before = self._facts, (len(self._wrong), len(self._leader))
        wrong = self._kinds(self._wrong) | self._kinds(facts.given) - self._kinds(facts.emptied)
        open_ = self._kinds(facts.given | facts.left | facts.shared)
        self._wrong |= {source for target, source in facts.begun if self._first(target) in wrong}
        for kind, (put, taken) in self._items().items():
            items = [*put, *taken]
            fits = _fit(put, taken)
            if kind in wrong or not fits:
                self._wrong.add(kind)
            if kind in wrong or kind in open_ or not fits:
                self._wrong.update(slot for each in items for slot, _ in each if _is_list(slot))
                continue
            for leaves in items[1:]:
                for (slot, _), (first, _) in zip(leaves, items[0]):
                    if _is_list(slot):
                        self._join(first, slot)
        return before != (len(self._wrong), len(self._leader))

    def _items(self) -> dict[Slot, tuple[list[Leaves], list[Leaves]]]:
        """Return, for each kind, the items that are put and those that are taken."""
        items: dict[Slot, tuple[list[Leaves], list[Leaves]]] = {
            self._first(slot): ([], []) for slot in self._facts.lists
        }
        for at, pairs in enumerate((self._facts.put, self._facts.taken)):
            for slot, leaves in pairs:
                items[self._first(slot)][at].append(leaves)
        return items

    def _kept_as(self, put: Leaves, taken: Leaves, wrong: set[Slot]) -> str:
        first = (*put, *taken)[0][0]
        if _is_list(first):
            return ARRAY if self._first(first) in wrong else STACK
        if not put or not all(self._is_number(*each, True) for each in (*put, *taken)):
            return ARRAY
        asked = [self._is_number(*each, False) for each in taken]
        own = all(self._is_number(*each, False) for each in put)
        return NUMBER if any(asked) and (own or all(asked)) else ARRAY

    def _if_read(self, kept: str, leaves: tuple[Leaves, Leaves]) -> str:
        return kept if any(slot in self._read for slot, _ in leaves[1]) else NOTHING

    def _kinds(self, slots: set[Slot]) -> set[Slot]:
        return set(map(self._first, slots))

    def _first(self, slot: Slot) -> Slot:
        while (above := self._leader.get(slot, slot)) is not slot:
            slot = above
        return slot

    def _join(self, one: Slot, other: Slot) -> None:
        first, second = self._first(one), self._first(other)
        if first is not second:
            self._leader[second] = first


def _part_by_part(put: Sequence[Leaves], taken: Sequence[Leaves]) -> list[tuple[Leaves, Leaves]]:
    """Return, for each part of an item, what is put there and what is taken from there."""
    width = len((*put, *taken, ())[0])
    return [
        (tuple([each[at] for each in put]), tuple([each[at] for each in taken]))
        for at in range(width)
    ]


def _fit(put: Sequence[Leaves], taken: Sequence[Leaves]) -> bool:
    """Return whether each item that is taken is what its tensors say."""
    if len(set(map(len, (*put, *taken)))) > 1:
        return False
    return all(
        here.dtype is there.dtype and here.shape.contains(there.shape)
        for one in put
        for other in taken
        for (_, there), (_, here) in zip(one, other)
    )


def _walk(block: Block, is_in_loop: bool = False) -> Iterator[tuple[Statement, bool]]:
    """Yield all statements in order, and whether each is run in the turns of a loop."""
    for statement in block:
        yield statement, is_in_loop
        for inner in blocks_in(statement):
            yield from _walk(inner, is_in_loop or isinstance(statement, Loop))


def _empty(statements: Sequence[tuple[Statement, bool]]) -> set[Slot]:
    """Return the slots that hold nothing but a list without items."""
    made: set[Slot] = set()
    others: set[Slot] = set()
    for statement, _ in statements:
        is_new = isinstance(statement, Run) and statement.node.op.name == "list_of"
        is_empty = is_new and not read_by(statement)
        (made if is_empty else others).update(written_by(statement))
    return made - others


def _slots_of(statement: Statement) -> tuple[Slot, ...]:
    return (*read_by(statement), *written_by(statement))


def _is_list(slot: Slot) -> bool:
    return slot.tensor.dtype.is_variant
