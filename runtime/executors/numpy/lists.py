"""Lists and TensorArrays of numbers that are kept as Python's lists, and changed in place.

    out = list_append(out, s)                       out.append(s)
    row = tensor_array_write(row, j, v)     ->      row[j] = v

A list of a graph is a value, and what looks like a change makes another one. It may be changed in
place where nobody looks at the old one any more. All that goes into one must be known to be numbers
of one dtype. What has no form here gets the list as the graph knows it, but never in a loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from runtime.dtypes import DType
from runtime.executors.numpy.numbers.representation import is_number
from runtime.executors.plan import (
    Block,
    Loop,
    Move,
    Plan,
    Run,
    SideBySide,
    Slot,
    Statement,
    blocks_in,
    read_by,
    walk,
    written_by,
)
from runtime.graph.node import Node
from runtime.records import dataclass
from runtime.spec import TensorSpec

# What makes a list, and what gives one for another: its first operand, changed.
_MAKING = frozenset(("list_of", "list_from_rows", "list_repeat", "tensor_array"))
_CHANGING = frozenset(
    "list_append list_extend list_pop list_set tensor_array_clear tensor_array_fill "
    "tensor_array_write".split()
)
_READING = frozenset(
    "list_get list_length list_stack tensor_array_items tensor_array_read tensor_array_size".split()
)
SUPPORTED = _MAKING | _CHANGING | _READING
_OF_ARRAYS = frozenset(
    "tensor_array tensor_array_clear tensor_array_fill tensor_array_write tensor_array_items "
    "tensor_array_read tensor_array_size".split()
)


@dataclass(frozen=True)
class Kept:
    """What is kept as a list of Python's.

    Attributes:
        dtype: that of its numbers.
        is_array: whether it is a TensorArray.
        has_gaps: whether None stands for what was not written, since it may be no zero.
        is_cleared: whether `...` stands for what was read before.
    """

    dtype: DType
    is_array: bool
    has_gaps: bool = False
    is_cleared: bool = False


def lists_among(plan: Plan, last_uses: Mapping[Statement, set[Slot]]) -> dict[Slot, Kept]:
    """Return the slots that are kept as lists of Python's.

    Args:
        plan: the plan.
        last_uses: the slots that a statement is the last one to read.
    """
    if not any(_is_variant(slot) for each in walk(plan.body) for slot in written_by(each)):
        return {}
    groups = _Groups()
    groups.spoil(plan.parameters)
    for statement, is_in_loop in _with_loops(plan.body, False):
        if isinstance(statement, Move):
            groups.move(statement, last_uses[statement])
        elif isinstance(statement, Run) and statement.node.op.name in SUPPORTED:
            groups.run(statement, last_uses[statement])
        else:
            groups.spoil(written_by(statement))
            if is_in_loop or isinstance(statement, (Loop, SideBySide)):
                groups.spoil(read_by(statement))
    return groups.kept()


def _with_loops(block: Block, is_in_loop: bool) -> Iterator[tuple[Statement, bool]]:
    for statement in block:
        yield statement, is_in_loop
        for inner in blocks_in(statement):
            yield from _with_loops(inner, is_in_loop or isinstance(statement, Loop))


def _is_variant(slot: Slot) -> bool:
    return slot.tensor.dtype.is_variant


class _Groups:
    """Slots that hold one list after the other, and what is known of that."""

    def __init__(self) -> None:
        self._leader: dict[Slot, Slot] = {}
        self._dtypes: dict[Slot, set[DType]] = {}
        self._arrays: dict[Slot, bool] = {}
        self._bad: set[Slot] = set()
        self._gaps: set[Slot] = set()
        self._cleared: set[Slot] = set()
        # Lists that some node is given together; they are kept alike.
        self._together: list[tuple[Slot, ...]] = []

    def spoil(self, slots: tuple[Slot, ...]) -> None:
        """Note that lists are not kept."""
        self._bad.update(filter(_is_variant, slots))

    def move(self, move: Move, ends: set[Slot]) -> None:
        """Take down what goes over from one slot to another."""
        for slot, source in zip(move.writes, move.reads):
            if not _is_variant(slot):
                continue
            self._join(slot, source)
            if source.is_fixed or source not in ends or move.reads.count(source) > 1:
                self._bad.add(slot)

    def run(self, run: Run, ends: set[Slot]) -> None:
        """Take down what a node does with lists."""
        name, node = run.node.op.name, run.node
        slots = [slot for slot in (*run.reads, *run.writes) if _is_variant(slot)]
        if name in _CHANGING:
            target, result = run.reads[0], run.writes[0]
            self._join(target, result)
            if target not in ends and target is not result or run.reads.count(target) > 1:
                self._bad.add(target)
        for slot in slots:
            of_array = name in _OF_ARRAYS and not (
                slot is not run.reads[0] and name in ("tensor_array_fill", "tensor_array_items")
            )
            self._dtypes.setdefault(slot, set())
            if name == "tensor_array" or self._arrays.setdefault(slot, of_array) != of_array:
                self._arrays[slot] = True
            if slot.is_fixed:
                self._bad.add(slot)
        if name == "tensor_array" and _element(node).shape.rank is None:
            self._gaps.update(run.writes)
        if name == "tensor_array_clear":
            self._cleared.update(run.writes)
        specs = _numbers_of(node)
        if specs is None or not all(map(is_number, specs)):
            self._bad.update(slots)
        else:
            for slot in slots:
                self._dtypes[slot].update(spec.dtype for spec in specs)
        self._together.append(tuple(slots))

    def kept(self) -> dict[Slot, Kept]:
        """Return the slots that are kept as lists."""
        groups: dict[Slot, set[Slot]] = {}
        for slot in {*self._leader, *self._dtypes}:
            groups.setdefault(self._first(slot), set()).add(slot)
        dtypes = {one: self._of(group) for one, group in groups.items()}
        bad = {self._first(slot) for slot in self._bad}
        bad |= {one for one in groups if len(dtypes[one]) > 1}
        # What is known of one list is known of those that are made of it.
        pairs = [tuple(map(self._first, slots)) for slots in self._together]
        for _ in range(len(pairs) + 1):
            for firsts in pairs:
                found = set().union(*(dtypes.get(one, set()) for one in firsts))
                for one in firsts:
                    dtypes[one] = found
                if any(one in bad for one in firsts) or len(found) > 1:
                    bad.update(firsts)
        made: dict[Slot, Kept] = {}
        for one, group in groups.items():
            if one not in bad and len(dtypes[one]) == 1:
                (dtype,) = dtypes[one]
                is_array = any(self._arrays.get(slot, False) for slot in group)
                gaps, cleared = group & self._gaps, group & self._cleared
                kept = Kept(dtype, is_array, bool(gaps), bool(cleared))
                made.update(dict.fromkeys(group, kept))
        return made

    def _of(self, group: set[Slot]) -> set[DType]:
        return set().union(*(self._dtypes.get(slot, set()) for slot in group))

    def _first(self, slot: Slot) -> Slot:
        while (above := self._leader.get(slot, slot)) is not slot:
            slot = above
        return slot

    def _join(self, slot: Slot, other: Slot) -> None:
        first, second = self._first(slot), self._first(other)
        self._leader.setdefault(first, first)
        self._leader[second] = first


def _numbers_of(node: Node) -> list[TensorSpec] | None:
    """Return what is known of what goes into a list or comes out; None where that has no form."""
    name, attrs, inputs = node.op.name, node.attrs, [each.spec for each in node.inputs]
    if name == "list_of":
        return inputs if attrs["width"] == 1 else None
    if name == "list_from_rows":
        spec = inputs[0]
        is_vector = len(inputs) == 1 and spec.shape.rank == 1
        return [spec.with_shape(())] if is_vector else None
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
        return [spec.with_shape(())] if spec.shape.rank in (0, None) else None
    if name in ("tensor_array_read", "list_get"):
        return [each.spec for each in node.outputs] if len(node.outputs) == 1 else None
    if name == "list_pop":
        return [node.outputs[1].spec] if len(node.outputs) == 2 else None
    if name == "list_stack":
        stacked = attrs["spec"]
        assert isinstance(stacked, TensorSpec)
        is_one = not attrs["leaf"] and stacked.shape.rank in (0, None)
        return [stacked.with_shape(())] if is_one else None
    return []


def _element(node: Node) -> TensorSpec:
    element = node.attrs["element"]
    assert isinstance(element, TensorSpec)
    return element
