"""Choices by a number, printed: the last branch is taken for every number that has none.

index = n
if index == 0:
    ...
else:
    ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.executors.numpy.source_writer import Place
from runtime.executors.plan import Choose
from runtime.executors.region_execution import decided

if TYPE_CHECKING:
    from runtime.executors.numpy.printer import Printer


def print_choice_by_index(choice: Choose, printer: Printer) -> None:
    """Print the branches of a choice whose test is a number."""
    lines, names = printer.lines, printer.names
    index = names.fresh("index")
    test = printer.number_or_array(choice.test)
    printer.pending.pop(choice.test, None)
    printer.settle()
    wanted = printer.numbers.wrapped(choice.test.tensor, test.text)
    if choice.test not in printer.held and choice.test.value is None:
        wanted = f"int({names.of_object(decided, 'decided')}({test.text}))"
    lines.add(f"{index} = {wanted}", Place(choice.node, ()))
    last = len(choice.branches) - 1
    for at, branch in enumerate(choice.branches):
        word = "else:" if at == last else f"{'el' * (at > 0)}if {index} == {at}:"
        if last == 0:
            printer.block(branch)
            continue
        lines.add(word)
        with lines.indented():
            printer.block(branch)
