"""Source text of in-place updates: assignments to elements and slices.

%row = stack(%j)
%rows = stack(%row)                    ->      x[j] = v
%more = tensor_scatter_nd_update(%x, %rows, %v)

%more = set_item(%x, %v, %i, %j)              x[i, j] = v
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from runtime.core.tensor import Array, SymbolicTensor
from runtime.executors.numpy.array_methods import index_text
from runtime.executors.numpy.kernel_calls import call_text
from runtime.executors.numpy.numbers import Expression
from runtime.executors.numpy.numbers.expression import CALL
from runtime.executors.numpy.print_context import ItemPart, PrintContext, StackedParts
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.numpy.values import PendingNumber, RunOperands
from runtime.executors.plan.plan import NodeRun, PlanSlot
from runtime.ops.arrays.index import Index, Input
from runtime.ops.arrays.indexing import put_item
from runtime.ops.arrays.scatter import WRITES

# Rows that are assigned one by one; more of them are quicker at once.
_FEW = 4
_SIGNS = {"tensor_scatter_nd_update": "=", "tensor_scatter_nd_add": "+="}


def put_off(run: NodeRun, printer: PrintContext) -> bool:
    """Defer a `stack` that only updates of items read; return whether it is deferred."""
    count, node = printer.in_place.operand_stacks.get(run), run.node
    is_flat = all(each.spec.shape.rank == 0 for each in node.inputs)
    if count is None or node.attrs["axis"] != 0:
        return False
    if is_flat and not all(map(printer.numbers.holds, node.inputs)):
        return False
    operands = list(map(printer.array_text, run.reads, node.inputs))
    made = StackedParts(tuple([_part(*pair, printer) for pair in zip(run.reads, node.inputs)]))
    text = call_text(node, operands, printer.names)
    if is_flat or all(isinstance(part, StackedParts) for part in made.parts):
        dtype = node.outputs[0].dtype
        known = printer.names.of_object(dtype.np_dtype, f"{dtype.name}_dtype")
        text = f"{printer.names.of_object(np.array, 'array')}({made.text}, {known})"
    reads = frozenset(run.reads).union(*[each.reads for each in printer.used(run.reads)])
    (slot,) = run.writes
    printer.settle_readers_of(slot)
    printer.together[slot], printer.left[slot] = made, count
    printer.pending[slot] = PendingNumber(Expression(text, CALL), reads)
    return True


def _part(slot: PlanSlot, tensor: SymbolicTensor, printer: PrintContext) -> ItemPart | StackedParts:
    """Return the known form of a part of a tensor, or of all of it."""
    if slot in printer.together and slot in printer.pending:
        return printer.together[slot]
    if slot.value is not None and tensor.dtype.kind in "biuf":
        return _constant(slot.value, printer)
    if printer.numbers.holds(tensor):
        is_place = printer.numbers.is_never_negative(tensor)
        return ItemPart(printer.number_text(slot, tensor), is_place)
    return ItemPart(printer.array_text(slot, tensor))


def _constant(array: Array, printer: PrintContext) -> ItemPart | StackedParts:
    if array.ndim:
        return StackedParts(tuple([_constant(np.asarray(each), printer) for each in array[:_FEW]]))
    is_place = array.dtype.kind in "iu" and bool(array >= 0)
    return ItemPart(printer.numbers.constant(array).text, is_place)


def print_change(run: NodeRun, printer: PrintContext) -> bool:
    """Print a node that changes an array in place, or a copy of it; return False for any other."""
    if run not in printer.in_place.changes:
        return run.node.op.name == "set_item" and _print_copy(run, printer)
    operands = list(map(printer.array_text, run.reads, run.node.inputs))
    lines = _lines(run, operands, printer)
    printer.used(run.reads)
    for slot in (run.reads[0], *run.writes):
        printer.settle_readers_of(slot)
    for line in lines:
        printer.lines.add(line, PrintedNode(run.node, operands))
    if run.writes[0] is not run.reads[0]:
        printer.lines.add(f"{printer.name_of(run.writes[0])} = {operands[0]}")
    return True


def _lines(run: NodeRun, operands: Sequence[str], printer: PrintContext) -> list[str]:
    """Return the lines that change the first operand."""
    if run.node.op.name == "set_item":
        line = _element(run, printer) or _item(run, operands[0], printer)
        if line is None:
            write = printer.names.of_object(put_item, "put_item")
            index = printer.names.of_object(run.node.attrs["index"], "index")
            line = f"{write}({', '.join(operands)}, index={index})"
        return [line]
    lines = by_element(run, _SIGNS.get(run.node.op.name), operands[0], printer)
    if lines is None:
        write = printer.names.of_object(WRITES[run.node.op.name], f"{run.node.op.name}_into")
        lines = [f"{write}({', '.join(operands)})"]
    return lines


def _print_copy(run: NodeRun, printer: PrintContext) -> bool:
    """Print an assignment to an item of a copy; return False if the kernel must make it."""
    operands = list(map(printer.array_text, run.reads, run.node.inputs))
    name = printer.name_of(run.writes[0])
    line = _item(run, name, printer)
    if line is None:
        return False
    printer.used(run.reads)
    printer.settle_readers_of(run.writes[0])
    printer.lines.add(f"{name} = {operands[0]}.copy()")
    printer.lines.add(line, PrintedNode(run.node, operands))
    return True


def _element(run: NodeRun, printer: PrintContext) -> str | None:
    """Return an assignment to an element of an array's memoryview; None if it has none."""
    memory, index = printer.elements.get(run.reads[0]), cast("Index", run.node.attrs["index"])
    is_number = run.reads[1] in printer.number_slots or run.reads[1].value is not None
    if memory is None or not is_number or len(index.items) != 1:
        return None
    return _item(run, memory, printer) if isinstance(index.items[0], (int, Input)) else None


