"""Tests of `autograph.backends.graph.iterators.unrolling`."""

from __future__ import annotations

import warnings

import autograph as ag
import runtime as rt


def break_early(x, count):
    total = 0
    for step in [1] * count:
        if total > x:
            break
        total += step
    return total


def warnings_of(count):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert int(ag.function(break_early)(rt.constant(3), count)) == 4
    return seen


def test_a_long_unrolled_loop_warns_once_at_its_line():
    (seen,) = warnings_of(110)
    assert seen.category is ag.errors.UnrolledLoopWarning
    assert (seen.filename, seen.lineno) == (__file__, break_early.__code__.co_firstlineno + 2)
    assert "rt.range(...)" in str(seen.message)


def test_a_short_unrolled_loop_does_not_warn():
    assert warnings_of(20) == []
