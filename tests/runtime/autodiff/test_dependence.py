"""Dependence of loop results: an op without a gradient is refused in loops, too."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import UnimplementedError


def in_a_loop(x: Any) -> Any:
    total = rt.constant(0.0)
    for _ in rt.range(2):
        total = total + rt.reduce_sum(rt.unique(x)[0])
    return total


def in_a_branch(x: Any) -> Any:
    total = rt.constant(0.0)
    if x[0] > 0.0:
        total = rt.reduce_sum(rt.unique(x)[0])
    return total


@pytest.mark.parametrize("program", [in_a_loop, in_a_branch])
@pytest.mark.parametrize("is_inside", [True, False])
def test_an_op_without_a_gradient_is_refused(program: Any, is_inside: bool) -> None:
    def gradient(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = program(x) if is_inside else ag.function(program)(x)
        return tape.gradient(y, x)

    with pytest.raises(UnimplementedError, match="unique, which has none"):
        (ag.function(gradient) if is_inside else gradient)(rt.constant([1.0, 2.0, 1.0]))


def rows_of_a_dataset(x: Any) -> Any:
    total = 0.0 * x[0]
    for row in rt.data.Dataset.from_tensor_slices(x):
        total = total + row * x[1]
    return total


def test_dataset_elements_have_no_gradients() -> None:
    def gradient(f: Any) -> Any:
        def taped(x: Any) -> Any:
            with rt.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, x)

        return taped

    x, program = rt.constant([1.0, 2.0]), rows_of_a_dataset
    ways = (gradient(program), ag.function(gradient(program)), gradient(ag.function(program)))
    assert [[0.0, 3.0]] * 3 == [way(x).numpy().tolist() for way in ways]
