"""`try` as branches: files compute the results of the graph, whatever fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import OpError, UnimplementedError
from runtime.executors.interpreter import run
from runtime.export.graphdef.importer import graph_between
from runtime.export.try_statements import has_tries, without_tries
from runtime.graph.graph import Graph

INT, ROW = rt.TensorSpec((), rt.int32), rt.TensorSpec((4,), rt.int32)
XS = np.array([3, 0, -2, 7], np.int32)


def divided(n, xs):
    try:
        found = 12 // n
    except ZeroDivisionError:
        found = -1
    return found


def values_before_the_error(n, xs):
    total = 0
    try:
        total += 1
        y = xs[n]
        total += 10
        if y < 0:
            raise KeyError("negative")
        total += 100 // y
    except IndexError:
        total += 1000
    except (KeyError, ZeroDivisionError):
        total += 2000
    else:
        total += 4000
    finally:
        total *= 2
    return total


def loop_left_by_an_error(n, xs):
    total = count = 0
    try:
        for i in range(4):
            count += 1
            for j in range(i + 1):
                total += xs[i] * j + 5 // (xs[i] + n)
    except ZeroDivisionError:
        total -= 100
    return total * 10 + count


def test_of_a_loop_fails(n, xs):
    i = total = 0
    try:
        while xs[i] + n != 0:
            total += xs[i]
            i += 1
    except IndexError:
        total += 500
    return total * 10 + i


def caught_in_each_turn(n, xs):
    kept = []
    for i in range(4):
        try:
            if i > n:
                break
            kept.append(6 // xs[i])
        except ZeroDivisionError:
            kept.append(i * 100)
    return rt.stack(kept) if n >= 0 else rt.zeros([1], rt.int32)


def handler_that_fails(n, xs):
    total = 0
    try:
        try:
            total += 10 // n
        except ZeroDivisionError:
            total += xs[n + 1] // xs[1]
    except ZeroDivisionError:
        total += 7
    return total


def raised_again(n, xs):
    try:
        if n > 1:
            raise ValueError("large")
        if n == 0:
            raise KeyError("zero")
        return 12 // n
    except ValueError:
        if n > 2:
            raise
        return -1
    except KeyError as error:
        raise RuntimeError("none") from error


def parts_of_the_error(n, xs):
    try:
        if n > 0:
            raise ValueError("large", n * 2, xs)
        raise KeyError(7)
    except ValueError as error:
        return error.args[1] + rt.reduce_sum(error.args[2])
    except KeyError as error:
        return rt.constant(error.args[0])


def returned_in_a_branch(n, xs):
    total = 0
    try:
        if n > 1:
            return xs[n] * 2
        total += 6 // n
    except (IndexError, ZeroDivisionError):
        return rt.constant(-5) + total
    return total + xs[n]


def try_in_an_else_part(n, xs):
    total = 0
    try:
        total += 12 // (n - 1)
    except ZeroDivisionError:
        total -= 3
    else:
        try:
            total += xs[n + 4]
        except IndexError:
            total += 5 // n
    return total


PROGRAMS: list[Callable[..., Any]] = [
    divided,
    values_before_the_error,
    loop_left_by_an_error,
    test_of_a_loop_fails,
    caught_in_each_turn,
    handler_that_fails,
    raised_again,
    parts_of_the_error,
    returned_in_a_branch,
    try_in_an_else_part,
]
test_of_a_loop_fails.__test__ = False  # type: ignore[attr-defined]


def graph_of(function: Any) -> Graph:
    return ag.function(function).get_concrete_function(INT, ROW).graph


def result(graph: Graph, n: int) -> Any:
    """Return the results of a graph, or the class of its error."""
    try:
        return [each.tolist() for each in run(graph, [np.array(n, np.int32), XS.copy()])]
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda each: each.__name__)
def test_branches_agree_with_the_statement(function: Any) -> None:
    graph = graph_of(function)
    made = without_tries(graph, "a file")
    assert has_tries(graph) and not has_tries(made)
    for n in range(-6, 6):
        assert result(graph, n) == result(made, n), n


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda each: each.__name__)
def test_a_graphdef_agrees_with_the_statement(function: Any) -> None:
    graph = graph_of(function)
    found = graph.as_graph_def()
    results = [f"{each.name}:0" for each in found.node if each.name.startswith("Identity")]
    ends = [each.name for each in found.node if each.op == "NoOp"]
    feeds = {"n:0": INT, "xs:0": ROW}
    back = graph_between(found.SerializeToString(), feeds, [*results, *ends])
    for n in range(-6, 6):
        wanted, made = result(graph, n), result(back, n)
        assert wanted == made or (isinstance(wanted, type) and issubclass(made, OpError)), n


def test_nodes_of_branches_have_the_lines_of_the_statement() -> None:
    first = divided.__code__.co_firstlineno
    lines = [each.origin.line - first for each in without_tries(graph_of(divided), "").walk()]
    assert lines and set(lines) <= set(range(1, 6))


def test_operations_are_those_of_the_graphdef() -> None:
    graph = graph_of(divided)
    found = graph.get_operations()
    assert [each.name for each in found] == [each.name for each in graph.as_graph_def().node]
    assert graph.get_tensor_by_name("n:0") is graph.inputs[0]
    assert all(each.op in found for each in found[-1].inputs)


def test_a_graph_whose_try_has_no_branches_is_shown(tmp_path: Path) -> None:
    def text_of_the_error(n, xs):
        try:
            return rt.strings.as_string(12 // n)
        except ZeroDivisionError as error:
            return rt.constant(str(error))

    graph = graph_of(text_of_the_error)
    shown = graph.as_graph_def()
    assert "TryExcept" in [each.op for each in shown.node]
    with pytest.raises(UnimplementedError, match="the handler reads one"):
        shown.SerializeToString()


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda each: each.__name__)
def test_files_agree_with_python(function: Any, tmp_path: Path) -> None:
    ort: Any = pytest.importorskip("onnxruntime")
    concrete = ag.function(function).get_concrete_function(INT, ROW)
    ag.export(concrete, tmp_path / "saved")
    served = ag.saved_model.load(tmp_path / "saved").signatures["serving_default"]
    ag.export(concrete, tmp_path / "f.onnx", "onnx")
    session = ort.InferenceSession(tmp_path / "f.onnx", providers=["CPUExecutionProvider"])
    for n in range(-6, 6):
        x = np.array(n, np.int32)
        try:
            wanted = np.asarray(function(rt.constant(x), rt.constant(XS)))
        except Exception:
            with pytest.raises(OpError):
                served(n=rt.constant(x), xs=rt.constant(XS))
            continue
        found = served(n=rt.constant(x), xs=rt.constant(XS))["output_0"].numpy()
        assert wanted.tolist() == found.tolist(), n
        (found,) = session.run(None, {"n": x, "xs": XS})
        assert wanted.tolist() == found.tolist(), n


def test_variables_keep_values_assigned_before_the_error(tmp_path: Path) -> None:
    class Counter(rt.Module):
        def __init__(self) -> None:
            super().__init__()
            self.calls, self.failures = rt.Variable(0), rt.Variable(0)

        @ag.function(input_signature=[INT])
        def divide(self, n):
            try:
                self.calls.assign_add(1)
                return 12 // n
            except ZeroDivisionError:
                self.failures.assign_add(1)
                return 0

    ag.export(Counter(), tmp_path)
    loaded = ag.saved_model.load(tmp_path)
    assert [4, 0, 0, 6] == [int(loaded.divide(rt.constant(n))) for n in (3, 0, 0, 2)]
    assert (4, 2) == (int(loaded.calls), int(loaded.failures))


def text_read(n, xs):
    try:
        return rt.constant(0) + int(rt.strings.as_string(n))
    except ValueError:
        return rt.constant(-1)


def message_read(n, xs):
    try:
        return 12 // n
    except ZeroDivisionError as error:
        return rt.constant(len(str(error)))


@pytest.mark.parametrize(
    ("function", "match"),
    [(text_read, "nothing tells beforehand"), (message_read, "the handler reads one")],
    ids=["text", "message"],
)
def test_what_is_not_known_beforehand_is_refused(function: Any, match: str) -> None:
    with pytest.raises(UnimplementedError, match=match) as raised:
        without_tries(graph_of(function), "a file")
    assert raised.value.origin is not None and raised.value.origin.filename == __file__
