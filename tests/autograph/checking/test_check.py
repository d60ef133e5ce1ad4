"""`check` finds nothing where runs agree, and the line and variable of a planted mistake."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.checking import outcome
from autograph.checking.value_snapshot import snapshot_of
from autograph.errors import CheckFailed, SignatureError
from runtime.executors import interpreter
from runtime.executors import interpreter as regions
from tests.autograph.checking import checked_programs as programs
from tests.runtime.passes.comparison import interpreted


@contextmanager
def planted(op: str, change: Callable[[Any], Any], when: Callable[[Any], Any]) -> Iterator[None]:
    """Let one op of a graph that runs give something else, where its true result is such."""
    run_kernel = interpreter.run_kernel

    def wrong(asked: Any, arrays: Any, attrs: Any) -> Any:
        results = run_kernel(asked, arrays, attrs)
        if asked.name == op and when(results[0]):
            return (change(results[0]).astype(results[0].dtype),)
        return results

    with mock.patch.object(interpreter, "run_kernel", wrong), interpreted():
        yield


def first_difference_in(report: Any, mode: str = "staged") -> Any:
    """Where the first failure of a report parts."""
    return report.failures[0].first_differences[mode]


def line_in(function: Callable[..., Any], text: str) -> int:
    """The number of the first line of a function that holds a text."""
    lines, start = inspect.getsourcelines(function)
    return next(start + k for k, line in enumerate(lines) if text in line)


TENSORS = [(rt.constant(each),) for each in (3, -2, 12)]


@pytest.mark.parametrize(
    "function",
    [programs.counting, programs.branching, programs.calling, programs.perhaps, programs.raising],
)
def test_agreeing_runs_pass(function: Callable[..., Any]) -> None:
    report = ag.check(
        function, [*TENSORS, (3,), {"x" if function is not programs.counting else "n": 7}]
    )
    assert report, str(report)
    assert () == report.failures
    assert 5 == len(report.cases)
    report.raise_if_failed()


def test_python_values_are_run_forced_as_well() -> None:
    report = ag.check(programs.branching, [(3,), (rt.constant(3),)])
    assert ["forced" in each.outcomes for each in report.cases] == [True, False]


def test_a_mistake_in_a_branch_is_found() -> None:
    with planted("multiply", lambda r: r + 1, lambda r: True):
        report = ag.check(programs.branching, TENSORS)
    assert [3] == [each.number for each in report.failures]
    parting = first_difference_in(report)
    assert (line_in(programs.branching, "y = x * 2"), "y") == (parting.line, parting.variable)
    assert ("int32 24", "int32 25") == (parting.expected, parting.actual)
    assert "y = x * 2" == parting.source


def test_a_mistake_in_a_later_iteration_of_a_loop_is_found() -> None:
    with planted("subtract", lambda r: r - 1, lambda r: r == 8):
        report = ag.check(programs.counting, TENSORS)
    assert [3] == [each.number for each in report.failures]
    parting = first_difference_in(report)
    assert (line_in(programs.counting, "n = n - 1"), "n") == (parting.line, parting.variable)
    assert ("int32 8", "int32 7") == (parting.expected, parting.actual)


def test_a_mistake_in_a_branch_in_a_loop_is_found() -> None:
    with planted("multiply", lambda r: r + 1, lambda r: r > 20):
        report = ag.check(programs.counting, [(rt.constant(6),)])
    parting = first_difference_in(report)
    assert (line_in(programs.counting, "steps * 2"), "steps") == (parting.line, parting.variable)
    assert "int32 29" == parting.actual


def test_a_mistake_in_a_called_function_is_found() -> None:
    with planted("multiply", lambda r: r + 1, lambda r: True):
        report = ag.check(programs.calling, TENSORS)
    parting = first_difference_in(report)
    assert ("helper", "b") == (parting.function, parting.variable)
    assert line_in(programs.helper, "b = a * 3") == parting.line


def test_a_mistake_of_a_node_with_regions_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def always_else(operands: Any, attrs: Any, regions: Any) -> Any:
        return run([np.array(False), *operands[1:]], attrs, regions)

    run = regions.REGION_OPS["cond"]
    monkeypatch.setitem(regions.REGION_OPS, "cond", always_else)
    with interpreted():
        parting = first_difference_in(ag.check(programs.branching, [(rt.constant(12),)]))
    assert ("y", "int32 24", "int32 -12") == (parting.variable, parting.expected, parting.actual)


PLANTED = [
    (programs.factorial, rt.constant(5), 24, "m = factorial", "m"),
    (programs.matching, rt.constant(3), 6, "y = x * 2", "y"),
    (programs.in_structures, rt.constant(1), 4, 'table["a"] * 2', "table"),
    (programs.largest, rt.constant([3, 5, 4]), 5, "best = v * 1", "best"),
    (programs.trying, rt.constant(1), 15, "y = y * 5", "y"),
]


@pytest.mark.parametrize(
    ("function", "argument", "result", "text", "variable"),
    PLANTED,
    ids=[each[0].__name__ for each in PLANTED],
)
def test_a_mistake_is_found_at_its_line(
    function: Any, argument: Any, result: int, text: str, variable: str
) -> None:
    assert ag.check(function, [(argument,)])
    with planted("multiply", lambda r: r + 1, lambda r: r == result):
        report = ag.check(function, [(argument,)])
    parting = first_difference_in(report)
    assert (line_in(function, text), variable) == (parting.line, parting.variable)


def test_a_wrong_result_names_the_return() -> None:
    with planted("multiply", lambda r: r + 1, lambda r: True):
        report = ag.check(programs.returning, [(rt.constant(4),)])
    parting = first_difference_in(report)
    assert (None, "return x * 2") == (parting.variable, parting.source)
    assert ("result: int32 9 instead of int32 8",) == report.failures[0].differences["staged"]


def test_a_wrong_condition_is_found_by_its_consequences() -> None:
    with planted("greater", lambda r: ~r, lambda r: True):
        report = ag.check(programs.branching, [(rt.constant(12),)])
    assert "y" == first_difference_in(report).variable


def test_a_refusal_is_reported_with_its_line() -> None:
    def two_kinds(x):
        if x > 0:
            y = rt.constant("a")
        else:
            y = rt.constant(1)
        return y

    report = ag.check(two_kinds, [(rt.constant(1),)])
    (failure,) = report.failures
    assert ["staged"] == list(failure.differences)
    assert "raises BranchMismatch" in failure.differences["staged"][0]
    assert two_kinds.__name__ == failure.first_differences["staged"].function


def test_a_different_exception_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    with planted("multiply", lambda r: r * 0 + 9, lambda r: True):
        report = ag.check(programs.raising, [(rt.constant(1),)])
    (told, *_) = report.failures[0].differences["staged"]
    assert "raises ValueError: too large" == told
    assert "y" == first_difference_in(report).variable


def test_a_mistake_of_converted_code_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(fn: Any) -> Any:
        return lambda x: programs.branching(x) + 1

    monkeypatch.setattr("autograph.checking.execution_modes.staged_form", other)
    report = ag.check(programs.branching, [(4,)])
    assert {"converted", "forced"} <= set(report.failures[0].differences)


def test_arguments_are_copied_for_each_run() -> None:
    given = [1, 2]
    report = ag.check(programs.appending, [(given, 3)])
    assert [1, 2] == given
    assert "same" in str(report)
    # A staged function may not change its arguments.
    assert "ArgumentMutationError" in str(report.failures[0])


def test_changed_globals_are_restored() -> None:
    before = list(programs.TOTAL), programs.COUNT
    report = ag.check(programs.global_writing, [(2,), (3,)])
    assert before == (programs.TOTAL, programs.COUNT)
    (first, _) = report.cases
    assert {"global COUNT", "global TOTAL"} == set(first.outcomes["eager"].changes)
    assert "converted" not in first.differences


def test_objects_and_their_classes_are_restored() -> None:
    counter = programs.Counter(5)
    report = ag.check(counter.add, [(2,)])
    assert (5, 0) == (counter.value, programs.Counter.made)
    assert "converted" not in report.cases[0].differences
    assert "self" in report.cases[0].outcomes["eager"].changes


def test_variables_are_restored() -> None:
    variable = rt.Variable(1)

    def adding(x):
        variable.assign_add(x)
        return variable.read_value()

    report = ag.check(adding, [(rt.constant(2),), (rt.constant(3),)])
    assert report, str(report)
    assert 1 == int(variable)


def test_printed_output_is_compared() -> None:
    report = ag.check(programs.printing, [(rt.constant(2),)])
    assert report
    assert ("", "x is 2\n") == report.cases[0].outcomes["staged"].printed


def test_output_written_while_tracing_is_a_difference() -> None:
    report = ag.check(programs.writing, [(rt.constant(2),), (2,)])
    assert [1] == [each.number for each in report.failures]
    expected = ("stdout: 'SymbolicTensor' instead of 'EagerTensor'",)
    assert expected == report.failures[0].differences["staged"]


def test_a_difference_in_output_names_the_printing_line() -> None:
    report = ag.check(programs.printing_on_one_path, [(rt.constant(2),)])
    wanted = line_in(programs.printing_on_one_path, 'print("two")'), None
    assert wanted == (first_difference_in(report).line, first_difference_in(report).variable)


def test_an_error_of_the_same_operation_may_differ_in_text() -> None:
    xs = rt.constant([1, 2, 3])
    report = ag.check(programs.item_of, [(xs, 5), (xs, rt.constant(5)), (xs, rt.constant(1))])
    assert report, str(report)
    assert ag.check(programs.missing, [(rt.constant(1),)])


def test_errors_at_different_lines_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "line_of", id)
    report = ag.check(programs.item_of, [(rt.constant([1]), rt.constant(5))])
    assert report  # The words are the same.
    monkeypatch.setattr(outcome, "message_of", lambda error: str(id(error)))
    assert not ag.check(programs.item_of, [(rt.constant([1]), rt.constant(5))])


def test_parts_are_named_as_the_user_does() -> None:
    report = ag.check(programs.in_named_parts, [(rt.constant(1),)])
    found = report.failures[0]
    expected = "result: [0].second[0].x: float64 1. instead of int32 1"
    assert (expected,) == found.differences["staged"]
    assert "(Pair(first=int32 1, second=[Point(x=int32 1)]), 'small')" == str(
        found.outcomes["eager"]
    )
    assert "string 'small'" == str(snapshot_of(rt.constant("small")))
    assert "string ['a', 'b']" == str(snapshot_of(rt.constant(["a", "b"])))


def test_a_mistake_in_a_later_call_is_found() -> None:
    report = ag.check(programs.logging, [(rt.constant(2),), (rt.constant(3),), (2,)])
    assert [2] == [each.number for each in report.failures]
    found = report.failures[0]
    assert {"reused": ("global log: unchanged instead of ['called']",)} == found.differences
    assert "reused, after the cases before it, differs from eager" in str(report)
    assert ["eager", "converted", "forced", "staged", "reused"] == (
        str(report).splitlines()[2].split()[1:]
    )
    assert [] == programs.log


def test_exits_and_unprintable_errors_of_programs_are_reported() -> None:
    def leaving(x):
        raise SystemExit(3)

    def unprintable(x):
        class Odd(Exception):
            def __str__(self):
                raise RuntimeError("no text")

        raise Odd

    assert ag.check(leaving, [(1,)])
    assert "raises Odd" in str(ag.check(unprintable, [(1,)]))


class Hostile:
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("hands off")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("hands off")

    __hash__ = None  # type: ignore[assignment]


def test_uninspectable_objects_are_ignored() -> None:
    thing = Hostile()

    def passing(x):
        kept = thing  # noqa: F841
        return x + 1

    report = ag.check(passing, [(rt.constant(1),), (2,)])
    assert {"eager", "converted", "staged"} <= set(report.cases[0].outcomes)
    assert "converted" not in report.cases[0].differences
    with planted("add", lambda r: r + 1, lambda r: True):
        (failure,) = ag.check(passing, [(rt.constant(1),)]).failures
    assert "staged" in failure.first_differences


def test_the_eager_switch_and_an_outer_trace_are_ignored() -> None:
    ag.run_functions_eagerly(True)
    try:
        with planted("multiply", lambda r: r + 1, lambda r: True):
            assert not ag.check(programs.returning, [(rt.constant(4),)])
    finally:
        ag.run_functions_eagerly(False)
    with rt.Graph("around").recording():
        assert ag.check(programs.returning, [(4,)])


def test_yielded_values_are_compared() -> None:
    def halving(n):
        while n > 1:
            yield n
            n = n // 2

    (checked,) = ag.check(halving, [(20,)]).cases
    assert "(20, 10, 5, 2)" == str(checked.outcomes["eager"].result)
    # A graph runs as a whole: only the staged mode differs.
    assert ["staged"] == list(checked.differences)


def test_check_raises_on_demand() -> None:
    with planted("multiply", lambda r: r + 1, lambda r: True), pytest.raises(CheckFailed) as failed:
        ag.check(programs.returning, [(rt.constant(4),)], raises=True)
    assert isinstance(failed.value, AssertionError)
    assert "int32 9 instead of int32 8" in str(failed.value)


@pytest.mark.parametrize(
    ("cases", "words"),
    [
        ([3], "case 1 is 3: write its arguments as a tuple, (3,)"),
        ([], "there are no cases"),
        ({"x": 1}, "cases must be a list of argument tuples"),
        (5, "cases must be a list of argument tuples"),
        ([(1, 2)], "case 1, (1, 2): returning(x): too many positional arguments"),
        ([(1,), {"y": 2}], "case 2, (y=2): returning(x): missing a required argument: 'x'"),
    ],
)
def test_malformed_cases_are_refused(cases: Any, words: str) -> None:
    with pytest.raises(SignatureError) as refused:
        ag.check(programs.returning, cases)
    assert words in str(refused.value)


def test_a_non_function_is_refused() -> None:
    with pytest.raises(SignatureError, match="check\\(\\) takes a function, not 3"):
        ag.check(3, [(1,)])


def test_a_function_and_a_converted_one_are_checked_by_their_python_function() -> None:
    function = ag.function(programs.branching)
    assert ag.check(function, TENSORS)
    assert 0 == function.experimental_get_tracing_count()
    assert ag.check(ag.convert(programs.branching), TENSORS)


TABLE = """\
branching: 1 of 2 cases agree

