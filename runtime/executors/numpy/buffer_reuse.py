"""Buffer reuse: results that may overwrite an operand which is not read again.

    multiply = np_multiply(x, x)                 multiply = np_multiply(x, x)
    add = np_add(multiply, x)            ->      add = np_add(multiply, x, out=multiply)

A ufunc may overwrite the result of a node that makes a new array (`makes_new`), and only if every
statement that reads this result makes a new array too: no view of it exists, and nothing stores it.
Small arrays are not worth it.
"""

from __future__ import annotations

from collections.abc import Mapping

from runtime.core.tensor import SymbolicTensor
from runtime.executors.numpy.kernel_calls import is_ufunc
from runtime.executors.plan.plan import (
    NodeRun,
    Plan,
    PlanSlot,
    Statement,
    read_by,
    walk,
    written_by,
)

# The size in bytes above which allocating a new array costs more than reusing one.
MIN_REUSED_BYTES = 16_384


def operands_to_overwrite(
    plan: Plan, number_slots: set[PlanSlot], last_uses: Mapping[Statement, set[PlanSlot]]
) -> dict[NodeRun, int]:
    """Return, for each ufunc that overwrites an operand, the position of this operand."""
    unshared = _unshared(plan) - number_slots
    found: dict[NodeRun, int] = {}
    for statement in walk(plan.body):
        if isinstance(statement, NodeRun) and is_ufunc(statement.node):
            place = overwritable_operand(statement, unshared & last_uses[statement])
            if place is not None:
                found[statement] = place
    return found


def overwritable_operand(run: NodeRun, free: set[PlanSlot]) -> int | None:
    """Return the position of a `free` operand with the result's dtype and shape, or None."""
    result = run.node.outputs[0]
    if bytes_of(result) < MIN_REUSED_BYTES:
        return None
    for at, (slot, tensor) in enumerate(zip(run.reads, run.node.inputs)):
        if slot in free and tensor.dtype is result.dtype and tensor.shape == result.shape:
            return at
    return None


def bytes_of(tensor: SymbolicTensor) -> int:
    """Return the number of bytes of a tensor, 0 if it is unknown."""
    return (tensor.shape.num_elements() or 0) * tensor.dtype.np_dtype.itemsize


def _unshared(plan: Plan) -> set[PlanSlot]:
    """Return the slots whose memory no other slot or caller may share."""
    made: set[PlanSlot] = set()
    known: set[PlanSlot] = set(plan.parameters)
    for statement in walk(plan.body):
        if isinstance(statement, NodeRun) and makes_new(statement):
            made.update(statement.writes)
        else:
            known.update(written_by(statement))
            known.update(read_by(statement))
    return made - known


def makes_new(run: NodeRun) -> bool:
    """Return whether a node's result is new memory, and it keeps no reference to its operands."""
    node = run.node
    return (
        is_ufunc(node)
        or node.op.name in _NEW
        or (node.op.name == "cast" and node.inputs[0].dtype is not node.outputs[0].dtype)
        or (node.op.name == "matmul" and node.inputs[0].dtype.kind in "f")
    )


# Ops of several NumPy calls, the last of which makes a new array.
_NEW = frozenset(
    """
    avg_pool avg_pool_back convolution convolution_to_filter convolution_to_input max_pool
    max_pool_back sign select relu_grad sparse_softmax_both sparse_softmax_cross_entropy
    sparse_softmax_grad
    """.split()
)
