"""Variables in the printed function: what they hold is an attribute, changed under one lock.

%w = read_variable(%handle)              w = handle._array
assign_variable(%handle, %w)             with changing:
                                             handle._array = w

That is all a kernel would do where the graph knows that the value fits. Elsewhere it is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from runtime.executors.numpy.kernels import array_text
from runtime.executors.numpy.rooms import fits
from runtime.executors.numpy.targets import if_in_order, new_room
from runtime.executors.plan import Run
from runtime.ops.state import CHANGING
from runtime.variable import Variable

if TYPE_CHECKING:
    from runtime.executors.numpy.printing import Printer


def print_access(run: Run, printer: Printer) -> bool:
    """Print a node that reads or writes a variable; return whether it is one that can be."""
    write = _ACCESSES.get(run.node.op.name)
    return write is not None and write(run, printer)


def _read(run: Run, printer: Printer) -> bool:
    handle = printer.array_text(run.reads[0], run.node.inputs[0])
    (slot,) = run.writes
    text = f"{handle}._array"
    if slot in printer.held:
        text = printer.numbers.from_array(run.node.outputs[0], text)
    printer.write(run, f"{printer.name_of(slot)} = {text}", [handle])
    return True


def _assign(run: Run, printer: Printer) -> bool:
    if not fits(run):
        return False
    handle, value = _operands(run, printer)
    _change(run, printer, handle, value, value)
    return True


def _count(ufunc: np.ufunc) -> Callable[[Run, Printer], bool]:
    def changed(run: Run, printer: Printer) -> bool:
        if not fits(run) or run.node.inputs[1].dtype.kind not in "iufc":
            return False
        handle, delta = _operands(run, printer)
        name = printer.names.of_object(ufunc, f"np_{ufunc.__name__}")
        over = ""
        if run in printer.rooms.handovers:
            is_alike = run.reads[1] in printer.rooms.in_order
            over = f", out={delta if is_alike else if_in_order(delta, delta)}"
        text = f"{name}({handle}._array, {delta}{over})"
        if run.node.inputs[1].spec.shape.rank == 0:
            text = array_text(text, printer.names)
        _change(run, printer, handle, text, delta)
        return True

    return changed


def _operands(run: Run, printer: Printer) -> tuple[str, str]:
    handle, value = [
        printer.array_text(slot, tensor) for slot, tensor in zip(run.reads, run.node.inputs)
    ]
    return handle, value


def _change(run: Run, printer: Printer, handle: str, value: str, operand: str) -> None:
    changing = printer.names.of_object(CHANGING, "changing")
    printer.lines.add(f"with {changing}:")
    with printer.lines.indented():
        # A session, and who runs a graph by hand, may give another thing for a variable.
        is_known = isinstance(run.reads[0].outer, Variable)
        text = f"{handle}._array = {value}" if is_known else f"{handle}.store({value})"
        printer.write(run, text, [handle, operand], by_kernel=True)
    handover = printer.rooms.handovers.get(run)
    if handover is not None:
        room, held = printer.room(handover.room), handover.held
        printer.lines.add(f"{room} = {new_room(handover.room, printer, held)}")


_ACCESSES: dict[str, Callable[[Run, Printer], bool]] = {
    "read_variable": _read,
    "assign_variable": _assign,
    "assign_add_variable": _count(np.add),
    "assign_sub_variable": _count(np.subtract),
}
