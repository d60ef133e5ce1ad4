"""Source text of list ops as operations on Python lists.

out.append(s)
kept = []
while ...:
    kept.append((tanh, x))
while len(kept) > 0:
    t, x = kept.pop()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.executors.numpy import list_runtime as running
from runtime.executors.numpy.list_analysis import (
    FORMS,
    Leaves,
    is_list,
    list_of,
    put_by,
    taken_by,
)
from runtime.executors.numpy.lists import ARRAY, LIST, NOTHING, NUMBER, ListFacts, Lists
from runtime.executors.numpy.name_allocation import Names
from runtime.executors.numpy.numbers import Expression, Numbers
from runtime.executors.numpy.numbers.expression import CALL
from runtime.executors.numpy.numbers.representation import is_number, number_of
from runtime.executors.numpy.parallel_moves import SlotMove
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.numpy.values import PendingNumber, Values
from runtime.executors.plan import Run, Slot
from runtime.ops.containers.list_kernels import checked

# Returns an expression for the result, or a statement that changes the list.
_Text: TypeAlias = "Callable[[ListValues, Run, ListFacts], str]"


class ListValues(Values):
    """The source text of slots, including lists.

    Args:
        numbers: the facts about the numbers.
        held: the slots that hold numbers.
        lists: the lists that are kept as Python lists.
        names: the names of the function; new ones by default.
    """

    def __init__(
        self, numbers: Numbers, held: set[Slot], lists: Lists, names: Names | None = None
    ) -> None:
        super().__init__(numbers, held, names)
        self.lists = lists

    def array_text(self, slot: Slot, tensor: SymbolicTensor) -> str:
        kept = self.lists.of(slot)
        if kept is None:
            return super().array_text(slot, tensor)
        name = self.name_of(slot)
        if kept.single is not None:
            return f"{self._maker(kept, kept.single)}({name}, {self.dtype(kept.single)})"
        make: Any = running.as_value
        if NUMBER in kept.parts:
            dtypes = [None if each is None else each.np_dtype for each in kept.dtypes]
            make = partial(running.with_arrays, dtypes)
        return f"{self.names.of_object(make, 'as_list')}({name})"

    def _maker(self, kept: ListFacts, spec: TensorSpec) -> str:
        """Return the name of the function that makes a value of a list of single values."""
        if kept.is_array:
            make = partial(running.slots_of, spec, kept.has_gaps)
            return self.names.once("slots_of", make, (running.slots_of, spec, kept.has_gaps))
        to_value = running.list_of_numbers if is_number(spec) else running.list_of_arrays
        return self.names.of_object(to_value, to_value.__name__)

    def moved(self, slot: Slot, source: Slot, copied: str = "") -> SlotMove:
        if self.lists.of(slot) is None:
            return super().moved(slot, source, copied)
        if source in self.lists.empty:
            return SlotMove(slot, frozenset(), "[]")
        return SlotMove(slot, frozenset([source]), self.name_of(source))

    def list_of_value(self, name: str) -> str:
        """Return the text that converts a graph's value to a Python list."""
        return f"{self.names.of_object(running.as_list, 'items_of')}({name})"

    def change_list(self, run: Run, kept: ListFacts, is_read_once: bool) -> None:
        """Print a node that changes or reads a list.

        Args:
            run: the node.
            kept: the facts about the list.
            is_read_once: whether the result is read once, by one statement of the same block.
        """
        form, own = FORMS[run.node.op.name], self.name_of(list_of(run))
        text = _TEXTS[run.node.op.name](self, run, kept)
        if text == f"len({own})":
            self._length(run, text, is_read_once)
            return
        # An op on lists of single values reports the error that its kernel raises.
        operands = map(self.array_text, run.reads, run.node.inputs) if form.of_singles else ()
        place = PrintedNode(run.node, tuple(operands))
        for slot in run.reads:
            self.pending.pop(slot, None)
        for slot in (*filter(is_list, run.reads), *run.writes):
            self.settle_readers_of(slot)
        taken = taken_by(run)
        if taken is not None and kept.is_bare:
            self._take_single(run, kept, *taken[0], text, place)
        elif taken is not None:
            self._take(run, kept, taken, text)
        else:
            target = "" if form.is_change else f"{self.name_of(run.writes[0])} = "
            self.lines.add(f"{target}{text}", place)
        if form.is_change and (made := run.writes[0]) is not run.reads[0]:
            if made in self.lists.read:
                self.lines.add(f"{self.name_of(made)} = {own}", PrintedNode(run.node, ()))

    def _length(self, run: Run, length: str, is_read_once: bool) -> None:
        (slot,), (tensor,) = run.writes, run.node.outputs
        self.settle_readers_of(slot)
        if is_read_once and slot in self.held:
            self.pending[slot] = PendingNumber(Expression(length, CALL), frozenset(run.reads))
            return
        taken = length if slot in self.held else self.numbers.to_array(tensor, length)
        self.lines.add(f"{self.name_of(slot)} = {taken}", PrintedNode(run.node, ()))

    # -- writing items -----------------------------------------------------------------------------

    def item(self, run: Run, kept: ListFacts) -> str:
        """Return the items that a node stores in a list."""
        return ", ".join([self._item(leaves, kept) for leaves in put_by(run)])

    def place(self, run: Run) -> str:
        """Return the text of a node's index; empty for a `pop` of the last item."""
        if len(run.reads) == 1:
            return ""
        slot, tensor = run.reads[1], run.node.inputs[1]
        if run.node.op.name == "list_pop" and slot.value is not None and slot.value == -1:
            return ""
        if self.numbers.holds(tensor):
            return self.number_text(slot, tensor)
        return f"int({self.array_text(slot, tensor)})"

    def _item(self, leaves: Leaves, kept: ListFacts) -> str:
        pairs = zip(leaves, kept.parts)
        texts = [self._part(*leaf, kind) for leaf, kind in pairs if kind != NOTHING]
        if kept.is_bare:
            return texts[0]
        return f"({', '.join(texts)}{',' * (len(texts) == 1)})"  # This also makes `()`.

    def _part(self, slot: Slot, tensor: SymbolicTensor, kind: str) -> str:
        if kind == LIST:
            return self.name_of(slot)
        if kind == NUMBER:
            return self.number_text(slot, tensor)
        return self.array_text(slot, tensor)

    # -- reading items -----------------------------------------------------------------------------

    def _take_single(
        self,
        run: Run,
        kept: ListFacts,
        slot: Slot,
        tensor: SymbolicTensor,
        text: str,
        place: PrintedNode,
    ) -> None:
        """Take a single value; an unwritten element of a TensorArray is zero, or an error."""
        name, as_it_is = self.name_of(slot), slot in self.held or kept.parts == (ARRAY,)
        if not kept.has_gaps:
            taken = text if as_it_is else self.numbers.to_array(tensor, text)
            self.lines.add(f"{name} = {taken}", place)
            return
        found = name if as_it_is else self.names.fresh(slot.name)
        missing = self.names.of_object(running.missing, "unwritten")
        self.lines.add(f"{found} = {text}", place)
        rest = f"{missing}({self.name_of(run.reads[0])}, {self.zero(kept)})"
        self.lines.add(f"if {found} is None: {found} = {rest}", place)
        if not as_it_is:
            self.lines.add(f"{name} = {self.numbers.to_array(tensor, found)}")

    def _take(self, run: Run, kept: ListFacts, leaves: Leaves, call: str) -> None:
        if kept.is_given:
            # A list from outside may hold items of other types and shapes.
            specs: Any = run.node.attrs["specs"]
            call = f"{self.names.of_object(checked, 'checked')}({call}, "
            call += f"{self.names.of_object(specs, 'specs')})"
        parts = [(leaf, kind) for leaf, kind in zip(leaves, kept.parts) if kind != NOTHING]
        names = [self._name_of_part(slot, kind) for (slot, _), kind in parts]
        targets = f"{', '.join(names)}{',' * (len(names) == 1)} = " if names else ""
        self.lines.add(f"{targets}{call}", PrintedNode(run.node, ()))
        for name, ((slot, tensor), kind) in zip(names, parts):
            if name != self.name_of(slot):
                make = self.numbers.to_array if kind == NUMBER else self.numbers.from_array
                self.lines.add(
                    f"{self.name_of(slot)} = {make(tensor, name)}", PrintedNode(run.node, ())
                )

    def _name_of_part(self, slot: Slot, kind: str) -> str:
        """Return the target of a part of an item: a new name if the part must be converted."""
        is_as_kept = kind == LIST or (slot in self.held) == (kind == NUMBER)
        return self.name_of(slot) if is_as_kept else self.names.fresh(slot.name)

    # -- single values -----------------------------------------------------------------------------

    def number_at(self, at: int, run: Run) -> str:
        return self.number_text(run.reads[at], run.node.inputs[at])

    def single_at(self, at: int, run: Run, kept: ListFacts) -> str:
        """Return an operand in the form that lists keep it in."""
        return self._part(run.reads[at], run.node.inputs[at], kept.parts[0])

    def zero(self, kept: ListFacts) -> str:
        """Return the text of the zeros that all unwritten elements share."""
        spec = kept.single
        assert spec is not None
        if is_number(spec):
            return self.numbers.constant(np.zeros((), spec.dtype.np_dtype)).text
        name = f"zeros_{spec.dtype.name}"
        return self.names.once(name, partial(running.zeros_like, spec), (name, spec))

    def dtype(self, spec: TensorSpec) -> str:
        return self.names.of_object(spec.dtype.np_dtype, f"{spec.dtype.name}_dtype")


