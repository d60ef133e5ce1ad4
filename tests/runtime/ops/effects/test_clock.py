"""The time of day is read in each run."""

from __future__ import annotations

import time

import runtime as rt
from runtime.executors import run


def test_each_run_has_its_own_time() -> None:
    graph = rt.Graph("clock")
    with graph.recording():
        graph.set_outputs([rt.timestamp()])
    before = time.time()
    first, second = (float(run(graph, [])[0]) for _ in range(2))
    assert before <= first <= second <= time.time()
    assert "float64" == rt.timestamp().dtype.name
