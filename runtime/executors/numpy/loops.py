"""Loops, printed: over numbers, over those of an array, or as long as a test holds.

for i in range(n):                 while n > 1:
    total = total + i                  n = n // 2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.executors.block_reads import read_once
from runtime.executors.numpy.array_sequences import each_text
from runtime.executors.numpy.element_access import print_elements
from runtime.executors.numpy.numbers import Expression
from runtime.executors.numpy.output_targets import new_room
from runtime.executors.numpy.source_writer import Place
from runtime.executors.plan import Each, Loop, Run

if TYPE_CHECKING:
    from runtime.executors.numpy.printer import Printer


def print_loop(loop: Loop, printer: Printer) -> None:
    """Print a loop, and before it what makes numbers of arrays that it reads."""
    printer.settle()
    made = print_elements(loop, printer)
    for room in printer.rooms.of_loops.get(loop, ()):
        printer.lines.add(f"{printer.room(room)} = {new_room(room, printer)}")
    if loop.each is not None:
        _each(loop, loop.each, printer)
    else:
        _while(loop, printer)
    for slot in made:
        del printer.elements[slot]


def _each(loop: Loop, each: Each, printer: Printer) -> None:
    """Print a loop over numbers, or over those of an array."""
    (slot,), texts = each.writes, each_text(each, printer)
    for read in each.reads:
        printer.pending.pop(read, None)
    printer.settle()
    printer.lines.add(f"for {printer.name_of(slot)} in {texts}:", Place(loop.node, ()))
    with printer.lines.indented():
        printer.block(loop.body)


def _while(loop: Loop, printer: Printer) -> None:
    place = Place(loop.node, ())
    turns = None
    if loop.limit is not None:
        turns = printer.names.fresh("turns")
        printer.lines.add(f"{turns} = 0")
    at = len(printer.lines.lines)
    printer.lines.add("while True:", place)
    printer.lines.depth += 1
    if turns is not None:
        printer.lines.add(f"if {turns} >= {loop.limit}:")
        printer.lines.add("    break")
        printer.lines.add(f"{turns} += 1")
    count = len(printer.lines.lines)
    _head(loop, printer)
    if loop.test is not None:
        test = printer.test(loop.test)
        printer.pending.pop(loop.test, None)
        printer.settle()
        if len(printer.lines.lines) == count and turns is None:
            printer.lines.lines[at].text = f"while {test.text}:"
        else:
            printer.lines.add(f"if {negated(test)}:", place)
            printer.lines.add("    break")
    body = len(printer.lines.lines)
    printer.block(loop.body)
    if len(printer.lines.lines) == body == at + 1:
        printer.lines.add("pass")
    printer.lines.depth -= 1


def _head(loop: Loop, printer: Printer) -> None:
    once = read_once(loop.head, printer.last_uses, loop)
    for statement in loop.head:
        if isinstance(statement, Run):
            printer.run(statement, statement in once)
        else:
            printer.block([statement])


def negated(test: Expression) -> str:
    """Return what is true where a test does not hold.

    >>> negated(Expression.of_name("less"))
    'not less'
    """
    return f"not {test.text}" if test.binds > Expression.NOT else f"not ({test.text})"
