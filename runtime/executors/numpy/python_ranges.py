"""Finds ranges that are kept as Python ranges, since they are only read element by element.

range = range(0, n, 1)                     range_1 = range(n)
while i < shape(range)[0]:        ->       for v in range_1:
    v = range[i]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from runtime.core.tensor import Array, SymbolicTensor
from runtime.executors.numpy.print_context import PrintContext
from runtime.executors.optimizations.counted_loops import is_row_read, lengths_of
from runtime.executors.plan.plan import (
    Loop,
    LoopIterable,
    NodeRun,
    Plan,
    PlanSlot,
    read_by,
    walk,
    written_by,
)

# The number of array elements that are converted to Python numbers at once.
_AT_ONCE = 512


def ranges_among(
    plan: Plan, is_never_negative: Callable[[SymbolicTensor], bool]
) -> tuple[set[PlanSlot], dict[PlanSlot, PlanSlot]]:
    """Return the slots that are stored as ranges, and the slots of their lengths with their ranges.

    Args:
        plan: the plan.
        is_never_negative: whether a number is known to be non-negative.
    """
    runs = [each for each in walk(plan.body) if isinstance(each, NodeRun) and each.writes]
    writes = [slot for each in walk(plan.body) for slot in written_by(each)]
    made = {run.writes[0] for run in runs if is_plain_range(run)}
    lengths = {slot: array for slot, array in lengths_of(plan).items() if array in made}
    shapes = {run.writes[0]: run.reads[0] for run in runs if run.node.op.name == "shape"}
    bad = {slot for slot in made if writes.count(slot) > 1}
    for statement in walk(plan.body):
        for at, slot in enumerate(read_by(statement)):
            if slot in made and not _fits(statement, at, is_never_negative):
                bad.add(slot)
            elif slot in shapes and not lengths.keys() & set(written_by(statement)):
                bad.add(shapes[slot])
    kept = made - bad
    return kept, {slot: array for slot, array in lengths.items() if array in kept}


def is_plain_range(run: NodeRun) -> bool:
    """Return whether a node makes a range of integers from scalars."""
    node = run.node
    return (
        node.op.name == "range"
        and node.outputs[0].dtype.name in ("int32", "int64")
        and all(each.spec.shape.rank == 0 for each in node.inputs)
    )


def _fits(statement: Any, at: int, is_never_negative: Callable[[SymbolicTensor], bool]) -> bool:
    """Return whether a statement may read a range as its operand `at`."""
    if isinstance(statement, Loop):
        return True
    if not isinstance(statement, NodeRun):
        return False
    node = statement.node
    if node.op.name != "gather":
        return node.op.name == "shape"
    return at == 0 and is_row_read(node) and is_never_negative(node.inputs[1])


def range_of(array: Array) -> range | None:
    """Return the range with the elements of an array, None if there is none.

    >>> range_of(np.array([3, 5, 7])), range_of(np.array([3, 5, 6]))
    (range(3, 9, 2), None)
    """
    if array.ndim != 1 or array.dtype.kind not in "iu" or array.size < 2:
        return None
    first, second = int(array[0]), int(array[1])
    step = second - first
    found = range(first, first + step * array.size, step) if step else None
    return found if found is not None and bool((array == np.array(found)).all()) else None


def elements(array: Array) -> Any:
    """Return an iterable of the elements of a vector as Python numbers.

    >>> list(elements(np.array([1, 2])))
    [1, 2]
    """
    if array.size <= _AT_ONCE:
        return array.tolist()
    parts = range(0, array.size, _AT_ONCE)
    return chain.from_iterable(array[at : at + _AT_ONCE].tolist() for at in parts)


def print_of_range(run: NodeRun, operands: Sequence[str], printer: PrintContext) -> bool:
    """Print a node that makes a range, or reads a kept one; return False for any other."""
    if run.node.op.name == "shape" and run.reads[0] in printer.ranges:
        return True
    if len(run.writes) != 1:
        return False
    (slot,), (tensor,) = run.writes, run.node.outputs
    if slot in printer.ranges:
        text = range_text(*map(printer.number_text, run.reads, run.node.inputs))
        printer.write(run, f"{printer.name_of(slot)} = {text}", operands)
        return True
    if slot in printer.lengths:
        number = f"len({printer.name_of(printer.lengths[slot])})"
    elif run.reads and run.reads[0] in printer.ranges:
        number = f"{operands[0]}[{printer.number_text(run.reads[1], run.node.inputs[1])}]"
    else:
        return False
    taken = number if slot in printer.number_slots else printer.numbers.to_array(tensor, number)
    printer.write(run, f"{printer.name_of(slot)} = {taken}", operands)
    return True


def iterable_text(iterable: LoopIterable, printer: PrintContext) -> str:
    """Return the text of the iterable of a loop: a range, or the elements of an array."""
    slot, start, limit = iterable.items, iterable.start, iterable.limit
    if slot is None:
        assert start is not None and limit is not None
        return range_text(*[printer.number_text(part, part.tensor) for part in (start, limit)])
    if slot in printer.ranges:
        return printer.name_of(slot)
    if slot.value is not None and (found := range_of(slot.value)) is not None:
        return range_text(*map(str, (found.start, found.stop, found.step)))
    text = printer.array_text(slot, slot.tensor)
    if slot.tensor.dtype.name == "float32":
        return text
    return f"{printer.names.of_object(elements, 'elements')}({text})"


def range_text(start: str, limit: str, step: str = "1") -> str:
    """Return the text of a Python range without default arguments.

    >>> range_text("0", "n"), range_text("0", "n", "2")
    ('range(n)', 'range(0, n, 2)')
    """
    parts = (start, limit, step) if step != "1" else (start, limit) if start != "0" else (limit,)
    return f"range({', '.join(parts)})"
