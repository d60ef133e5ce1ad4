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
    EFFECTS,
    Leaves,
    is_list,
    list_of,
    loaded_item,
    stored_items,
)
from runtime.executors.numpy.name_allocation import NameAllocation
from runtime.executors.numpy.numbers import Expression, Numbers
from runtime.executors.numpy.numbers.expression import CALL
from runtime.executors.numpy.numbers.representation import is_number, number_of
from runtime.executors.numpy.parallel_moves import SlotMove
from runtime.executors.numpy.python_lists import ARRAY, LIST, NOTHING, NUMBER, ListForm, PythonLists
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.numpy.values import PendingNumber, Values
from runtime.executors.plan.plan import NodeRun, PlanSlot
from runtime.ops.containers.list_kernels import checked

# Returns an expression for the result, or a statement that changes the list.
_Text: TypeAlias = "Callable[[ListValues, NodeRun, ListForm], str]"


class ListValues(Values):
    """The source text of slots, including lists.

    Args:
        numbers: the facts about the numbers.
        number_slots: the slots that contain numbers.
        lists: the lists that are stored as Python lists.
        names: the names of the function; new ones by default.
    """

    def __init__(
        self,
        numbers: Numbers,
        number_slots: set[PlanSlot],
        lists: PythonLists,
        names: NameAllocation | None = None,
    ) -> None:
        super().__init__(numbers, number_slots, names)
        self.lists = lists

    def index_from_start(self, index: str) -> str:
        """Return the text of an index; one below 0 is out of range, not counted from the end."""
        if not index.isidentifier() and not index.lstrip("-").isdigit():
            name = self.names.fresh("place")
            self.lines.add(f"{name} = {index}")
            index = name
        nowhere = self.names.once("nowhere", lambda: running.NOWHERE)
        return f"{index} if {index} >= 0 else {nowhere}"

    def array_text(self, slot: PlanSlot, tensor: SymbolicTensor) -> str:
        form = self.lists.of(slot)
        if form is None:
            return super().array_text(slot, tensor)
        name = self.name_of(slot)
        if form.single is not None:
            return f"{self._value_maker(form, form.single)}({name}, {self.dtype(form.single)})"
        make: Any = running.as_value
        if NUMBER in form.parts:
            dtypes = [None if each is None else each.np_dtype for each in form.dtypes]
            make = partial(running.with_arrays, dtypes)
        return f"{self.names.of_object(make, 'as_list')}({name})"

    def _value_maker(self, form: ListForm, spec: TensorSpec) -> str:
        """Return the name of the function that makes a value of a list of single values."""
        if form.is_array:
            make = partial(running.slots_of, spec, form.has_gaps)
            return self.names.once("slots_of", make, (running.slots_of, spec, form.has_gaps))
        to_value = running.list_of_numbers if is_number(spec) else running.list_of_arrays
        return self.names.of_object(to_value, to_value.__name__)

    def moved(self, slot: PlanSlot, source: PlanSlot, copied: str = "") -> SlotMove:
        """Return the copy of one slot's value to another; lists are copied by reference."""
        if self.lists.of(slot) is None:
            return super().moved(slot, source, copied)
        if source in self.lists.empty:
            return SlotMove(slot, frozenset(), "[]")
        return SlotMove(slot, frozenset([source]), self.name_of(source))

    def list_of_value(self, name: str) -> str:
        """Return the text that converts a graph's value to a Python list."""
        return f"{self.names.of_object(running.as_list, 'items_of')}({name})"

    def change_list(self, run: NodeRun, form: ListForm, is_read_once: bool) -> None:
        """Print a node that changes or reads a list.

        Args:
            run: the node.
            form: the form of the list.
            is_read_once: whether the result is read once, by one statement of the same block.
        """
        effect, own = EFFECTS[run.node.op.name], self.name_of(list_of(run))
        text = _TEXTS[run.node.op.name](self, run, form)
        if text == f"len({own})":
            self._length(run, text, is_read_once)
            return
        # An op on lists of single values reports the error that its kernel raises.
        operands = map(self.array_text, run.reads, run.node.inputs) if effect.of_singles else ()
        place = PrintedNode(run.node, tuple(operands))
        for slot in run.reads:
            self.pending.pop(slot, None)
        for slot in (*filter(is_list, run.reads), *run.writes):
            self.settle_readers_of(slot)
        taken = loaded_item(run)
        if taken is not None and form.is_bare:
            self._take_single(run, form, *taken[0], text, place)
        elif taken is not None:
            self._take(run, form, taken, text)
        else:
            target = "" if effect.is_change else f"{self.name_of(run.writes[0])} = "
            self.lines.add(f"{target}{text}", place)
        if effect.is_change and (made := run.writes[0]) is not run.reads[0]:
            if made in self.lists.read:
                self.lines.add(f"{self.name_of(made)} = {own}", PrintedNode(run.node, ()))

    def _length(self, run: NodeRun, length: str, is_read_once: bool) -> None:
        (slot,), (tensor,) = run.writes, run.node.outputs
        self.settle_readers_of(slot)
        if is_read_once and slot in self.number_slots:
            self.pending[slot] = PendingNumber(Expression(length, CALL), frozenset(run.reads))
            return
        taken = length if slot in self.number_slots else self.numbers.to_array(tensor, length)
        self.lines.add(f"{self.name_of(slot)} = {taken}", PrintedNode(run.node, ()))

    # -- writing items -----------------------------------------------------------------------------

    def item(self, run: NodeRun, form: ListForm) -> str:
        """Return the items that a node stores in a list."""
        return ", ".join([self._item(leaves, form) for leaves in stored_items(run)])

    def index_text(self, run: NodeRun) -> str:
        """Return the text of a node's index; empty for a `pop` of the last item."""
        if len(run.reads) == 1:
            return ""
        slot, tensor = run.reads[1], run.node.inputs[1]
        if run.node.op.name == "list_pop" and slot.value is not None and slot.value == -1:
            return ""
        if self.numbers.holds(tensor):
            return self.number_text(slot, tensor)
        return f"int({self.array_text(slot, tensor)})"

    def _item(self, leaves: Leaves, form: ListForm) -> str:
        pairs = zip(leaves, form.parts)
        texts = [self._part(*leaf, part_form) for leaf, part_form in pairs if part_form != NOTHING]
        if form.is_bare:
            return texts[0]
        return f"({', '.join(texts)}{',' * (len(texts) == 1)})"  # This also makes `()`.

    def _part(self, slot: PlanSlot, tensor: SymbolicTensor, part_form: str) -> str:
        if part_form == LIST:
            return self.name_of(slot)
        if part_form == NUMBER:
            return self.number_text(slot, tensor)
        return self.array_text(slot, tensor)

    # -- reading items -----------------------------------------------------------------------------

    def _take_single(
        self,
        run: NodeRun,
        form: ListForm,
        slot: PlanSlot,
        tensor: SymbolicTensor,
        text: str,
        place: PrintedNode,
    ) -> None:
        """Take a single value; an unwritten element of a TensorArray is zero, or an error."""
        name, as_it_is = self.name_of(slot), slot in self.number_slots or form.parts == (ARRAY,)
        if not form.has_gaps:
            taken = text if as_it_is else self.numbers.to_array(tensor, text)
            self.lines.add(f"{name} = {taken}", place)
            return
        found = name if as_it_is else self.names.fresh(slot.name)
        missing = self.names.of_object(running.missing, "unwritten")
        self.lines.add(f"{found} = {text}", place)
        rest = f"{missing}({self.name_of(run.reads[0])}, {self.zero(form)})"
        self.lines.add(f"if {found} is None: {found} = {rest}", place)
        if not as_it_is:
            self.lines.add(f"{name} = {self.numbers.to_array(tensor, found)}")

    def _take(self, run: NodeRun, form: ListForm, leaves: Leaves, call: str) -> None:
        if form.is_parameter:
            # A list from outside may hold items of other types and shapes.
            specs: Any = run.node.attrs["specs"]
            call = f"{self.names.of_object(checked, 'checked')}({call}, "
            call += f"{self.names.of_object(specs, 'specs')})"
        parts = [
            (leaf, part_form) for leaf, part_form in zip(leaves, form.parts) if part_form != NOTHING
        ]
        names = [self._name_of_part(slot, part_form) for (slot, _), part_form in parts]
        targets = f"{', '.join(names)}{',' * (len(names) == 1)} = " if names else ""
        self.lines.add(f"{targets}{call}", PrintedNode(run.node, ()))
        for name, ((slot, tensor), part_form) in zip(names, parts):
            if name != self.name_of(slot):
                make = self.numbers.to_array if part_form == NUMBER else self.numbers.from_array
                self.lines.add(
                    f"{self.name_of(slot)} = {make(tensor, name)}", PrintedNode(run.node, ())
                )

    def _name_of_part(self, slot: PlanSlot, part_form: str) -> str:
        """Return the target of a part of an item: a new name if the part must be converted."""
        is_as_kept = part_form == LIST or (slot in self.number_slots) == (part_form == NUMBER)
        return self.name_of(slot) if is_as_kept else self.names.fresh(slot.name)

    # -- single values -----------------------------------------------------------------------------

    def number_at(self, at: int, run: NodeRun) -> str:
        """Return the text of an operand of a run of nodes as a number."""
        return self.number_text(run.reads[at], run.node.inputs[at])

    def single_at(self, at: int, run: NodeRun, form: ListForm) -> str:
        """Return the text of an operand, in the form in which the list keeps its items."""
        return self._part(run.reads[at], run.node.inputs[at], form.parts[0])

    def zero(self, form: ListForm) -> str:
        """Return the text of the zeros that all unwritten elements share."""
        spec = form.single
        assert spec is not None
        if is_number(spec):
            return self.numbers.constant(np.zeros((), spec.dtype.np_dtype)).text
        name = f"zeros_{spec.dtype.name}"
        return self.names.once(name, partial(running.zeros_like, spec), (name, spec))

    def dtype(self, spec: TensorSpec) -> str:
        """Return the text of the NumPy dtype of a spec."""
        return self.names.of_object(spec.dtype.np_dtype, f"{spec.dtype.name}_dtype")


