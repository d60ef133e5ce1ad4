"""Passes preserve values, dtypes, errors, effects and their order.

The corpus, random functions of Python and random graphs run as they are and with passes: all of
them, each alone, and all but one. A random program runs with all passes and one other choice of
them; set AUTOGRAPH_LONG_TESTS=1 for every choice on the corpus and more random programs, which
takes three quarters of an hour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.interpreter import run
from runtime.graph import Graph, verify
from runtime.passes import DEFAULT, Pass
from runtime.passes.pattern import RewriteRule
from runtime.passes.prune import prune
from runtime.passes.simplify import RULES, simplify
from tests.corpus import STAGED_PROGRAMS, Program, undisturbed
from tests.parity.staged_differential import world
from tests.parity.staged_differential.programs import CASES, StagedProgram, random_program
from tests.parity.staged_differential.running import (
    ENTRY,
    by_signature,
    tensors,
    variables_of,
)
from tests.runtime.passes.comparison import (
    ALONE,
    TOGETHER,
    WITHOUT,
    interpreted,
    observed,
    run_with,
    spelled,
)
from tests.runtime.passes.random_graphs import RandomGraph, random_graph
from tests.suite_length import IS_LONG, sample

CONFIGURATIONS = {**TOGETHER, **ALONE, **WITHOUT}
ALL_GRAPHS = 8_000
GRAPHS = ALL_GRAPHS if IS_LONG else 20
PYTHON = 1_500 if IS_LONG else 4
BATCHES = 10
# Of the corpus every program runs each time it is long, else one in so many.
PROGRAMS = STAGED_PROGRAMS if IS_LONG else STAGED_PROGRAMS[::120]


def chosen_for(seed: int) -> Mapping[str, Sequence[Pass]]:
    """Return all passes together and one other choice of them."""
    other = Random(seed).choice([*ALONE, *WITHOUT])
    return {**TOGETHER, other: CONFIGURATIONS[other]}


# -- random graphs ---------------------------------------------------------------------------------


def observed_graph(made: RandomGraph, passes: Sequence[Pass] | None) -> list[Any]:
    found = []
    with run_with(passes):
        for case in made.cases:
            made.restore_variables()
            seen = observed(lambda case=case: run(made.graph, [each.copy() for each in case]))
            found.append((seen, spelled([variable.numpy() for variable, _ in made.variables])))
    return found


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_graphs_agree_after_passes(batch: int) -> None:
    for seed in range(batch, GRAPHS, BATCHES):
        made = random_graph(seed, tries=seed % 3 == 0)
        verify(made.graph)
        text = made.graph.as_text(origins=True)
        expected = observed_graph(made, None)
        for name, passes in chosen_for(seed).items():
            assert expected == observed_graph(made, passes), f"random_graph({seed}), {name}"
        assert text == made.graph.as_text(origins=True)


# -- the corpus ------------------------------------------------------------------------------------


def observed_program(program: Program, passes: Sequence[Pass] | None) -> list[Any]:
    with undisturbed(program), interpreted(), run_with(passes):
        staged = ag.function(program.function)
        return [observed(staged, *program.tensors(case)) for case in range(len(program.cases))]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.id)
def test_programs_agree_after_passes(program: Program) -> None:
    expected = observed_program(program, None)
    choices = CONFIGURATIONS if IS_LONG else chosen_for(len(program.doc))
    for name, passes in choices.items():
        assert expected == observed_program(program, passes), name


# -- random functions of Python --------------------------------------------------------------------


def observed_python_program(program: StagedProgram, passes: Sequence[Pass] | None) -> list[Any]:
    variables = variables_of(program, rt)
    with interpreted(), run_with(passes):
        staged = by_signature(variables[ENTRY])
        return [_observed_and_logged(staged, case) for case in CASES]


def _observed_and_logged(staged: Any, case: Any) -> Any:
    world.TRACE.clear()
    seen = observed(staged, *tensors(case))
    return seen, spelled(list(world.TRACE))


@pytest.mark.parametrize("batch", range(BATCHES if IS_LONG else 2))
def test_random_functions_agree_after_passes(batch: int) -> None:
    for seed in range(batch, PYTHON, BATCHES if IS_LONG else 2):
        program = random_program(seed)
        expected = observed_python_program(program, None)
        for name, passes in chosen_for(seed).items():
            assert expected == observed_python_program(program, passes), (
                f"random_program({seed}), {name}"
            )


# -- planted faults --------------------------------------------------------------------------------


class _Forgetting:
    """Leaves out the nodes that nobody uses, also those that raise."""

    def run(self, graph: Graph) -> bool:
        used = {id(each) for node in graph.nodes for each in node.inputs}
        used.update(map(id, graph.outputs))
        kept = [
            node
            for node in graph.nodes
            if node.effect != "none" or any(id(each) in used for each in node.outputs)
        ]
        is_changed = len(kept) < len(graph.nodes)
        graph.nodes = kept
        return is_changed


def _misplacing(graph: Graph) -> bool:
    for node in graph.walk():
        node.origin = None
    return True


def _rule(pattern: str, result: str, kinds: str) -> Pass:
    rules = (*RULES, RewriteRule("wrong", pattern, result, kinds))
    return Pass("wrong", lambda graph: simplify(graph, rules), "")


FAULTS: dict[str, Pass] = {
    "a zero without its sign": _rule("add(x, 0)", "x", "f"),
    "nan compared": Pass(
        "wrong",
        lambda graph: simplify(
            graph,
            (
                RewriteRule(
                    "wrong", "logical_not(less(x, y))", "greater_equal(x, y)", when=lambda _: True
                ),
            ),
        ),
        "",
    ),
    "a difference taken for a number": _rule("subtract(x, x)", "x", "if"),
    "a failure forgotten": Pass("wrong", _Forgetting().run, ""),
    "a line forgotten": Pass("wrong", _misplacing, ""),
}


@pytest.mark.parametrize("name", sample([*FAULTS][::-1], 3))
def test_a_planted_fault_is_found(name: str) -> None:
    fault = FAULTS[name]
    passes = (fault, DEFAULT[-1])
    for seed in range(ALL_GRAPHS):
        made = random_graph(seed)
        if not fault.run(prune(made.graph)):
            continue
        if observed_graph(made, None) != observed_graph(made, passes):
            return
    pytest.fail(f"{name}: no graph shows it")


def test_spelled_values_differ_where_a_bit_does() -> None:
    assert spelled(np.float32(0.0)) != spelled(np.float32(-0.0))
    assert spelled(rt.constant(1)) != spelled(rt.constant(1, "int64"))
    assert spelled([np.nan]) == spelled([np.nan])
