"""`bias_add`: one bias for each channel."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import InvalidArgumentError, ShapeError


def test_biases_are_added_to_channels() -> None:
    assert rt.nn.bias_add([[1, 2]], [10, 20]).numpy().tolist() == [[11, 22]]
    planes = rt.nn.bias_add(rt.zeros([1, 2, 3]), [1.0, 2.0], data_format="NCW")
    assert planes.numpy()[0].tolist() == [[1, 1, 1], [2, 2, 2]]


@pytest.mark.parametrize("shape", [None, (None, None), (1, 2)])
@pytest.mark.parametrize("bias", [[1.0], [1.0, 2.0, 3.0]])
def test_biases_are_one_for_each_channel(shape: Any, bias: list[float]) -> None:
    signature = [rt.TensorSpec(shape, rt.float32), rt.TensorSpec((None,), rt.float32)]
    staged = ag.function(lambda x, b: rt.nn.bias_add(x, b), input_signature=signature)
    for add in (rt.nn.bias_add, staged):
        with pytest.raises(InvalidArgumentError):
            add(rt.constant([[1.0, 2.0]]), rt.constant(bias))
    assert staged(rt.constant([[1.0, 2.0]]), rt.constant([1.0, 2.0])).numpy().tolist() == [[2, 4]]


def test_biases_of_vectors_are_refused() -> None:
    with pytest.raises(ShapeError, match="a rank of 2 or more"):
        rt.nn.bias_add([1.0, 2.0], [1.0, 2.0])
