"""Gradients of broadcast operands: sums are recorded only where they may be needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt

OPS = [rt.add, rt.subtract, rt.multiply, rt.divide, rt.pow, rt.atan2, rt.maximum]
KEPT = [
    ((None, 3), (3,)),
    ((None, 3), (1, 3)),
    ((None, 3), ()),
    ((2, None), (None, 1)),
    ((2, 3), (None, 3)),
]
SUMMED = [((None,), (3,)), ((3,), (None, 3)), ((1, 3), (None, 3)), ((None, 3), (None, 3))]


def recorded(op: Callable[..., Any], shape: Any, other: Any) -> rt.Graph:
    graph = rt.Graph("slope")
    x = graph.add_input(rt.TensorSpec(shape, rt.float32), "x")
    y = graph.add_input(rt.TensorSpec(other, rt.float32), "y")
    with graph.recording():
        graph.set_outputs(rt.gradients(op(x, y), [x]))
    return graph


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("shape, other", KEPT)
def test_gradients_of_equal_shapes_are_not_summed(op: Any, shape: Any, other: Any) -> None:
    graph = recorded(op, shape, other)
    assert "sum_to_like" not in [node.op.name for node in graph]
    x = np.full([each or 2 for each in shape], 1.5, np.float32)
    y = np.full([each or 2 for each in other], 0.5, np.float32)
    (found,) = rt.executors.run(graph, [x, y])
    assert found.shape == x.shape


@pytest.mark.parametrize("shape, other", SUMMED)
def test_gradients_of_broadcast_operands_are_summed(shape: Any, other: Any) -> None:
    graph = recorded(rt.multiply, shape, other)
    assert "sum_to_like" in [node.op.name for node in graph]
    x = np.ones([1 if each is None else each for each in shape], np.float32)
    y = np.ones([2 if each is None else each for each in other], np.float32)
    (found,) = rt.executors.run(graph, [x, y])
    assert found.shape == x.shape and float(found.sum()) == (x * y).size
