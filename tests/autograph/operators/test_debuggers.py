"""Debuggers step over internal frames."""

from __future__ import annotations

import bdb
import sys

from autograph.operators.debuggers import SKIPPED, step_over_internals


def skipped_by(debugger: bdb.Bdb) -> object:
    debugger.reset()
    before = sys.gettrace()
    sys.settrace(debugger.trace_dispatch)
    try:
        step_over_internals()
    finally:
        sys.settrace(before)
    return debugger.skip  # type: ignore[attr-defined]


def test_our_modules_are_added_to_the_skip_list_of_a_debugger() -> None:
    assert set(SKIPPED) == skipped_by(bdb.Bdb())
    assert {"unittest", *SKIPPED} == skipped_by(bdb.Bdb(skip=["unittest"]))


def test_other_tracers_are_left_alone() -> None:
    before = sys.gettrace()
    sys.settrace(lambda *event: None)
    try:
        step_over_internals()
    finally:
        sys.settrace(before)