# -- forms -----------------------------------------------------------------------------------------


def _own(to: ListValues, run: Run) -> str:
    return to.name_of(run.reads[0])


def _slot(to: ListValues, run: Run, kept: ListFacts) -> str:
    """Return an element of a TensorArray, whose indices are never negative."""
    index, tensor = to.number_at(1, run), run.node.inputs[1]
    if not to.numbers.is_never_negative(tensor):
        nowhere = to.names.once("nowhere", lambda: running.NOWHERE)
        if not index.isidentifier() and not index.lstrip("-").isdigit():
            name = to.names.fresh("place")
            to.lines.add(f"{name} = {index}")
            index = name
        index = f"{index} if {index} >= 0 else {nowhere}"
    return f"{_own(to, run)}[{index}]"


def _rows(to: ListValues, run: Run, kept: ListFacts) -> str:
    array, tensor = to.array_text(run.reads[0], run.node.inputs[0]), run.node.inputs[0]
    if kept.parts == (ARRAY,):
        return f"{to.names.of_object(running.elements, 'rows_of')}({array})"
    is_single = tensor.dtype.name == "float32"
    return f"list({array})" if is_single else f"{array}.tolist()"


def _zeros(to: ListValues, run: Run, kept: ListFacts) -> str:
    size, spec = to.number_at(0, run), kept.single
    assert spec is not None
    if to.numbers.is_never_negative(run.node.inputs[0]):
        text = "None" if kept.has_gaps else to.zero(kept)
        return f"[{text}] * {size if size.isalnum() or size.isidentifier() else f'({size})'}"
    name = "gaps" if kept.has_gaps else f"{spec.dtype.name}_zeros"
    key = (name, None if kept.has_gaps else spec)
    zero = None if kept.has_gaps else running.zeros_like(spec)
    if zero is not None and is_number(spec):
        zero = number_of(zero)
    return f"{to.names.once(name, lambda: running.zeros_of(zero), key)}({size})"


