"""Ctrl-C while a function is traced arrives at the caller, whatever is being done.

A signal arrives at the first call of each Python function that tracing calls. Python drops what is
raised in callbacks of weak references and in `__del__`, and code may catch too much.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable
from contextvars import Context, copy_context
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.suite_length import IS_LONG

# Each eightieth of the functions that tracing calls is tried, or each one.
STEP = 1 if IS_LONG else 80


class Counter:
    """An object whose state a trace of a method reads and writes."""

    def __init__(self) -> None:
        self.seen = 0
        self.layer = rt.nn.layers.Dense(1)

    def step(self, x: Any) -> Any:
        self.seen += 1
        total, gathered = rt.reduce_sum(self.layer(x)) * 0.0, []
        for i in rt.range(3):
            if total > 10.0:
                total /= 2.0
            total += rt.reduce_sum(x)
            gathered.append(total)
            if i > 5:
                break
        try:
            text = f"{total}"
        except ValueError:
            text = ""
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return total, gathered, text, tape.gradient(y, x), inner(x)


@ag.function
def inner(x: Any) -> Any:
    while rt.reduce_sum(x) < 100.0:
        x = x * 2.0
    return x


def trace() -> Any:
    """Trace anew, run, and throw away."""
    counter = Counter()
    result = ag.function(counter.step)(rt.constant([[1.0, 2.0]]))
    assert 1 == counter.seen
    return float(result[0])


def called_by(work: Callable[[], object]) -> list[CodeType]:
    """Return the code of each Python function that is called while `work` runs, in that order."""
    found: dict[int, CodeType] = {}

    def note(frame: FrameType, event: str, arg: object) -> None:
        if event == "call":
            found.setdefault(id(frame.f_code), frame.f_code)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return list(found.values())


def changed_since(before: Context) -> list[str]:
    """Return the names of the context variables that have another value than they had."""
    then = {v: before[v] if v in before else Context().run(v.get) for v in copy_context()}
    pairs = [(variable.name, variable.get(), value) for variable, value in then.items()]
    # Python 3.10 has more than one empty tuple.
    empty = [n for n, *both in pairs if all(type(each) is tuple and not each for each in both)]
    return [n for n, now, was in pairs if now is not was and n not in empty]


class interrupting:
    """Raise KeyboardInterrupt when a function is first called, and note that it was raised."""

    def __init__(self, code: CodeType) -> None:
        self._code, self.was_raised = code, False

    def __enter__(self) -> interrupting:
        sys.setprofile(self._note)
        return self

    def _note(self, frame: FrameType, event: str, arg: object) -> None:
        if event == "call" and frame.f_code is self._code:
            self.was_raised = True
            signal.raise_signal(signal.SIGINT)

    def __exit__(self, *exception: object) -> None:
        sys.setprofile(None)


@pytest.mark.filterwarnings("ignore")
def test_an_interrupt_at_any_function_that_tracing_calls_arrives() -> None:
    expected = trace()
    trace()
    codes = called_by(trace)
    # Each collection below then looks at objects of one trace, and not at those of earlier tests.
    gc.collect()
    gc.freeze()
    own: set[object] = {trace.__code__, note_of(interrupting), interrupting.__exit__.__code__}
    # NumPy's own `__exit__`, interrupted as it begins, leaves its state changed in any program.
    own.add(getattr(np.errstate.__exit__, "__code__", None))
    # Libraries of tests may be told of collections; Python drops what is raised there, too.
    own.update(each.__code__ for each in gc.callbacks if isinstance(each, FunctionType))
    lost, tried = [], 0
    for code in codes[::STEP]:
        if code in own:
            continue
        gc.collect()
        arrived, before = False, copy_context()
        with interrupting(code) as interrupt:
            try:
                trace()
            except KeyboardInterrupt:
                arrived = True
        tried += interrupt.was_raised
        if interrupt.was_raised and not arrived:
            lost.append(f"{code.co_filename}:{code.co_firstlineno} {code.co_name}")
        assert [] == changed_since(before), code
    assert [] == lost
    assert tried > len(codes) // STEP // 2
    assert expected == trace()
    assert gc.isenabled()


def make_and_drop(folder: Path) -> None:
    """Trace a function and write a summary, and let go of both."""
    writer = rt.summary.create_file_writer(str(folder))
    with writer.as_default(step=0):
        rt.summary.scalar("loss", 0.5)

    @ag.function
    def double(x: Any) -> Any:
        return x + x

    double(rt.constant(1.0))
    double.__dict__["around"] = double, writer
    del double, writer


def test_freeing_our_objects_runs_no_python_code(tmp_path: Path) -> None:
    # A warning of functions that are made anew knows of the second one.
    make_and_drop(tmp_path), gc.collect()
    make_and_drop(tmp_path)
    # Others, such as libraries of tests, may be told of collections.
    ours = tuple(f"{Path(str(package.__file__)).parent}{os.sep}" for package in (ag, rt))
    called = [code for code in called_by(gc.collect) if code.co_filename.startswith(ours)]
    assert [] == [f"{code.co_filename} {code.co_name}" for code in called]


def note_of(kind: type[interrupting]) -> CodeType:
    return kind._note.__code__
