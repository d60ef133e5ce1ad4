"""Random programs over lists of rows agree, staged, with Python, or are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import AutographError
from tests.parity.shared_rows.loop_programs import random_loop_program
from tests.parity.shared_rows.programs import random_program
from tests.parity.written import module_of
from tests.suite_length import IS_LONG

PROGRAMS, BATCH = (4_000, 100) if IS_LONG else (10, 10)
CASES = ((1, 0), (2, 1), (3, 2))


def numbers_in(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [numbers_in(each) for each in value]
    if isinstance(value, (rt.Tensor, np.ndarray)):
        return np.asarray(value).tolist()
    return value


def given(function: Any, *arguments: Any) -> tuple[object, BaseException | None]:
    try:
        return numbers_in(function(*arguments)), None
    except (ArithmeticError, LookupError, AutographError) as error:
        return None, error


def difference(function: Any) -> str | None:
    """Return where the staged function gives something else; "refused" if it is not staged."""
    staged = ag.function(function)
    for case in CASES:
        value, error = given(function, *case)
        found, raised = given(staged, *map(rt.constant, case))
        if isinstance(raised, AutographError):
            return "refused"
        is_same = raised is None if error is None else isinstance(raised, type(error))
        if not is_same or value != found:
            return f"f{case} gives {found} or {raised!r}, where Python gives {value} or {error!r}"
    return None


@pytest.mark.parametrize("write", [random_program, random_loop_program])
@pytest.mark.parametrize("start", range(0, PROGRAMS, BATCH))
def test_staged_rows_agree_with_python(
    start: int, write: Callable[[int], str], tmp_path: Path
) -> None:
    refused = 0
    for seed in range(start, start + BATCH):
        text = write(seed)
        found = difference(module_of(text, tmp_path / f"shared_rows_{seed}.py").f)
        refused += found == "refused"
        assert found in (None, "refused"), f"{text}\n{found}"
    # They are made to be as hard as can be.
    assert refused <= BATCH * 2 // 3
