"""`explain` of a call, compared with results written by hand."""

from __future__ import annotations

import inspect
import sys

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ConversionError
from autograph.insight.call_explanation import CallExplanation, TracedLine
from autograph.insight.explain import explain
from tests.autograph.insight import traced_programs as programs
from tests.autograph.insight import traced_statements as statements

FILE = programs.__file__
WAY = "x (argument) -> w = z * 2 (line 10 of doubled) -> y = y + k (line 17) -> y > 3 (line 18)"
MIXED = f"""\
mixed(x: int32[], n=2): 1 place staged, 10 nodes

{FILE}
14               def mixed(x, n):
15  call             y = doubled(x)
16  python           for k in range(n):
                       # a Python loop: its body was traced 2 times
17  graph    4n          y = y + k
18  staged   3n      if y > 3:
                       # `if`: {WAY}
                       # in: y: int32[]
                       # out: q: int32[]
19                       q = y
20                   else:
21  graph    1n          q = -y
22  python           if n > 5:
                       # `if` on a Python value: decided while tracing
23  not run              q = 0
24                   return q

{FILE}
 9             def doubled(z):
10  graph  2n      w = z * 2
11                 return w"""


def line_of(explained: CallExplanation, function: str, text: str) -> TracedLine:
    """The first line of a function that holds a text."""
    (found,) = (each for each in explained.functions if each.name == function)
    return next(line for line in found.lines if text in line.text)


def ways(explained: CallExplanation, function: str, text: str) -> list[str]:
    """Return the path to the first staged statement of a line, step by step."""
    staged = line_of(explained, function, text).staged
    return [step.shown(function) for step in staged[0].why]


def test_the_text_of_a_call() -> None:
    assert MIXED == str(explain(programs.mixed, rt.constant(1), 2))


def test_the_text_is_the_same_each_time() -> None:
    texts = {str(explain(programs.searching, rt.constant([1, 2]), 1)) for _ in range(3)}
    assert 1 == len(texts)


def test_explain_without_arguments_runs_nothing() -> None:
    assert str(ag.explain(programs.mixed)).startswith("`mixed` is converted")
    assert not isinstance(ag.explain(programs.mixed), CallExplanation)


def test_each_line_has_an_outcome() -> None:
    explained = explain(programs.mixed, rt.constant(1), 2)
    (mixed, doubled) = explained.functions
    assert ["mixed", "doubled"] == [mixed.name, doubled.name]
    words = ["", "call", "python", "graph", "staged", "", "", "graph", "python", "not run", ""]
    assert words == [line.outcome for line in mixed.lines]


def test_a_call_with_a_python_value_stages_nothing() -> None:
    explained = explain(programs.mixed, 4, 2)
    assert () == explained.staged
    assert "python" == line_of(explained, "mixed", "if y > 3").outcome
    assert "not run" == line_of(explained, "mixed", "q = -y").outcome


def test_the_iterations_of_a_python_loop_are_counted() -> None:
    for iterations in (0, 1, 5):
        explained = explain(programs.mixed, rt.constant(1), iterations)
        assert iterations == line_of(explained, "mixed", "for k").unrolled


def test_iterations_before_a_loop_was_staged_are_counted() -> None:
    line = line_of(explain(programs.counting, rt.constant(4)), "counting", "while")
    assert (1, "staged") == (line.unrolled, line.outcome)
    assert "Python ran its body 1 time before it was staged" in line.remarks


@pytest.mark.parametrize("length", [3, None])
def test_a_loop_that_python_did_not_run_first_has_no_iterations(length: int | None) -> None:
    explained = explain(programs.skipping, rt.TensorSpec([length], rt.int32))
    line = line_of(explained, "skipping", "for x")
    assert ("staged", 0) == (line.outcome, line.unrolled)
    assert not any("Python" in remark for remark in line.remarks)
    assert "" == line_of(explained, "skipping", "continue").outcome


