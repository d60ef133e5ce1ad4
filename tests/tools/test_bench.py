"""The benchmark measures something, and its workloads compute what they should."""

from __future__ import annotations

import pytest

import autograph as ag
import runtime as rt
from tools.bench import clock, measures, workloads
from tools.bench.__main__ import line


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.0, "2 s"), (0.00123, "1.23 ms"), (4.5e-6, "4.5 us"), (2.5e-8, "25.0 ns")],
)
def test_seconds_are_readable(seconds: float, text: str) -> None:
    assert text == clock.readable(seconds)


def test_a_row_shows_its_ratio() -> None:
    assert "1 ms      2.0 x" in line(measures.Row("call", 1e-3, 5e-4))
    assert line(measures.Row("call", 1e-3)).endswith("1 ms")


def test_all_rows_are_measured() -> None:
    effort = measures.Effort(repeats=1, calls=10)
    rows = list(measures.rows(effort))
    assert len(rows) == len({row.name for row in rows}) >= 9
    assert all(row.seconds > 0 for row in rows)


def test_the_workload_stages() -> None:
    staged = ag.function(workloads.twelve_lines)
    assert workloads.twelve_lines(9) == int(staged(rt.constant(9)).numpy())
