"""The cases of staged programs take both ways of every branch; loops run zero, one, many times."""

from __future__ import annotations

import pytest

from tests.corpus import STAGED_PROGRAMS, Program
from tests.laws.case_coverage import coverage_of


@pytest.mark.parametrize("program", STAGED_PROGRAMS, ids=lambda program: program.id)
def test_the_cases_cover_every_branch(program: Program) -> None:
    missing = coverage_of(program).missing()
    excused = {line for line in missing if line.startswith(tuple(program.always))}
    assert {} == {line: ways for line, ways in missing.items() if line not in excused}
    assert all(any(line.startswith(start) for line in excused) for start in program.always)
