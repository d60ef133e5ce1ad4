"""Random graphs agree, printed, with the interpreter, in errors and effects too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from runtime.executors import run
from runtime.executors.numpy.printed_function import printed_function
from tests.runtime.passes.comparison import observed, spelled
from tests.runtime.passes.random_graphs import RandomGraph, random_graph
from tests.suite_length import IS_LONG

SEEDS = range(1500 if IS_LONG else 40)


def observed_runs(made: RandomGraph, run_one: Callable[[Sequence[Any]], Any]) -> list[Any]:
    """Return the observations of all runs: results, errors, printed and assigned values."""
    found = []
    for case in made.cases:
        made.restore_variables()
        outcome = observed(lambda given=case: list(run_one([each.copy() for each in given])))
        found.append((outcome, spelled([v.numpy() for v, _ in made.variables])))
    return found


@pytest.mark.parametrize("block", range(0, len(SEEDS), 20))
def test_random_graphs_agree_with_the_interpreter(block: int) -> None:
    for seed in SEEDS[block : block + 20]:
        made = random_graph(seed)
        wanted = observed_runs(made, lambda given, graph=made.graph: run(graph, given))  # type: ignore[misc]
        assert observed_runs(made, printed_function(made.graph).run) == wanted, seed


@pytest.mark.parametrize("block", range(0, len(SEEDS), 20))
def test_random_graphs_with_handlers_and_recursion_agree_with_the_interpreter(block: int) -> None:
    for seed in SEEDS[block : block + 20]:
        made = random_graph(seed, tries=True)
        found = []
        for run_one in (
            lambda given, graph=made.graph: run(graph, given),
            printed_function(made.graph).run,
        ):  # type: ignore[misc]
            found.append(observed_runs(made, lambda given: run_one(given)))
        assert found[0] == found[1], seed
