"""Arguments that a nested graph may be called with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import runtime as rt
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.functions.arguments.plain_arguments import plain_arguments
from runtime.core.variant import VARIANT
from runtime.graph import Graph


class Pair(NamedTuple):
    first: Any
    second: Any


@pytest.fixture
def graph() -> Iterator[Graph]:
    graph = Graph("f")
    with graph.recording():
        yield graph


def an_input(graph: Graph, *dims: int | None, weak: bool = False) -> Any:
    return graph.add_input(rt.TensorSpec(dims, rt.int32), "x", weak)


def test_tensors_are_operands_in_the_order_of_the_key(graph: Graph) -> None:
    x, y, z = an_input(graph, 2), an_input(graph, None), an_input(graph)
    found = plain_arguments(({"b": x, "a": [y]}, 3, Pair(z, "s"), (x,)))
    assert found is not None
    assert [id(y), id(x), id(z), id(x)] == list(map(id, found.operands))
    int32 = np.dtype(np.int32)
    assert ("tensor", int32, (None,)) == found.key[0][-1][0][-1][0]
    assert ("literal", int, 3) == found.key[1]
    assert found.has_containers


def test_arguments_without_containers(graph: Graph) -> None:
    found = plain_arguments((an_input(graph), (1, None)))
    assert found is not None and not found.has_containers


def test_the_key_records_shared_lists(graph: Graph) -> None:
    one: list[Any] = [an_input(graph)]
    same, others = plain_arguments((one, one)), plain_arguments((one, list(one)))
    assert same is not None and others is not None
    assert ("again", (0, 0)) == same.key[-1]
    assert same.key[:-1] == others.key


def test_arguments_that_are_not_plain(graph: Graph) -> None:
    x = an_input(graph)
    handle = graph.add_input(VARIANT, "list")
    for value in (
        an_input(graph, weak=True),
        handle,
        rt.constant(2),
        np.array(2),
        OptionalValue(x > 0, x),
        rt.TensorSpec((), rt.int32),
        [x, rt.constant(1)],
        bytearray(b"x"),
    ):
        assert plain_arguments((x, value)) is None, value
    with rt.init_scope():
        outside = rt.constant(3)
    assert plain_arguments((outside,)) is None
