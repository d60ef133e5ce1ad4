"""`print_`: at once when eager, in every run of a graph."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np
import pytest

from runtime.core.dtypes import int32
from runtime.core.spec import TensorSpec
from runtime.errors import ArgumentValueError
from runtime.executors import run
from runtime.graph import Graph
from runtime.ops.constant import constant
from runtime.ops.effects.printing import print_
from runtime.state.variable import Variable

Capture = pytest.CaptureFixture[str]


def test_print_writes_to_standard_error_by_default(capsys: Capture) -> None:
    print_("x:", constant([1.5, 2.0]), [1, constant(2)])
    print_(1, 2, sep="-", end="!", output_stream=sys.stdout)
    captured = capsys.readouterr()
    assert (captured.err, captured.out) == ("x: [1.5 2] [1, 2]\n", "1-2!")


def test_print_takes_any_stream_and_files(tmp_path: Path) -> None:
    stream = io.StringIO()
    print_(Variable([1, 2]), True, output_stream=stream)
    assert stream.getvalue() == "[1 2] True\n"
    path = tmp_path / "log.txt"
    for number in range(2):
        print_(number, output_stream=f"file://{path}")
    assert path.read_text("utf-8") == "0\n1\n"
    with pytest.raises(ArgumentValueError, match="output_stream must be .*, not 3"):
        print_(1, output_stream=3)


def test_a_string_alone_has_no_quotes(capsys: Capture) -> None:
    print_(constant("a"))
    print_(constant("a"), constant("b"))
    print_([constant("a")])
    print_(constant(["a"]))
    assert capsys.readouterr().err == 'a\n"a" "b"\n["a"]\n["a"]\n'


def test_summarize(capsys: Capture) -> None:
    for count in (1, 2, -1):
        print_(constant(list(range(6))), summarize=count)
    assert capsys.readouterr().err == "[0 ... 5]\n[0 1 ... 4 5]\n[0 1 2 3 4 5]\n"


def test_print_in_a_graph_runs_on_every_call_and_finds_the_stream_then(capsys: Capture) -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec((), int32), "x")
    with graph.recording():
        print_("first", x)
        print_("second", {"x": x}, output_stream=sys.stdout)
    assert capsys.readouterr() == ("", "")
    for number in (1, 2):
        run(graph, [np.array(number, np.int32)])
        captured = capsys.readouterr()
        assert captured.err == f"first {number}\n"
        assert captured.out == f"second {{'x': {number}}}\n"
