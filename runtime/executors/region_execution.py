"""Runs the regions of a node in the interpreter.

What runs a region hands out the programs to run, and is given back what they gave.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from runtime.core.variant import boxed, unboxed
from runtime.errors import ShapeError
from runtime.executors.error_locations import catch, handler_for, raised_during
from runtime.ops.effects.try_ops import Record

if TYPE_CHECKING:
    from runtime.executors.interpreter import Program

Values: TypeAlias = Sequence[Any]
Attrs: TypeAlias = Mapping[str, Any]
Running: TypeAlias = "Generator[tuple[Program, Values], Values, Values]"


class RegionError(Exception):
    """An error on its way out of a region, wrapped, as a StopIteration would end a generator."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


def decided(value: Any) -> Any:
    """Return the value that chooses a path; ShapeError if it is not one: a trace may not know."""
    if value.ndim:
        raise ShapeError(f"what chooses a branch must be one value, not of shape {value.shape}")
    return value


def _run_cond(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Running:
    then, orelse = regions
    return (yield then if decided(operands[0]) else orelse, operands[1:])


def _run_while(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Running:
    test, body = regions
    count, limit = attrs["variables"], attrs["maximum_iterations"]
    state, captured = operands[:count], operands[count:]
    turns = 0
    while (limit is None or turns < limit) and decided((yield test, [*state, *captured])[0]):
        state = yield body, [*state, *captured]
        turns += 1
    return state


def _run_switch(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Running:
    index = int(decided(operands[0]))
    chosen = regions[index] if 0 <= index < len(regions) else regions[-1]
    return (yield chosen, operands[1:])


def _run_try(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Running:
    body, *handlers = regions
    noted = attrs["noted"]
    record, captured = Record(operands[:noted]), operands[noted:]
    try:
        return (yield body, [boxed(record), *captured])
    except RegionError as raised:
        at = None if record.left else handler_for(raised.error, attrs["kinds"])
        if at is None:
            raise
        error = raised.error
    catch(error)
    try:
        return (yield handlers[at], [boxed(error), *record.values, *captured])
    except RegionError as raised:
        raised_during(raised.error, error)
        raise


def _run_note(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Running:
    record, *values = operands
    box: Any = record
    unboxed(getattr(box, "_array", box)).note(attrs["noted"].places, (yield regions[0], values))
    return ()


def _run_function(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Running:
    return (yield regions[0], operands)


REGION_OPS: dict[str, Callable[[Values, Attrs, Sequence[Program]], Running]] = {
    "cond": _run_cond,
    "while_loop": _run_while,
    "switch_case": _run_switch,
    "try_except": _run_try,
    "note_state": _run_note,
    "recursion": _run_function,
    "call": _run_function,
    "function_call": _run_function,
}
