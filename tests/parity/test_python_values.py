"""Converted code on Python values agrees with the original."""

from __future__ import annotations

import pytest

import autograph as ag
from runtime.graph.graph import Graph
from tests.corpus import PROGRAMS, Program
from tests.parity.agreement import Outcome, error_difference, outcome_of, spelled

# With operations of the runtime in it, a program records them.
RECORDABLE = [program for program in PROGRAMS if program.python_only is not None]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.id)
def test_converted_code_agrees_with_python(program: Program) -> None:
    converted = ag.to_graph(program.function)
    for case in range(len(program.cases)):
        _assert_same(program, case, outcome_of(converted, program.arguments(case)))


@pytest.mark.parametrize("program", RECORDABLE, ids=lambda program: program.id)
def test_converted_code_agrees_with_python_while_recording(program: Program) -> None:
    """The operators then do the work, on values that are Python's all the same."""
    converted = ag.to_graph(program.function)
    for case in range(len(program.cases)):
        with Graph("probe").recording():
            actual = outcome_of(converted, program.arguments(case))
        _assert_same(program, case, actual)


def _assert_same(program: Program, case: int, actual: Outcome) -> None:
    expected = outcome_of(program.function, program.arguments(case))
    assert error_difference(expected.error, actual.error) is None
    assert spelled(expected.result) == spelled(actual.result)
    assert expected.printed == actual.printed
    assert spelled(expected.arguments) == spelled(actual.arguments)
