"""Source text of parts that run in parallel, each a function of its inputs.

def part(x, v):
    matmul = x.dot(v)
    return (matmul,)
def part_1(x, w):
    matmul_1 = x.dot(w)
    return (matmul_1,)
(matmul,), (matmul_1,) = side_by_side((part, x, v), (part_1, x, w))
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.executors.numpy.print_context import PrintContext
from runtime.executors.plan import Parallel, ParallelPart
from runtime.executors.thread_pool import side_by_side


def print_parts(statement: Parallel, printer: PrintContext) -> None:
    """Print the parts and the call that runs them."""
    printer.settle()
    calls = [_print_part(part, printer) for part in statement.parts]
    given = [_tuple([printer.name_of(slot) for slot in part.writes]) for part in statement.parts]
    run = printer.names.of_object(side_by_side, "side_by_side")
    printer.lines.add(f"{', '.join(given)} = {run}({', '.join(calls)})")


def _print_part(part: ParallelPart, printer: PrintContext) -> str:
    """Print the function of a part; return it with its arguments."""
    name = printer.names.fresh("part")
    reads = [printer.name_of(slot) for slot in part.reads]
    with printer.lines.function(f"def {name}({', '.join(reads)}):"):
        printer.block(part.body)
        writes = [printer.name_of(slot) for slot in part.writes]
        printer.lines.add(f"return {_tuple(writes)}")
    return _tuple([name, *reads])


def _tuple(names: Sequence[str]) -> str:
    return f"({', '.join(names)}{',' * (len(names) == 1)})"
