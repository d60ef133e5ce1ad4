"""Passes of the user's own: in `optimize`, and in `ag.function(passes=...)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, GraphError
from runtime.graph.node import Node
from runtime.ops.op import REGISTRY
from runtime.passes import DEFAULT, Pass, optimize, select_passes
from runtime.passes.manager import LICM, LICM_OF_ARRAYS
from runtime.passes.rewriting import Rewriting, new_node
from tests.runtime.passes.graphs import BOOL, INT, graph_of, ops

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


def test_optimize_takes_names() -> None:
    graph = graph_of(lambda x: (x + x) * (x + x), INT)
    assert ["add", "multiply"] == ops(optimize(graph, ["cse"]))
    assert ["add", "add", "multiply"] == ops(optimize(graph, "licm"))


def test_optimize_says_where_the_graph_is() -> None:
    f = ag.function(lambda x: x + 1)
    for wrong in (f, f.get_concrete_function(rt.constant(1))):
        with pytest.raises(DTypeError, match=r"write optimize\(concrete\.graph\)"):
            optimize(wrong)  # type: ignore[arg-type]


def test_several_names_in_one_text_are_split() -> None:
    with pytest.raises(ArgumentValueError, match=r"in a list, \['licm', 'dce'\]"):
        select_passes("licm,dce")


@pytest.mark.parametrize(("given", "meant"), [("-lcim", "'-licm'"), ("constant-folding", "'con")])
def test_a_misspelled_name_gets_a_suggestion(given: str, meant: str) -> None:
    with pytest.raises(ArgumentValueError, match=f"did you mean {meant}"):
        select_passes(given)


class _Replacing(Rewriting):
    def __init__(self, replacement: Callable[[rt.Graph, Node], Any]) -> None:
        super().__init__()
        self._replacement = replacement

    def visit(self, graph: rt.Graph, node: Node) -> Any:
        return self._replacement(graph, node) if node.op.name == "add" else None


def _clear(graph: rt.Graph) -> bool:
    graph.nodes.clear()
    return True


def _drop_result(graph: rt.Graph) -> bool:
    graph.outputs = []
    return True


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (lambda graph: None, "returns None: return whether it changed the graph"),
        (_clear, "which it does not compute"),
        (_drop_result, "'f' had 1 results, and has 0 now"),
        (lambda graph: _Replacing(lambda *_: []).run(graph), r"'add' \(add\) is replaced by \[\]"),
        (lambda graph: _Replacing(lambda *_: [3]).run(graph), r"by \[3\].* sequence of 1 tensors"),
        (lambda graph: _Replacing(lambda _, n: n.inputs[0]).run(graph), "is replaced by Tensor"),
    ],
)
def test_an_own_pass_that_breaks_the_graph_is_refused(run: Any, message: str) -> None:
    graph = graph_of(lambda x: x + 1, INT)
    with pytest.raises(GraphError, match=f"^pass 'own': .*{message}"):
        optimize(graph, [Pass("own", run, "")])


def test_a_pass_that_changes_the_dtype_of_a_result_is_refused_at_its_line() -> None:
    class Comparing(Rewriting):
        def visit(self, graph: rt.Graph, node: Node) -> Any:
            if node.op.name != "add":
                return None
            greater = REGISTRY["greater"]
            made = new_node(graph, greater, node.inputs, {}, [BOOL], "greater", node.origin)
            return self.emit(made).outputs

    @ag.function(passes=Pass("own", lambda graph: Comparing().run(graph), ""))
    def following(x):
        return x + 1

    message = r"pass 'own': node 'greater' \(greater\) is bool, in the place of int32"
    with pytest.raises(GraphError, match=message) as caught:
        following(rt.constant(2))
    assert "in following" in str(caught.value)


def test_integer_operands_commute() -> None:
    graph = graph_of(lambda x, y: (x + y) * (y + x), INT, INT)
    assert ["add", "multiply"] == ops(optimize(graph))


def test_operands_of_floats_and_matrices_keep_their_order() -> None:
    for spec in (rt.TensorSpec((), rt.float32), rt.TensorSpec((2, 2), rt.int32)):
        graph = graph_of(lambda x, y: (x + y) * (y + x), spec, spec)
        assert ["add", "add", "multiply"] == ops(optimize(graph))


def test_passes_of_engines_are_not_verified() -> None:
    graph = graph_of(lambda x: (x + x) * (x + x), INT)
    passes = tuple(LICM_OF_ARRAYS if each == LICM else each for each in DEFAULT)
    with mock.patch("runtime.passes.manager.verify") as verified:
        optimize(graph, passes)
        verified.assert_not_called()
        optimize(graph, [*passes, LOOK])
        assert verified.called
