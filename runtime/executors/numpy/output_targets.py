"""Source text of the buffers that receive results.

add = np_add(multiply, x, out=multiply)
product = np_multiply(held, rate, out=buffer if held.flags.c_contiguous else None)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.executors.numpy.print_context import PrintContext
from runtime.executors.numpy.scratch_buffers import ScratchBuffer, freed, full_operands
from runtime.executors.plan.plan import NodeRun, PlanSlot


def target_text(run: NodeRun, operands: Sequence[str], printer: PrintContext) -> str:
    """Return the text of a ufunc's output argument; it is empty for new memory.

    Args:
        run: the node.
        operands: the texts of its operands.
        printer: the printer that writes it.
    """
    buffers = printer.buffers
    over, buffer = buffers.written_over.get(run), buffers.results.get(run)
    if over is None and buffer is None:
        return ""
    full = full_operands(run)
    is_flat = run.node.outputs[0].shape.rank in (0, 1)
    if over is not None:
        # NumPy lays out a result like its only full-size operand; with two, in C order if one of
        # them is.
        is_alike = len(full) < 2 or is_flat or run.reads[over] in buffers.c_contiguous
        return operands[over] if is_alike else if_c_contiguous(operands[over], operands[over])
    assert buffer is not None
    if is_flat or any(run.reads[at] in buffers.c_contiguous for at in full):
        return printer.buffer_name(buffer)
    return if_c_contiguous(printer.buffer_name(buffer), operands[full[0]])


def if_c_contiguous(target: str, operand: str) -> str:
    """Return an output argument that is used only if an operand is C-contiguous."""
    return f"{target} if {operand}.flags.c_contiguous else None"


def new_buffer(
    buffer: ScratchBuffer, printer: PrintContext, old_array: PlanSlot | None = None
) -> str:
    """Return the text that makes a buffer: of unshared memory, if a slot may reference it."""
    dtype = buffer.like.dtype
    kind = printer.names.of_object(dtype.np_dtype, dtype.name)
    shape = tuple(buffer.like.shape)
    if old_array is None:
        return f"{printer.names.of_object(np.empty, 'np_empty')}({shape}, {kind})"
    return (
        f"{printer.names.of_object(freed, 'freed')}({printer.name_of(old_array)}, {shape}, {kind})"
    )
