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


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: rt.strings.unsorted_segment_join(["a"], [5], 2),
        lambda: rt.strings.unsorted_segment_join(["a"], [0, 1], 2),
        lambda: rt.strings.unsorted_segment_join([1], [0], 2),
    ],
)
def test_what_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidArgumentError):
        wrong()