case        eager     converted  forced  staged
(int32 3)   int32 -2  same       -       same
(int32 12)  int32 25  same       -       int32 26

case 2 (int32 12): staged differs from eager
  result: int32 26 instead of int32 25
  first at line {line} of branching: y is int32 25 instead of int32 24
    y = x * 2"""


def test_the_text_of_a_report() -> None:
    with planted("multiply", lambda r: r + 1, lambda r: True):
        report = ag.check(programs.branching, [(rt.constant(3),), ag.Case((rt.constant(12),))])
    assert TABLE.format(line=line_in(programs.branching, "y = x * 2")) == str(report)


def test_the_first_difference_is_in_code_of_the_user() -> None:
    report = str(ag.check(programs.first_replaced, [(rt.constant([1.0, 2.0]),)]))
    assert 2 == report.count("of first_replaced: x[0] = 5.0")
    assert "_cls" not in report and "<lambda>" not in report


def test_a_warning_is_shown_with_its_line_and_without_its_path() -> None:
    warning = "/a/very/long/path/to/model.py:20: TraceEffectWarning: random.random() was computed\n"
    quiet, warned = (
        outcome.CallOutcome(None, None, ("", text), snapshot_of(()), {}) for text in ("", warning)
    )
    assert outcome.outcome_differences(quiet, warned, True) == (
        r"stderr: 'line 20: TraceEffectWarning: random.random() was computed\n' instead of ''",
    )
