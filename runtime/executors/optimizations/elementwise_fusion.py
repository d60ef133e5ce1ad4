"""Fuses elementwise nodes over large arrays: they run on one block of rows after the other.

    multiply = multiply(x, x)              for rows in blocks:
    add = add(multiply, x)         ->          multiply = multiply(x[rows], x[rows])
    tanh = tanh(add)                           add = add(multiply, x[rows])
                                               tanh[rows] = tanh(add)

A block of each array stays in the cache while all nodes process it, so that a chain of ten nodes
reads the memory once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.core.tensor import SymbolicTensor
from runtime.executors.analysis.liveness import with_blocks
from runtime.executors.plan.plan import (
    Block,
    BlockLoop,
    NodeRun,
    Parallel,
    Plan,
    PlanSlot,
    blocks_in,
    read_by,
    walk,
)
from runtime.graph.node import Node
from runtime.passes.prune import may_fail

# The least number of elements for fusion, and the elements of a block; measured for float32.
MIN_ELEMENTS = 131_072
_BLOCK = 32_768
# The factor by which blocks are larger in a parallel part, where other threads run too.
_PARALLEL_FACTOR = 4


def fuse_elementwise(plan: Plan, is_elementwise: Callable[[Node], bool]) -> Plan:
    """Return a plan in which chains of nodes over large arrays run block by block.

    Args:
        plan: the plan.
        is_elementwise: whether each element of a node's result depends only on the operands'
            elements at the same position.
    """
    if not any(isinstance(each, NodeRun) and _is_large(each) for each in walk(plan.body)):
        return plan
    reads: dict[PlanSlot, int] = {}
    for statement in walk(plan.body):
        for slot in read_by(statement):
            reads[slot] = reads.get(slot, 0) + 1
    return Plan(plan.name, plan.parameters, _fuse_block(plan.body, is_elementwise, reads))


def _fuse_block(
    block: Block,
    is_elementwise: Callable[[Node], bool],
    reads: dict[PlanSlot, int],
    is_in_part: bool = False,
) -> Block:
    made: Block = []
    chain: list[NodeRun] = []
    for statement in block:
        if isinstance(statement, NodeRun):
            if _extends(statement, chain, is_elementwise):
                chain.append(statement)
                continue
            if chain and _may_run_before(statement, chain):
                # The chain does not depend on this statement, so it may run before the chain.
                made.append(statement)
                continue
        _end_chain(chain, made, reads, is_in_part)
        if isinstance(statement, NodeRun) and _extends(statement, chain, is_elementwise):
            chain.append(statement)
            continue
        inside_part = is_in_part or isinstance(statement, Parallel)
        inside = [
            _fuse_block(each, is_elementwise, reads, inside_part) for each in blocks_in(statement)
        ]
        made.append(with_blocks(statement, inside) if inside else statement)
    _end_chain(chain, made, reads, is_in_part)
    return made


def _is_large(run: NodeRun) -> bool:
    outputs = run.node.outputs
    return len(outputs) == 1 and (outputs[0].shape.num_elements() or 0) >= MIN_ELEMENTS


def _extends(
    run: NodeRun, chain: Sequence[NodeRun], is_elementwise: Callable[[Node], bool]
) -> bool:
    node = run.node
    if not _is_large(run) or not is_elementwise(node):
        return False
    shape = node.outputs[0].shape
    if chain and chain[0].node.outputs[0].shape != shape:
        return False
    return all(each.shape.is_fully_defined() for each in node.inputs) and (
        rows_per_block(node.outputs[0]) > 0 or all(map(_is_whole(node.outputs[0]), node.inputs))
    )


def _is_whole(like: SymbolicTensor) -> Callable[[SymbolicTensor], bool]:
    """Return a predicate: whether a tensor has the shape of `like`, or is a scalar."""
    return lambda tensor: tensor.shape == like.shape or tensor.shape.rank == 0


def block_size(is_in_part: bool) -> int:
    """Return the number of elements of a block.

    >>> block_size(True) // block_size(False)
    4
    """
    return _BLOCK * _PARALLEL_FACTOR if is_in_part else _BLOCK


def rows_per_block(tensor: SymbolicTensor, is_in_part: bool = False) -> int:
    """Return the number of a tensor's rows per block; 0 if one row is too large for a block."""
    dims = tensor.shape.dims or ()
    per_row = 1
    for dim in dims[1:]:
        per_row *= dim or 1
    size = block_size(is_in_part) * 4 // max(4, tensor.dtype.np_dtype.itemsize)
    return max(1, size // per_row) if per_row <= 2 * size else 0


def _may_run_before(run: NodeRun, chain: Sequence[NodeRun]) -> bool:
    """Return whether a node may run before the chain that precedes it."""
    if run.node.effect != "none" or may_fail(run.node):
        return False
    written = {slot for each in chain for slot in each.writes}
    read = {slot for each in chain for slot in each.reads}
    return written.isdisjoint((*run.reads, *run.writes)) and read.isdisjoint(run.writes)


def _end_chain(
    chain: list[NodeRun], made: Block, reads: dict[PlanSlot, int], is_in_part: bool
) -> None:
    """Add the collected chain to `made`, as a BlockLoop if it has several nodes, and clear it."""
    if len(chain) < 2:
        made.extend(chain)
    else:
        made.append(_block_loop(tuple(chain), reads, is_in_part))
    chain.clear()


def _block_loop(
    chain: tuple[NodeRun, ...], reads: dict[PlanSlot, int], is_in_part: bool
) -> BlockLoop:
    written: set[PlanSlot] = set()
    inside: dict[PlanSlot, int] = {}
    reads_before: dict[PlanSlot, None] = {}
    for run in chain:
        for slot in run.reads:
            if slot in written:
                inside[slot] = inside.get(slot, 0) + 1
            else:
                # In a loop, the slot may contain the value of the previous iteration.
                reads_before[slot] = None
        written.update(run.writes)
    # The last node that writes a slot gives its final value, which is a result if statements
    # outside of the chain read it.
    last_writes = {run.writes[0]: None for run in reversed(chain)}
    results = [slot for slot in last_writes if inside.get(slot, 0) < reads.get(slot, 0)]
    return BlockLoop(chain, tuple(reads_before), tuple(reversed(results)), is_in_part)
