"""Weights that `call` adds: once, or refused."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as rt
from runtime.errors import VariableCreationError


class Adding(rt.nn.layers.Layer):
    def __init__(self, once: bool) -> None:
        super().__init__(name="adding")
        self.once, self.w = once, None

    def call(self, x: Any) -> Any:
        if self.w is None or not self.once:
            self.w = self.add_weight(shape=(2,))
        return x * self.w


def test_a_weight_of_each_call_is_refused() -> None:
    layer = Adding(once=False)
    layer(rt.ones([1, 2]))
    with pytest.raises(VariableCreationError, match="layer 'adding' adds a weight in each call"):
        layer(rt.ones([1, 2]))
    assert 1 == len(layer.weights)


def test_a_weight_of_the_first_call_is_kept() -> None:
    layer = Adding(once=True)
    first = layer(rt.ones([1, 2]))
    assert [*first.numpy()[0]] == [*layer(rt.ones([1, 2])).numpy()[0]]
    assert 1 == len(layer.weights)
