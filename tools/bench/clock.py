"""Timing: medians of repeated runs, here or in fresh processes, and best times of several."""

from __future__ import annotations

import contextlib
import gc
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def median_seconds(run: Callable[[], object], repeats: int) -> float:
    """Median seconds of `repeats` calls, each timed alone."""
    return statistics.median(_once(run) for _ in range(repeats))


def _once(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def seconds_per_call(run: Callable[[], object], calls: int, repeats: int) -> float:
    """Median over `repeats` of the mean seconds of one call among `calls`."""

    def batch() -> None:
        for _ in range(calls):
            run()

    return median_seconds(batch, repeats) / calls


def fresh_process_seconds(script: str, repeats: int) -> float:
    """Return the median of the seconds that `script` prints in a new interpreter."""
    return statistics.median(_fresh(script) for _ in range(repeats))


def _fresh(script: str) -> float:
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def cpu_seconds(function: Callable[..., Any], calls: Iterable[Sequence[Any]] = ((),)) -> float:
    """Seconds this process computes while `function` is called once with each of some arguments."""
    began = time.process_time()
    for arguments in calls:
        function(*arguments)
    return time.process_time() - began


def best_in_turn(timed: Sequence[Callable[[], float]], rounds: int) -> list[float]:
    """Return the least result of each function over `rounds` rounds, in which they take turns.

    A temporary load on the machine then affects all of them. Garbage is collected before the
    rounds, not between them.

    >>> best_in_turn([iter([3.0, 1.0]).__next__, iter([2.0, 4.0]).__next__], 2)
    [1.0, 2.0]
    """
    best = [math.inf for _ in timed]
    with _without_collection():
        for _ in range(rounds):
            best = [min(least, run()) for least, run in zip(best, timed)]
    return best


@contextlib.contextmanager
def _without_collection() -> Iterator[None]:
    gc.collect()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def readable(seconds: float) -> str:
    """Seconds with a unit that keeps three digits.

    >>> readable(0.00123), readable(2.5e-8)
    ('1.23 ms', '25.0 ns')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.1f} ns"