def test_each_variable_is_named_once_and_none_is_synthetic() -> None:
    explained = explain(programs.collecting, rt.constant([1, 2, 3]))
    (loop, branch) = explained.staged
    assert ["out", "found['all']", "xs"] == [each.name for each in loop.carried_in]
    for staged in (loop, branch):
        for variables in (staged.carried_in, staged.carried_out):
            names = [each.name for each in variables]
            assert len(names) == len(set(names))
            assert not any("retval_" in name for name in names)
    assert "the return value" in [each.name for each in branch.carried_out]


def test_the_nodes_of_the_lines_are_all_the_nodes() -> None:
    explained = explain(programs.searching, rt.constant([1, 2]), rt.constant(1))
    counted = sum(line.nodes for function in explained.functions for line in function.lines)
    nodes = list(explained.graph.walk())
    on_a_line = [node for node in nodes if node.origin is not None and node.origin.line]
    assert (len(nodes), len(on_a_line)) == (explained.nodes, counted)


def test_object_state_is_carried_in_and_out() -> None:
    (staged,) = explain(programs.keeping, rt.constant(1)).staged
    assert ["box.last: None", "box.values: []", "x: int32[]"] == list(map(str, staged.carried_in))
    last, values = map(str, staged.carried_out)
    assert "box.last: int32[] (perhaps None)" == last
    assert "box.values: list (dynamic list)" == values


def test_the_dependence_path_passes_through_callees() -> None:
    explained = explain(programs.mixed, rt.constant(1), 0)
    start = inspect.getsourcelines(programs.mixed)[1]
    expected = [
        "x (argument)",
        "w = z * 2 (line 10 of doubled)",
        f"y > 3 (line {start + 4})",
    ]
    assert expected == ways(explained, "mixed", "if y > 3")


def test_the_shortest_dependence_path_is_shown() -> None:
    explained = explain(programs.searching, rt.constant([1, 2]), rt.constant(1))
    start = inspect.getsourcelines(programs.searching)[1]
    last = f"v > limit (line {start + 5})"
    assert ["limit (argument)", last] == ways(explained, "searching", "if v > limit")


def test_variables_and_captured_tensors_have_their_names() -> None:
    found = ways(explain(programs.by_others, rt.constant(1)), "by_others", "if BIAS")
    assert found[0] in ("BIAS (captured)", "WEIGHT (variable)", "m (argument)")
    inputs = {found[0] for found in [ways(explain(programs.by_others, 1), "by_others", "if BIAS")]}
    assert inputs <= {"BIAS (captured)", "WEIGHT (variable)"}


def test_a_counter_depends_on_the_exit_of_its_loop() -> None:
    explained = explain(programs.by_others, rt.constant(9))
    start = inspect.getsourcelines(programs.by_others)[1]
    expected = [
        "m (argument)",
        f"for i in range(m) (line {start + 4})",
        f"i > 2 (line {start + 5})",
    ]
    assert expected == ways(explained, "by_others", "if i > 2")


def test_carried_variables_of_a_statement() -> None:
    explained = explain(programs.searching, rt.constant([1, 2]), 1)
    (loop,) = line_of(explained, "searching", "for v").staged
    assert ["found: -1", "xs: int32[2]"] == [str(each) for each in loop.carried_in]
    assert ["found: int32[]"] == [str(each) for each in loop.carried_out]
    assert (rt.int32, ()) == (loop.carried_out[0].dtype, tuple(loop.carried_out[0].shape or ()))
    assert ("break",) == loop.leaves_by


def test_possibly_unbound_variables_are_marked() -> None:
    explained = explain(programs.perhaps, rt.constant(1))
    (first,) = line_of(explained, "perhaps", "if x > 0").staged
    assert [("late", ("perhaps unbound",))] == [(v.name, v.marks) for v in first.carried_out]
    (second,) = line_of(explained, "perhaps", "if x > 1").staged
    assert "the return value" in [each.name for each in second.carried_out]


def test_a_branch_that_raises_is_named() -> None:
    explained = explain(programs.searching, rt.constant([1, 2]), 1)
    (staged,) = line_of(explained, "searching", "if v < 0").staged
    assert 1 == len(staged.raises)
    assert "the main branch: ValueError('negative')" == staged.raises[0]


