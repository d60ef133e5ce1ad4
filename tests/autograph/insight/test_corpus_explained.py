"""Every program of the corpus that can be staged is explained, whatever its trace does."""

from __future__ import annotations

import contextlib
import io

import pytest

import autograph as ag
from tests.corpus import TENSOR_PROGRAMS, Program


@pytest.mark.parametrize("program", TENSOR_PROGRAMS, ids=lambda program: program.id)
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


def test_a_staged_place_says_why() -> None:
    unexplained, sample = [], TENSOR_PROGRAMS[::8]
    for program in sample:
        with contextlib.redirect_stdout(io.StringIO()):
            explained = ag.explain(program.function, *program.tensors(0))
        if not explained.error:
            unexplained += [(program.id, each) for each in explained.staged if not each.why]
    assert len(unexplained) <= len(sample) // 12, unexplained
