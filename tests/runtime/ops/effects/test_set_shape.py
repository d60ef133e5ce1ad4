"""`set_shape`: known while tracing, checked when the graph runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import OutOfScopeError, ShapeError


@ag.function
def doubled(x: Any) -> Any:
    y = rt.numpy_function(lambda v: np.concatenate([v, v]), [x], rt.float32)
    y.set_shape([None])
    y.set_shape([4])
    assert (4,) == tuple(y.shape)
    return rt.reshape(y, [2, -1])


def test_set_shape_refines_the_static_shape() -> None:
    assert [[1, 2], [1, 2]] == doubled(rt.constant([1.0, 2.0])).numpy().tolist()
    (result,) = doubled.get_concrete_function(rt.constant([1.0, 2.0])).outputs
    assert (2, 2) == tuple(result.shape)


def test_another_shape_at_run_time_is_refused() -> None:
    with pytest.raises(ShapeError, match="dimension 0 of shape"):
        doubled(rt.constant([1.0, 2.0, 3.0]))


def test_set_shape_refines_arguments() -> None:
    @ag.function(input_signature=[rt.TensorSpec(None, rt.int32)])
    def rows(x: Any) -> Any:
        x.set_shape([3, None])
        return len(x)

    assert 3 == rows([[1], [2], [3]])
    with pytest.raises(ShapeError):
        rows([[1], [2]])


def test_set_shape_refines_values_created_in_a_loop() -> None:
    @ag.function
    def steps(x: Any) -> Any:
        for _ in rt.range(3):
            x = rt.numpy_function(lambda v: v + 1, [x], rt.int32)
            x.set_shape([2])
        return x

    assert [4, 5] == steps(rt.constant([1, 2])).numpy().tolist()


def test_a_contradicting_shape_is_refused_at_once() -> None:
    x = rt.constant([1, 2])
    x.set_shape([None])
    x.set_shape(None)
    with pytest.raises(ShapeError, match=r"a tensor of shape \(2,\) does not have shape \(3,\)"):
        x.set_shape([3])
    with pytest.raises(ShapeError, match="set_shape"):
        ag.function(lambda x: x.set_shape([2, 2]))(x)


@pytest.mark.parametrize("place", ["branch", "loop"])
def test_set_shape_of_an_outer_tensor_in_a_region_is_refused(place: str) -> None:
    @ag.function(input_signature=[rt.TensorSpec(None, rt.float32)])
    def f(x: Any) -> Any:
        if place == "branch":
            if rt.size(x) > 1:
                x.set_shape([2])
        else:
            for _ in rt.range(2):
                x.set_shape([2])
                x = x * 2
        return x

    with pytest.raises(OutOfScopeError, match=r"write x = rt.ensure_shape\(x, \(2,\)\)"):
        f([1.0, 2.0])
