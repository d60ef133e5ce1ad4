"""Tensors created from shapes and counts agree with NumPy and Python's range."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError


@given(st.integers(-20, 20), st.integers(-20, 20), st.integers(-5, 5).filter(bool))
def test_range_agrees_with_python(start: int, limit: int, delta: int) -> None:
    result = rt.range(start, limit, delta)
    assert result.numpy().tolist() == list(builtins.range(start, limit, delta))
    assert result.dtype is rt.int32


def test_range_of_floats_and_dtypes() -> None:
    assert rt.range(0, 1, 0.25).numpy().tolist() == [0, 0.25, 0.5, 0.75]
    assert rt.range(3.0).dtype is rt.float32 and rt.range(3, dtype="int64").dtype is rt.int64
    assert rt.range(rt.constant(3, "int64")).dtype is rt.int64
    assert rt.range(0.0, 1.0, 0.1).shape == (10,)
    with pytest.raises(InvalidArgumentError, match="delta"):
        rt.range(0, 5, 0)
    with pytest.raises(ShapeError, match="scalars"):
        rt.range([1, 2])


def test_range_has_a_static_length_for_constants() -> None:
    graph = rt.Graph("f")
    n = graph.add_input(rt.TensorSpec((), rt.int32), "n")
    with graph.recording():
        assert rt.range(5).shape == (5,) and rt.range(n).shape == (None,)


def test_zeros_ones_fill() -> None:
    assert rt.zeros([2, 3]).dtype is rt.float32 and rt.zeros([2, 3]).shape == (2, 3)
    assert rt.zeros(2, "string").numpy().tolist() == [b"", b""]
    assert rt.zeros([], bool).numpy() == False  # noqa: E712
    assert rt.ones([2], int).numpy().tolist() == [1, 1] and rt.fill([2], "a").dtype is rt.string
    assert rt.fill(rt.constant([1, 2]), 7.5).numpy().tolist() == [[7.5, 7.5]]
    with pytest.raises(DTypeError):
        rt.ones([2], "string")
    with pytest.raises(ShapeError, match="must be a scalar"):
        rt.fill([2], [1, 2])
    with pytest.raises(ShapeError, match="negative|a dimension"):
        rt.zeros([-3])


def test_zeros_like_and_ones_like() -> None:
    assert rt.zeros_like([1, 2]).numpy().tolist() == [0, 0]
    assert rt.zeros_like(["a"]).numpy().tolist() == [b""]
    assert rt.ones_like([1, 2], "float64").dtype is rt.float64


def test_linspace() -> None:
    np.testing.assert_allclose(rt.linspace(0.0, 1.0, 5).numpy(), np.linspace(0, 1, 5))
    assert rt.linspace([0.0, 1.0], [1.0, 3.0], 4).shape == (4, 2)
    assert rt.linspace(0.0, 1.0, 0).shape == (0,)
    with pytest.raises(InvalidArgumentError, match="num must be 0 or more"):
        rt.linspace(0.0, 1.0, -1)


def test_a_range_of_ints_and_floats_is_of_floats() -> None:
    spaced = rt.range(rt.constant(3), 10.0, rt.constant(2))
    assert spaced.dtype is rt.float32 and spaced.numpy().tolist() == [3, 5, 7, 9]
    assert rt.range(rt.constant(1), rt.constant(3, rt.int64)).dtype is rt.int64


@pytest.mark.parametrize("shape", [None, (None,), (2,)])
def test_one_hot_with_a_dynamic_depth(shape: Any) -> None:
    @ag.function(input_signature=[rt.TensorSpec(shape, rt.int32), rt.TensorSpec((), rt.int32)])
    def hot(x: rt.Tensor, depth: rt.Tensor) -> rt.Tensor:
        return rt.one_hot(x, depth, 5, 1)

    indices = rt.constant([0, 4])
    expected = rt.one_hot(indices, 3, 5, 1).numpy().tolist()
    assert expected == hot(indices, rt.constant(3)).numpy().tolist()


def test_one_hot_with_a_dynamic_depth_along_an_axis() -> None:
    @ag.function
    def hot(x: rt.Tensor, depth: rt.Tensor) -> rt.Tensor:
        return rt.one_hot(x, depth, axis=0)

    expected = rt.one_hot([0, 1], 3, axis=0).numpy().tolist()
    assert expected == hot(rt.constant([0, 1]), rt.constant(3)).numpy().tolist()


def test_linspace_takes_integers_as_float64() -> None:
    spaced = rt.linspace(0, 10, 5)
    assert spaced.dtype is rt.float64 and spaced.numpy().tolist() == [0.0, 2.5, 5.0, 7.5, 10.0]


def test_one_hot() -> None:
    assert rt.one_hot([1, 5], 2).numpy().tolist() == [[0, 1], [0, 0]]
    assert rt.one_hot([1], 2, on_value=7, off_value=3).numpy().tolist() == [[3, 7]]
    assert rt.one_hot([0, 1, 2], 4, axis=0).shape == (4, 3)
    assert rt.one_hot([1], 2, dtype="int64").dtype is rt.int64
    assert rt.one_hot(1, 3).dtype is rt.float32 and rt.one_hot(1, 3).shape == (3,)


def test_constants_of_a_shape() -> None:
    assert rt.constant(1, shape=(2, 2)).numpy().tolist() == [[1, 1], [1, 1]]
    assert rt.constant([1, 2, 3, 4], shape=(2, 2)).numpy().tolist() == [[1, 2], [3, 4]]
    with pytest.raises(ShapeError, match="3 values do not fill"):
        rt.constant([1, 2, 3], shape=(2,))


def test_casts() -> None:
    assert rt.cast([1.9, -1.9], "int32").numpy().tolist() == [1, -1]
    assert rt.cast([0, 2], bool).numpy().tolist() == [False, True]
    assert rt.cast([True], "float32").numpy().tolist() == [1.0]
    assert rt.cast(rt.constant(1 + 2j), "float32").numpy() == 1
    x = rt.constant(1.0)
    assert rt.cast(x, "float32") is x
    with pytest.raises(DTypeError, match="to_number"):
        rt.cast("1", "int32")


def test_identities() -> None:
    x = rt.constant([1])
    assert rt.identity(x).numpy() == [1] == rt.stop_gradient(x).numpy()
    assert rt.is_tensor(x) and not rt.is_tensor(np.ones(1)) and not rt.is_tensor([x])
    assert rt.executing_eagerly()
    with rt.Graph("f").recording():
        assert not rt.executing_eagerly()
