"""Scratch buffers: memory that the iterations of a loop reuse for large results.

    buffer = np_empty((784, 128), float32)
    while i < n:
        held = v._array                                  # the array of the variable
        product = np_multiply(held, rate, out=buffer)    # written beside it, not over it
        v._array = product                               # now the buffer is the variable's array
        buffer = freed(held, (784, 128), float32)        # and its former array is the buffer

Allocating a new array can cost more than the op. The former array of a variable becomes a buffer
only if nothing else refers to it: other tensors, views and threads count as references. NumPy adds
up in memory order. A new result is in C order if an operand of the same shape is, and a buffer is
always in C order, so buffers are used only for such results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.core.array_ownership import references
from runtime.core.tensor import SymbolicTensor
from runtime.executors.analysis.liveness import read_before_written
from runtime.executors.numpy.array_methods import is_product
from runtime.executors.numpy.buffer_reuse import (
    MIN_REUSED_BYTES,
    bytes_of,
    makes_new,
    operands_to_overwrite,
)
from runtime.executors.numpy.kernel_calls import is_ufunc
from runtime.executors.plan.plan import (
    Block,
    Loop,
    NodeRun,
    Plan,
    PlanSlot,
    Statement,
    read_by,
    walk,
    written_by,
)

_CHANGES = ("assign_variable", "assign_add_variable", "assign_sub_variable")


@dataclass(eq=False, repr=False)
class ScratchBuffer:
    """Memory for arrays of one shape and dtype, one at a time."""

    like: SymbolicTensor


@dataclass(eq=False, repr=False)
class BufferHandover:
    """A buffer that becomes a variable's, and the slot of the variable's old array, if known."""

    buffer: ScratchBuffer
    old_array: PlanSlot | None


@dataclass(eq=False, repr=False)
class ScratchBuffers:
    """The assignment of results to scratch buffers.

    Attributes:
        of_loops: the buffers that are allocated before each loop.
        results: the buffer for the result of a node.
        handovers: by the node that changes a variable, the buffer that the variable takes over.
        written_over: by node, the position of the operand that the result overwrites.
        c_contiguous: the slots whose arrays are known to be C-contiguous.
    """

    of_loops: dict[Loop, list[ScratchBuffer]] = field(default_factory=dict)
    results: dict[NodeRun, ScratchBuffer] = field(default_factory=dict)
    handovers: dict[NodeRun, BufferHandover] = field(default_factory=dict)
    written_over: dict[NodeRun, int] = field(default_factory=dict)
    c_contiguous: set[PlanSlot] = field(default_factory=set)


def plan_buffers(
    plan: Plan, number_slots: set[PlanSlot], last_uses: Mapping[Statement, set[PlanSlot]]
) -> ScratchBuffers:
    """Return the buffers of all loops of a plan, and the nodes that use them.

    Args:
        plan: the plan.
        number_slots: the slots that contain numbers.
        last_uses: for each statement, the slots that no later statement reads.
    """
    over = operands_to_overwrite(plan, number_slots, last_uses)
    buffers = ScratchBuffers(written_over=over, c_contiguous=_c_contiguous_slots(plan))
    loops = [each for each in walk(plan.body) if isinstance(each, Loop) and _has_large(each.body)]
    if loops:
        slots = _Slots(plan, number_slots)
        for loop in loops:
            _BodyBuffers(loop, slots, buffers).plan()
    return buffers


def _c_contiguous_slots(plan: Plan) -> set[PlanSlot]:
    """Return the slots whose arrays are known to be C-contiguous."""
    writers = Counter(slot for each in walk(plan.body) for slot in written_by(each))
    known: set[PlanSlot] = set()
    for each in walk(plan.body):
        if isinstance(each, NodeRun) and _makes_c_contiguous(each, known):
            known.update(slot for slot in each.writes if writers[slot] == 1)
    return known.difference(plan.parameters)


def _makes_c_contiguous(run: NodeRun, known: set[PlanSlot]) -> bool:
    if is_product(run.node):
        return True
    if not is_ufunc(run.node):
        return False
    full = [run.reads[at] for at in full_operands(run)]
    return run.node.outputs[0].shape.rank in (0, 1) or any(
        _is_c_contiguous(slot, known) for slot in full
    )


def _is_c_contiguous(slot: PlanSlot, known: set[PlanSlot]) -> bool:
    return slot in known or (slot.value is not None and bool(slot.value.flags.c_contiguous))


def _has_large(block: Block) -> bool:
    return any(
        isinstance(each, NodeRun)
        and makes_new(each)
        and bytes_of(each.node.outputs[0]) >= MIN_REUSED_BYTES
        for each in block
    )


class _Slots:
    """The uses of the slots of a plan by all of its statements."""

    def __init__(self, plan: Plan, number_slots: set[PlanSlot]) -> None:
        self._number_slots = number_slots
        self.reads: dict[PlanSlot, int] = {}
        # For each slot, the nodes that assign it to a variable.
        self.assigned: dict[PlanSlot, list[NodeRun]] = {}
        self._writes: dict[PlanSlot, int] = dict.fromkeys(plan.parameters, 2)
        self._others: set[PlanSlot] = set()
        for statement in walk(plan.body):
            for slot in read_by(statement):
                self.reads[slot] = self.reads.get(slot, 0) + 1
            for slot in written_by(statement):
                self._writes[slot] = self._writes.get(slot, 0) + 1
            if isinstance(statement, NodeRun) and _is_change(statement):
                self._assigned_by(statement)
            elif not isinstance(statement, NodeRun) or not makes_new(statement):
                self._others.update(read_by(statement))

    def _assigned_by(self, run: NodeRun) -> None:
        if run.node.op.name == "assign_variable":
            self.assigned.setdefault(run.reads[1], []).append(run)

    def is_own(self, slot: PlanSlot) -> bool:
        """Return whether nothing holds a slot's memory except variables that it is assigned to."""
        return self.is_written_once(slot) and slot not in self._others

    def is_written_once(self, slot: PlanSlot) -> bool:
        """Return whether exactly one statement assigns the slot, and it contains an array."""
        return self._writes.get(slot) == 1 and slot not in self._number_slots