def _item(run: NodeRun, target: str, printer: PrintContext) -> str | None:
    """Return an assignment to an item, None if NumPy might interpret it differently."""
    x, value = run.node.inputs[:2]
    index = index_text(run.node, RunOperands(printer, run), first=2)
    if index is None or not _fits(value, cast("Index", run.node.attrs["index"]), x):
        return None
    text = printer.number_or_array(run.reads[1]).text
    if run.reads[1] in printer.number_slots:
        text = printer.number_text(run.reads[1], value)
    return f"{target}[{index}] = {text}"


def _fits(value: SymbolicTensor, index: Index, x: SymbolicTensor) -> bool:
    """Return whether a value that passed inference is known to fit the shape of the item."""
    if value.spec.shape.rank == 0:
        return True
    place = index.result_shape(x.spec.shape)
    return place.is_fully_defined() and value.spec.shape.is_fully_defined()


def by_element(
    run: NodeRun, sign: str | None, target: str, printer: PrintContext
) -> list[str] | None:
    """Return an assignment for each row of indices, None if a shape or an index is unknown.

    Args:
        run: a node with a target, indices and updates as operands.
        sign: the assignment operator; None if the op has none.
        target: the text of the assignment's target.
        printer: the printer of the node.
    """
    if sign is None or not _is_simple(run.node.inputs, sign):
        return None
    rows, values = [_part(run.reads[at], run.node.inputs[at], printer) for at in (1, 2)]
    if not isinstance(rows, StackedParts) or (printer.in_place.is_caught and len(rows.parts) > 1):
        return None
    lines = []
    for at, row in enumerate(rows.parts):
        if not isinstance(row, StackedParts):
            return None
        places = [_place(part, printer) for part in row.parts if isinstance(part, ItemPart)]
        value = f"{values.text}[{at}]" if isinstance(values, ItemPart) else values.parts[at].text
        lines.append(f"{target}[{', '.join(places)}] {sign} {value}")
    return lines


def _is_simple(inputs: Sequence[SymbolicTensor], sign: str) -> bool:
    """Return whether the indices have few rows, and the updates are known to have their shapes."""
    target, indices, updates = [each.spec.shape.dims for each in inputs]
    kinds = "iuf" if sign == "+=" else "biuf"
    if inputs[0].dtype.kind not in kinds or target is None or None in (indices, updates):
        return False
    assert indices is not None
    if len(indices) != 2 or None in indices or not 0 < indices[0] <= _FEW:  # type: ignore[operator]
        return False
    expected = (indices[0], *target[indices[1] :])
    return bool(indices[1]) and None not in expected and updates == expected


def _place(part: ItemPart, printer: PrintContext) -> str:
    """Return the text of an index that does not count from the end."""
    return part.text if part.is_place else printer.index_from_start(part.text)
