"""Total, compact and deterministic nodes are recognised strictly."""

from __future__ import annotations

import pytest

import runtime as rt
from runtime.passes.node_traits import is_compact, is_total, is_value
from tests.runtime.passes.graphs import BOOL, FLOAT, INT, VECTOR, graph_of

OPEN = rt.TensorSpec((None,), "float32")


@pytest.mark.parametrize(
    ("function", "specs", "expected"),
    [
        (lambda x: x + x, [INT], True),
        (lambda x: x // 2, [INT], True),
        (lambda x, y: x // y, [INT, INT], False),
        (lambda x, y: x / y, [FLOAT, FLOAT], True),
        (lambda x: x + 1.0, [OPEN], True),
        (lambda x, y: x + y, [OPEN, OPEN], False),
        (lambda x: x + x, [OPEN], True),
        (lambda x: rt.argmax(x), [OPEN], False),
        (lambda x: rt.argmax(x), [VECTOR], True),
        (lambda x: rt.squeeze(x, 0), [OPEN], False),
        (lambda x: rt.reshape(x, [3, 1]), [VECTOR], True),
        (lambda x: rt.reshape(x, [3, 1]), [OPEN], False),
        (lambda x: x[1], [VECTOR], True),
        (lambda x: rt.random.uniform([2]), [INT], False),
        (lambda p, x: rt.cond(p, lambda: x + 1, lambda: x), [BOOL, INT], True),
        (lambda p, x: rt.cond(p, lambda: 1 // x, lambda: x), [BOOL, INT], False),
    ],
)
def test_total_nodes(function, specs, expected: bool) -> None:
    assert expected == is_total(graph_of(function, *specs).outputs[0].node)


def test_a_number_of_python_may_overflow() -> None:
    assert is_total(graph_of(lambda x: x + 1, INT).outputs[0].node)
    assert not is_total(graph_of(lambda x: x + 1, INT, weak=True).outputs[0].node)


def test_compact_outputs() -> None:
    matrix = rt.TensorSpec((2, 3), "float32")
    graph = graph_of(lambda x: (x, rt.transpose(rt.tanh(x)), x[:, :1], rt.transpose(x)), matrix)
    assert [False, True, False, False] == [is_compact(each) for each in graph.outputs]


def test_deterministic_nodes() -> None:
    graph = graph_of(lambda x: (x + 1, rt.random.uniform([2])), INT)
    assert [True, False] == [is_value(each.node) for each in graph.outputs]
