"""Strings joined by segments."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import InvalidArgumentError


@pytest.mark.parametrize("shape", [None, (None,), (4,)])
def test_each_segment_is_joined_in_its_order(shape: Any) -> None:
    @ag.function(input_signature=[rt.TensorSpec(shape, rt.string), rt.TensorSpec(shape, rt.int32)])
    def joined(texts: rt.Tensor, ids: rt.Tensor) -> rt.Tensor:
        return rt.strings.unsorted_segment_join(texts, ids, 3, separator="-")

    found = joined(rt.constant(["a", "b", "c", "d"]), rt.constant([2, -1, 0, 2]))
    assert found.numpy().tolist() == [b"c", b"", b"a-d"]


def test_strings_of_rows_are_joined_place_by_place() -> None:
    texts = rt.constant([["a", "b"], ["c", "d"], ["e", "f"]])
    found = rt.strings.unsorted_segment_join(texts, [0, 1, 0], 3, separator="-")
    assert found.numpy().tolist() == [[b"a-e", b"b-f"], [b"c", b"d"], [b"", b""]]
    alone = rt.strings.unsorted_segment_join(texts, [[0, 1], [1, 0], [2, 2]], 3, separator="-")
    assert alone.numpy().tolist() == [b"a-d", b"b-c", b"e-f"]


def test_the_number_of_segments_may_be_dynamic() -> None:
    @ag.function
    def joined(texts: rt.Tensor, count: rt.Tensor) -> rt.Tensor:
        found = rt.strings.unsorted_segment_join(texts, [0, 1, 0], count)
        assert found.shape.as_list() == [None]
        return found

    texts = rt.constant(["a", "b", "c"])
    assert joined(texts, rt.constant(3)).numpy().tolist() == [b"ac", b"b", b""]
    with pytest.raises(InvalidArgumentError, match="a segment id must be in .*, not 1"):
        joined(texts, rt.constant(1))


def test_there_may_be_many_segments() -> None:
    many = rt.strings.unsorted_segment_join(["a", "b"], [19_999, 19_999], 20_000)
    assert many.numpy()[-2:].tolist() == [b"", b"ab"]


def test_a_join_is_one_node() -> None:
    @ag.function
    def joined(texts: rt.Tensor) -> rt.Tensor:
        return rt.strings.unsorted_segment_join(texts, [0, 1, 0], 100)

    graph = joined.get_concrete_function(rt.TensorSpec([3], rt.string)).graph
    assert [node.op.name for node in graph.nodes].count("unsorted_segment_join") == 1
    assert len(graph.nodes) < 6


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: rt.strings.unsorted_segment_join(["a"], [5], 2),
        lambda: rt.strings.unsorted_segment_join(["a"], [0, 1], 2),
        lambda: rt.strings.unsorted_segment_join([1], [0], 2),
        lambda: rt.strings.unsorted_segment_join("a", 0, 2),
        lambda: rt.strings.unsorted_segment_join(["a"], [0.0], 2),
        lambda: rt.strings.unsorted_segment_join(["a"], [0], -1),
        lambda: rt.strings.unsorted_segment_join(["a"], [0], [1]),
    ],
)
def test_invalid_arguments_are_refused(wrong: Any) -> None:
    with pytest.raises(InvalidArgumentError):
        wrong()