# -- forms -----------------------------------------------------------------------------------------


def _list_name(values: ListValues, run: NodeRun) -> str:
    return values.name_of(run.reads[0])


def _slot(values: ListValues, run: NodeRun, form: ListForm) -> str:
    """Return an element of a TensorArray, whose indices are never negative."""
    index, tensor = values.number_at(1, run), run.node.inputs[1]
    if not values.numbers.is_never_negative(tensor):
        index = values.index_from_start(index)
    return f"{_list_name(values, run)}[{index}]"


def _rows(values: ListValues, run: NodeRun, form: ListForm) -> str:
    array, tensor = values.array_text(run.reads[0], run.node.inputs[0]), run.node.inputs[0]
    if form.parts == (ARRAY,):
        return f"{values.names.of_object(running.elements, 'rows_of')}({array})"
    is_single = tensor.dtype.name == "float32"
    return f"list({array})" if is_single else f"{array}.tolist()"


def _zeros(values: ListValues, run: NodeRun, form: ListForm) -> str:
    size, spec = values.number_at(0, run), form.single
    assert spec is not None
    if values.numbers.is_never_negative(run.node.inputs[0]):
        text = "None" if form.has_gaps else values.zero(form)
        return f"[{text}] * {size if size.isalnum() or size.isidentifier() else f'({size})'}"
    name = "gaps" if form.has_gaps else f"{spec.dtype.name}_zeros"
    key = (name, None if form.has_gaps else spec)
    zero = None if form.has_gaps else running.zeros_like(spec)
    if zero is not None and is_number(spec):
        zero = number_of(zero)
    return f"{values.names.once(name, lambda: running.zeros_of(zero), key)}({size})"


