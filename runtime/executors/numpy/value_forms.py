"""Value forms: the slots that contain a Python number, and those that contain an array.

A scalar could have either form. It is a number if a statement computes with it as a number or tests
it; otherwise it stays an array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from runtime.executors.numpy.in_place_analysis import operand_stacks
from runtime.executors.numpy.list_analysis import EFFECTS
from runtime.executors.numpy.numbers import Numbers
from runtime.executors.numpy.python_ranges import is_plain_range
from runtime.executors.plan.plan import (
    Loop,
    Move,
    NodeRun,
    Plan,
    PlanSlot,
    Return,
    Switch,
    read_by,
    walk,
)

# Ops whose operands from the second on may be indices.
_INDEXED = ("gather", "strided_slice")
# Ops that write their second operand at the position given by the others.
_ITEM_WRITES = ("assign_item_variable", "set_item")
# Ops that call a printed function of numbers.
_CALLS = ("recursion", "call")


def number_slots_of(
    plan: Plan,
    numbers: Numbers,
    has_number_expression: Callable[[NodeRun], bool],
    takes_numbers: bool = False,
) -> set[PlanSlot]:
    """Return the slots that contain numbers.

    Args:
        plan: the plan.
        numbers: the facts about the numbers of the plan.
        has_number_expression: whether a node can be printed as an expression on numbers.
        takes_numbers: whether the function takes and returns numbers.
    """
    found: set[PlanSlot] = set()
    if takes_numbers:
        found.update(plan.parameters)
    for run in operand_stacks(plan):
        found.update(run.reads)
    linked: dict[PlanSlot, set[PlanSlot]] = {}
    for statement in walk(plan.body):
        if isinstance(statement, NodeRun) and has_number_expression(statement):
            found.update(statement.writes)
            found.update(statement.reads)
        elif isinstance(statement, NodeRun) and statement.node.op.name in _INDEXED:
            found.update(statement.reads[1:])
            if statement.reads[0].tensor.node.op.name == "range":
                found.update(statement.writes)
        elif isinstance(statement, NodeRun) and is_plain_range(statement):
            found.update(statement.reads)
        elif isinstance(statement, NodeRun) and statement.node.op.name in _ITEM_WRITES:
            found.update(statement.reads[1:])
        elif isinstance(statement, NodeRun) and statement.node.op.name in (*_CALLS, *EFFECTS):
            found.update((*statement.reads, *statement.writes))
        elif isinstance(statement, (Switch, Loop)) or (
            isinstance(statement, Return) and takes_numbers
        ):
            found.update(read_by(statement))
        elif isinstance(statement, Move):
            for pair in zip(statement.writes, statement.reads):
                _link(pair, linked)
    return _propagate({slot for slot in found if _may_be_number(slot, numbers)}, linked, numbers)


def _link(pair: tuple[PlanSlot, PlanSlot], linked: dict[PlanSlot, set[PlanSlot]]) -> None:
    for slot, other in (pair, pair[::-1]):
        if not other.is_fixed:
            linked.setdefault(slot, set()).add(other)


def _propagate(
    found: set[PlanSlot], linked: dict[PlanSlot, set[PlanSlot]], numbers: Numbers
) -> set[PlanSlot]:
    """Add the slots that values are moved to or from unchanged."""
    waiting: list[PlanSlot] = list(found)
    while waiting:
        others: Iterable[PlanSlot] = linked.get(waiting.pop(), ())
        for other in others:
            if other not in found and _may_be_number(other, numbers):
                found.add(other)
                waiting.append(other)
    return found


def _may_be_number(slot: PlanSlot, numbers: Numbers) -> bool:
    return not slot.is_fixed and numbers.holds(slot.tensor)


def has_number_expression(run: NodeRun, numbers: Numbers) -> bool:
    """Return whether a node can be printed as an expression on numbers."""
    node = run.node
    if len(node.outputs) != 1 or node.regions or not numbers.holds(node.outputs[0]):
        return False
    if not all(map(numbers.holds, node.inputs)):
        return False
    return numbers.has_expression(node)
