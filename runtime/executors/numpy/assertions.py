"""Source text of assertions and checks.

%less = less(%i, %n)                  if not i < n:
assert(%less) {template=('no',)}          rt_assert(false, template=('no',))
"""

from __future__ import annotations

import numpy as np

from runtime.executors.numpy.control_flow import negated
from runtime.executors.numpy.kernel_calls import call_text
from runtime.executors.numpy.print_context import PrintContext
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.plan import Run

_GUARDS = frozenset(("assert", "check", "refuse"))


def print_guard(run: Run, printer: PrintContext) -> bool:
    """Print a node that raises unless a scalar condition holds; return False for any other."""
    node = run.node
    if node.op.name not in _GUARDS or node.inputs[0].spec.shape.rank != 0:
        return False
    if run.reads[0].is_fixed:
        return False
    test = printer.number_or_array(run.reads[0])
    printer.pending.pop(run.reads[0], None)
    printer.lines.add(f"if {negated(test)}:", PrintedNode(node, ()))
    others = zip(run.reads[1:], node.inputs[1:])
    false = printer.names.once("false", lambda: np.array(False))
    with printer.lines.indented():
        operands = [false, *(printer.array_text(*each) for each in others)]
        printer.write(run, call_text(node, operands, printer.names), ())
    return True