def _written(to: ListValues, run: Run, kept: ListFacts) -> str:
    number = to.single_at(2, run, kept)
    if not run.node.attrs["dynamic"]:
        return f"{_slot(to, run, kept)} = {number}"
    gap = "None" if kept.has_gaps else to.zero(kept)
    put = to.names.of_object(running.put, "put")
    return f"{put}({_own(to, run)}, {to.number_at(1, run)}, {number}, {gap})"


def _filled(to: ListValues, run: Run, kept: ListFacts) -> str:
    values = to.name_of(run.reads[1])
    if run.node.attrs["dynamic"]:
        return f"{_own(to, run)}[:] = {values}"
    return f"{to.names.of_object(running.fill, 'fill')}({_own(to, run)}, {values})"


def _items(to: ListValues, run: Run, kept: ListFacts) -> str:
    if not kept.has_gaps:
        return f"{_own(to, run)}[:]"
    return f"{to.names.of_object(running.whole, 'whole')}({_own(to, run)}, {to.zero(kept)})"


def _stacked(to: ListValues, run: Run, kept: ListFacts) -> str:
    spec: Any = run.node.attrs["spec"]
    needed = bool(run.node.attrs.get("needed"))
    if kept.parts == (ARRAY,):
        make = partial(running.stacked, spec, needed)
        stack = to.names.once("stacked", make, (running.stacked, spec, needed))
        return f"{stack}({_own(to, run)})"
    made: tuple[Any, str] = (np.array, "array")
    if needed:
        made = (running.row_of_some, "array_of_some")
    dtype = to.names.of_object(spec.dtype.np_dtype, f"{spec.dtype.name}_dtype")
    return f"{to.names.of_object(*made)}({_own(to, run)}, {dtype})"


_TEXTS: Mapping[str, _Text] = {
    "list_of": lambda to, run, kept: f"[{to.item(run, kept)}]",
    "list_append": lambda to, run, kept: f"{_own(to, run)}.append({to.item(run, kept)})",
    "list_set": lambda to, run, kept: f"{_own(to, run)}[{to.place(run)}] = {to.item(run, kept)}",
    "list_pop": lambda to, run, kept: f"{_own(to, run)}.pop({to.place(run)})",
    "list_get": lambda to, run, kept: f"{_own(to, run)}[{to.place(run)}]",
    "list_length": lambda to, run, kept: f"len({_own(to, run)})",
    "list_extend": lambda to, run, kept: f"{_own(to, run)}.extend({to.name_of(run.reads[1])})",
    "list_from_rows": _rows,
    "list_repeat": lambda to, run, kept: f"{_own(to, run)} * ({to.number_at(1, run)})",
    "list_stack": _stacked,
    "tensor_array": _zeros,
    "tensor_array_fill": _filled,
    "tensor_array_items": _items,
    "tensor_array_read": _slot,
    "tensor_array_size": lambda to, run, kept: f"len({_own(to, run)})",
    "tensor_array_write": _written,
}
