"""Output of a trace is printed once, also when the trace is repeated."""

from __future__ import annotations

import contextvars
import functools
import io
import logging
import sys
import threading
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.functions.side_effects.console_output import (
    ConsoleOutput,
    _Wrapping,
    current_console_output,
)


class Counter:
    def __init__(self) -> None:
        self.step = 0


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_repeated_trace_prints_once(stream: str, capsys: pytest.CaptureFixture[str]) -> None:
    counter = Counter()

    @ag.function
    def step(x: Any) -> Any:
        print("tracing", x.shape, file=getattr(sys, stream))
        counter.step += 1
        getattr(sys, stream).write("counted\n")
        return x + counter.step

    for _ in range(3):
        step(rt.constant(1.0))
    said = capsys.readouterr()
    assert getattr(said, "out" if stream == "stdout" else "err") == "tracing ()\ncounted\n"


@pytest.mark.parametrize("stream", ["__stdout__", "__stderr__"])
def test_output_to_the_original_streams_is_written_once(
    stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, stream, written)
    counter = Counter()

    @ag.function
    def step(x: Any) -> Any:
        getattr(sys, stream).write("traced\n")
        counter.step += 1
        return x + counter.step

    step(rt.constant(1.0)), step(rt.constant(1.0))
    assert written.getvalue() == "traced\n"
    assert getattr(sys, stream) is written


def test_each_trace_prints(capsys: pytest.CaptureFixture[str]) -> None:
    counter = Counter()

    @ag.function
    def step(x: Any) -> Any:
        print("tracing", x.dtype.name)
        counter.step += 1
        return x + counter.step

    for value in (1.0, 2.0, 1, 2):
        step(rt.constant(value))
    assert capsys.readouterr().out == "tracing float32\ntracing int32\n"


def test_a_discarded_inner_trace_prints_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    counter = Counter()

    @ag.function
    def inner(x: Any) -> Any:
        print("inner")
        counter.step = counter.step + 1
        return x + counter.step

    @ag.function
    def outer(x: Any) -> Any:
        print("outer")
        return inner(x)

    assert [1.0, 2.0] == [float(outer(rt.constant(0.0))) for _ in range(2)]
    assert capsys.readouterr().out == "outer\ninner\n"


def test_build_prints_once(capsys: pytest.CaptureFixture[str]) -> None:
    class Layer(rt.nn.layers.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.calls = 0

        def build(self, input_shape: Any) -> None:
            print("build", input_shape[-1])

        def call(self, inputs: Any) -> Any:
            self.calls += 1
            return inputs * self.calls

    layer = Layer()
    step = ag.function(lambda x: layer(x))
    for _ in range(3):
        step(rt.zeros((1, 2)))
    assert capsys.readouterr().out == "build 2\n"


def test_the_streams_are_restored() -> None:
    before = sys.stdout, sys.stderr
    kept: list[Any] = []

    @ag.function
    def keeping(x: Any) -> Any:
        kept.append(sys.stdout)
        return x

    keeping(rt.constant(1.0))
    assert (sys.stdout, sys.stderr) == before
    assert current_console_output() is None
    assert kept[0].write("") == 0


def test_output_of_other_threads_is_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    with ConsoleOutput() as output:
        thread = threading.Thread(target=print, args=("elsewhere",))
        thread.start()
        thread.join()
        assert output.position == 0
    assert capsys.readouterr().out == "elsewhere\n"


def test_a_log_message_is_written_once_a_trace() -> None:
    numbers, out = [3, 4], io.StringIO()
    logger = logging.Logger("of a test")
    logger.addHandler(logging.StreamHandler(out))

    @ag.function
    def f(x: Any) -> Any:
        numbers.append(len(numbers))
        logger.warning("traced")
        return x + sum(numbers)

    assert [int(f(rt.constant(0))) for _ in range(3)] == [9, 12, 16]
    assert out.getvalue() == "traced\n" * f.experimental_get_tracing_count()
    assert logger.handlers[0].stream is out  # type: ignore[attr-defined]


def test_a_thread_that_a_trace_starts_has_no_output_of_its_trace() -> None:
    found: list[object] = []
    with ConsoleOutput():
        looking = functools.partial(
            contextvars.copy_context().run, lambda: found.append(current_console_output())
        )
        thread = threading.Thread(target=looking)
        thread.start()
        thread.join()
    assert [None] == found


def test_overlapping_traces_of_two_threads_restore_the_streams() -> None:
    before, inside, leave = sys.stdout, threading.Event(), threading.Event()

    def other() -> None:
        with ConsoleOutput():
            inside.set()
            leave.wait(60)

    thread = threading.Thread(target=other)
    with ConsoleOutput():
        thread.start()
        inside.wait(60)
    assert sys.stdout is not before
    leave.set()
    thread.join()
    assert sys.stdout is before


def test_an_interrupted_trace_leaves_no_output(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    counter, before = Counter(), sys.stdout

    @ag.function
    def step(x: Any) -> Any:
        print("traced")
        counter.step += 1
        return x + counter.step

    for name in ("begin", "end"):
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(_Wrapping, name, interrupted)
            step(rt.constant(1))
        assert current_console_output() is None
    step(rt.constant(1.0)), step(rt.constant(1.0))
    assert capsys.readouterr().out == "traced\n" * 2
    assert sys.stdout is before
