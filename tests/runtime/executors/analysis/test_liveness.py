"""Unread values are not computed, unless they may raise."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError
from runtime.executors import interpreter
from runtime.executors.numpy.printed_function import printed_function
from runtime.graph import Graph
from runtime.graph.function_calls import as_called_graph, record_function_call


def called_for_one_result() -> Graph:
    """Build a call whose function gives two results, of which one, which may raise, is not used."""
    inner, graph = Graph("inner"), Graph("outer")
    values = rt.TensorSpec((3,), rt.int32)
    xs, at = inner.add_input(values, "xs"), inner.add_input(rt.TensorSpec((), rt.int32), "at")
    with inner.recording():
        inner.set_outputs([xs + at, rt.gather(xs, at) * 2])
    called = as_called_graph(inner)
    ys, place = graph.add_input(values, "ys"), graph.add_input(rt.TensorSpec((), rt.int32), "place")
    with graph.recording():
        graph.set_outputs(record_function_call(called, [ys, place])[:1])
    return graph


def test_an_unused_result_that_raises_in_a_call_still_raises() -> None:
    graph = called_for_one_result()
    for place in (1, 5):
        arrays = [np.arange(3, dtype=np.int32), np.int32(place)]
        if place == 1:
            assert [[1, 2, 3]] == [each.tolist() for each in printed_function(graph).run(arrays)]
            continue
        for run in (partial(interpreter.run, graph), printed_function(graph).run):
            with pytest.raises(InvalidArgumentError, match="indices = 5"):
                run(arrays)
    assert "multiply" not in printed_function(graph).source
