"""Tracers, profilers and coverage see the user's lines, names and counts."""

from __future__ import annotations

import cProfile
import importlib.util
import pstats
import sys
import trace
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.parity.run_modes import PROGRAM, Call, idle, plain, recorded, undisturbed

MODES = {"idle": idle, "recorded": recorded}


def program(change: Callable[[Call], Call]) -> Call:
    """Return the program, changed, after it has run once: all of its code has been met."""
    made = change(PROGRAM.fresh()["program"])
    made(5)
    return made


def is_followed(code: CodeType) -> bool:
    return code.co_filename == PROGRAM.name


def traced_events(call: Call) -> Any:
    found = []

    def tracer(frame: FrameType, event: str, argument: object) -> Any:
        if not is_followed(frame.f_code):
            return None
        found.append((event, frame.f_lineno, frame.f_code.co_name, frame.f_code.co_firstlineno))
        return tracer

    sys.settrace(tracer)
    call(5)
    sys.settrace(None)
    return found


def profiled_events(call: Call) -> Any:
    found = []

    def profiler(frame: FrameType, event: str, argument: object) -> None:
        if is_followed(frame.f_code) and event in ("call", "return"):
            found.append((event, frame.f_lineno, frame.f_code.co_name))

    sys.setprofile(profiler)
    call(5)
    sys.setprofile(None)
    return found


def profile(call: Call) -> Any:
    profiler = cProfile.Profile()
    profiler.runcall(call, 5)
    rows = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    return {key: row[:2] for key, row in rows.items() if key[0] == PROGRAM.name}


def counted_lines(call: Call) -> Any:
    tracer = trace.Trace(count=1, trace=0)
    tracer.runfunc(call, 5)
    counts = tracer.results().counts
    return {key: count for key, count in counts.items() if key[0] == PROGRAM.name}


def covered(call: Call) -> Any:
    import coverage

    tool = coverage.Coverage(
        data_file=None, branch=True, include=[PROGRAM.name], config_file=False, messages=False
    )
    tool.start()
    call(5)
    tool.stop()
    data = tool.get_data()
    return set(data.lines(PROGRAM.name) or ()), set(data.arcs(PROGRAM.name) or ())


def monitored(call: Call) -> Any:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined]
    found: list[Any] = []

    def noting(event: str) -> Callable[..., None]:
        def note(code: CodeType, where: int, *rest: object) -> None:
            if is_followed(code):
                found.append((event, code.co_qualname, where if event == "LINE" else 0))

        return note

    names = ("LINE", "PY_START", "PY_RETURN", "PY_YIELD", "PY_RESUME", "RAISE")
    events = [getattr(monitoring.events, name) for name in names]
    monitoring.use_tool_id(4, "test")
    try:
        for name, event in zip(names, events):
            monitoring.register_callback(4, event, noting(name))
        monitoring.set_events(4, sum(events))
        call(5)
    finally:
        monitoring.set_events(4, 0)
        monitoring.free_tool_id(4)
    return found


TOOLS: list[Callable[[Call], Any]] = [traced_events, profiled_events, profile, counted_lines]
TOOLS += [monitored] if sys.version_info >= (3, 12) else []
TOOLS += [covered] if importlib.util.find_spec("coverage") else []


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("mode", MODES)
def test_tracing_tools_see_the_events_of_python(tool: Callable[[Call], Any], mode: str) -> None:
    calls = program(plain), program(MODES[mode])
    with undisturbed():
        expected, found = map(tool, calls)
    assert expected
    assert expected == found
