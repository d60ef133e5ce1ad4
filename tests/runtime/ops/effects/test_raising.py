"""The op that raises."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.core.context import Origin
from runtime.executors import run
from runtime.ops.effects.raising import raise_error


def test_raise_error_raises_at_once_eagerly() -> None:
    with pytest.raises(KeyError, match="k"):
        raise_error(KeyError("k"))


def test_raise_error_in_a_graph_holds_the_values_of_the_run() -> None:
    graph = rt.Graph("f")
    x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    with graph.recording():
        raise_error(ValueError("bad", x), [Origin("model.py", 7, "f")])
    errors = []
    for value in (3, 4):
        with pytest.raises(ValueError, match="bad") as caught:
            run(graph, [np.int32(value)])
        errors.append(caught.value)
    assert [3, 4] == [int(error.args[1]) for error in errors]
    assert ["  at model.py:7, in f"] == errors[1].__notes__
    last = errors[1].__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    assert last is not None
    assert ("model.py", 7) == (last.tb_frame.f_code.co_filename, last.tb_lineno)


def test_the_text_of_a_graph_shows_the_exception_pattern() -> None:
    graph = rt.Graph("f")
    x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    with graph.recording():
        raise_error(ValueError("bad", x))
    assert "%raise = raise(%x) {exception=ValueError('bad', $0)}" in graph.as_text()
