"""Analyses the lists of a plan: their items, their uses, and their owners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
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
    blocks_in,
    read_by,
    walk,
    written_by,
)
from runtime.graph.node import Node
from runtime.ops.effects.variables import HandleSpec

LastUses: TypeAlias = "Mapping[Statement, set[PlanSlot]]"
# The parts of an item: their slots, and the node's tensors for them.
Leaves: TypeAlias = "tuple[tuple[PlanSlot, SymbolicTensor], ...]"


class ListOpFacts(NamedTuple):
    """The effect of a list op on its list.

    Attributes:
        stored: the index of the first operand that is a part of a stored item; None if none is.
        loaded: the index of the first result that is a part of an item of the list; None if none
            is.
        is_change: whether its first result is its first operand after a change.
        is_new: whether its result is a new list that depends on no other list.
        of_singles: whether it supports only lists of single values: numbers, or arrays of one
            shape.
        of_array: whether it is an op on TensorArrays.
    """

    stored: int | None = None
    loaded: int | None = None
    is_change: bool = False
    is_new: bool = False
    of_singles: bool = False
    of_array: bool = False


_ARRAY = ListOpFacts(of_singles=True, of_array=True)
EFFECTS: Mapping[str, ListOpFacts] = {
    "list_of": ListOpFacts(stored=0, is_new=True),
    "list_append": ListOpFacts(stored=1, is_change=True),
    "list_set": ListOpFacts(stored=2, is_change=True),
    "list_pop": ListOpFacts(loaded=1, is_change=True),
    "list_get": ListOpFacts(loaded=0),
    "list_length": ListOpFacts(),
    "list_extend": ListOpFacts(is_change=True, of_singles=True),
    "list_from_rows": ListOpFacts(is_new=True, of_singles=True),
    "list_repeat": ListOpFacts(of_singles=True),
    "list_stack": ListOpFacts(of_singles=True),
    "tensor_array": _ARRAY._replace(is_new=True),
    "tensor_array_fill": _ARRAY._replace(is_change=True),
    "tensor_array_write": _ARRAY._replace(stored=2, is_change=True),
    "tensor_array_items": _ARRAY,
    "tensor_array_read": _ARRAY._replace(loaded=0),
    "tensor_array_size": _ARRAY,
}


def list_op_facts(statement: Statement) -> ListOpFacts | None:
    """Return the effect of a statement that is an op on lists, None for any other statement."""
    return EFFECTS.get(statement.node.op.name) if isinstance(statement, NodeRun) else None


def list_of(run: NodeRun) -> PlanSlot:
    """Return the list of an op: the one that it creates, or its first operand."""
    return run.writes[0] if EFFECTS[run.node.op.name].is_new else run.reads[0]


def stored_items(run: NodeRun) -> list[Leaves]:
    """Return the items that a node stores in a list."""
    first, node = EFFECTS[run.node.op.name].stored, run.node
    if first is None:
        return []
    leaves = tuple(zip(run.reads[first:], node.inputs[first:]))
    width: Any = node.attrs.get("width")
    if width is None:
        return [leaves]
    return [leaves[at : at + width] for at in range(0, len(leaves), width)]


def loaded_item(run: NodeRun) -> Leaves | None:
    """Return the parts of the item that a node takes from a list, None if it takes none."""
    first, node = EFFECTS[run.node.op.name].loaded, run.node
    return None if first is None else tuple(zip(run.writes[first:], node.outputs[first:]))


def is_list(slot: PlanSlot) -> bool:
    """Return whether a slot stores a list of tensors."""
    return slot.tensor.dtype.is_variant


class ListUses:
    """The uses of list slots in a plan.

    Args:
        plan: the plan, coalesced.
        last_uses: for each statement, the slots that no later statement reads.

    Attributes:
        lists: the list slots.
        read: all slots that are read, lists or not.
        empty: slots that only ever contain a new empty list.
        linked: pairs of slots of which one takes over the list of the other.
        begun_empty: target and source of each move of an empty list.
        stored, loaded: pairs of a list and an item that an op stores in it, or takes from it.
        values: lists that must stay values of the graph, since some use needs a value.
        parameters: lists that are parameters of the function.
        emptied: lists from which a loop removes items.
        shared: lists whose items are read and stay in the list.
        used_together: the lists of one op, with the specs of the items that it stores or takes.
        unshaped: lists from which an op takes an item of unknown shape, with its dtype.
        not_singles: lists whose items are not single values of known shapes, or that a loop reads
            as values.
        value_reads: lists that a statement reads as values of the graph, with the statement.
        single_ops: ops that are supported only for lists of single values.
        arrays, gaps: TensorArrays, and those whose unwritten elements may not be zeros.
    """

    def __init__(self, plan: Plan, last_uses: LastUses) -> None:
        self._last_uses = last_uses
        statements = list(_with_loops(plan.body, False))
        self.read = {slot for each, _ in statements for slot in read_by(each)}
        self.empty = _empty(statements)
        self.parameters = set(filter(is_list, plan.parameters))
        self.lists = set(self.parameters)
        self.not_singles = set(self.parameters)
        self.linked: list[tuple[PlanSlot, PlanSlot]] = []
        self.begun_empty: list[tuple[PlanSlot, PlanSlot]] = []
        self.stored: list[tuple[PlanSlot, Leaves]] = []
        self.loaded: list[tuple[PlanSlot, Leaves]] = []
        self.used_together: list[tuple[tuple[PlanSlot, ...], set[TensorSpec]]] = []
        self.unshaped: list[tuple[PlanSlot, DType]] = []
        self.value_reads: list[tuple[PlanSlot, Statement]] = []
        self.single_ops: list[NodeRun] = []
        self.values: set[PlanSlot] = set()
        self.emptied: set[PlanSlot] = set()
        self.shared: set[PlanSlot] = set()
        self.arrays: set[PlanSlot] = set()
        self.gaps: set[PlanSlot] = set()
        for statement, is_in_loop in statements:
            self.lists.update(filter(is_list, _touched_slots(statement)))
            effect = list_op_facts(statement)
            if effect is not None:
                self._record_op(statement, effect, is_in_loop)  # type: ignore[arg-type]
            elif isinstance(statement, Move):
                self._record_move(statement)
            else:
                self._record_use(statement, is_in_loop)
        self.values.update(slot for slot in self.lists if slot.is_fixed)

    def is_last_reference(self, statement: Statement, slot: PlanSlot) -> bool:
        """Return whether a statement holds the last reference to a list that it passes on."""
        return read_by(statement).count(slot) == 1 and slot in self._last_uses[statement]

    def may_read_value(self, statement: Statement, slot: PlanSlot) -> bool:
        """Return whether a statement may read a list of other items than numbers as a value."""
        return isinstance(statement, Return) or self.is_last_reference(statement, slot)

    def _record_op(self, run: NodeRun, effect: ListOpFacts, is_in_loop: bool) -> None:
        slot = list_of(run)
        self._record_singles(run)
        if effect.of_singles:
            self.single_ops.append(run)
        else:
            self._record_items(run, effect, is_in_loop)
        if effect.is_change:
            if effect.of_array or not effect.of_singles:
                self.linked.append((slot, run.writes[0]))
            if slot is not run.writes[0]:
                self._check_last_reference(run, slot)
        if run.reads.count(slot) > 1:
            self.values.add(slot)

    def _record_items(self, run: NodeRun, effect: ListOpFacts, is_in_loop: bool) -> None:
        slot = list_of(run)
        for leaves in stored_items(run):
            self.stored.append((slot, leaves))
            for part, _ in leaves:
                if is_list(part):
                    self._check_last_reference(run, part)
        taken = loaded_item(run)
        if taken is not None:
            self.loaded.append((slot, taken))
            (self.emptied if is_in_loop and effect.is_change else self.shared).add(slot)

    def _record_singles(self, run: NodeRun) -> None:
        """Record the specs of the items, if they are single values."""
        name, specs = run.node.op.name, _singles_of(run.node)
        slots = tuple(filter(is_list, _touched_slots(run)))
        if specs is None:
            self.not_singles.update(slots)
        elif all(spec.shape.is_fully_defined() for spec in specs):
            self.used_together.append((slots, {spec.unnamed() for spec in specs}))
        elif EFFECTS[name].loaded is not None:
            self.unshaped.append((run.reads[0], specs[0].dtype))
        else:
            self.not_singles.update(slots)
        if name == "tensor_array":
            self.arrays.update(run.writes)
            if not _element(run.node).shape.is_fully_defined():
                self.gaps.update(run.writes)

    def _record_move(self, move: Move) -> None:
        for target, source in zip(move.writes, move.reads):
            if source in self.empty:
                self.begun_empty.append((target, source))
            elif is_list(target):
                self.linked.append((target, source))
                self._check_last_reference(move, source)

    def _record_use(self, statement: Statement, is_in_loop: bool) -> None:
        """Record a statement that reads a list as a value, or returns one."""
        self.values.update(filter(is_list, written_by(statement)))
        for slot in filter(is_list, read_by(statement)):
            self.value_reads.append((slot, statement))
            if is_in_loop:
                # Each iteration would convert the whole list to a value.
                self.not_singles.add(slot)

    def _check_last_reference(self, statement: Statement, slot: PlanSlot) -> None:
        """Let a list stay a value if it is passed on while another reference to it is used."""
        if not self.is_last_reference(statement, slot):
            self.values.add(slot)


def has_lists(plan: Plan) -> bool:
    """Return whether a plan uses lists."""
    return any(is_list(slot) for each in walk(plan.body) for slot in _touched_slots(each))


def _with_loops(block: Block, is_in_loop: bool) -> Iterator[tuple[Statement, bool]]:
    """Yield all statements in order, and whether each is a loop, parallel, or inside of a loop."""
    for statement in block:
        yield statement, is_in_loop or isinstance(statement, (Loop, Parallel))
        for inner in blocks_in(statement):
            yield from _with_loops(inner, is_in_loop or isinstance(statement, Loop))


def _empty(statements: Iterable[tuple[Statement, bool]]) -> set[PlanSlot]:
    """Return the slots that only ever contain an empty list."""
    made: set[PlanSlot] = set()
    others: set[PlanSlot] = set()
    for statement, _ in statements:
        is_new = isinstance(statement, NodeRun) and statement.node.op.name == "list_of"
        is_empty = is_new and not read_by(statement)
        (made if is_empty else others).update(written_by(statement))
    return made - others


def _touched_slots(statement: Statement) -> tuple[PlanSlot, ...]:
    return (*read_by(statement), *written_by(statement))


def _singles_of(node: Node) -> Sequence[TensorSpec] | None:
    """Return the specs of the items that a node stores or takes; None if they are not supported."""
    specs = _specs_of(node)
    if specs is None:
        return None
    are_arrays = all(not (x.dtype.is_variant or isinstance(x, HandleSpec)) for x in specs)
    return specs if are_arrays else None


def _specs_of(node: Node) -> Sequence[TensorSpec] | None:
    name, attrs, inputs = node.op.name, node.attrs, [each.spec for each in node.inputs]
    if name == "list_of":
        return inputs if attrs["width"] == 1 else None
    if name == "list_from_rows":
        dims = inputs[0].shape.dims
        return [inputs[0].with_shape(dims[1:])] if len(inputs) == 1 and dims else None
    if name in ("list_append", "list_set"):
        leaves = inputs[1 + (name == "list_set") :]
        return leaves if len(leaves) == 1 else None
    if name == "tensor_array_write":
        return inputs[2:] if attrs["inferred"] else None
    if name in ("tensor_array_items", "tensor_array_fill"):
        is_whole = len(inputs) == 1 + (name == "tensor_array_fill")
        return [] if is_whole and attrs.get("inferred", True) else None
    if name == "tensor_array":
        spec = _element(node)
        return [] if spec.shape.rank is None else [spec]
    if name in ("tensor_array_read", "list_get"):
        return [each.spec for each in node.outputs] if len(node.outputs) == 1 else None
    if name == "list_pop":
        return [node.outputs[1].spec] if len(node.outputs) == 2 else None
    if name == "list_stack":
        return [] if not attrs["leaf"] else None
    return []


def _element(node: Node) -> TensorSpec:
    element = node.attrs["element"]
    assert isinstance(element, TensorSpec)
    return element
