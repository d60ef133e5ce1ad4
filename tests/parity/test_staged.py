"""Programs staged by `ag.function` agree with Python values."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator

import pytest

import autograph as ag
import runtime as rt
from tests.corpus import REFUSED_PROGRAMS, STAGED_PROGRAMS, Program
from tests.parity.agreement import (
    Outcome,
    outcome_of,
    staged_error_difference,
    value_difference,
)
from tests.suite_length import sample
from tests.traces import staged

CONTROL_FLOW = {"cond", "while_loop", "switch", "recursion", "try_except"}
UNSIZED = [program for program in STAGED_PROGRAMS if program.sized is None and program.has_lengths]
REMEDY = re.compile(
    r"[:;] (assign|choose|collect|compare|copy|do|draw|give|go|iterate|join|keep|let|make|print|put"
    r"|say|select|take|use|write) "
)


@pytest.mark.parametrize("program", STAGED_PROGRAMS, ids=lambda program: program.id)
def test_a_staged_program_agrees_with_python(program: Program) -> None:
    """All visible effects of one staged function: its calls, the state they leave, its trace."""
    record, differing = staged(program), set[str]()
    for case, call in enumerate(record.calls):
        expected = outcome_of(program.function, program.arguments(case))
        actual = call.outcome
        assert staged_error_difference(expected.error, actual.error) is None
        assert _result_difference(program, expected, actual) is None
        assert "printed" in program.differs or expected.printed == actual.printed
        for given, changed, plain in zip(
            program.tensors(case), actual.arguments, expected.arguments
        ):
            # A tensor keeps its value: to assign an item of it makes another tensor.
            wanted = given if isinstance(given, rt.Tensor) else plain
            assert value_difference(wanted, changed, "argument", {"rows"}) is None
        assert [] == call.left_behind
        differing.update(_differences(program, expected, actual))
    assert set(program.differs) == differing
    recorded = CONTROL_FLOW.intersection(_op_names(record.graph))
    assert program.stages or set() == recorded
    assert set(program.stages) <= recorded


@pytest.mark.parametrize("program", sample(UNSIZED, 2), ids=lambda program: program.id)
def test_traces_with_unknown_lengths_agree_with_python(program: Program) -> None:
    function = ag.function(program.function)
    function.get_concrete_function(*program.unsized(0))
    for case in range(len(program.cases)):
        expected = outcome_of(program.function, program.arguments(case))
        actual = outcome_of(function, program.tensors(case))
        assert staged_error_difference(expected.error, actual.error) is None
        assert _result_difference(program, expected, actual) is None
        assert "printed" in program.differs or expected.printed == actual.printed


@pytest.mark.parametrize("program", REFUSED_PROGRAMS, ids=lambda program: program.id)
def test_an_unstageable_program_is_refused_at_the_users_line(program: Program) -> None:
    calls = staged(program).calls
    assert [] == [text for call in calls for text in call.left_behind]
    error = calls[0].outcome.error
    assert program.refused == type(error).__name__
    message, place, line, *carets = str(error).splitlines()
    assert len(message) < 300
    assert REMEDY.search(message)
    assert program.names is None or program.names in message
    assert f"{program.name}.py:" in place
    assert line.strip() in inspect.getsource(inspect.getmodule(program.function))
    # Python 3.10 does not know the columns of a running instruction; assignments are found by name.
    assert len(carets) == 1 or (sys.version_info < (3, 11) and not carets)
    assert set("".join(carets).strip()) <= {"^"}
    assert program.names or not carets or _is_expression(line, carets[0])


def _result_difference(program: Program, expected: Outcome, actual: Outcome) -> str | None:
    return value_difference(expected.result, actual.result, differs=program.differs)


def _differences(program: Program, expected: Outcome, actual: Outcome) -> Iterator[str]:
    """Yield in which of the ways that a program names staging differs in this call."""
    for word in ("rows", "widened"):
        others = set(program.differs) - {word}
        if value_difference(expected.result, actual.result, differs=others):
            yield word
    if expected.printed != actual.printed:
        yield "printed"


def _is_expression(line: str, carets: str) -> bool:
    """Whether the carets say which expression is meant, as the message does not."""
    start = len(carets) - len(carets.lstrip())
    try:
        ast.parse(line[start : len(carets)], mode="eval")
    except SyntaxError:
        return False
    return True


def _op_names(graph: rt.Graph) -> Iterator[str]:
    for node in graph.nodes:
        yield node.op.name
        for region in node.regions:
            yield from _op_names(region)
