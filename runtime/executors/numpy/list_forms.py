"""What is printed for nodes on lists that are kept as Python's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from runtime.executors.numpy.lists import SUPPORTED, Kept
from runtime.executors.numpy.numbers.representation import number_of
from runtime.executors.numpy.writing import Place
from runtime.executors.plan import Run, Slot
from runtime.item_list import Item, ItemList
from runtime.ops.tensor_arrays import CLEARED, UNWRITTEN, Slots
from runtime.shapes import UNKNOWN, TensorShape
from runtime.variant import boxed

if TYPE_CHECKING:
    from runtime.executors.numpy.printing import Printer

# Gives what computes the results: lists and numbers; a statement instead if it changes a list.
Form: TypeAlias = "Callable[[Run, Printer], str]"

# No list has an item there.
_NOWHERE = 1 << 62


def print_on_list(run: Run, printer: Printer) -> bool:
    """Print a node on lists that are kept as Python's; False for any other."""
    slots = [slot for slot in (*run.reads, *run.writes) if slot in printer.lists]
    if not slots or run.node.op.name not in SUPPORTED:
        return False
    operands = [_operand(slot, at, run, printer) for at, slot in enumerate(run.reads)]
    text = _FORMS[run.node.op.name](run, printer)
    name = run.node.op.name
    if name in _CHANGES:
        printer.write(run, text, operands)
    elif name == "list_pop":
        _assign(run, run.writes[1:], text, operands, printer)
    elif name == "tensor_array_read" and _may_lack(kept := printer.lists[run.reads[0]]):
        _assign_if_there(run, text, operands, kept, printer)
    else:
        _assign(run, run.writes, text, operands, printer)
    if name in (*_CHANGES, "list_pop") and run.writes[0] is not run.reads[0]:
        printer.lines.add(f"{printer.name_of(run.writes[0])} = {printer.name_of(run.reads[0])}")
    return True


def _assign(
    run: Run, writes: Sequence[Slot], text: str, operands: Sequence[str], printer: Printer
) -> None:
    (slot,) = writes
    tensor = run.node.outputs[run.writes.index(slot)]
    is_other = not printer.numbers.holds(tensor) or slot in printer.held
    taken = text if is_other else printer.numbers.to_array(tensor, text)
    printer.write(run, f"{printer.name_of(slot)} = {taken}", operands)


def _may_lack(kept: Kept) -> bool:
    return kept.has_gaps or kept.is_cleared


def _assign_if_there(
    run: Run, text: str, operands: Sequence[str], kept: Kept, printer: Printer
) -> None:
    """Assign a number of a TensorArray; what was not written is 0, or refused."""
    (slot,) = run.writes
    is_number = slot in printer.held
    name = printer.name_of(slot) if is_number else printer.names.fresh(slot.name)
    tests = ["None"] * kept.has_gaps + ["..."] * kept.is_cleared
    condition = " or ".join(f"{name} is {each}" for each in tests)
    missing = printer.names.of_object(_missing, "unwritten")
    zero = _zero(kept, printer)
    printer.write(run, f"{name} = {text}", operands)
    place = Place(run.node, operands)
    rest = f"{name} = {missing}({name}, {_name(run, printer)}, {zero})"
    printer.lines.add(f"if {condition}: {rest}", place)
    if not is_number:
        taken = printer.numbers.to_array(run.node.outputs[0], name)
        printer.lines.add(f"{printer.name_of(slot)} = {taken}")


def _missing(found: Any, slots: list[Any], zero: Any) -> Any:
    """Return what an element is that was not written, where the kernel does not refuse it."""
    if found is ... or all(each is None for each in slots):
        raise ValueError("no element")
    return zero


def _whole(slots: list[Any], zero: Any) -> list[Any]:
    return [each if each not in (None, ...) else _missing(each, slots, zero) for each in slots]


def _put(slots: list[Any], at: int, number: Any, gap: Any) -> None:
    if at < 0:
        raise ValueError("no such place")
    if at >= len(slots):
        slots.extend([gap] * (at + 1 - len(slots)))
    slots[at] = number


def _written(run: Run, printer: Printer) -> str:
    number = _number(2, run, printer)
    if not run.node.attrs["dynamic"]:
        return f"{_place(run, printer)} = {number}"
    kept = printer.lists[run.reads[0]]
    gap = "None" if kept.has_gaps else _zero(kept, printer)
    put = printer.names.of_object(_put, "put")
    return f"{put}({_name(run, printer)}, {_number(1, run, printer)}, {number}, {gap})"


def _items(run: Run, printer: Printer) -> str:
    kept = printer.lists[run.reads[0]]
    if not _may_lack(kept):
        return f"{_name(run, printer)}[:]"
    whole = printer.names.of_object(_whole, "whole")
    return f"{whole}({_name(run, printer)}, {_zero(kept, printer)})"


def _operand(slot: Slot, at: int, run: Run, printer: Printer) -> str:
    if slot in printer.lists:
        return list_text(slot, printer)
    return printer.array_text(slot, run.node.inputs[at])


def list_text(slot: Slot, printer: Printer) -> str:
    """Return the list of a slot as the graph knows it."""
    kept = printer.lists[slot]
    of_array = _array_with_gaps if kept.has_gaps else _array_of
    make = printer.names.of_object(of_array if kept.is_array else _list_of, "list_of_numbers")
    dtype = printer.names.of_object(kept.dtype.np_dtype, f"{kept.dtype.name}_dtype")
    return f"{make}({printer.name_of(slot)}, {dtype})"


