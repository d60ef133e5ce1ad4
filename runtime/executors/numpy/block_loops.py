"""Source text of loops over blocks of rows.

tanh = np_empty((1000000,), float32)
for rows in blocks_of_multiply:
    x_rows = x[rows]
    multiply = np_multiply(x_rows, x_rows)
    np_tanh(multiply, out=tanh[rows])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.executors.numpy.buffer_reuse import overwritable_operand
from runtime.executors.numpy.kernel_calls import call_text, is_ufunc
from runtime.executors.numpy.print_context import PrintContext
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.optimizations.elementwise_fusion import block_size, rows_per_block
from runtime.executors.plan.plan import BlockLoop, NodeRun, PlanSlot
from runtime.graph.node import Node

# Elementwise ops that take several NumPy calls.
_ELEMENTWISE = frozenset(
    "sigmoid relu relu6 relu_grad elu sign softplus softsign select squared_difference".split()
)


def as_made_at_once(result: Any, *operands: Any) -> Any:
    """Return a result in the memory order that NumPy gives the result of the whole operands.

    Sums and matrix products round differently in another memory order of their operands.

    >>> x = np.ones((2, 3), order="F")
    >>> as_made_at_once(np.ones((2, 3)), x).flags.f_contiguous
    True
    """
    if all(each.flags.c_contiguous for each in operands):
        return result
    flags: Any = [*[["readonly"]] * len(operands), ["writeonly", "allocate"]]
    dtypes = [*[each.dtype for each in operands], result.dtype]
    arrays = [*operands, None]
    like = np.nditer(arrays, ["zerosize_ok"], flags, dtypes, itershape=result.shape).operands[-1]
    if like.strides == result.strides:
        return result
    like[...] = result
    return like


def is_elementwise(node: Node) -> bool:
    """Return whether each element of a node's result depends only on those at the same position."""
    return is_ufunc(node) or node.op.name in _ELEMENTWISE


def print_blocks(blocks: BlockLoop, printer: PrintContext) -> None:
    """Print the loop over the blocks of a chain."""
    _BlockLoopPrinter(blocks, printer).print()


class _BlockLoopPrinter:
    def __init__(self, blocks: BlockLoop, printer: PrintContext) -> None:
        self._blocks = blocks
        self._printer = printer
        self._names = printer.names
        like = blocks.runs[0].node.outputs[0]
        self._like = like
        dims = tuple(dim or 0 for dim in like.shape.dims or ())
        step = rows_per_block(like, blocks.is_in_part)
        self._is_flat = step == 0
        if self._is_flat:
            dims, step = (int(np.prod(dims)),), block_size(blocks.is_in_part)
        parts = tuple([slice(at, at + step) for at in range(0, dims[0], step)])
        self._blocks_name = self._names.of_object(parts, f"blocks_of_{like.node.name}")
        self._rows = self._names.fresh("rows")
        # For each result, the name of its flattened view.
        self._flat: dict[str, str] = {}
        # For each slot, the text of its rows.
        self._texts: dict[PlanSlot, str] = {}
        # Slots whose rows are arrays that this loop created.
        self._fresh: set[PlanSlot] = set()

    def print(self) -> None:
        """Print the loop."""
        blocks, lines = self._blocks, self._printer.lines
        last = {run.writes[0]: run for run in blocks.runs}
        outputs = {last[slot]: self._output(slot, last[slot]) for slot in blocks.writes}
        operands = {slot: self._operand(slot) for slot in blocks.reads}
        lines.add(f"for {self._rows} in {self._blocks_name}:")
        with lines.indented():
            for slot, (text, is_cut) in operands.items():
                if is_cut:
                    name = self._names.fresh(f"{slot.name}_rows")
                    lines.add(f"{name} = {text}[{self._rows}]")
                    text = name
                self._texts[slot] = text
            for at, run in enumerate(blocks.runs):
                later = {slot for each in blocks.runs[at + 1 :] for slot in each.reads}
                self._run(run, outputs.get(run), later)
        leaves = self._outer_operands() if (self._like.shape.rank or 0) > 1 else {}
        restore_order = self._names.of_object(as_made_at_once, "as_made_at_once") if leaves else ""
        for run, output in outputs.items():
            if leaves.get(run):
                lines.add(f"{output} = {restore_order}({', '.join([output, *leaves[run]])})")
        for run, output in outputs.items():
            name = self._printer.name_of(run.writes[0])
            if name != output:
                lines.add(f"{name} = {output}")

    def _outer_operands(self) -> dict[NodeRun, list[str]]:
        """Return, for each node, the arrays from outside that its result is computed from."""
        found: dict[NodeRun, list[str]] = {}
        of_slot: dict[PlanSlot, dict[str, None]] = {}
        for run in self._blocks.runs:
            names: dict[str, None] = {}
            for slot, tensor in zip(run.reads, run.node.inputs):
                if slot in of_slot:
                    names.update(of_slot[slot])
                elif tensor.shape.rank:
                    names[self._printer.array_text(slot, tensor)] = None
            of_slot[run.writes[0]] = names
            found[run] = list(names)
        return found

    def _output(self, slot: PlanSlot, run: NodeRun) -> str:
        tensor = run.node.outputs[0]
        empty = self._names.of_object(np.empty, "np_empty")
        dtype = self._names.of_object(tensor.dtype.np_dtype, tensor.dtype.name)
        name = self._printer.name_of(slot)
        if slot in self._blocks.reads:
            name = self._names.fresh(slot.name)
        self._printer.lines.add(f"{name} = {empty}({tuple(tensor.shape)}, {dtype})")
        if self._is_flat:
            self._flat[name] = self._flattened(name, slot)
        return name

    def _operand(self, slot: PlanSlot) -> tuple[str, bool]:
        """Return the text of an operand, and whether the loop takes its rows in each iteration."""
        reader = next(run for run in self._blocks.runs if slot in run.reads)
        tensor = reader.node.inputs[reader.reads.index(slot)]
        text = self._printer.array_text(slot, tensor)
        shape, like = tensor.shape, self._like.shape
        if self._is_flat:
            return (self._flattened(text, slot), True) if shape.rank else (text, False)
        return text, shape.rank == like.rank and shape[0] == like[0]

    def _run(self, run: NodeRun, output: str | None, later: set[PlanSlot]) -> None:
        (slot,) = run.writes
        operands = [self._texts[each] for each in run.reads]
        call = call_text(run.node, operands, self._names)
        target = None if output is None else f"{self._flat.get(output, output)}[{self._rows}]"
        place = PrintedNode(run.node, operands, by_kernel=True)
        lines = self._printer.lines
        if target is not None and not is_ufunc(run.node):
            lines.add(f"{target} = {call}", place)
            self._texts[slot] = target
            return
        if target is None and is_ufunc(run.node):
            free = {each for each in self._fresh if each not in later}
            over = overwritable_operand(run, free)
            target = None if over is None else operands[over]
        if target is not None:
            call = f"{call[:-1]}, out={target})"
        if output is not None and slot not in later:
            lines.add(call, place)
            return
        name = self._names.fresh(f"{slot.name}_rows" if slot in self._blocks.reads else slot.name)
        lines.add(f"{name} = {call}", place)
        self._texts[slot] = name
        self._fresh.discard(slot)
        if output is None:
            self._fresh.add(slot)

    def _flattened(self, text: str, slot: PlanSlot) -> str:
        # Before the loop, since it copies non-contiguous arrays.
        name = self._names.fresh(f"{slot.name}_flat")
        self._printer.lines.add(f"{name} = {text}.reshape(-1)")
        return name
