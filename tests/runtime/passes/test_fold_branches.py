"""Conditionals and loops with constant tests are replaced, and no others."""

from __future__ import annotations

import pytest

import runtime as rt
from runtime.executors import interpreter
from runtime.passes.fold_branches import fold_branches
from tests.runtime.passes.graphs import BOOL, INT, changed, graph_of, ops, plain


def constant(value):
    return rt.identity(rt.constant(value)).node.inputs[0]


@pytest.mark.parametrize(("value", "left"), [(True, "add"), (False, "multiply")])
def test_a_conditional_with_a_constant_predicate_is_inlined(value: bool, left: str) -> None:
    graph = graph_of(lambda x: rt.cond(constant(value), lambda: x + x, lambda: x * x), INT)
    assert changed(fold_branches, graph, [3])
    assert [left] == ops(graph)


@pytest.mark.parametrize(("index", "left"), [(0, "add"), (1, "multiply"), (7, "negative")])
def test_a_switch_with_a_constant_index_is_inlined(index: int, left: str) -> None:
    ways = [lambda x: x + x, lambda x: x * x, lambda x: -x]
    graph = graph_of(
        lambda x: rt.switch_case(constant(index), [plain(lambda w=w: w(x)) for w in ways]), INT
    )
    assert changed(fold_branches, graph, [3])
    assert [left] == ops(graph)


def test_nested_regions_are_inlined() -> None:
    graph = graph_of(
        lambda p, x: rt.cond(
            constant(True),
            plain(lambda: rt.cond(p, plain(lambda: x + 1), plain(lambda: x))),
            plain(lambda: x),
        ),
        BOOL,
        INT,
    )
    assert changed(fold_branches, graph, [True, 3], [False, 3])
    assert ["cond", "add"] == ops(graph)


def test_a_loop_without_iterations_keeps_the_effects_of_its_test(
    capsys: pytest.CaptureFixture[str],
) -> None:
    @plain
    def test(i):
        rt.print("asked")
        return constant(False)

    graph = graph_of(lambda x: rt.while_loop(test, plain(lambda i: [i + 1]), [x]), INT)
    assert fold_branches(graph)
    assert ["print"] == ops(graph)
    assert [4] == interpreter.run(graph, [4])
    assert "asked\n" == capsys.readouterr().err


def test_conditionals_and_loops_of_unknown_tests_stay() -> None:
    graph = graph_of(lambda p, x: rt.cond(p, lambda: x + x, lambda: x * x), BOOL, INT)
    assert not fold_branches(graph)
    graph = graph_of(
        lambda x: rt.while_loop(plain(lambda i: i < 5), plain(lambda i: [i + 1]), [x]), INT
    )
    assert not fold_branches(graph)