def _list_of(numbers: list[Any], dtype: Any) -> Any:
    return boxed(ItemList([(np.array(each, dtype),) for each in numbers]))


def _array_of(numbers: list[Any], dtype: Any, has_gaps: bool = False) -> Any:
    is_known = not has_gaps or any(each is not None for each in numbers)
    shape = TensorShape.of(()) if is_known else UNKNOWN
    return boxed(Slots(ItemList([_item_of(each, dtype) for each in numbers]), shape))


def _array_with_gaps(numbers: list[Any], dtype: Any) -> Any:
    return _array_of(numbers, dtype, has_gaps=True)


def _item_of(number: Any, dtype: Any) -> Item:
    if number is None:
        return UNWRITTEN
    return CLEARED if number is ... else (np.array(number, dtype),)


# -- forms -----------------------------------------------------------------------------------------


def _number(at: int, run: Run, printer: Printer) -> str:
    return printer.number_text(run.reads[at], run.node.inputs[at])


def _name(run: Run, printer: Printer) -> str:
    return printer.name_of(run.reads[0])


def _place(run: Run, printer: Printer) -> str:
    """Return an element of a TensorArray, which does not count from its end."""
    index, tensor = _number(1, run, printer), run.node.inputs[1]
    if not printer.numbers.is_never_negative(tensor):
        nowhere = printer.names.once("nowhere", lambda: _NOWHERE)
        if not index.isidentifier() and not index.lstrip("-").isdigit():
            name = printer.names.fresh("place")
            printer.lines.add(f"{name} = {index}")
            index = name
        index = f"{index} if {index} >= 0 else {nowhere}"
    return f"{_name(run, printer)}[{index}]"


def _new(run: Run, printer: Printer) -> str:
    texts = [_number(at, run, printer) for at in range(len(run.reads))]
    return f"[{', '.join(texts)}]"


def _rows(run: Run, printer: Printer) -> str:
    array = printer.array_text(run.reads[0], run.node.inputs[0])
    is_single = run.node.inputs[0].dtype.name == "float32"
    return f"list({array})" if is_single else f"{array}.tolist()"


def _zeros(run: Run, printer: Printer) -> str:
    kept: Kept = printer.lists[run.writes[0]]
    zero = None if kept.has_gaps else number_of(np.zeros((), kept.dtype.np_dtype))
    text = "None" if kept.has_gaps else _zero(kept, printer)
    size = _number(0, run, printer)
    if printer.numbers.is_never_negative(run.node.inputs[0]):
        return f"[{text}] * {size if size.isalnum() or size.isidentifier() else f'({size})'}"
    name = "gaps" if kept.has_gaps else f"{kept.dtype.name}_zeros"
    make = printer.names.once(name, lambda: _zeros_of(zero))
    return f"{make}({size})"


def _zero(kept: Kept, printer: Printer) -> str:
    return printer.numbers.constant(np.zeros((), kept.dtype.np_dtype)).text


def _zeros_of(zero: Any) -> Callable[[int], list[Any]]:
    def zeros(size: int) -> list[Any]:
        if size < 0:
            raise ValueError("a negative size")
        return [zero] * size

    return zeros


def _filled(slots: list[Any], values: list[Any]) -> None:
    if len(slots) != len(values):
        raise ValueError("another size")
    slots[:] = values


def _fill(run: Run, printer: Printer) -> str:
    make = printer.names.of_object(_filled, "fill")
    return f"{make}({_name(run, printer)}, {printer.name_of(run.reads[1])})"


def _stacked(run: Run, printer: Printer) -> str:
    spec: Any = run.node.attrs["spec"]
    needed = bool(run.node.attrs.get("needed"))
    make = printer.names.of_object(
        _row_of if needed else np.array, "array_of_some" * needed or "array"
    )
    dtype = printer.names.of_object(spec.dtype.np_dtype, f"{spec.dtype.name}_dtype")
    return f"{make}({_name(run, printer)}, {dtype})"


def _row_of(numbers: list[Any], dtype: Any) -> Any:
    if not numbers:
        raise ValueError("no numbers")
    return np.array(numbers, dtype)


def _popped(run: Run, printer: Printer) -> str:
    if len(run.reads) < 2 or (run.reads[1].value is not None and run.reads[1].value == -1):
        return f"{_name(run, printer)}.pop()"
    return f"{_name(run, printer)}.pop({_number(1, run, printer)})"


_CHANGES: Mapping[str, Form] = {
    "list_append": lambda run, to: f"{_name(run, to)}.append({_number(1, run, to)})",
    "list_set": lambda run, to: f"{_name(run, to)}[{_number(1, run, to)}] = {_number(2, run, to)}",
    "list_extend": lambda run, to: f"{_name(run, to)}.extend({to.name_of(run.reads[1])})",
    "tensor_array_clear": lambda run, to: f"{_name(run, to)}[{_number(1, run, to)}] = ...",
    "tensor_array_write": _written,
    "tensor_array_fill": _fill,
}
_FORMS: Mapping[str, Form] = {
    **_CHANGES,
    "list_of": _new,
    "list_from_rows": _rows,
    "list_repeat": lambda run, to: f"{_name(run, to)} * {_number(1, run, to)}",
    "list_get": lambda run, to: f"{_name(run, to)}[{_number(1, run, to)}]",
    "list_length": lambda run, to: f"len({_name(run, to)})",
    "list_pop": _popped,
    "list_stack": _stacked,
    "tensor_array": _zeros,
    "tensor_array_items": _items,
    "tensor_array_read": _place,
    "tensor_array_size": lambda run, to: f"len({_name(run, to)})",
}
