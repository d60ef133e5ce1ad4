"""The dtypes of the items of lists, followed through branches, loops and other lists."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import UnimplementedError
from runtime.export.graphdef.item_types import ItemTypes
from runtime.ops.containers import lists
from runtime.passes.prune import prune

NUMBER = rt.TensorSpec((), rt.int32)


def forms(build: Any, *specs: rt.TensorSpec) -> list[Any]:
    """Return the forms of a graph's results."""
    graph = rt.Graph("f")
    inputs = [graph.add_input(spec, f"x{at}") for at, spec in enumerate(specs)]
    with graph.recording():
        outputs = build(*inputs)
    graph.set_outputs(outputs)
    types = ItemTypes(graph)
    return [types.form(tensor) for tensor in graph.outputs]


def test_writes_and_reads_determine_item_types() -> None:
    assert [("int32",)] == forms(lambda x: [lists.list_append(lists.list_new(), x)], NUMBER)
    assert [("int32", "float32")] == forms(lambda x: [lists.list_of(x, 0.5, width=2)], NUMBER)
    assert [("float32",)] == forms(lambda: [lists.list_new()])

    def read(x):
        empty = lists.list_new()
        lists.list_get(empty, x, [rt.TensorSpec((), rt.bool)])
        return [empty]

    assert [("bool",)] == forms(read, NUMBER)


def test_lists_in_lists_are_followed() -> None:
    def nested(x):
        inner = lists.list_append(lists.list_new(), x)
        return [lists.list_append(lists.list_new(), inner)]

    assert [(("int32",),)] == forms(nested, NUMBER)


def test_item_types_of_a_list_filled_by_a_loop() -> None:
    def filled(n):
        found, other = [], []
        for i in rt.range(n):
            if i > 1:
                found.append(rt.cast(i, rt.float64))
            else:
                other.append(i > 0)
        return found, other

    graph = prune(ag.function(filled).get_concrete_function(NUMBER).graph)
    types = ItemTypes(graph)
    assert [("float64",), ("bool",)] == [types.form(tensor) for tensor in graph.outputs]
    begun = [node.outputs[0] for node in graph.get_nodes_by_op("list_of")]
    assert {(rt.float64,), (rt.bool,)} == {types.of(tensor) for tensor in begun}


def test_items_of_two_kinds_are_refused() -> None:
    graph = rt.Graph("f")
    with graph.recording():
        both = lists.list_append(lists.list_append(lists.list_new(), rt.constant(1)), True)
        wide = lists.list_append(lists.list_append(lists.list_new(), 1), 2, 3)
    for outputs, words in (([both], "holds int32 and bool"), ([wide], "of different forms")):
        graph.set_outputs(outputs)
        with pytest.raises(UnimplementedError, match=words):
            ItemTypes(prune(graph))
