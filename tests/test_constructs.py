"""Every construct has programs, and the programs exist."""

from __future__ import annotations

from collections import Counter

from tests.constructs import CONSTRUCTS, Construct
from tests.corpus import PROGRAMS
from tests.each import for_each

BY_ID = {program.id: program for program in PROGRAMS}


@for_each("row", CONSTRUCTS, ids=lambda row: row.name)
def test_the_programs_of_a_row_exist(row: Construct) -> None:
    assert row.programs
    assert [] == [name for name in row.programs if name not in BY_ID]


@for_each("row", CONSTRUCTS, ids=lambda row: row.name)
def test_some_program_of_a_row_is_staged_or_refused(row: Construct) -> None:
    programs = [BY_ID[name] for name in row.programs]
    on_python = all(program.python_only for program in programs)
    assert on_python == row.name.endswith(("on Python values", "empty bodies", "signatures"))


@for_each("row", CONSTRUCTS, ids=lambda row: row.name)
def test_a_row_has_more_than_one_input(row: Construct) -> None:
    assert any(BY_ID[name].refused or len(BY_ID[name].cases) > 1 for name in row.programs)


def test_rows_are_unique() -> None:
    counted = Counter((row.section, row.name) for row in CONSTRUCTS)
    assert [] == [row for row, times in counted.items() if times > 1]
    assert 6 == len({row.section for row in CONSTRUCTS})