class _BodyBuffers:
    """Plans the buffers of a loop's body, without those of blocks in it."""

    def __init__(self, loop: Loop, slots: _Slots, buffers: ScratchBuffers) -> None:
        self._loop = loop
        self._slots = slots
        self._written_over = buffers.written_over
        self._buffers = buffers
        self._last_reads = _last_reads(loop.body)
        self._reads = _counted(loop.body)
        self._carried = read_before_written(loop)
        self._free: list[ScratchBuffer] = []
        self._buffer_of: dict[PlanSlot, ScratchBuffer] = {}
        # For each handle, the slot of the variable's array.
        self._array_slots: dict[PlanSlot, PlanSlot] = {}
        self._body_runs = {each for each in loop.body if isinstance(each, NodeRun)}
        self._overwritten = self._find_overwritten()

    def plan(self) -> None:
        """Visit the statements of the body in order."""
        for at, statement in enumerate(self._loop.body):
            if isinstance(statement, NodeRun):
                self._run(statement, at)
            else:
                self._propagate(statement)
            over = [slot for slot in self._buffer_of if self._last_reads.get(slot, at) <= at]
            gone = {self._buffer_of.pop(slot) for slot in over}
            self._free += sorted(gone.difference(self._buffer_of.values()), key=id)

    def _run(self, run: NodeRun, at: int) -> None:
        if run.node.op.name == "read_variable":
            self._array_slots[run.reads[0]] = run.writes[0]
        elif _is_change(run):
            self._change(run, at)
        elif run in self._written_over:
            self._propagate(run)
        elif (
            makes_new(run)
            and run.writes[0] not in self._overwritten
            and self._is_temporary(run.writes[0])
        ):
            result = run.node.outputs[0]
            takes_buffer = is_product(run.node) or (is_ufunc(run.node) and full_operands(run))
            if bytes_of(result) >= MIN_REUSED_BYTES and takes_buffer:
                self._buffers.results[run] = self._buffer_of[run.writes[0]] = self._take_buffer(
                    result
                )

    def _find_overwritten(self) -> set[PlanSlot]:
        """Return the slots whose memory is overwritten by results that outlive the iteration."""
        overwritten: set[PlanSlot] = set()
        runs = [each for each in walk(self._loop.body) if isinstance(each, NodeRun)]
        pairs = [(each, self._written_over[each]) for each in runs if each in self._written_over]
        for run, over in reversed(pairs):
            if run.writes[0] in overwritten or not self._is_temporary(run.writes[0]):
                overwritten.add(run.reads[over])
        return overwritten

    def _is_temporary(self, slot: PlanSlot) -> bool:
        """Return whether nothing holds a slot's memory after an iteration, except a variable."""
        return (
            self._slots.is_own(slot)
            and self._is_read_in_iteration(slot)
            and all(
                e in self._body_runs and has_variable_shape(e)
                for e in self._slots.assigned.get(slot, ())
            )
        )

    def _is_read_in_iteration(self, slot: PlanSlot) -> bool:
        """Return whether a slot is read only within one iteration."""
        return slot not in self._carried and self._reads.get(slot) == self._slots.reads.get(slot)

    def _take_buffer(self, like: SymbolicTensor) -> ScratchBuffer:
        for buffer in self._free:
            if buffer.like.dtype is like.dtype and buffer.like.shape == like.shape:
                self._free.remove(buffer)
                return buffer
        buffer = ScratchBuffer(like)
        self._buffers.of_loops.setdefault(self._loop, []).append(buffer)
        return buffer

    def _propagate(self, statement: Statement) -> None:
        """Propagate buffers: a result that overwrites an operand is in the operand's buffer."""
        for each in walk([statement]):
            over = self._written_over.get(each) if isinstance(each, NodeRun) else None
            if over is not None:
                buffer = self._buffer_of.get(each.reads[over])  # type: ignore[union-attr]
                if buffer is not None:
                    self._buffer_of[each.writes[0]] = buffer  # type: ignore[union-attr]

    def _change(self, run: NodeRun, at: int) -> None:
        handle, value = run.reads
        buffer = self._buffer_of.get(value)
        old = self._array_slots.pop(handle, None)
        if buffer is None or not has_variable_shape(run):
            return
        if run.node.op.name != "assign_variable" and self._last_reads[value] > at:
            return  # A later statement reads the value, so the buffer cannot be overwritten.
        is_over = (
            old is not None
            and self._slots.is_written_once(old)
            and self._is_read_in_iteration(old)
            and self._last_reads.get(old, at) <= at
        )
        for slot in [slot for slot, each in self._buffer_of.items() if each is buffer]:
            del self._buffer_of[slot]
        self._buffers.handovers[run] = BufferHandover(buffer, old if is_over else None)
        self._free.append(buffer)


