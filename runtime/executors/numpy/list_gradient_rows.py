"""Gradients of lists and TensorArrays, stored as a Python list while the function runs.

    %gradients = rows_as_item_gradients(%rows)          gradients = rows_in(rows)
    %dy = pick_item_gradients(%gradients, .., %i, %y)   dy = row_at(gradients, i, y)
    %rest = drop_item_gradients(%gradients, .., %i)     drop_row(gradients, i)
    %first = limit_item_gradients(%gradients, %n)       del gradients[n:]

The backward pass of a loop that writes to a TensorArray picks a row in each iteration and drops it;
that of a loop that appends to a list cuts the row off. In the graph each of these makes a new
value; if nobody reads the old value again, it is changed in place. A row without a gradient is
None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime.core.tensor import Array
from runtime.executors.analysis.disjoint_sets import DisjointSets
from runtime.executors.numpy.list_runtime import elements
from runtime.executors.numpy.print_context import PrintContext
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.plan.plan import (
    Move,
    NodeRun,
    Plan,
    PlanSlot,
    Statement,
    Try,
    read_by,
    walk,
    written_by,
)

_NEW = ("rows_as_item_gradients", "no_item_gradients")
_PICK, _DROP = "pick_item_gradients", "drop_item_gradients"
_LIMIT = "limit_item_gradients"


def rows_of_gradients(plan: Plan, last_uses: Mapping[Statement, set[PlanSlot]]) -> set[PlanSlot]:
    """Return the slots of lists of gradient rows that are changed in place.

    Args:
        plan: the plan.
        last_uses: for each statement, the slots that no later statement reads.
    """
    statements = list(walk(plan.body))
    runs = [each for each in statements if isinstance(each, NodeRun)]
    if not any(each.node.op.name in _NEW for each in runs):
        return set()
    if any(isinstance(each, Try) for each in statements):
        return set()  # A handler may read the list as it was before a change.
    kinds, wrong, found = DisjointSets[PlanSlot](), set(plan.parameters), set[PlanSlot]()
    for statement in statements:
        slots = (*read_by(statement), *written_by(statement))
        held = {slot for slot in slots if slot.tensor.dtype.is_variant}
        found |= held
        wrong.update(slot for slot in held if slot.is_fixed)
        if isinstance(statement, Move):
            for target, source in zip(statement.writes, statement.reads):
                if source in held:
                    kinds.union(target, source)
                    if not _is_gone(statement, source, last_uses):
                        wrong.add(source)
        elif not (isinstance(statement, NodeRun) and _fits(statement)):
            wrong |= held
        elif statement.node.op.name in (_DROP, _LIMIT):
            kinds.union(statement.writes[0], statement.reads[0])
            changed = statement.reads[0]
            if changed is not statement.writes[0] and changed not in last_uses[statement]:
                wrong.add(changed)
    bad = set(map(kinds.find, wrong))
    return {slot for slot in found if kinds.find(slot) not in bad}


def _is_gone(move: Move, slot: PlanSlot, last_uses: Mapping[Statement, set[PlanSlot]]) -> bool:
    return read_by(move).count(slot) == 1 and slot in last_uses[move]


def _fits(run: NodeRun) -> bool:
    """Return whether a node is supported: it uses a single row, at a scalar index."""
    node = run.node
    if node.op.name in _NEW:
        return not node.attrs.get("leaf")
    if node.op.name == _LIMIT:
        return True
    if node.op.name not in (_PICK, _DROP) or run.reads[0] is not run.reads[1]:
        return False
    if node.inputs[2].spec.shape.rank != 0 or not node.inputs[2].dtype.is_integer:
        return False
    if node.op.name == _DROP:
        return True
    return node.attrs["present"] == (True,) and not node.inputs[3].dtype.is_variant


def print_rows(run: NodeRun, printer: PrintContext) -> bool:
    """Print a node of gradients by rows and return True; return False for any other."""
    form = _FORMS.get(run.node.op.name)
    of = run.writes[0] if run.node.op.name in _NEW else run.reads[0] if run.reads else None
    if form is None or of not in printer.gradients:
        return False
    form(run, printer)
    return True


def _new(run: NodeRun, printer: PrintContext) -> None:
    text, operands = "[]", [printer.array_text(*each) for each in zip(run.reads, run.node.inputs)]
    if operands:
        text = f"{printer.names.of_object(elements, 'rows_in')}({operands[0]})"
    printer.write(run, f"{printer.name_of(run.writes[0])} = {text}", operands)


def _picked(run: NodeRun, printer: PrintContext) -> None:
    (slot,), (tensor,) = run.writes, run.node.outputs
    row = printer.names.of_object(row_at, "row_at")
    like = _like(run, printer)
    text = f"{row}({printer.name_of(run.reads[0])}, {_place(run, printer)}, {like})"
    if slot in printer.number_slots:
        text = printer.numbers.from_array(tensor, text)
    printer.write(run, f"{printer.name_of(slot)} = {text}", ())


def _like(run: NodeRun, printer: PrintContext) -> str:
    """Return the text of a value with the shape and the dtype of a row."""
    slot, tensor = run.reads[3], run.node.inputs[3]
    if slot not in printer.number_slots:
        return printer.array_text(slot, tensor)
    dtype = tensor.dtype.np_dtype
    return printer.names.once(f"zero_{tensor.dtype.name}", lambda: np.zeros((), dtype))


def _dropped(run: NodeRun, printer: PrintContext) -> None:
    drop = printer.names.of_object(drop_row, "drop_row")
    printer.write(run, f"{drop}({printer.name_of(run.reads[0])}, {_place(run, printer)})", ())
    _hand_on(run, printer)


def _limited(run: NodeRun, printer: PrintContext) -> None:
    printer.write(run, f"del {printer.name_of(run.reads[0])}[{_place(run, printer)}:]", ())
    _hand_on(run, printer)


def _hand_on(run: NodeRun, printer: PrintContext) -> None:
    own, made = printer.name_of(run.reads[0]), printer.name_of(run.writes[0])
    if made != own:
        printer.lines.add(f"{made} = {own}", PrintedNode(run.node, ()))


def _place(run: NodeRun, printer: PrintContext) -> str:
    """Return the text of a row's index, or of the number of rows that are stored."""
    at = 1 if run.node.op.name == _LIMIT else 2
    slot, tensor = run.reads[at], run.node.inputs[at]
    if printer.numbers.holds(tensor):
        return printer.number_text(slot, tensor)
    return f"int({printer.array_text(slot, tensor)})"


_FORMS: Mapping[str, Callable[[NodeRun, PrintContext], None]] = {
    **dict.fromkeys(_NEW, _new),
    _PICK: _picked,
    _DROP: _dropped,
    _LIMIT: _limited,
}


# -- while the program runs ------------------------------------------------------------------------


def row_at(rows: list[Any], at: int, like: Array) -> Array:
    """Return the gradient of the item at a non-negative index, zeros if it has none.

    >>> row_at([np.array([2.0]), None], 1, np.array([7.0]))
    array([0.])
    """
    row = rows[at] if at < len(rows) else None
    return np.zeros_like(like) if row is None else row


def drop_row(rows: list[Any], at: int) -> None:
    """Remove the gradient of an item that was overwritten later.

    >>> rows = [np.array([2.0])]
    >>> drop_row(rows, 0), drop_row(rows, 5), rows
    (None, None, [None])
    """
    if at < len(rows):
        rows[at] = None
