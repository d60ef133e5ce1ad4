"""Every engine runs the staged programs of the corpus as the NumPy executor does."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import autograph as ag
from runtime.errors import EngineWarning
from runtime.executors.executor import _engines, executor_names, register_engine
from tests.corpus import STAGED_PROGRAMS, Program, undisturbed
from tests.parity.agreement import outcome_of, spelled, value_difference
from tests.runtime.executors.toy_engine import Toy
from tests.suite_length import sample

# For each engine, the package that it needs, and the step of the short form's sample: compiling a
# program takes XLA a second.
ENGINES = {"toy": ("", 8), "jax": ("jax", 48)}
CASES = [
    (engine, program)
    for engine, (package, step) in ENGINES.items()
    if not package or importlib.util.find_spec(package)
    for program in sample(STAGED_PROGRAMS, step)
]


@pytest.fixture(autouse=True)
def toy() -> Iterator[Toy]:
    made = Toy()
    register_engine(made)
    yield made
    _engines.pop(made.name)


def test_all_engines_are_here() -> None:
    assert {"numpy", "interpreter", *ENGINES} == set(executor_names())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("engine", "program"), CASES, ids=[f"{engine}-{program.id}" for engine, program in CASES]
)
def test_a_program_is_the_same_in_an_engine(engine: str, program: Program) -> None:
    for expected, actual in zip(seen(program, "numpy"), seen(program, engine), strict=True):
        assert expected[1:] == actual[1:]
        if spelled(expected[0]) != spelled(actual[0]):
            assert value_difference(expected[0], actual[0]) is None


def seen(program: Program, executor: str) -> list[tuple[Any, ...]]:
    """Return the results of calls and the arguments after them, the errors, and what is printed."""
    function = ag.function(program.function, executor=executor, fallback=True)
    found = []
    with undisturbed(program), warnings.catch_warnings():
        warnings.simplefilter("error", EngineWarning)
        for case in range(len(program.cases)):
            outcome = outcome_of(function, program.tensors(case))
            error = outcome.error and (type(outcome.error), str(outcome.error))
            found.append(((outcome.result, outcome.arguments), error, outcome.printed))
    return found


def test_the_programs_run_in_the_engine(toy: Toy) -> None:
    for program in sample(STAGED_PROGRAMS, 8)[:10]:
        seen(program, toy.name)
    assert toy.runs > 10
