"""Assertions, printed: their kernels are called only where they fail.

if not x < 20:
    rt_assert(false, template=('too big',))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from runtime.executors.numpy.kernels import call_text
from runtime.executors.numpy.numbers import Expression
from runtime.executors.plan import Run

if TYPE_CHECKING:
    from runtime.executors.numpy.printing import Printer

# Ops that do nothing where their first operand, a bool, is true, and raise where it is false.
_ASSERTIONS = ("assert", "check", "refuse")
_FALSE = np.array(False)


def print_assertion(run: Run, printer: Printer) -> bool:
    """Print a node that asserts one bool; False for any other node."""
    node = run.node
    if node.op.name not in _ASSERTIONS or node.inputs[0].spec.shape.rank != 0:
        return False
    if node.inputs[0].dtype.name != "bool":
        return False
    test, names = printer.number_or_array(run.reads[0]), printer.names
    others = map(printer.array_text, run.reads[1:], node.inputs[1:])
    operands = [names.of_object(_FALSE, "false"), *others]
    condition = test.text if test.binds > Expression.NOT else f"({test.text})"
    printer.lines.add(f"if not {condition}:")
    with printer.lines.indented():
        printer.write(run, call_text(node, operands, names), operands, by_kernel=True)
    return True
