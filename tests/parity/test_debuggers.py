"""Debuggers stop at the user's lines and in the user's frames."""

from __future__ import annotations

import bdb
import difflib
import importlib.util
import io
import logging
import pdb
import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.operators import debuggers
from runtime.graph.graph import Graph
from tests.parity.run_modes import PROGRAM, Call, Module, idle, plain, recorded, undisturbed

MODES = {"idle": idle, "recorded": recorded}


def session(call: Call, commands: list[str]) -> str:
    """Return the text that `pdb` prints while these commands are typed."""
    bdb.Breakpoint.next, bdb.Breakpoint.bplist = 1, {}
    bdb.Breakpoint.bpbynumber = [None]
    printed, typed = io.StringIO(), io.StringIO("".join(f"{each}\n" for each in commands))
    debugger = pdb.Pdb(stdin=typed, stdout=printed, nosigint=True, readrc=False)
    # As one that was running when the function was made.
    debugger.skip = set(debuggers.SKIPPED)
    before = sys.gettrace()
    try:
        debugger.runcall(call, 5)
    except bdb.BdbQuit:
        printed.write("quit")
    finally:
        sys.settrace(before)
        debugger.clear_all_breaks()
    return re.sub(r"0x[0-9a-f]+", "0x0", printed.getvalue())


def line(text: str) -> str:
    """Return where `text` is in the program, as `pdb` takes it."""
    lines = PROGRAM.text.splitlines()
    return f"{PROGRAM.name}:{1 + next(i for i, each in enumerate(lines) if text in each)}"


