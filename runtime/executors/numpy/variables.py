"""Source text of variable reads and writes: an attribute, changed under one lock.

%w = read_variable(%handle)              w = handle._array
assign_variable(%handle, %w)             with changing:
                                             handle._array = w

A kernel does no more if the value is known to fit the variable; otherwise the kernel is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from runtime.executors.numpy.item_updates import by_element
from runtime.executors.numpy.kernel_calls import array_text
from runtime.executors.numpy.output_targets import if_c_contiguous, new_buffer
from runtime.executors.numpy.print_context import PrintContext
from runtime.executors.numpy.scratch_buffers import has_variable_shape
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.numpy.values import RunOperands
from runtime.executors.plan.plan import NodeRun
from runtime.ops.arrays.index import Index, Input
from runtime.ops.effects.variables import CHANGING, OwnVariable
from runtime.state.variable import Variable


def print_access(run: NodeRun, printer: PrintContext) -> bool:
    """Print a node that reads or writes a variable; return False if its kernel must be called."""
    write = _ACCESSES.get(run.node.op.name)
    return write is not None and write(run, printer)


def _read(run: NodeRun, printer: PrintContext) -> bool:
    handle = printer.array_text(run.reads[0], run.node.inputs[0])
    (slot,) = run.writes
    text = f"{handle}._array"
    if slot in printer.number_slots:
        text = printer.numbers.from_array(run.node.outputs[0], text)
    printer.write(run, f"{printer.name_of(slot)} = {text}", [handle])
    return True


def _new_variable(run: NodeRun, printer: PrintContext) -> bool:
    first = printer.array_text(run.reads[0], run.node.inputs[0])
    name = printer.names.of_object(OwnVariable, "OwnVariable")
    (slot,) = run.writes
    printer.write(run, f"{printer.name_of(slot)} = {name}({first})", [first])
    return True


def _assign(run: NodeRun, printer: PrintContext) -> bool:
    if not has_variable_shape(run):
        return False
    handle, value = _operands(run, printer)
    _write_value(run, printer, handle, value, value)
    return True


def _update(ufunc: np.ufunc) -> Callable[[NodeRun, PrintContext], bool]:
    def changed(run: NodeRun, printer: PrintContext) -> bool:
        if not has_variable_shape(run) or run.node.inputs[1].dtype.kind not in "iufc":
            return False
        handle, delta = _operands(run, printer)
        name = printer.names.of_object(ufunc, f"np_{ufunc.__name__}")
        over = ""
        if run in printer.buffers.handovers:
            is_alike = run.reads[1] in printer.buffers.c_contiguous
            over = f", out={delta if is_alike else if_c_contiguous(delta, delta)}"
        text = f"{name}({handle}._array, {delta}{over})"
        if run.node.inputs[1].spec.shape.rank == 0:
            text = array_text(text, printer.names)
        _write_value(run, printer, handle, text, delta)
        return True

    return changed


def _assign_item(run: NodeRun, printer: PrintContext) -> bool:
    node, index = run.node, cast("Index", run.node.attrs["index"])
    shape, value = node.inputs[0].spec.shape, node.inputs[1].spec.shape
    if not shape.is_fully_defined() or value.dims != (shape.dims or ())[len(index.items) :]:
        return False
    places = [_place(item, run, printer) for item in index.items]
    if None in places or len(places) > len(shape) or not places:
        return False
    text = printer.number_or_array(run.reads[1]).text
    if run.reads[1] in printer.number_slots:
        text = printer.number_text(run.reads[1], node.inputs[1])
    changed = printer.names.fresh("changed")
    _write_items(run, printer, changed, [f"{changed}[{', '.join(map(str, places))}] = {text}"])
    return True


def _place(item: object, run: NodeRun, printer: PrintContext) -> str | None:
    """Return an index of one element of an axis as a text, None for any other."""
    if isinstance(item, Input):
        is_index = run.node.inputs[2 + item.position].dtype.is_integer
        return RunOperands(printer, run).number(2 + item.position) if is_index else None
    return str(item) if type(item) is int else None


def _scatter_nd(run: NodeRun, printer: PrintContext) -> bool:
    sign = {"update": "=", "add": "+="}.get(str(run.node.attrs["how"]))
    if not run.node.inputs[0].spec.shape.is_fully_defined():
        return False
    changed = printer.names.fresh("changed")
    lines = by_element(run, sign, changed, printer)
    if lines is not None:
        _write_items(run, printer, changed, lines)
    return lines is not None


def _write_items(run: NodeRun, printer: PrintContext, changed: str, lines: Sequence[str]) -> None:
    """Print the lines that change a copy of a variable's array, and store it in the variable."""
    operands = list(map(printer.array_text, run.reads, run.node.inputs))
    handle, place = operands[0], PrintedNode(run.node, operands)
    printer.used(run.reads)
    printer.lines.add(f"with {printer.names.of_object(CHANGING, 'changing')}:")
    is_known = isinstance(run.reads[0].outer, Variable)
    with printer.lines.indented():
        printer.lines.add(f"{changed} = {handle}._array.copy()", place)
        for line in lines:
            printer.lines.add(line, place)
        put = f"{handle}._array = {changed}" if is_known else f"{handle}.store({changed})"
        printer.lines.add(put, place)


def _operands(run: NodeRun, printer: PrintContext) -> tuple[str, str]:
    handle, value = [
        printer.array_text(slot, tensor) for slot, tensor in zip(run.reads, run.node.inputs)
    ]
    return handle, value


def _write_value(
    run: NodeRun, printer: PrintContext, handle: str, value: str, operand: str
) -> None:
    changing = printer.names.of_object(CHANGING, "changing")
    printer.lines.add(f"with {changing}:")
    with printer.lines.indented():
        # A session, or a direct run of a graph, may pass another object for a variable.
        is_known = isinstance(run.reads[0].outer, Variable)
        text = f"{handle}._array = {value}" if is_known else f"{handle}.store({value})"
        printer.write(run, text, [handle, operand], by_kernel=True)
    handover = printer.buffers.handovers.get(run)
    if handover is not None:
        buffer, old_array = printer.buffer_name(handover.buffer), handover.old_array
        printer.lines.add(f"{buffer} = {new_buffer(handover.buffer, printer, old_array)}")


_ACCESSES: dict[str, Callable[[NodeRun, PrintContext], bool]] = {
    "new_variable": _new_variable,
    "read_variable": _read,
    "assign_variable": _assign,
    "assign_add_variable": _update(np.add),
    "assign_item_variable": _assign_item,
    "assign_sub_variable": _update(np.subtract),
    "scatter_nd_variable": _scatter_nd,
}
