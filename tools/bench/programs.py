"""The cost of the corpus programs on Python values, each compared with plain Python."""

from __future__ import annotations

import contextlib
import io
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.graph.graph import Graph
from tests.corpus import PROGRAMS, Program
from tools.bench import clock
from tools.bench.lines import Bar, Line, ratio, row
from tools.bench.modes import CONVERTED, PLAIN, AnyCall, Mode, all_modes

# A median over many programs, of code that runs in place of plain Python. While a graph records
# there is no bar: that is once for each kind of arguments, and the programs are tiny.
NEAR = 4.0
BARS = {CONVERTED: Bar(NEAR)}
_WORST = 5
_MOST_TURNS = 2000
# No program can change a value of these.
_FIXED = (bool, int, float, complex, str, bytes, type(None))


@dataclass(frozen=True)
class Effort:
    """The extent of the measurement.

    Attributes:
        rounds: the number of turns of each mode with each program.
        seconds: the approximate time of one turn in plain Python.
        step: one of this many programs is measured.
    """

    rounds: int
    seconds: float
    step: int = 1


QUICK = Effort(rounds=3, seconds=0.3e-3, step=16)
FULL = Effort(rounds=7, seconds=1e-3)


@dataclass(frozen=True)
class Sample:
    """A program with those of its cases that return."""

    program: Program
    cases: tuple[int, ...]

    def calls(self, count: int) -> list[list[Any]]:
        """Fresh arguments for `count` times all cases: a program may change its own."""
        if all(type(value) in _FIXED for case in self.cases for value in self._given(case)):
            return [self._given(case) for case in self.cases] * count
        return [self.program.arguments(case) for _ in range(count) for case in self.cases]

    def _given(self, case: int) -> list[Any]:
        return list(self.program.cases[case])


class _Nowhere(io.TextIOBase):
    """A stream for the output of the programs."""

    def write(self, text: str) -> int:
        return len(text)


def lines(effort: Effort, programs: Sequence[Program] = PROGRAMS) -> Iterator[Line]:
    """Measure the programs and yield the table."""
    samples, left_out = _samples(programs[:: effort.step])
    yield Line(f"the corpus on Python values, against plain Python: {len(samples)} programs")
    yield Line(row("", "programs", "median", f"within {NEAR:g} x"))
    modes = all_modes()[1:]
    found: dict[Mode, dict[str, float]] = {mode: {} for mode in modes}
    for sample in samples:
        for mode, value in _ratios(sample, modes, effort).items():
            found[mode][sample.program.id] = value
    yield from (_summary(mode, found[mode]) for mode in modes)
    yield from (_slowest(mode, found[mode]) for mode in modes)
    reasons = ", ".join(f"{count} that {reason}" for reason, count in left_out.items())
    yield Line(f"left out: {reasons or 'none'}")


def _summary(mode: Mode, ratios: dict[str, float]) -> Line:
    if not ratios:
        return Line(row(f"  {mode.name}", "0"))
    values = list(ratios.values())
    median = statistics.median(values)
    near = sum(value <= NEAR for value in values) / len(values)
    missed = BARS[mode].missed("the median", median) if mode in BARS else ()
    cells = (str(len(values)), ratio(median), f"{near:.0%}")
    return Line(row(f"  {mode.name}", *cells), missed)


def _slowest(mode: Mode, ratios: dict[str, float]) -> Line:
    worst = sorted(ratios, key=lambda program: -ratios[program])[:_WORST]
    text = ", ".join(f"{program} {ratio(ratios[program])}" for program in worst)
    return Line(f"slowest {mode.name}: {text}")


def _samples(programs: Sequence[Program]) -> tuple[list[Sample], dict[str, int]]:
    """Return the measurable programs, and the number of the others by reason."""
    samples: list[Sample] = []
    left_out: dict[str, int] = {}
    for program in programs:
        sample = Sample(program, tuple(_returning(program)))
        reason = _reason_against(sample)
        if reason is None:
            samples.append(sample)
        else:
            left_out[reason] = left_out.get(reason, 0) + 1
    return samples, left_out


def _returning(program: Program) -> Iterator[int]:
    for case in range(len(program.cases)):
        with contextlib.suppress(Exception), contextlib.redirect_stdout(_Nowhere()):
            program.function(*program.arguments(case))
            yield case


def _reason_against(sample: Sample) -> str | None:
    """Return the reason why a program cannot be measured on Python values, or None."""
    if not sample.cases:
        return "raise"
    if _prepared(sample, CONVERTED) is None:
        return "are refused"
    return "have tensors in them" if _records(sample) else None


def _records(sample: Sample) -> bool:
    """Return whether a program records operations: then it does not run on Python values alone."""
    graph = Graph("bench")
    mode = Mode("probe", CONVERTED.prepare, graph.recording)
    return _prepared(sample, mode) is None or bool(graph.nodes)


def _prepared(sample: Sample, mode: Mode) -> AnyCall | None:
    """Return the function as `mode` runs it, or None if it cannot."""
    calls = sample.calls(1)
    try:
        prepared = mode.prepare(sample.program.function)
        with mode.around(), contextlib.redirect_stdout(_Nowhere()):
            clock.cpu_seconds(prepared, calls)
    except Exception:
        return None
    return prepared


def _ratios(sample: Sample, modes: Sequence[Mode], effort: Effort) -> dict[Mode, float]:
    """Return the time of each mode that can run the program, relative to plain Python."""
    count = _count(sample, effort)
    prepared = {mode: _prepared(sample, mode) for mode in (PLAIN, *modes)}
    runs = {mode: _timed(fn, sample, mode, count) for mode, fn in prepared.items() if fn}
    with contextlib.redirect_stdout(_Nowhere()):
        best = dict(zip(runs, clock.best_in_turn(list(runs.values()), effort.rounds)))
    return {mode: best[mode] / best[PLAIN] for mode in modes if mode in best}


def _count(sample: Sample, effort: Effort) -> int:
    """Return the number of repetitions of all cases in a turn."""
    run = _timed(sample.program.function, sample, PLAIN, 10)
    with contextlib.redirect_stdout(_Nowhere()):
        once = clock.best_in_turn([run], 3)[0] / 10
    return max(1, min(_MOST_TURNS, round(effort.seconds / max(once, 1e-9))))


def _timed(function: AnyCall, sample: Sample, mode: Mode, count: int) -> Callable[[], float]:
    def run() -> float:
        calls = sample.calls(count)
        with mode.around():
            return clock.cpu_seconds(function, calls)

    return run