def _is_change(run: NodeRun) -> bool:
    return run.node.op.name in _CHANGES


def has_variable_shape(run: NodeRun) -> bool:
    """Return whether the value assigned to a variable has the variable's shape in every run."""
    handle, value = run.node.inputs
    return handle.spec.shape.is_fully_defined() and handle.spec.shape == value.spec.shape


def full_operands(run: NodeRun) -> list[int]:
    """Return the positions of operands with the shape of the result."""
    shape = run.node.outputs[0].shape
    return [at for at, each in enumerate(run.node.inputs) if each.shape == shape]


def _last_reads(block: Block) -> dict[PlanSlot, int]:
    """Return, for each slot, the index of the last statement of a block that reads it."""
    return {slot: at for at, each in enumerate(block) for slot in _all_read(each)}


def _counted(block: Block) -> dict[PlanSlot, int]:
    found: dict[PlanSlot, int] = {}
    for statement in block:
        for slot in _all_read(statement):
            found[slot] = found.get(slot, 0) + 1
    return found


def _all_read(statement: Statement) -> Iterator[PlanSlot]:
    for each in walk([statement]):
        yield from read_by(each)


# -- while the program runs ------------------------------------------------------------------------


def freed(array: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Return an array if its caller holds the only reference to it and it fits, else a new one.

    >>> kept = np.zeros((2, 3), np.float32)
    >>> others = [kept]
    >>> freed(kept, (2, 3), kept.dtype) is kept
    False
    """
    flags = array.flags
    if (
        references(array) <= _ONE_REFERENCE
        and flags.owndata
        and flags.c_contiguous
        and flags.writeable
    ):
        if array.shape == shape and array.dtype == dtype:
            return array
    return np.empty(shape, dtype)


def _count(array: Any, shape: tuple[int, ...], dtype: Any) -> int:
    flags = array.flags
    return references(array) if flags.owndata else 0


def _references_alone() -> int:
    array = np.empty((1,))
    return _count(array, (1,), array.dtype)


_ONE_REFERENCE = _references_alone()
