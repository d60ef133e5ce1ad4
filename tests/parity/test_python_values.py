"""Converted code on Python values does exactly what the original does."""

from __future__ import annotations

import pytest

import autograph as ag
from tests.corpus import PROGRAMS, Program
from tests.parity.agreement import error_difference, outcome_of, spelled


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.id)
def test_converted_code_is_exactly_python(program: Program) -> None:
    converted = ag.to_graph(program.function)
    for case in range(len(program.cases)):
        expected = outcome_of(program.function, program.arguments(case))
        actual = outcome_of(converted, program.arguments(case))
        assert error_difference(expected.error, actual.error) is None
        assert spelled(expected.result) == spelled(actual.result)
        assert expected.printed == actual.printed
        assert spelled(expected.arguments) == spelled(actual.arguments)
