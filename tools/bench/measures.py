"""The measurements: one function per row of the table."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import autograph as ag
import runtime as rt
from tools.bench import clock
from tools.bench.lines import Line, ratio, row
from tools.bench.workloads import COLD_SOURCE, loaded, one_operation, twelve_lines


@dataclass(frozen=True)
class Effort:
    """The numbers of repetitions."""

    repeats: int
    calls: int


QUICK = Effort(repeats=3, calls=100)
FULL = Effort(repeats=9, calls=1000)

IMPORT = "import time, numpy; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


@dataclass(frozen=True)
class Row:
    """One line of the table: a name, a time, and the time it is compared with, if any."""

    name: str
    seconds: float
    against: float | None = None


def rows(effort: Effort) -> Iterator[Row]:
    """Measure everything, one row at a time."""
    yield from _imports(effort)
    yield from _conversion(effort)
    yield from _tracing(effort)
    yield from _calls(effort)
    yield _python_path(effort)


def lines(effort: Effort) -> Iterator[Line]:
    """Measure everything; the last column is the ratio to the compared time."""
    for each in rows(effort):
        compared = ratio(each.seconds / each.against) if each.against else ""
        yield Line(row(each.name, clock.readable(each.seconds), compared))


def _imports(effort: Effort) -> Iterator[Row]:
    for package in ("runtime", "autograph"):
        seconds = clock.fresh_process_seconds(IMPORT.format(package), effort.repeats)
        yield Row(f"import {package}, after numpy", seconds)


def _conversion(effort: Effort) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        functions = iter(_cold_functions(effort.repeats, Path(folder)))
        cold = clock.median_seconds(lambda: ag.to_graph(next(functions)), effort.repeats)
    yield Row("convert 12 lines, first time", cold)
    cached = clock.seconds_per_call(lambda: ag.to_graph(twelve_lines), 20, effort.repeats)
    yield Row("convert 12 lines, again", cached)
    code = clock.median_seconds(lambda: ag.to_code(twelve_lines), effort.repeats)
    yield Row("to_code of 12 lines", code)


def _cold_functions(count: int, folder: Path) -> list[Callable[..., Any]]:
    functions = []
    for number in range(count):
        path = folder / f"cold_{number}.py"
        path.write_text(COLD_SOURCE.format(number=number), encoding="utf-8")
        functions.append(getattr(loaded(path), path.stem))
    return functions


def _tracing(effort: Effort) -> Iterator[Row]:
    n = rt.constant(10)
    for fn in (one_operation, twelve_lines):
        ag.function(fn).get_concrete_function(n)
        trace = clock.median_seconds(
            lambda fn=fn: ag.function(fn).get_concrete_function(n),  # type: ignore[misc, attr-defined]
            effort.repeats,
        )
        yield Row(f"trace {fn.__name__}, already converted", trace)


def _calls(effort: Effort) -> Iterator[Row]:
    x = rt.constant(1.0)
    staged = ag.function(one_operation)
    staged(x)
    eager = clock.seconds_per_call(lambda: one_operation(x), effort.calls, effort.repeats)
    graph = clock.seconds_per_call(lambda: staged(x), effort.calls, effort.repeats)
    yield Row("x + 1 on an eager tensor", eager)
    yield Row("x + 1 by a Function", graph, eager)


def _python_path(effort: Effort) -> Row:
    converted = ag.to_graph(twelve_lines)
    plain = clock.seconds_per_call(lambda: twelve_lines(50), effort.calls // 10, effort.repeats)
    again = clock.seconds_per_call(lambda: converted(50), effort.calls // 10, effort.repeats)
    return Row("50 iterations on Python ints, converted", again, plain)
