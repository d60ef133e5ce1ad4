"""`explain` of corpus programs that can be staged."""

from __future__ import annotations

import contextlib
import io

import pytest

import autograph as ag
from tests.corpus import TENSOR_PROGRAMS, Program
from tests.suite_length import sample

# A program is followed line by line, which takes ten times as long as to trace it.
EXPLAINED = sample(TENSOR_PROGRAMS, 6)


@pytest.mark.parametrize("program", EXPLAINED, ids=lambda program: program.id)
def test_a_call_is_explained(program: Program) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        explained = ag.explain(program.function, *program.tensors(0))
    text = str(explained)
    assert program.name in text
    for function in explained.functions:
        for line in function.lines:
            assert f"{line.number}" in text
    if program.refused is not None:
        assert program.refused in explained.error


def test_a_staged_statement_has_a_reason() -> None:
    unexplained, programs = [], TENSOR_PROGRAMS[::24]
    for program in programs:
        with contextlib.redirect_stdout(io.StringIO()):
            explained = ag.explain(program.function, *program.tensors(0))
        if not explained.error:
            unexplained += [(program.id, each) for each in explained.staged if not each.why]
    assert len(unexplained) <= len(programs) // 12, unexplained
