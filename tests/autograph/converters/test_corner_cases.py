"""Converted programs agree with the originals: results, exceptions and side effects."""

from __future__ import annotations

import sys

import pytest

from tests.autograph.converters import (
    corner_definitions,
    corner_expressions,
    corner_jumps,
    corner_scopes,
)
from tests.autograph.converters.reference import Case, assert_same_behaviour

THEMES = (corner_definitions, corner_expressions, corner_jumps, corner_scopes)
ALL = {name: case for theme in THEMES for name, case in theme.CASES.items()}
CASES = {name: case for name, case in ALL.items() if sys.version_info >= case.since}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_corner_case(case: Case) -> None:
    assert_same_behaviour(case.text, *case.calls, path=case.path)


def test_corner_cases_are_unique() -> None:
    texts = [case.text.strip() for case in ALL.values()]
    assert len(texts) == len(set(texts))
