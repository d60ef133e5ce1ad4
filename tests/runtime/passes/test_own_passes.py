"""Passes of the user's own: in `optimise`, and in `ag.function(passes=...)`."""

from __future__ import annotations

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError
from runtime.passes import DEFAULT, Pass, optimise, select_passes
from tests.runtime.passes.graphs import INT, graph_of, ops

seen: list[str] = []


def look(graph: rt.Graph) -> bool:
    seen.append(graph.name)
    return False


LOOK = Pass("look", look, "")


def test_own_passes_run_after_named_ones() -> None:
    assert ["cse", "look"] == [each.name for each in select_passes([LOOK, "cse"])]
    assert len(DEFAULT) == len(select_passes(["-licm", LOOK]))
    assert (*DEFAULT, LOOK) == select_passes([*DEFAULT, LOOK])
    assert (LOOK,) == select_passes(LOOK)


def test_a_function_runs_own_passes_on_its_graph() -> None:
    @ag.function(passes=["cse", LOOK])
    def squared_sum(x):
        return (x + 1) * (x + 1)

    seen.clear()
    assert 9 == int(squared_sum(rt.constant(2)))
    assert ["squared_sum"] == list(dict.fromkeys(seen))


def test_the_optimized_graph_of_a_concrete_function_went_through_its_passes() -> None:
    def squared_sum(x):
        return (x + x) * (x + x)

    def shown(passes: object) -> list[str]:
        f = ag.function(squared_sum, passes=passes)  # type: ignore[call-overload]
        return ops(f.get_concrete_function(rt.constant(2)).optimized_graph)

    assert ["add", "multiply"] == shown(None)
    assert ["add", "add", "multiply"] == shown("-cse")


def test_optimise_takes_names() -> None:
    graph = graph_of(lambda x: (x + x) * (x + x), INT)
    assert ["add", "multiply"] == ops(optimise(graph, ["cse"]))
    assert ["add", "add", "multiply"] == ops(optimise(graph, "licm"))


def test_optimise_says_where_the_graph_is() -> None:
    f = ag.function(lambda x: x + 1)
    for wrong in (f, f.get_concrete_function(rt.constant(1))):
        with pytest.raises(DTypeError, match=r"write optimise\(concrete\.graph\)"):
            optimise(wrong)  # type: ignore[arg-type]


def test_several_names_in_one_text_are_told_apart() -> None:
    with pytest.raises(ArgumentValueError, match=r"in a list, \['licm', 'dce'\]"):
        select_passes("licm,dce")


def test_integer_operands_commute() -> None:
    graph = graph_of(lambda x, y: (x + y) * (y + x), INT, INT)
    assert ["add", "multiply"] == ops(optimise(graph))


def test_operands_of_floats_and_matrices_keep_their_order() -> None:
    for spec in (rt.TensorSpec((), rt.float32), rt.TensorSpec((2, 2), rt.int32)):
        graph = graph_of(lambda x, y: (x + y) * (y + x), spec, spec)
        assert ["add", "add", "multiply"] == ops(optimise(graph))
