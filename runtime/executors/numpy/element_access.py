"""Converts arrays whose elements a loop reads one by one to Python numbers beforehand.

    for i in range(1, 100):                 x_numbers = numbers_of(x)
        if x.item(i) > best:       ->       for i in range(1, 100):
                                                if x_numbers[i] > best:

Reading an element of a list is three times as fast as of an array, but making the list costs time
for each element. So it is made only if the loop has about as many iterations as elements. An array
that the loop writes to is read and written as a memoryview, which takes half as long as the array.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.core.tensor import Array
from runtime.executors.analysis.liveness import read_before_written
from runtime.executors.numpy.numbers.representation import KEPT
from runtime.executors.numpy.print_context import PrintContext
from runtime.executors.plan.plan import (
    Block,
    Break,
    Loop,
    LoopIterable,
    Move,
    NodeRun,
    PlanSlot,
    Return,
    Statement,
    blocks_in,
    walk,
    written_by,
)

# The number of elements that cost next to nothing, and the number that one iteration pays for.
_FEW, _PER_ITERATION = 64, 2
# The assumed number of iterations of a loop that may be left early.
_IF_ENDED_EARLY = 256


def numbers_of(array: Array) -> Any:
    """Return the elements of an array as (nested) lists of numbers.

    >>> import numpy as np
    >>> numbers_of(np.array([[1, 2], [3, 4]]))
    [[1, 2], [3, 4]]
    """
    if array.dtype.char != "f":
        return array.tolist()
    return list(array) if array.ndim == 1 else [list(row) for row in array]


def numbers_for(array: Array, iterations: int) -> Any:
    """Return a list of the elements of a vector if the loop has enough iterations.

    Else return a memoryview, or the array itself if it is float32.

    >>> import numpy as np
    >>> numbers_for(np.arange(1000), 3)[5]
    5
    """
    if array.size <= _FEW + _PER_ITERATION * iterations:
        return numbers_of(array)
    return array if array.dtype.char == "f" else array.data


def print_elements(loop: Loop, printer: PrintContext) -> list[PlanSlot]:
    """Print the conversion of arrays to numbers that a loop reads, and return their slots."""
    written = {slot for each in walk([loop]) for slot in written_by(each)}
    may_end_early = any(map(_leaves, walk(loop.body)))
    made: list[PlanSlot] = []
    for slot, iterations in _arrays_read(loop.body, [loop.iterable], {}, printer).items():
        if slot in printer.elements or slot in printer.ranges:
            continue
        kind, text, slots = "numbers", None, {slot}
        if slot not in written:
            text = _text(slot, iterations, written, may_end_early, printer)
        elif _may_be_memory(slot):
            slots = _same_array(slot, loop, printer)
            there = slots.intersection(read_before_written(loop))
            if len(there) == 1:  # Two slots may reference two arrays before the loop.
                kind, text = "memory", f"{printer.name_of(there.pop())}.data"
        if text is not None:
            name = printer.names.fresh(f"{slot.name}_{kind}")
            printer.lines.add(f"{name} = {text}")
            printer.elements.update(dict.fromkeys(slots, name))
            made += slots
    return made


def _may_be_memory(slot: PlanSlot) -> bool:
    """Return whether a memoryview of an array reads and writes numbers in their value form."""
    dtype = slot.tensor.dtype
    return slot.tensor.spec.shape.rank == 1 and dtype.name in KEPT and dtype.name != "float32"


def _same_array(slot: PlanSlot, loop: Loop, printer: PrintContext) -> set[PlanSlot]:
    """Return the slots that reference one array while a loop runs; none if it is replaced."""
    changes = printer.in_place.changes
    inside = list(walk([loop]))
    same, before = {slot}, 0
    while before < len(same):
        before = len(same)
        runs = [each for each in inside if isinstance(each, NodeRun) and each in changes]
        same.update(each.writes[0] for each in runs if each.reads[0] in same)
    keeps_array = _KeepsArray(same, printer)
    return same if all(map(keeps_array, inside)) else set()


class _KeepsArray:
    """A predicate: whether a statement only assigns the same array to the slots of a set."""

    def __init__(self, slots: set[PlanSlot], printer: PrintContext) -> None:
        self._slots, self._in_place = slots, printer.in_place

    def __call__(self, statement: Statement) -> bool:
        written = self._slots.intersection(written_by(statement))
        if not written:
            return True
        if isinstance(statement, NodeRun):
            return statement in self._in_place.changes and statement.reads[0] in self._slots
        if not isinstance(statement, Move) or written & set(
            self._in_place.moved.get(statement, ())
        ):
            return False
        pairs = zip(statement.writes, statement.reads)
        return all(source in self._slots for to, source in pairs if to in written)


def _leaves(statement: Statement) -> bool:
    return isinstance(statement, Break) or (
        isinstance(statement, Return) and statement.is_reachable
    )


def _arrays_read(
    block: Block,
    around: list[LoopIterable | None],
    found: dict[PlanSlot, list[LoopIterable | None]],
    printer: PrintContext,
) -> dict[PlanSlot, list[LoopIterable | None]]:
    """Return the arrays whose elements are read, with the loops around their innermost read."""
    for statement in block:
        if isinstance(statement, NodeRun) and _reads_element(statement, printer):
            slot = statement.reads[0]
            found[slot] = max(found.get(slot, []), around, key=len)
        inside = [*around, statement.iterable] if isinstance(statement, Loop) else around
        for inner in blocks_in(statement):
            _arrays_read(inner, inside, found, printer)
    return found


def _reads_element(run: NodeRun, printer: PrintContext) -> bool:
    tensor, node = run.reads[0].tensor if run.reads else None, run.node
    if tensor is None or node.op.name not in ("gather", "strided_slice"):
        return False
    if run.writes[0] in printer.lengths:
        return False  # The length of a range, which has no shape slot.
    is_number = node.outputs[0].spec.shape.rank == 0 and tensor.dtype.name in KEPT
    return is_number and tensor.spec.shape.rank in (1, 2)


def _text(
    slot: PlanSlot,
    iterations: list[LoopIterable | None],
    written: set[PlanSlot],
    may_end_early: bool,
    printer: PrintContext,
) -> str | None:
    """Return the text of the conversion of an array, None if it may cost more than it saves."""
    if may_end_early and slot.tensor.dtype.np_dtype.char == "f":
        return None  # A NumPy scalar takes as long to make before the loop as inside it.
    array = printer.array_text(slot, slot.tensor)
    all_numbers = printer.names.of_object(numbers_of, "numbers_of")
    size = slot.tensor.spec.shape.num_elements()
    known = 1
    for each in iterations:
        known *= _iterations_of(each) or 1
    known = min(known, _IF_ENDED_EARLY) if may_end_early else known
    if size is not None and size <= _FEW + _PER_ITERATION * known:
        return f"{all_numbers}({array})"
    first = iterations[0]
    if slot.tensor.spec.shape.rank != 1 or first is None or first.items is not None:
        return None
    factors = [each.limit for each in iterations if each is not None and each.limit is not None]
    texts = [
        printer.number_text(limit, limit.tensor)
        for limit in factors
        if limit not in written and limit not in printer.pending
    ]
    some_numbers = printer.names.of_object(numbers_for, "numbers_for")
    product = " * ".join(texts)
    wanted = f"min({product}, {_IF_ENDED_EARLY})" if may_end_early else product
    return f"{some_numbers}({array}, {wanted})" if texts else None


def _iterations_of(iterable: LoopIterable | None) -> int | None:
    """Return the number of iterations of a loop if it is known from the graph."""
    if iterable is None:
        return None
    if iterable.items is not None:
        return iterable.items.tensor.spec.shape.num_elements()
    start, limit = iterable.start, iterable.limit
    if start is None or limit is None or start.value is None or limit.value is None:
        return None
    return max(0, int(limit.value.item()) - int(start.value.item()))


def element_text(name: str, call: str, array: str) -> str:
    """Return the read of an array element as a read of lists: `x[i, j]` as `name[i][j]`.

    >>> element_text("x_numbers", "x[i, y[0]]", "x")
    'x_numbers[i][y[0]]'
    """
    indices = _split_indices(call[len(array) + 1 : -1])
    return name + "".join(f"[{each}]" for each in indices)


def _split_indices(text: str) -> Iterator[str]:
    depth, part = 0, ""
    for char in text:
        depth += (char in "([") - (char in ")]")
        if char == "," and not depth:
            yield part.strip()
            part = ""
        else:
            part += char
    yield part.strip()
