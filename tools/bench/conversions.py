"""The time of a first and of a repeated conversion, compared with Python's compilation."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import autograph as ag
from tools.bench import clock
from tools.bench.lines import Bar, Line, row
from tools.bench.workloads import cold_source, loaded, long_function, twelve_lines

# Looking up a conversion must take a small share of the time of the conversion.
AGAIN = Bar(0.05)


def lines(functions: int, long: int) -> Iterator[Line]:
    """Measure and yield the table.

    Args:
        functions: how many functions the module has.
        long: how many lines the long function has.
    """
    texts = {
        "a function of 12 lines": cold_source(1),
        f"a module of {functions} such functions": cold_source(functions),
        f"a function of {long:,} lines": long_function(long),
    }
    ag.to_graph(twelve_lines)
    yield Line(row("converting, in CPU time", "compile", "converted", "a line", "again"))
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, text) in enumerate(texts.items()):
            path = Path(folder) / f"bench_conversion_{number}.py"
            path.write_text(text, encoding="utf-8")
            yield _line(name, path)


def _line(name: str, path: Path) -> Line:
    text = path.read_text(encoding="utf-8")
    functions = [value for value in vars(loaded(path)).values() if type(value) is FunctionType]
    calls = [(function,) for function in functions]
    compiled = clock.cpu_seconds(compile, [(text, path.name, "exec")])
    first = clock.cpu_seconds(ag.to_graph, calls)
    again = clock.cpu_seconds(ag.to_graph, calls)
    per_line = first / len(text.split("\n"))
    cells = map(clock.readable, (compiled, first, per_line, again))
    return Line(row(f"  {name}", *cells), AGAIN.missed("the second time, in parts", again / first))