def test_expressions_are_explained() -> None:
    explained = explain(programs.logical, rt.constant(1.0), rt.constant(2.0))
    kinds = [(each.kind, each.line) for each in explained.staged]
    start = inspect.getsourcelines(programs.logical)[1]
    assert [("and", start + 1), ("conditional expression", start + 2)] == kinds


def test_the_head_of_a_block_on_one_line_is_shown() -> None:
    explained = explain(programs.on_one_line, rt.constant(1))
    assert "x > 0" in ways(explained, "on_one_line", "if x > 0")[-1]


def test_match_and_comprehensions_are_explained_once() -> None:
    explained = explain(programs.several, rt.constant(1), rt.constant([1, 2]))
    kinds = [(each.kind, each.times) for each in explained.staged]
    assert [("match", 1), ("list comprehension", 1)] == kinds
    assert ["several"] == [function.name for function in explained.functions]


def test_a_trace_that_fails_is_explained_up_to_there() -> None:
    explained = explain(programs.failing, rt.constant(1))
    assert "NameError" in explained.error
    assert explained.heading.startswith("tracing `failing` fails: NameError")
    assert None is explained.graph
    assert "staged" == line_of(explained, "failing", "if x > 0").outcome
    assert 2 == line_of(explained, "failing", "for word").unrolled
    assert "failed" == line_of(explained, "failing", "return").outcome


def test_keyword_arguments_specs_and_functions() -> None:
    spec = rt.TensorSpec((None,), rt.int32)
    explained = explain(ag.function(programs.searching), spec, limit=rt.constant(3))
    assert "searching(xs: int32[?], limit: int32[])" == explained.call


def test_a_function_is_explained_again_after_it_was_traced() -> None:
    function = ag.function(programs.counting)
    function(rt.constant(3))
    assert 1 == len(explain(function, rt.constant(3)).staged)
    assert 1 == function.experimental_get_tracing_count()


def test_the_former_tracer_is_restored() -> None:
    seen: list[str] = []

    def tracer(frame: object, event: str, arg: object) -> None:
        seen.append(event)

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        explain(programs.counting, rt.constant(3))
        assert tracer is sys.gettrace()
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("value", [3, "text", None])
def test_values_that_are_not_callable_are_refused(value: object) -> None:
    with pytest.raises(ConversionError, match="it is not a function"):
        explain(value, 1)


def test_decorators_and_signatures_have_no_outcome() -> None:
    explained = explain(statements.decorated, rt.constant(1))
    told = next(each for each in explained.functions if each.name == "decorated")
    assert {""} == {line.outcome for line in told.lines[:-1]}
    assert "staged" == told.lines[-1].outcome


def test_a_try_that_became_a_node_is_staged() -> None:
    explained = explain(statements.trying, rt.constant(1))
    line = line_of(explained, "trying", "try:")
    (found,) = line.staged
    assert ("staged", "try", 1) == (line.outcome, found.kind, found.times)
    assert ["x"] == [each.name for each in found.carried_in]
    assert {"y", "the return value"} <= {each.name for each in found.carried_out}
    assert ("return",) == found.leaves_by


def test_a_with_that_became_a_node_is_staged() -> None:
    explained = explain(statements.managing, rt.constant(1))
    assert ["with"] == [each.kind for each in line_of(explained, "managing", "with").staged]
    assert "graph" == line_of(explained, "managing", "y = 10").outcome


def test_several_statements_on_a_line_share_a_row() -> None:
    explained = explain(statements.crowded, rt.constant(1))
    (way,) = [ways(explained, "crowded", "y = x * 2")]
    assert "x (argument)" == way[0]
    assert way[1].startswith("y = x * 2; z = y + 1")


def test_a_function_that_is_left_alone_has_a_reason() -> None:
    explained = explain(np.sum, rt.constant(1))
    assert () == explained.functions
    assert "" == explained.error
    assert "it is not written in Python" == explained.left_alone
    assert str(explained).endswith("it is left alone, since it is not written in Python")


def documented(x):
    """A docstring."""
    if x > 0:
        x = x + 1
    return x


def test_a_docstring_has_no_outcome() -> None:
    explained = ag.explain(documented, rt.constant(1))
    assert ["", "", "staged", "graph", ""] == [
        each.outcome for each in explained.functions[0].lines
    ]
