"""Buffers: which results may be written where an operand was, that nobody reads any more.

    multiply = np_multiply(x, x)                 multiply = np_multiply(x, x)
    add = np_add(multiply, x)            ->      add = np_add(multiply, x, multiply)

Only what a ufunc or a matrix product has just made is written over, and only where all who read it
make something new of it: no view, nothing that is kept. Small arrays are not worth it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.executors.numpy.kernels import is_ufunc
from runtime.executors.numpy.names import Names
from runtime.executors.plan import Plan, Run, Slot, Statement, read_by, walk, written_by
from runtime.tensor import Array, SymbolicTensor

# Bytes from which on memory of its own costs more than it is worth.
LEAST = 16_384


def written_over(
    plan: Plan, held: set[Slot], last_uses: Mapping[Statement, set[Slot]]
) -> dict[Run, int]:
    """Return, by node, the position of the operand whose memory takes the result."""
    own = _own(plan) - held
    found: dict[Run, int] = {}
    for statement in walk(plan.body):
        if isinstance(statement, Run) and is_ufunc(statement.node):
            place = place_of_result(statement, own & last_uses[statement])
            if place is not None:
                found[statement] = place
    return found


def place_of_result(run: Run, free: set[Slot]) -> int | None:
    """Return the position of an operand among `free` that is like the result, None without one."""
    result = run.node.outputs[0]
    if bytes_of(result) < LEAST:
        return None
    for at, (slot, tensor) in enumerate(zip(run.reads, run.node.inputs)):
        if slot in free and tensor.dtype is result.dtype and tensor.shape == result.shape:
            return at
    return None


def target_text(run: Run, over: int | None, operands: Sequence[str], names: Names) -> str:
    """Return what is printed for the memory of a result; nothing where that is its own.

    Args:
        run: the node.
        over: the position of the operand whose memory it is, None for new memory.
        operands: its operands.
        names: what objects are called.
    """
    if over is None:
        return ""
    slot = run.reads[over]
    others = [each for read, each in zip(run.reads, run.node.inputs) if read is not slot]
    if all(each.shape.rank in (0, 1) for each in others):
        return operands[over]
    return f"{names.of_object(if_in_rows, 'if_in_rows')}({operands[over]})"


def if_in_rows(array: Array) -> Array | None:
    """Return an array if it lies one row after the other, as what is computed of it then does, too.

    Of others, it depends on the other operands in which order NumPy puts the result, and sums and
    products of matrices round by that.

    >>> import numpy as np
    >>> if_in_rows(np.ones((2, 3))) is None, if_in_rows(np.ones((2, 3)).T) is None
    (False, True)
    """
    return array if array.flags.c_contiguous else None


def bytes_of(tensor: SymbolicTensor) -> int:
    """Return how large a tensor is, 0 where that is not known."""
    return (tensor.shape.num_elements() or 0) * tensor.dtype.np_dtype.itemsize


def _own(plan: Plan) -> set[Slot]:
    """Return the slots whose memory nothing else can know of."""
    made: set[Slot] = set()
    known: set[Slot] = set(plan.parameters)
    for statement in walk(plan.body):
        if isinstance(statement, Run) and _makes_new(statement):
            made.update(statement.writes)
        else:
            known.update(written_by(statement))
            known.update(read_by(statement))
    return made - known


def _makes_new(run: Run) -> bool:
    """Return whether the result of a node is new memory, and it keeps nothing of its operands."""
    return is_ufunc(run.node) or (
        run.node.op.name == "matmul" and run.node.inputs[0].dtype.kind in "f"
    )
