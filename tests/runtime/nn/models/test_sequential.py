"""Layers one after the other."""

from __future__ import annotations

import pytest

import runtime as rt
from runtime.errors import FailedPreconditionError


def test_the_output_shape_is_known_after_build() -> None:
    made = rt.nn.Sequential([rt.nn.Input((4,)), rt.nn.layers.Dense(2)])
    assert ((None, 4), (None, 2)) == (made.input_shape, made.output_shape)
    made.add(rt.nn.layers.Dense(3))
    assert (None, 3) == made.output_shape
    with pytest.raises(FailedPreconditionError, match="has not been called"):
        _ = rt.nn.Sequential([rt.nn.layers.Dense(2)]).output_shape


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((rt.nn.layers.Dense(3), rt.nn.layers.Dense(2)), r"one list: write rt.nn.Sequential\("),
        (([rt.nn.layers.Flatten],), r"not the class Flatten: write Flatten\(\)"),
        ((["relu"],), r"not 'relu': write layers.Activation\('relu'\)"),
        (([rt.nn.relu],), r"write layers.Activation\(function\)"),
    ],
)
def test_layers_that_are_no_list_of_layers(arguments, words):
    with pytest.raises(rt.errors.ArgumentValueError, match=words):
        rt.nn.Sequential(*arguments)
