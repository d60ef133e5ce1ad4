"""Every program of the corpus that can be staged is explained, whatever its trace does."""

from __future__ import annotations

import contextlib
import functools
import io
from typing import Any

import pytest

import autograph as ag
from tests.corpus import TENSOR_PROGRAMS, Program, find


@functools.cache
def explained_once(name: str) -> Any:
    """What `explain` says of the first case of a program."""
    (program,) = find([name])
    with contextlib.redirect_stdout(io.StringIO()):
        return ag.explain(program.function, *program.tensors(0))


@pytest.mark.parametrize("program", TENSOR_PROGRAMS, ids=lambda program: program.id)
def test_a_call_is_explained(program: Program) -> None:
    explained = explained_once(program.id)
    text = str(explained)
    assert program.name in text
    for function in explained.functions:
        for line in function.lines:
            assert f"{line.number}" in text
    if program.refused is not None:
        assert program.refused in explained.error


def test_a_staged_place_says_why() -> None:
    unexplained = []
    for program in TENSOR_PROGRAMS:
        explained = explained_once(program.id)
        if not explained.error:
            unexplained += [(program.id, each) for each in explained.staged if not each.why]
    assert len(unexplained) <= len(TENSOR_PROGRAMS) // 20, unexplained
