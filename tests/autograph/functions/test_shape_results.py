"""Shapes that traced functions return are tensors, also of dynamic sizes."""

from __future__ import annotations

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ShapeError


def test_a_shape_is_a_tensor_of_sizes() -> None:
    shape = ag.function(lambda x: (x.shape, x[:, rt.newaxis].shape))
    assert [[2, 3], [2, 1, 3]] == [each.numpy().tolist() for each in shape(rt.ones((2, 3)))]
    assert rt.int32 is shape(rt.ones((2, 3)))[0].dtype
    assert [] == ag.function(lambda x: x.shape)(rt.constant(1)).numpy().tolist()


def test_unknown_sizes_are_those_of_the_run() -> None:
    signature = [rt.TensorSpec((None, 2))]
    shape = ag.function(lambda x: x.shape, input_signature=signature)
    assert [4, 2] == shape(rt.ones((4, 2))).numpy().tolist()


def test_a_partially_known_shape_is_refused() -> None:
    with pytest.raises(ShapeError, match=r"\(None, 3\) is not fully known"):
        ag.function(lambda: rt.TensorShape([None, 3]))()
    with pytest.raises(ShapeError, match=r"\(None, 3\) is not fully known"):
        rt.convert_to_tensor(rt.TensorShape([None, 3]))
