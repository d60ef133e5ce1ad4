"""Unconverted programs on eager tensors agree with Python values."""

from __future__ import annotations

import pytest

from tests.corpus import TENSOR_PROGRAMS, Program
from tests.parity.agreement import outcome_of, value_difference

EAGER_PROGRAMS = [program for program in TENSOR_PROGRAMS if program.staged_only is None]


@pytest.mark.parametrize("program", EAGER_PROGRAMS, ids=lambda program: program.id)
def test_programs_on_eager_tensors_agree_with_python(program: Program) -> None:
    for case in range(len(program.cases)):
        expected = outcome_of(program.function, program.arguments(case))
        actual = outcome_of(program.function, program.tensors(case))
        if expected.error is None:
            assert actual.error is None, actual.error
        else:
            assert isinstance(actual.error, type(expected.error)), actual.error
        difference = value_difference(expected.result, actual.result, differs=program.differs)
        assert difference is None
        assert expected.printed == actual.printed
