"""Source text of the buffers that receive results.

add = np_add(multiply, x, out=multiply)
product = np_multiply(held, rate, out=room if held.flags.c_contiguous else None)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.executors.numpy.print_context import PrintContext
from runtime.executors.numpy.scratch_buffers import ScratchBuffer, freed, full_operands
from runtime.executors.plan import Run, Slot


def target_text(run: Run, operands: Sequence[str], printer: PrintContext) -> str:
    """Return the text of a ufunc's output argument; it is empty for new memory.

    Args:
        run: the node.
        operands: the texts of its operands.
        printer: the printer that writes it.
    """
    rooms = printer.rooms
    over, room = rooms.written_over.get(run), rooms.results.get(run)
    if over is None and room is None:
        return ""
    full = full_operands(run)
    is_flat = run.node.outputs[0].shape.rank in (0, 1)
    if over is not None:
        # NumPy lays out a result like its only full-size operand; with two, in C order if one of
        # them is.
        is_alike = len(full) < 2 or is_flat or run.reads[over] in rooms.in_order
        return operands[over] if is_alike else if_in_order(operands[over], operands[over])
    assert room is not None
    if is_flat or any(run.reads[at] in rooms.in_order for at in full):
        return printer.room(room)
    return if_in_order(printer.room(room), operands[full[0]])


def if_in_order(target: str, operand: str) -> str:
    """Return an output argument that is used only if an operand is C-contiguous."""
    return f"{target} if {operand}.flags.c_contiguous else None"


def new_room(room: ScratchBuffer, printer: PrintContext, held: Slot | None = None) -> str:
    """Return the text that makes a room: of unshared memory, if a slot may hold it."""
    dtype = room.like.dtype
    kind = printer.names.of_object(dtype.np_dtype, dtype.name)
    shape = tuple(room.like.shape)
    if held is None:
        return f"{printer.names.of_object(np.empty, 'np_empty')}({shape}, {kind})"
    return f"{printer.names.of_object(freed, 'freed')}({printer.name_of(held)}, {shape}, {kind})"
