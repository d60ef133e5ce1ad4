"""Every engine runs the staged programs of the corpus as the NumPy executor does."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from runtime.executors.engine import Engine
from runtime.executors.executor import _engines, executor_names, register_engine
from tests import pages
from tests.corpus import STAGED_PROGRAMS, Program
from tests.runtime.executors.toy_engine import Toy
from tests.suite_length import sample
from tools.compare_engines import ENGINE, RUNS, kept, verdict
from tools.verdict_tables import SAME

# For each engine, the package that it needs, and the step of the short form's sample: compiling a
# program takes XLA a second.
ENGINES = {"toy": ("", 24), "abacus": ("", 96), "jax": ("jax", 48)}
CASES = [
    (engine, program)
    for engine, (package, step) in ENGINES.items()
    if not package or importlib.util.find_spec(package)
    for program in sample(STAGED_PROGRAMS, step)
]
KEPT = kept()


@cache
def engine_of_the_page() -> Engine:
    """Return the engine that docs/contributing/engine.md makes in its first two blocks."""
    page = pages.ROOT / "docs" / "contributing" / "engine.md"
    names: dict[str, Any] = {}
    for block in pages.python_blocks(page.read_text(encoding="utf-8"))[:2]:
        exec(compile(block.source, str(page), "exec"), names)
    made: Engine = names["Abacus"]()
    return made


@pytest.fixture(autouse=True)
def toy() -> Iterator[Toy]:
    made = Toy()
    for engine in (made, engine_of_the_page()):
        register_engine(engine)
    yield made
    for name in ("toy", "abacus"):
        _engines.pop(name)


def test_all_engines_are_here() -> None:
    assert {"numpy", "interpreter", *ENGINES} == set(executor_names())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("engine", "program"), CASES, ids=[f"{engine}-{program.id}" for engine, program in CASES]
)
def test_a_program_is_the_same_in_an_engine(engine: str, program: Program) -> None:
    found = verdict(program, engine)
    assert found.there == SAME
    if engine == ENGINE:
        assert found.here == KEPT[program.id].here


def test_the_page_has_the_programs_of_the_corpus() -> None:
    assert list(KEPT) == [program.id for program in STAGED_PROGRAMS]
    assert {said.there for said in KEPT.values()} == {SAME}


def test_the_programs_run_in_the_engine(toy: Toy) -> None:
    for program in sample(STAGED_PROGRAMS, 8)[:5]:
        verdict(program, toy.name)
    assert toy.runs > 5


def test_programs_run_in_the_engine_of_the_page() -> None:
    wanted = (
        "for_loops/bound_changed",
        "joins/dataclass_per_branch",
        "while_loops/if_around_while",
    )
    found = [verdict(each, "abacus").here for each in STAGED_PROGRAMS if each.id in wanted]
    assert [RUNS] * 3 == found
