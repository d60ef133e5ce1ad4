"""Ops with effects: at once when eager, in every run of a graph."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.context import current_recorder
from runtime.core.dtypes import bool_, float32, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, Tensor
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.executors import run
from runtime.graph import Graph
from runtime.ops.constant import constant
from runtime.ops.effects.io import assert_, check, numpy_function, print_, py_function
from runtime.ops.elementwise.arithmetic import add
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


def test_assert_raises_assertion_errors() -> None:
    assert_(True, "fine")
    assert_(constant(True), "fine")
    for condition in (False, np.bool_(False), constant(False)):
        with pytest.raises(AssertionError, match="^bad value$"):
            assert_(condition, "bad value")
    with pytest.raises(AssertionError) as caught:
        assert_(False)
    assert caught.value.args == ()
    with pytest.raises(AssertionError) as caught:
        assert_(False, ["x is", constant([1, 2])])
    assert str(caught.value) == "['x is', [1 2]]"


@pytest.mark.parametrize(("value", "error"), [(1, DTypeError), ([True, False], ShapeError)])
def test_assert_takes_one_bool(value: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="the condition of an assert"):
        assert_(value, "message")


def test_assertions_known_to_hold_record_no_nodes() -> None:
    graph = Graph("f")
    with graph.recording():
        assert_(True, "fine")
        check(True, ValueError, "fine")
    assert len(graph) == 0


def test_check_raises_the_given_type() -> None:
    check(constant(True), KeyError, "fine")
    for error in (UnboundLocalError, ValueError, KeyboardInterrupt):
        with pytest.raises(error, match="y was not set"):
            check(constant(False), error, "y was not set")
    graph = Graph("f")
    ok = graph.add_input(TensorSpec((), bool_), "ok")
    with graph.recording():
        check(ok, UnboundLocalError, "y was not set")
    run(graph, [np.array(True)])
    with pytest.raises(UnboundLocalError, match="y was not set"):
        run(graph, [np.array(False)])


def test_py_function_gets_eager_tensors() -> None:
    seen: list[object] = []

    def function(x: Tensor, y: Tensor) -> Tensor:
        seen.append((type(x), current_recorder(), x.numpy()))  # type: ignore[attr-defined]
        return add(x, y)

    assert py_function(function, [1, constant(2)], int32).numpy() == 3
    graph = Graph("f")
    x = graph.add_input(TensorSpec((), int32), "x")
    with graph.recording():
        result = py_function(function, [x, 10], int32)
        graph.set_outputs([result])
    assert result.shape.rank is None and result.dtype is int32
    assert [run(graph, [np.array(n, np.int32)])[0] for n in (5, 6)] == [15, 16]
    assert seen == [(EagerTensor, None, n) for n in (1, 5, 6)]


def test_py_function_results_follow_tout() -> None:
    first, second = py_function(lambda x: (x, 2), [1.5], [float32, int32])
    assert (first.numpy(), second.numpy()) == (1.5, 2)
    assert py_function(lambda: None, [], []) is None
    assert py_function(lambda: [1, 2], [], int32).numpy().tolist() == [1, 2]
    with pytest.raises(ArgumentValueError, match="returned 1 results, but Tout is int32, int32"):
        py_function(lambda: 1, [], [int32, int32])
    with pytest.raises(DTypeError):
        py_function(lambda: 1.5, [], int32)


def test_numpy_function_gets_arrays() -> None:
    def function(x: np.ndarray) -> np.ndarray:
        assert isinstance(x, np.ndarray)
        return x[::-1]

    found = numpy_function(function, [constant([1, 2, 3])], int32)
    assert found.numpy().tolist() == [3, 2, 1]


def test_an_unused_python_function_still_runs() -> None:
    calls: list[int] = []
    graph = Graph("f")
    with graph.recording():
        py_function(lambda: calls.append(1), [], [])
    run(graph, [])
    run(graph, [])
    assert calls == [1, 1]


def test_py_function_is_a_decorator() -> None:
    @rt.py_function(Tout=rt.float32)
    def doubled(x: Any) -> Any:
        return 2.0 * x

    @rt.numpy_function(Tout=[rt.int64, rt.float32], stateful=False)
    def place_and_value(x: Any) -> Any:
        return np.argmax(x), np.max(x)

    x = rt.constant([1.0, 4.0, 2.0])
    for call in (doubled, ag.function(lambda x: doubled(x))):
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = call(x)
        assert [2.0, 8.0, 4.0] == y.numpy().tolist()
        assert [2.0, 2.0, 2.0] == tape.gradient(y, x).numpy().tolist()
    for call in (place_and_value, ag.function(lambda x: place_and_value(x))):
        assert [1, 4.0] == [each.numpy() for each in call(x)]
    assert "doubled" == doubled.__name__
    with pytest.raises(DTypeError, match="Tout"):
        rt.py_function(lambda x: x, [x])
    with pytest.raises(ArgumentValueError, match="without func"):
        rt.py_function(inp=[x], Tout=rt.float32)
