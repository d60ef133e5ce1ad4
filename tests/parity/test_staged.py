"""Programs staged by `ag.function` give what they give on Python values."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator

import pytest

import autograph as ag
import runtime as rt
from tests.corpus import REFUSED_PROGRAMS, STAGED_PROGRAMS, Program
from tests.parity.agreement import Outcome, outcome_of, value_difference

CONTROL_FLOW = {"cond", "while_loop", "switch", "recursion", "try_except"}


@pytest.mark.parametrize("program", STAGED_PROGRAMS, ids=lambda program: program.id)
def test_a_staged_program_follows_python(program: Program) -> None:
    staged = ag.function(program.function)
    for case in range(len(program.cases)):
        expected = outcome_of(program.function, program.arguments(case))
        actual = outcome_of(staged, program.tensors(case))
        assert _error_difference(expected, actual) is None
        assert value_difference(expected.result, actual.result) is None


@pytest.mark.parametrize("program", STAGED_PROGRAMS, ids=lambda program: program.id)
def test_its_trace_holds_the_control_flow_it_names(program: Program) -> None:
    graph = ag.function(program.function).get_concrete_function(*program.tensors(0)).graph
    recorded = CONTROL_FLOW.intersection(_op_names(graph))
    if not program.stages:
        assert set() == recorded
    assert set(program.stages) <= recorded


@pytest.mark.parametrize("program", REFUSED_PROGRAMS, ids=lambda program: program.id)
def test_what_cannot_be_staged_is_refused_at_the_user_s_line(program: Program) -> None:
    error = outcome_of(ag.function(program.function), program.tensors(0)).error
    assert program.refused == type(error).__name__
    message, place, line, *carets = str(error).splitlines()
    assert len(message) < 300
    assert f"{program.name}.py:" in place
    assert line.strip() in inspect.getsource(inspect.getmodule(program.function))
    # Python 3.10 does not know the columns of a running instruction.
    assert len(carets) == (sys.version_info >= (3, 11))
    assert set("".join(carets).strip()) <= {"^"}


def _op_names(graph: rt.Graph) -> Iterator[str]:
    for node in graph.nodes:
        yield node.op.name
        for region in node.regions:
            yield from _op_names(region)


def _error_difference(expected: Outcome, actual: Outcome) -> str | None:
    """A failed `assert` of a graph may be the runtime's error, with the user's message in it."""
    if expected.error is None:
        return None if actual.error is None else f"raised {actual.error!r}"
    if not isinstance(actual.error, type(expected.error) | rt.errors.OpError):
        return f"raised {actual.error!r} instead of {expected.error!r}"
    if value_difference(expected.error.args, actual.error.args) is None:
        return None
    missing = [text for text in expected.error.args if str(text) not in str(actual.error)]
    return f"{missing} not in {actual.error!r}" if missing else None