SESSIONS = {
    "next": ["next"] * 70,
    "step": ["step"] * 220,
    "breakpoints": [
        *(f"b {line(each)}" for each in ("total += i", "found = [", "return Box(", "return total")),
        *["c", "where", "p total", "up", "p n", "down", "return"] * 5,
    ],
    "on_compound_statements": [
        *(f"b {line(each)}" for each in ("for i in", "if i == 2", "while total", "with io")),
        *["c", "p total"] * 20,
    ],
    "until": [f"b {line('total += i')}", "c", *["until"] * 12, "where", "c", "c", "c"],
    "condition": [f"b {line('total += value')}, value > 1", "c", "p value, total", "c"],
    "function": ["b factorial", "b Box.is_big.fget", "c", "args", "c", "args", "c", "where", "c"],
    "temporary": [f"tbreak {line('box = Box')}", "c", "step", "step", "step", "return", "where"],
    "assignment": ["next", "next", "!total = 10", "next", "next", "next", "p total", "c"],
    "nested": [f"b {line('return nested(z')}", "c", "c", "where", "p z", "up", "up", "args", "c"],
    "source": ["source helper", "list 1,12", "longlist", "c"],
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_with_pdb_is_the_same(name: str, mode: str) -> None:
    commands = [*SESSIONS[name], "q"]
    variables = PROGRAM.fresh()
    expected = _own(session(variables["program"], commands))
    converted = ag.to_graph(PROGRAM.fresh()["program"])
    with Graph("probe").recording():
        converted(5)
        if mode == "recorded":
            found = session(converted, commands)
    if mode == "idle":
        found = session(converted, commands)
    difference = difflib.unified_diff(expected.splitlines(), _own(found).splitlines(), lineterm="")
    assert 5 < len(expected.splitlines())
    assert [] == list(difference)


def _own(printed: str) -> str:
    """Leave out where in this file pdb was started."""
    return re.sub(rf"({re.escape(__file__)})\(\d+\)", r"\1", printed)


STAGED = Module(
    "<staged and followed>",
    """
def staged(x, rt):
    total = x * 0
    for i in rt.range(x):
        if i > 2:
            total = total + i
        else:
            total = total - 1
    while total > 3:
        total = total - 1
    if total > 0:
        return total
    return -total
""",
)


class Stops(bdb.Bdb):
    """Notes where it stops and goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.stops: list[tuple[int, str]] = []

    def user_line(self, frame: FrameType) -> None:
        if self.get_break(self.canonic(frame.f_code.co_filename), frame.f_lineno):
            self.stops.append((frame.f_lineno, frame.f_code.co_name))
        self.set_continue()


@pytest.mark.parametrize("number", [3, 5, 6, 8, 10, 11, 12, 13])
def test_a_breakpoint_on_a_staged_line_stops_once_in_a_trace(number: int) -> None:
    function = ag.function(STAGED.fresh()["staged"])
    debugger = Stops()
    with undisturbed():
        assert debugger.set_break(STAGED.name, number) is None
        debugger.runcall(function, rt.constant(4), rt)
    debugger.clear_all_breaks()
    assert [(number, "staged")] == debugger.stops


def test_a_trace_runs_the_lines_of_all_branches() -> None:
    function, seen = ag.function(STAGED.fresh()["staged"]), set()

    def tracer(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename == STAGED.name:
            seen.add((frame.f_lineno, frame.f_code.co_name))
        return tracer

    with undisturbed():
        sys.settrace(tracer)
        function(rt.constant(4), rt)
    assert {(number, "staged") for number in (*range(2, 7), *range(8, 14))} == seen


def test_a_debugger_steps_over_frames_of_ours_from_the_first_call_on() -> None:
    visited: list[str] = []

    class Steps(bdb.Bdb):
        def user_line(self, frame: FrameType) -> None:
            visited.append(frame.f_globals["__name__"])
            self.set_step()

    variables = PROGRAM.fresh()

    def session() -> None:
        converted = ag.function(variables["program"])
        converted(5)

    debugger = Steps()
    with undisturbed():
        debugger.runcall(session)
    ours = [name for name in visited if name.partition(".")[0] in ("autograph", "runtime")]
    assert 80 < visited.count("observed")
    # It stops in `function` itself, until that has said so.
    assert len(ours) < 40


def fresh_pdb() -> Any:
    """Return the module as it is without the changes of the test runner."""
    spec = importlib.util.find_spec("pdb")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STOPPING = """
import pdb, sys
def stops(x):
    total = x
    for i in range(2):
        total += i
        HERE
    if total:
        check(total)
def check(total):
    for i in [total]:
        if i:
            raise KeyError(i)
"""


@pytest.mark.parametrize("here", ["breakpoint()", "pdb.set_trace()", "pdb.Pdb().set_trace()"])
@pytest.mark.parametrize("mode", MODES)
def test_a_stop_in_the_program_stops_in_the_users_frame(
    here: str, mode: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = Module("<stopping>", STOPPING.replace("HERE", here))
    commands = ["where", "p total, i", "n", "s", "c", "where", "p x", "c", "c"]
    monkeypatch.delenv("PYTHONBREAKPOINT", raising=False)
    monkeypatch.setattr(sys, "breakpointhook", sys.__breakpointhook__)
    monkeypatch.setitem(sys.modules, "pdb", fresh_pdb())

    def transcript(call: Call) -> list[str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{each}\n" for each in commands)))
        with undisturbed(), pytest.raises(KeyError):
            call(1)
        text = capsys.readouterr().out
        # Where the frames of the tests end.
        return [each for each in text.splitlines() if "<stopping>" in each or "(Pdb) (" in each]

    expected = transcript(module.fresh()["stops"])
    found = transcript(MODES[mode](module.fresh()["stops"]))
    assert len(expected) > 3
    assert expected == found


@pytest.mark.parametrize("mode", MODES)
def test_a_post_mortem_debugger_is_at_the_raising_line(
    mode: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = Module("<stopping>", STOPPING.replace("HERE", "pass"))

    def transcript(call: Call) -> list[str]:
        commands = ["where", "p i, total", "up", "p total, x", "q"]
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{each}\n" for each in commands)))
        with pytest.raises(KeyError) as caught:
            call(1)
        pdb.post_mortem(caught.value.__traceback__)
        text = capsys.readouterr().out
        return [each for each in text.splitlines() if "<stopping>" in each or "(Pdb) (" in each]

    expected = transcript(module.fresh()["stops"])
    assert "(Pdb) (2, 1)" in expected
    assert expected == transcript(MODES[mode](module.fresh()["stops"]))


WARNING = Module(
    "<warning>",
    """
import logging, warnings
log = logging.getLogger("observed")
def warns(x):
    for i in range(2):
        if x:
            warnings.warn("here")
            warned(i)
            log.warning("logged")
            logged()
            logging.getLogger("observed").log(30, "so", stacklevel=1)
def warned(i):
    if i is not None:
        warnings.warn("there", stacklevel=2)
def logged():
    while True:
        log.error("above", stacklevel=2)
        try:
            raise KeyError
        except KeyError:
            log.exception("caught")
        break
""",
)


class Notes(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.places: list[tuple[Any, ...]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.places.append((Path(record.pathname).name, record.lineno, record.funcName))


@pytest.mark.parametrize("mode", MODES)
def test_warnings_and_logs_name_the_users_line(mode: str) -> None:
    def places(change: Callable[[Call], Call]) -> Any:
        call, handler = change(WARNING.fresh()["warns"]), Notes()
        logging.getLogger("observed").addHandler(handler)
        logging.getLogger("observed").propagate = False
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call(1)
        logging.getLogger("observed").removeHandler(handler)
        return [(each.filename, each.lineno) for each in caught], handler.places

    expected = places(plain)
    assert 4 == len(expected[0]) and 8 == len(expected[1])
    assert expected == places(MODES[mode])
