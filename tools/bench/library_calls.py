"""The cost of a call in converted code, compared with the same call in plain Python."""

from __future__ import annotations

import contextlib
import logging
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.bench import clock
from tools.bench.lines import Bar, Line, ratio, row
from tools.bench.modes import OURS, PLAIN, AnyCall, Mode, all_modes
from tools.bench.workloads import loaded

# The number of consecutive calls in the measured function.
IN_A_ROW = 20
NEAR = Bar(2.0)


@dataclass(frozen=True)
class Call:
    """A call to measure.

    Attributes:
        name: the head of its row.
        text: the call, in which `it` is the function's argument.
        given: an expression for the argument.
        bar: the limit for converted code, if any.
        level: the level of the root logger.
    """

    name: str
    text: str
    given: str
    bar: Bar | None = None
    level: int = logging.WARNING


CALLS = (
    Call("json.dumps", "json.dumps(it)", "{'a': [1, 2.5, None], 'b': 'text'}", NEAR),
    Call("logging.info, not enabled", "logging.info('value %s', it)", "3", NEAR),
    Call("logging.info, enabled", "logging.info('value %s', it)", "3", NEAR, logging.INFO),
    Call("logger.info, not enabled", "it.info('value %s', 3)", "logging.getLogger()"),
    Call(
        "logger.info, enabled", "it.info('value %s', 3)", "logging.getLogger()", None, logging.INFO
    ),
    Call("a dataclass", "Point(1, y=it)", "2", NEAR),
    Call("a named tuple", "Pair(1, second=it)", "2"),
    Call("len", "len(it)", "[1, 2]"),
    Call("max", "max(it, 3)", "2"),
    Call("range", "range(it)", "2"),
    Call("dict.get", "it.get('a')", "{'a': 1}"),
    Call("a function", "function(it)", "2"),
    Call("a function with keywords", "keywords(it, scale=2)", "2"),
    Call("a method", "it.method(2)", "Owner()"),
    Call("a property", "it.value", "Owner()"),
    Call("an operator", "it + it", "Owner()"),
)

MODULE = """
import collections
import dataclasses
import json
import logging

Pair = collections.namedtuple("Pair", "first second")


@dataclasses.dataclass
class Point:
    x: int
    y: int
    name: str = "origin"
    tags: list = dataclasses.field(default_factory=list)


def function(x):
    return x


def keywords(x, *, scale):
    return x


class Owner:
    def method(self, x):
        return x

    @property
    def value(self):
        return 3

    def __add__(self, other):
        return 4

"""


def module_text(calls: Sequence[Call]) -> str:
    """A module in which `call_0`, `call_1`, ... make the calls on `GIVEN[0]`, `GIVEN[1]`, ...

    >>> "def call_0(it):" in module_text(CALLS[:1])
    True
    """
    functions = (
        f"\ndef call_{number}(it):\n" + f"    {call.text}\n" * IN_A_ROW
        for number, call in enumerate(calls)
    )
    given = "".join(f"    {call.given},\n" for call in calls)
    return f"{MODULE}{''.join(functions)}\nGIVEN = (\n{given})\n"


def lines(repeats: int, rounds: int, calls: Sequence[Call] = CALLS) -> Iterator[Line]:
    """Measure the calls, `repeats` times in each round, and yield the table."""
    modes = all_modes()[1:]
    yield Line(row("a call", "plain", *(mode.name for mode in modes)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench_calls.py"
        path.write_text(module_text(calls), encoding="utf-8")
        module = loaded(path)
        for number, call in enumerate(calls):
            function = getattr(module, f"call_{number}")
            with _logging_nowhere(call.level):
                yield _line(call, function, module.GIVEN[number], modes, (repeats, rounds))


@contextlib.contextmanager
def _logging_nowhere(level: int) -> Iterator[None]:
    """Send log records from a level on to one handler, which drops them."""
    root = logging.getLogger()
    before = (root.handlers, root.level)
    root.handlers = [logging.NullHandler()]
    root.setLevel(level)
    try:
        yield
    finally:
        root.handlers = before[0]
        root.setLevel(before[1])


def _line(
    call: Call, function: AnyCall, given: Any, modes: Sequence[Mode], effort: tuple[int, int]
) -> Line:
    repeats, rounds = effort
    best = clock.best_in_turn(
        [_timed(mode, function, [(given,)] * repeats) for mode in (PLAIN, *modes)], rounds
    )
    plain, *others = best
    ratios = dict(zip(modes, (seconds / plain for seconds in others)))
    cells = (clock.readable(plain / repeats / IN_A_ROW), *map(ratio, ratios.values()))
    missed = [
        text
        for mode in OURS
        if call.bar is not None
        for text in call.bar.missed(f"{call.name} {mode.name}", ratios[mode])
    ]
    return Line(row(f"  {call.name}", *cells), tuple(missed))


def _timed(mode: Mode, function: AnyCall, calls: Sequence[Sequence[Any]]) -> Any:
    prepared = mode.prepare(function)

    def run() -> float:
        with mode.around():
            return clock.cpu_seconds(prepared, calls)

    run()
    return run
