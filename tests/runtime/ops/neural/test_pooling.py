"""Pooling: sizes of unknown images."""

from __future__ import annotations

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ShapeError


def test_pooling_of_images_of_unknown_rank_says_how_it_becomes_known() -> None:
    spec = rt.TensorSpec(None, rt.float32)
    pool = ag.function(lambda photo: rt.nn.max_pool(photo, 2, 2, "SAME"), input_signature=[spec])
    with pytest.raises(ShapeError, match=r"write rt.ensure_shape\(photo, \[None, None, None"):
        pool(rt.ones([1, 4, 4, 1]))
    pool = ag.function(
        lambda photo: rt.nn.max_pool(rt.ensure_shape(photo, [None] * 4), 2, 2, "SAME"),
        input_signature=[spec],
    )
    assert (1, 2, 2, 1) == tuple(pool(rt.ones([1, 4, 4, 1])).shape)