def _written(values: ListValues, run: NodeRun, form: ListForm) -> str:
    number = values.single_at(2, run, form)
    if not run.node.attrs["dynamic"]:
        return f"{_slot(values, run, form)} = {number}"
    gap = "None" if form.has_gaps else values.zero(form)
    put = values.names.of_object(running.put, "put")
    return f"{put}({_list_name(values, run)}, {values.number_at(1, run)}, {number}, {gap})"


def _filled(values: ListValues, run: NodeRun, form: ListForm) -> str:
    items = values.name_of(run.reads[1])
    if run.node.attrs["dynamic"]:
        return f"{_list_name(values, run)}[:] = {items}"
    return f"{values.names.of_object(running.fill, 'fill')}({_list_name(values, run)}, {items})"


def _items(values: ListValues, run: NodeRun, form: ListForm) -> str:
    if not form.has_gaps:
        return f"{_list_name(values, run)}[:]"
    whole = values.names.of_object(running.whole, "whole")
    return f"{whole}({_list_name(values, run)}, {values.zero(form)})"


def _stacked(values: ListValues, run: NodeRun, form: ListForm) -> str:
    spec: Any = run.node.attrs["spec"]
    needed = bool(run.node.attrs.get("needed"))
    if form.parts == (ARRAY,):
        make = partial(running.stacked, spec, needed)
        stack = values.names.once("stacked", make, (running.stacked, spec, needed))
        return f"{stack}({_list_name(values, run)})"
    made: tuple[Any, str] = (np.array, "array")
    if needed:
        made = (running.row_of_some, "array_of_some")
    dtype = values.names.of_object(spec.dtype.np_dtype, f"{spec.dtype.name}_dtype")
    return f"{values.names.of_object(*made)}({_list_name(values, run)}, {dtype})"


_TEXTS: Mapping[str, _Text] = {
    "list_of": lambda values, run, form: f"[{values.item(run, form)}]",
    "list_append": lambda values, run, form: (
        f"{_list_name(values, run)}.append({values.item(run, form)})"
    ),
    "list_set": lambda values, run, form: (
        f"{_list_name(values, run)}[{values.index_text(run)}] = {values.item(run, form)}"
    ),
    "list_pop": lambda values, run, form: (
        f"{_list_name(values, run)}.pop({values.index_text(run)})"
    ),
    "list_get": lambda values, run, form: f"{_list_name(values, run)}[{values.index_text(run)}]",
    "list_length": lambda values, run, form: f"len({_list_name(values, run)})",
    "list_extend": lambda values, run, form: (
        f"{_list_name(values, run)}.extend({values.name_of(run.reads[1])})"
    ),
    "list_from_rows": _rows,
    "list_repeat": lambda values, run, form: (
        f"{_list_name(values, run)} * ({values.number_at(1, run)})"
    ),
    "list_stack": _stacked,
    "tensor_array": _zeros,
    "tensor_array_fill": _filled,
    "tensor_array_items": _items,
    "tensor_array_read": _slot,
    "tensor_array_size": lambda values, run, form: f"len({_list_name(values, run)})",
    "tensor_array_write": _written,
}
