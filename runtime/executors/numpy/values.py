"""Source text of values: variables, literals, and inlined expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.executors.interpreter import scalar_condition
from runtime.executors.numpy.name_allocation import NameAllocation
from runtime.executors.numpy.numbers import Expression, Numbers
from runtime.executors.numpy.parallel_moves import SlotMove
from runtime.executors.numpy.scratch_buffers import ScratchBuffer
from runtime.executors.numpy.source_writer import FunctionSourceWriter, PrintedNode
from runtime.executors.plan.plan import NodeRun, PlanSlot


@dataclass(eq=False, repr=False)
class PendingNumber:
    """A number whose expression is printed where it is used, once."""

    expression: Expression
    reads: frozenset[PlanSlot]


class Values:
    """The source text of the slots of a plan.

    Args:
        numbers: the facts about the numbers.
        number_slots: the slots that contain numbers.
        names: the names of the function; new ones by default.

    Attributes:
        ranges: the slots that contain Python ranges.
        lengths: by slot of a length, the slot of its range.
        names: the names of the function.
        lines: the lines of the function so far.
        pending: by slot, the numbers that are not printed until they are used.
    """

    def __init__(
        self, numbers: Numbers, number_slots: set[PlanSlot], names: NameAllocation | None = None
    ) -> None:
        self.numbers = numbers
        self.number_slots = number_slots
        self.ranges: set[PlanSlot] = set()
        self.lengths: dict[PlanSlot, PlanSlot] = {}
        self.names = names or NameAllocation()
        numbers.use_names(self.names.of_object)
        self.lines = FunctionSourceWriter()
        self.pending: dict[PlanSlot, PendingNumber] = {}
        # For each pending value with several readers, the number of readers left.
        self.left: dict[PlanSlot, int] = {}
        self._buffer_names: dict[ScratchBuffer, str] = {}

    def number(self, slot: PlanSlot, tensor: SymbolicTensor) -> Expression:
        """Return the expression of a slot's value as a number."""
        if slot.value is not None:
            return self.numbers.constant(slot.value)
        pending = self.pending.get(slot)
        if pending is not None:
            return pending.expression
        if slot in self.number_slots:
            return Expression.of_name(self.name_of(slot))
        return Expression.of_name(self.numbers.from_array(tensor, self.array_text(slot, tensor)))

    def array_text(self, slot: PlanSlot, tensor: SymbolicTensor) -> str:
        """Return the text of a slot's value as an array, or of the outer object that it holds."""
        if slot.value is not None:
            return self.names.of_object(slot.value, slot.name)
        if slot.outer is not None:
            outer = slot.outer
            held = outer._array if isinstance(outer, EagerTensor) else outer
            return self.names.of_object(held, slot.name)
        if slot not in self.number_slots:
            waiting = self.pending.get(slot)
            return self.name_of(slot) if waiting is None else waiting.expression.text
        return self.numbers.to_array(tensor, self.number(slot, tensor).text)

    def number_or_array(self, slot: PlanSlot) -> Expression:
        """Return the expression of a slot's value: a number or an array."""
        if slot in self.number_slots or (
            slot.value is not None and self.numbers.holds(slot.tensor)
        ):
            return self.number(slot, slot.tensor)
        return Expression.of_name(self.array_text(slot, slot.tensor))

    def number_text(self, slot: PlanSlot, tensor: SymbolicTensor) -> str:
        """Return the text of a number, wrapped to its dtype."""
        return self.numbers.wrapped(tensor, self.number(slot, tensor).text)

    def given(self, slot: PlanSlot, tensor: SymbolicTensor, like: SymbolicTensor) -> str:
        """Return a text passed to or returned by a printed function: a number if `like` is one."""
        if self.numbers.holds(like):
            return self.number_text(slot, tensor)
        return self.array_text(slot, tensor)

    def test(self, slot: PlanSlot) -> Expression:
        """Return the expression of a loop's or branch's test."""
        if slot.tensor.spec.shape.rank == 0:
            return self.number_or_array(slot)
        check = self.names.of_object(scalar_condition, "decided")
        return Expression.of_name(f"{check}({self.array_text(slot, slot.tensor)})")

    def name_of(self, slot: PlanSlot) -> str:
        """Return the name of a slot's variable."""
        return self.names.of_slot(slot)

    def buffer_name(self, buffer: ScratchBuffer) -> str:
        """Return the name of a scratch buffer."""
        if buffer not in self._buffer_names:
            self._buffer_names[buffer] = self.names.fresh("buffer")
        return self._buffer_names[buffer]

    def moved(self, slot: PlanSlot, source: PlanSlot, copied: str = "") -> SlotMove:
        """Return the copy of one slot's value to another, with the slots that it reads."""
        pending = self.pending.get(source)
        reads = frozenset([source]) if pending is None else pending.reads
        if slot in self.number_slots:
            return SlotMove(slot, reads, self.number(source, source.tensor).text)
        return SlotMove(slot, reads, f"{self.array_text(source, source.tensor)}{copied}")

    def write(
        self, run: NodeRun, text: str, operands: Sequence[str], by_kernel: bool = False
    ) -> None:
        """Write the line that runs a node."""
        self.used(run.reads)
        for slot in run.writes:
            self.settle_readers_of(slot)
        self.lines.add(text, PrintedNode(run.node, operands, by_kernel))

    # -- pending numbers -------------------------------------------------------------------

    def used(self, slots: Sequence[PlanSlot]) -> list[PendingNumber]:
        """Return the pending values of slots that are read; remove those without other readers."""
        found = []
        for slot in slots:
            waiting = self.pending.get(slot)
            if waiting is not None:
                found.append(waiting)
                self.left[slot] = self.left.get(slot, 1) - 1
                if self.left[slot] <= 0:
                    del self.pending[slot]
        return found

    def settle_readers_of(self, slot: PlanSlot) -> None:
        """Print the pending values that read a slot which is about to be assigned."""
        for each in [each for each, found in self.pending.items() if slot in found.reads]:
            self.settle_one(each)

    def settle(self) -> None:
        """Print all pending values."""
        for slot in list(self.pending):
            self.settle_one(slot)

    def settle_one(self, slot: PlanSlot) -> None:
        """Print the assignment of one pending value."""
        found = self.pending.pop(slot)
        self.lines.add(f"{self.name_of(slot)} = {found.expression.text}")


class RunOperands(NamedTuple):
    """The operands of a node as texts."""

    values: Values
    run: NodeRun

    def array(self, at: int) -> str:
        """Return the text of operand `at` as an array."""
        return self.values.array_text(self.run.reads[at], self.run.node.inputs[at])

    def number(self, at: int) -> str | None:
        """Return the text of operand `at` as a number; None if it is stored as an array."""
        slot, tensor = self.run.reads[at], self.run.node.inputs[at]
        if slot not in self.values.number_slots and slot.value is None:
            return None
        numbers = self.values.numbers
        if not numbers.holds(tensor):
            return None
        return numbers.wrapped(tensor, self.values.number(slot, tensor).text)

    def not_negative(self, at: int) -> bool:
        """Return whether operand `at` is known to be 0 or greater."""
        return self.values.numbers.is_never_negative(self.run.node.inputs[at])
