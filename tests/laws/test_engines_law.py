"""Every engine runs the staged programs of the corpus as the NumPy executor does."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import autograph as ag
from runtime.errors import EngineWarning
from runtime.executors.executor import _engines, register_engine
from tests.corpus import STAGED_PROGRAMS, Program, undisturbed
from tests.parity.agreement import outcome_of, spelled
from tests.runtime.executors.toy_engine import Toy
from tests.suite_length import sample

PROGRAMS = sample(STAGED_PROGRAMS, 8)


@pytest.fixture
def engine() -> Iterator[Toy]:
    made = Toy()
    register_engine(made)
    yield made
    _engines.pop(made.name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS, ids=[each.id for each in PROGRAMS])
def test_a_program_is_the_same_in_an_engine(program: Program, engine: Toy) -> None:
    assert seen(program, engine.name) == seen(program, "numpy")


def seen(program: Program, executor: str) -> list[Any]:
    """Return the results of calls, or their errors, the changed arguments, and what they print."""
    function = ag.function(program.function, executor=executor, fallback=True)
    found = []
    with undisturbed(program), warnings.catch_warnings():
        warnings.simplefilter("error", EngineWarning)
        for case in range(len(program.cases)):
            outcome = outcome_of(function, program.tensors(case))
            error = outcome.error and (type(outcome.error), str(outcome.error))
            found.append((spelled(outcome.result), error, outcome.printed))
            found.append(spelled(outcome.arguments))
    return found


def test_the_programs_run_in_the_engine(engine: Toy) -> None:
    for program in PROGRAMS[:10]:
        seen(program, engine.name)
    assert engine.runs > 10
