"""Long traces and exports tell on a terminal where they are, and leave no trace in a pipe."""

from __future__ import annotations

import contextlib
import io
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import autograph as ag
import runtime as rt
from runtime.display import progress_line
from tests.cells import Cells
from tests.runtime.display.test_live_output import KernelStream, Publisher


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_line, "DELAY", 0.05)
    monkeypatch.setattr(progress_line, "INTERVAL", 0.02)


def slow(x: rt.Tensor) -> rt.Tensor:
    for _ in range(4):
        x = x + 1
        time.sleep(0.2)
    return x


LINE = slow.__code__.co_firstlineno + 3


def shown_texts(stream: io.StringIO) -> list[str]:
    return stream.getvalue().split("\r\x1b[K")[1:]


def test_a_long_trace_tells_its_nodes_and_line(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    assert 5 == int(ag.function(slow)(rt.constant(1)))
    *texts, last = shown_texts(stream)
    assert "" == last
    counts = [int(text.removeprefix("tracing slow: ").partition(" ")[0]) for text in texts]
    assert counts == sorted(counts) and 2 <= counts[0] < counts[-1] <= 8
    assert any(f"nodes, test_progress_line.py:{LINE}, " in text for text in texts)


def test_a_pipe_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    ag.function(slow)(rt.constant(1))
    monkeypatch.setattr(sys, "stderr", None)
    ag.function(slow)(rt.constant(1))
    assert "" == stream.getvalue()


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(progress_line, "DELAY", 60.0)
    monkeypatch.setattr(sys, "stderr", stream)
    ag.function(slow)(rt.constant(1))
    assert "" == stream.getvalue()


def test_the_line_is_gone_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with pytest.raises(KeyError), progress_line.ProgressLine(lambda: "working"):
        with progress_line.ProgressLine(lambda: "inner work"):
            time.sleep(0.2)
        raise KeyError
    *texts, last = shown_texts(stream)
    assert "" == last and texts
    assert all(text.startswith("working, ") for text in texts)


def test_a_long_export(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stream = Terminal()
    step = ag.function(lambda x: x + 1, input_signature=[rt.TensorSpec((), rt.int32)])
    monkeypatch.setattr(progress_line, "DELAY", 0.0)
    monkeypatch.setattr(sys, "stderr", stream)
    ag.export(step, tmp_path / "step")
    texts = shown_texts(stream)
    assert any(text.startswith(f"exporting {tmp_path / 'step'}, ") for text in texts)
    assert "" == texts[-1]


def test_a_cell_shows_one_output_that_is_empty_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cells = Cells(monkeypatch)
    cells.kernel = SimpleNamespace()
    cells.display_pub = Publisher()
    with contextlib.redirect_stdout(KernelStream()):
        ag.function(slow, guards="off")(rt.constant(1))
    published = cells.display_pub.published
    assert 2 < len(published)
    assert "tracing slow: " in published[0]["data"]["text/plain"]
    assert [""] == list(cells.display_pub.outputs.values())
