"""Timing: medians of repeated runs, in this process or in fresh ones."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

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
    """Median of what `script` prints (seconds) when a new interpreter runs it."""
    return statistics.median(_fresh(script) for _ in range(repeats))


def _fresh(script: str) -> float:
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def readable(seconds: float) -> str:
    """Seconds with a unit that keeps three digits.

    >>> readable(0.00123), readable(2.5e-8)
    ('1.23 ms', '25.0 ns')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.1f} ns"
