"""Which lines a debugger or coverage sees in converted code."""

from __future__ import annotations

import sys

import autograph as ag


def skips(n):
    total = 0
    for i in range(n):
        if i == 1:
            continue
        total += i
    return total


def test_every_line_that_runs_is_seen_a_continue_too():
    converted, seen = ag.to_graph(skips), set()

    def tracer(frame, event, argument):
        if event == "line" and frame.f_code.co_filename == __file__:
            seen.add(frame.f_lineno - skips.__code__.co_firstlineno)
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        converted(3)
    finally:
        sys.settrace(before)
    assert {1, 2, 3, 4, 5, 6} == {line for line in seen if 0 < line < 7}
