"""Random functions, staged, agree with plain Python on every path: values and unbound names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
from tests.corpus import lifted
from tests.parity.agreement import outcome_of, value_difference
from tests.parity.random_programs import RandomProgram
from tests.parity.written import module_of
from tests.suite_length import IS_LONG

ARGUMENTS = [(5, 3, [1, 2, 3]), (12, 0, [4, -5, 6]), (-3, 2, [7, 7, 0])]
STATIC_K = 2
SEEDS = range(1500 if IS_LONG else 10)


def _function(text: str, folder: Path) -> Callable[..., Any]:
    function: Callable[..., Any] = module_of(text, folder / "random_program.py").f
    return function


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_function_agrees_with_python(seed: int, tmp_path: Path) -> None:
    text = RandomProgram(seed).text
    function = _function(text, tmp_path)
    staged = ag.function(function)
    for arguments in ARGUMENTS:
        expected = outcome_of(function, [*arguments, STATIC_K])
        actual = outcome_of(staged, [*(lifted(value) for value in arguments), STATIC_K])
        assert type(expected.error) is type(actual.error), text
        assert value_difference(expected.result, actual.result) is None, text


def test_the_generator_reaches_every_kind_of_statement() -> None:
    texts = "".join(RandomProgram(seed).text for seed in range(40))
    for words in ("break", "continue", "return", "elif", "else:", "while", "for d in xs", " if "):
        assert words in texts
