"""Random programs of every construct agree, converted, with plain Python."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

import pytest

from tests.parity.differential.judging import divergence
from tests.parity.differential.programs import random_program
from tests.parity.differential.running import ARGUMENTS
from tests.suite_length import IS_LONG

PROGRAMS = 25_000 if IS_LONG else 50
BATCH = 100 if IS_LONG else 50


@pytest.mark.parametrize("start", range(0, PROGRAMS, BATCH))
def test_converted_programs_agree_with_python(start: int) -> None:
    for seed in range(start, start + BATCH):
        program = random_program(seed)
        case = ARGUMENTS[seed % len(ARGUMENTS)]
        found = divergence(program, cases=(case,))
        assert found is None, found.shrunk().text()
        program.forget()


def test_a_seed_determines_the_program() -> None:
    assert random_program(5) == random_program(5)
    assert random_program(5) != random_program(6)


# What has no place in a function, or nothing to do with how it runs.
NOT_WRITTEN = {"FunctionType", "Interactive", "Expression", "TypeIgnore", "Param", "AugLoad"}
NOT_WRITTEN |= {"AugStore", "Suite", "Index", "ExtSlice", "slice", "mod", "Num", "Str", "Bytes"}
NOT_WRITTEN |= {"NameConstant", "Ellipsis", "MatMult", "Mult", "Pow", "LShift", "RShift"}
NEWER = {"TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple"}


def test_programs_hold_every_construct_of_the_language() -> None:
    kinds = {type(node).__name__ for node in _nodes(400)}
    known = {kind.__name__ for kind in vars(ast).values() if _is_concrete(kind)}
    assert set() == known - kinds - NOT_WRITTEN - NEWER


def _is_concrete(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, ast.AST) and not kind.__subclasses__()


def test_programs_return_more_often_than_they_raise() -> None:
    outcomes = [random_program(seed).run(ARGUMENTS[0], lambda main: main) for seed in range(200)]
    assert 100 < sum(outcome.error is None for outcome in outcomes) < 190
    assert 80 < sum(len(outcome.trace) > 3 for outcome in outcomes)


def _nodes(count: int) -> Iterator[ast.AST]:
    for seed in range(count):
        yield from ast.walk(ast.parse(random_program(seed).text))


def test_programs_are_written_for_the_version_that_runs_them() -> None:
    groups = any(isinstance(node, getattr(ast, "TryStar", ())) for node in _nodes(300))
    assert groups == (sys.version_info >= (3, 11))
