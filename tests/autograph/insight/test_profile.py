"""`profile` of a call: exact counts, times that add up, one run only."""

from __future__ import annotations

import importlib
import inspect
import json
import threading
import types
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagingError
from autograph.insight.profile_result import NodeTime, Profile
from runtime.core.context import Origin
from runtime.errors import InvalidArgumentError
from runtime.executors.profiling import Profiler
from tests.autograph.insight import profiled_programs as programs


def _counts(profiled: Profile) -> dict[str, int]:
    """Return how often the lines ran, by their text."""
    return {line.text: line.count for line in profiled.lines}


def test_a_loop_has_one_row_a_line_with_the_iterations_it_took() -> None:
    profiled = ag.profile(programs.looped, rt.constant(7))
    assert 7 == int(profiled.result)
    expected = {"while i < n:": 8, "if i > 1000:": 7, "i = i + 2": 0, "i = i + 1": 7}
    assert expected == _counts(profiled)
    first = inspect.getsourcelines(programs.looped)[1]
    assert [first + 4, first + 5, first + 6, first + 8] == [x.number for x in profiled.lines]
    assert {programs.__file__} == {line.filename for line in profiled.lines}


def test_times_add_up() -> None:
    profiled = ag.profile(programs.looped, rt.constant(50))
    own = sum(node.own for node in profiled.nodes)
    assert 0 < own <= profiled.seconds
    assert own == pytest.approx(sum(line.total for line in profiled.lines))
    loop = next(node for node in profiled.nodes if node.op == "while_loop")
    inside = sum(node.own for node in profiled.nodes if node.depth)
    assert loop.total == pytest.approx(loop.own + inside)
    assert all(
        node.mean == (node.total / node.count if node.count else 0) for node in profiled.nodes
    )


def test_nodes_of_called_functions_are_inside_of_the_call() -> None:
    profiled = ag.profile(programs.nested, rt.constant(2))
    assert 256 == int(profiled.result)
    square = next(node for node in profiled.nodes if node.op == "multiply")
    assert (3, 2) == (square.count, square.depth)
    assert 3 == _counts(profiled)["return x * x"]


def test_a_graph_with_effects_runs_once() -> None:
    programs.calls.assign(0)
    profiled = ag.profile(programs.counted, rt.constant(1))
    assert (1, 2) == (int(programs.calls.numpy()), int(profiled.result))
    assert profiled.executor_seconds is None
    assert "executor" not in profiled.text()


def test_a_graph_without_effects_is_timed_by_itself_too() -> None:
    profiled = ag.profile(programs.looped, rt.constant(3))
    assert profiled.executor_seconds is not None and profiled.executor_seconds > 0
    assert "by the executor" in str(profiled)


def test_the_time_of_the_executor_is_a_median(monkeypatch: pytest.MonkeyPatch) -> None:
    # The clock is asked at the beginning, before each run, and before and after it.
    runs = [(0.01, 10.0, 19.0), (0.02, 20.0, 21.0), (0.03, 30.0, 31.0)]
    times = iter([0.0, *(moment for run in runs for moment in run)])
    clock = types.SimpleNamespace(perf_counter=lambda: next(times, 99.0))
    monkeypatch.setattr(importlib.import_module("autograph.insight.profile"), "time", clock)
    assert 1 == ag.profile(programs.looped, rt.constant(3)).executor_seconds


def test_trace_time_effects_happen_once() -> None:
    programs.log.clear()
    ag.profile(programs.bound, rt.constant(1))
    assert ["called"] == programs.log


def test_caught_exceptions_keep_times_consistent() -> None:
    profiled = ag.profile(programs.caught, rt.constant(2))
    assert 21 == int(profiled.result)
    counts = {node.op: node.count for node in profiled.nodes}
    assert (3, 1) == (counts["try_except"], counts["while_loop"])
    assert all(node.own >= 0 for node in profiled.nodes)


def test_a_function_that_calls_itself_has_its_nodes_once() -> None:
    profiled = ag.profile(programs.down, rt.constant(4))
    assert 4 == int(profiled.result)
    assert 5 == _counts(profiled)["if n > 0:"]
    assert sum(node.own for node in profiled.nodes) <= profiled.seconds


def test_calls_after_profile_are_not_profiled() -> None:
    looped = ag.function(programs.looped.python_function)
    ag.profile(looped, rt.constant(3))
    assert 5 == int(looped(rt.constant(5)))
    assert 1 == looped.experimental_get_tracing_count()


def test_concrete_functions_and_methods_are_profiled() -> None:
    concrete = programs.nested.get_concrete_function(rt.TensorSpec((), rt.int32))
    assert 16 == int(ag.profile(concrete, rt.constant(1) + 1).result) ** 0.5

    class Scale:
        @ag.function
        def by(self, x: Any) -> Any:
            return x * 3

    profiled = ag.profile(Scale().by, rt.constant(2))
    assert 6 == int(profiled.result)
    assert profiled.call.startswith("by(")


