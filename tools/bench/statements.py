"""The time per statement to convert, trace and first run, in long and in short functions."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import autograph as ag
import runtime as rt
from tools.bench import clock
from tools.bench.lines import Bar, Line, row
from tools.bench.workloads import loaded

# Twice as many statements take twice as long: a search per statement would show.
GROWTH = Bar(2.0)
_HEAD = "import runtime as rt\n\n\ndef f(x):\n"
_BLOCKS = {
    "arithmetic": ["x = x * 1.001", "y = x + 0.5", "x = rt.tanh(y)", "x = x - y"],
    "`if` with `else`": ["if x > {n}.0:", "    x = x - 1.0", "else:", "    x = x + 2.0"],
    "`while`": ["while x < {n}.0:", "    x = x + 1.5"],
    "`for` over a range": ["for i in rt.range(3):", "    x = x + 1.5"],
    "calls": ["x = max(x, 1.0)", "x = abs(x)"],
    "`try`": ["try:", "    x = x + 1.0", "except ValueError:", "    x = x - 1.0"],
}
_NESTED = ("if x > {n}.0:", "while x < {n}5.0:", "for i{n} in rt.range(2):")


def statements_text(kind: str, count: int) -> str:
    """Return a function of about `count` lines of one kind.

    >>> len(statements_text("calls", 10).splitlines())
    15
    """
    block = _BLOCKS[kind]
    body = [line.format(n=n) for n in range(count // len(block)) for line in block]
    return _HEAD + "".join(f"    {line}\n" for line in [*body, "return x"])


def nested_text(depth: int) -> str:
    """A function of `if`, `while` and `for` inside of each other.

    >>> len(nested_text(3).splitlines())
    10
    """
    lines = []
    for level in range(depth):
        lines.append("    " * level + _NESTED[level % 3].format(n=level))
        lines += ["    " * (level + 1) + "x = x + 20.0"] if level % 3 == 1 else []
    body = [*lines, "    " * depth + "x = x + 1.0", "return x"]
    return _HEAD + "".join(f"    {line}\n" for line in body)


def lines(count: int, depth: int, rounds: int) -> Iterator[Line]:
    """Measure and yield the table.

    Args:
        count: how many lines a function has; another one has twice as many.
        depth: how deep statements are nested.
        rounds: how often each is done, of which the least counts.
    """
    heads = ("converted", "traced", "first run", "a line", "twice")
    yield Line(row(f"functions of {count} lines, in CPU time", *heads))
    with tempfile.TemporaryDirectory() as folder:
        for kind in _BLOCKS:
            once, twice = (
                _least(statements_text(kind, n), Path(folder), rounds) for n in (count, 2 * count)
            )
            growth = sum(twice[:2]) / (2 * sum(once[:2]))
            cells = [*map(clock.readable, (*once, sum(once) / count)), f"{2 * growth:.2f} x"]
            missed = GROWTH.missed(f"{kind}, twice as many against twice the time", growth)
            yield Line(row(f"  {kind}", *cells), missed)
        parts = _least(nested_text(depth), Path(folder), rounds)
        cells = [*map(clock.readable, (*parts, sum(parts) / (depth + 3)))]
        yield Line(row(f"  statements {depth} deep", *cells))


def _least(text: str, folder: Path, rounds: int) -> list[float]:
    measured = [_once(text, folder, number) for number in range(rounds)]
    return [min(each) for each in zip(*measured)]


def _once(text: str, folder: Path, number: int) -> tuple[float, float, float]:
    path = folder / f"statements_{abs(hash(text))}_{number}.py"
    path.write_text(text, encoding="utf-8")
    function: Any = loaded(path).f
    x = rt.constant(1.5)
    converted = clock.cpu_seconds(ag.to_graph, [(function,)])
    staged = ag.function(function)
    traced = clock.cpu_seconds(staged.get_concrete_function, [(x,)])
    return converted, traced, clock.cpu_seconds(staged, [(x,)])
