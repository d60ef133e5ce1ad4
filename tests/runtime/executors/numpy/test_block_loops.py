"""Block loops over large arrays keep the memory layout of results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.executors import run
from runtime.executors.numpy.block_loops import as_made_at_once
from runtime.executors.numpy.printed_function import printed_function
from tests.runtime.executors.graphs import graph_of

RANDOM = np.random.default_rng(0)
ROWS, COLUMNS = RANDOM.normal(size=(400, 700)), RANDOM.normal(size=(700, 400))


def transposed(x: Any, y: Any) -> Any:
    z = rt.tanh(rt.transpose(x) * 0.5) + 1.0
    return rt.reduce_sum(z, axis=0), z @ rt.transpose(z), z


def chain(x: Any, y: Any) -> Any:
    z = rt.tanh(x * 0.5) + 1.0
    return rt.reduce_sum(z, axis=1), z @ rt.transpose(z), z


def of_both(x: Any, y: Any) -> Any:
    z = rt.tanh(rt.transpose(x) * 0.5) + y
    return rt.reduce_sum(z, axis=0), z


def written_over(x: Any, y: Any) -> Any:
    z = rt.tanh(rt.transpose(x[:100])) + y[:, :100]
    return rt.reduce_sum(z, axis=0), z


def momentum(x: Any, y: Any) -> Any:
    place, speed = x, x * 0.0
    for _ in rt.range(40):
        speed = speed * 0.5 - x
        place = rt.sin(place + speed)
    return rt.reduce_sum(place, axis=0), place


@pytest.mark.parametrize("function", [transposed, chain, of_both, written_over, momentum])
@pytest.mark.parametrize("order", ["C", "F"])
def test_reductions_of_block_loops_keep_memory_layout(function: Any, order: Any) -> None:
    x, y = np.asarray(ROWS, order=order), np.asarray(COLUMNS, order=order)
    graph = graph_of(function, x, y)
    wanted, found = run(graph, [x, y]), printed_function(graph).run([x, y])
    for one, other in zip(wanted, found, strict=True):
        assert one.tobytes() == other.tobytes()
        assert one.strides == other.strides


def test_a_c_contiguous_result_is_not_copied() -> None:
    x, result = np.ones((3, 4)), np.zeros((3, 4))
    assert as_made_at_once(result, x, np.ones(4)) is result
    assert as_made_at_once(result, x[:, ::2].repeat(2, 1), np.asfortranarray(x)) is result