def test_the_chrome_trace_nests_node_runs(tmp_path: Path) -> None:
    profiled = ag.profile(programs.looped, rt.constant(3))
    profiled.save(tmp_path / "trace.json")
    written = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))
    assert written == profiled.chrome_trace()
    named, whole, *events = written["traceEvents"]
    assert ("M", "X") == (named["ph"], whole["ph"])
    assert sum(node.count for node in profiled.nodes) == len(events)
    loop = next(event for event in events if event["cat"] == "while_loop")
    iterations = [event for event in events if event["name"] == "less"]
    assert 4 == len(iterations)
    for event in iterations:
        assert loop["ts"] <= event["ts"]
        assert event["ts"] + event["dur"] <= loop["ts"] + loop["dur"] + 1e-3
    assert "while i < n:" == iterations[0]["args"]["source"]


def test_the_number_of_single_runs_is_bounded() -> None:
    graph = programs.looped.get_concrete_function(rt.TensorSpec((), rt.int32)).graph
    measuring = Profiler(most_events=10)
    measuring.run(graph, [rt.constant(9).numpy()])
    runs = sum(cost.count for cost in measuring.costs)
    assert (10, runs - 10) == (len(measuring.events), measuring.left_out)


def test_the_table_shows_lines_and_the_slowest_nodes() -> None:
    profiled = ag.profile(programs.looped, rt.constant(20))
    heading, _, head, *rest = profiled.text(nodes=2).splitlines()
    assert heading.startswith("looped(n: int32[]): ")
    assert ["line", "times", "total", "mean", "share"] == head.split()
    assert "profiled_programs.py:" in rest[0] and rest[0].endswith("while i < n:")
    assert "#" in "".join(rest)
    at = rest.index("")
    assert rest[at + 1].split()[0] == "node"
    assert rest[-1] == f"and {len(profiled.nodes) - 2} more nodes"
    assert profiled.text() == str(profiled)
    with pytest.raises(ValueError, match="`nodes`"):
        profiled.text(-1)


def test_errors_of_the_run_are_the_users() -> None:
    with pytest.raises(InvalidArgumentError, match="profiled_programs.py"):
        ag.profile(programs.failing, rt.constant(-1))
    assert 1 == int(ag.profile(programs.failing, rt.constant(1)).result)


def test_profile_is_refused_where_no_graph_runs() -> None:
    x = rt.constant(1)
    with pytest.raises(StagingError, match="traced"):
        ag.function(lambda x: ag.profile(programs.looped, x).result)(x)
    with rt.GradientTape(), pytest.raises(StagingError, match="GradientTape"):
        ag.profile(programs.looped, x)
    ag.run_functions_eagerly(True)
    try:
        with pytest.raises(StagingError, match="eagerly"):
            ag.profile(programs.looped, x)
    finally:
        ag.run_functions_eagerly(False)
    with pytest.raises(TypeError):
        ag.profile(3, x)  # type: ignore[arg-type]


def test_other_threads_are_not_profiled() -> None:
    entered, done = threading.Event(), threading.Event()
    seen: list[int] = []

    def waits(x: Any) -> Any:
        entered.set()
        assert done.wait(30)
        return x

    def calls() -> None:
        assert entered.wait(30)
        seen.append(int(programs.looped(rt.constant(4))))
        done.set()

    thread = threading.Thread(target=calls)
    thread.start()
    profiled = ag.profile(lambda x: rt.py_function(waits, [x], rt.int32) + 1, rt.constant(1))
    thread.join()
    assert ([4], 2) == (seen, int(profiled.result))
    assert all(node.op != "while_loop" for node in profiled.nodes)


def test_a_function_that_a_python_function_calls_is_part_of_its_node() -> None:
    def asks(x: Any) -> Any:
        return programs.looped(x)

    profiled = ag.profile(lambda x: rt.py_function(asks, [x], rt.int32) + 1, rt.constant(3))
    assert 4 == int(profiled.result)
    outer = next(node for node in profiled.nodes if node.op == "py_function")
    inner = next(node for node in profiled.nodes if node.op == "while_loop")
    assert outer.total >= inner.total
    assert sum(node.own for node in profiled.nodes) <= profiled.seconds


def test_calls_run_while_tracing_are_not_profiled() -> None:
    def asks(x: Any) -> Any:
        with rt.init_scope():
            known = programs.looped(rt.constant(2))
        return x + known

    profiled = ag.profile(asks, rt.constant(3))
    assert 5 == int(profiled.result)
    assert profiled.call.startswith("asks(")
    assert all(node.op != "while_loop" for node in profiled.nodes)


def test_code_without_a_line_is_named_by_its_file() -> None:
    origin = Origin("/somewhere/model.py", None, "f")  # type: ignore[arg-type]
    nodes = [NodeTime("add", "add", each, 0, 1, 0.5, 0.5) for each in (origin, None)]
    profiled = Profile("f()", tuple(nodes), (), 0, 1.0, None, None)
    assert [("model.py", 1), ("(no line)", 1)] == [(x.place, x.count) for x in profiled.lines]
    assert "model.py  " in profiled.text()
