"""Shapes of tensors, known and unknown while tracing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError

CUBE = np.arange(24).reshape(2, 3, 4)


@pytest.mark.parametrize("target", [[6, 4], [-1], [2, -1, 2], 24, (), rt.TensorShape([4, 6])])
def test_reshape_against_numpy(target: Any) -> None:
    source = CUBE if target != () else np.array([7])
    dims = target.as_list() if isinstance(target, rt.TensorShape) else target
    np.testing.assert_array_equal(rt.reshape(source, target).numpy(), source.reshape(dims))


def test_reshape_with_tensors_for_dimensions() -> None:
    n = rt.constant(4)
    assert rt.reshape(CUBE, [n, 6]).shape == (4, 6) == rt.reshape(CUBE, rt.constant([4, 6])).shape
    assert rt.reshape(CUBE, np.array([4, 6])).shape == (4, 6)


@pytest.mark.parametrize("target", [[5], [7, -1], [-1, -1], [-2, 3]])
def test_reshape_names_both_shapes(target: list[int]) -> None:
    with pytest.raises(ShapeError, match=r"reshape: "):
        rt.reshape(CUBE, target)
    with pytest.raises(
        ShapeError, match=r"shape \(2, 3, 4\) with 24 elements does not become \(5,\)"
    ):
        rt.reshape(CUBE, [5])


def test_shape_size_rank() -> None:
    assert rt.shape(CUBE).numpy().tolist() == [2, 3, 4] and rt.shape(CUBE).dtype is rt.int32
    assert rt.shape(CUBE, "int64").dtype is rt.int64 == rt.size(CUBE, "int64").dtype
    assert rt.size(CUBE).numpy() == 24 and rt.rank(CUBE).numpy() == 3


def test_expanding_and_squeezing() -> None:
    assert rt.expand_dims(CUBE, 0).shape == (1, 2, 3, 4)
    assert rt.expand_dims(CUBE, -1).shape == (2, 3, 4, 1) == rt.expand_dims(CUBE, 3).shape
    row = rt.expand_dims(rt.expand_dims([1, 2], 0), -1)
    assert rt.squeeze(row).shape == (2,) and rt.squeeze(row, [0]).shape == (2, 1)
    assert rt.squeeze(row, -1).shape == (1, 2)
    with pytest.raises(ShapeError, match="axis 1 of shape"):
        rt.squeeze(row, 1)


def test_broadcasting_to_a_shape() -> None:
    np.testing.assert_array_equal(rt.broadcast_to([1, 2], [3, 2]).numpy(), [[1, 2]] * 3)
    with pytest.raises(ShapeError, match=r"shape \(2,\) does not broadcast to \(3,\)"):
        rt.broadcast_to([1, 2], [3])
    assert rt.broadcast_static_shape([2, 1], [3]) == (2, 3)


def test_ensuring_a_shape() -> None:
    assert rt.ensure_shape([1, 2], [None]).shape == (2,)
    with pytest.raises(ShapeError, match=r"ensure_shape: the shape must be \(3,\), not \(2,\)"):
        rt.ensure_shape([1, 2], [3])


def test_dimensions_are_checked() -> None:
    with pytest.raises(InvalidArgumentError, match="a dimension must be an integer, not None"):
        rt.reshape(CUBE, [None, 2])
    with pytest.raises(DTypeError, match="an integer, not float32"):
        rt.reshape(CUBE, [rt.constant(2.0), 12])
    with pytest.raises(ShapeError, match="not fully known"):
        rt.zeros(rt.TensorShape([None]))


# -- while tracing -----------------------------------------------------------------------------


def traced(shape: Any, fn: Any) -> Any:
    graph = rt.Graph("f")
    x = graph.add_input(rt.TensorSpec(shape, rt.float32), "x")
    with graph.recording():
        return fn(x), [node.op.name for node in graph]


def test_a_known_shape_is_a_constant_and_an_unknown_one_an_op() -> None:
    assert traced((2, 3), rt.shape)[1] == ["constant"] == traced((2, 3), rt.size)[1]
    assert traced((None, 3), rt.shape)[1] == ["shape"] and traced(None, rt.rank)[1] == ["rank"]
    assert traced((None, 3), rt.shape)[0].shape == (2,)
    assert traced(None, rt.shape)[0].shape == (None,)


@pytest.mark.parametrize(
    "shape, target, expected",
    [
        ((None, 3), lambda x: [-1], (None,)),
        ((2, 3), lambda x: [-1], (6,)),
        ((None, 3), lambda x: [rt.shape(x)[0], 3], (None, 3)),
        ((4, 3), lambda x: [rt.identity(rt.constant(2)), 6], (2, 6)),
        ((None, 3), rt.shape, (None, None)),
        (None, rt.shape, None),
    ],
)
def test_static_shapes_of_reshape(shape: Any, target: Any, expected: Any) -> None:
    result, _ = traced(shape, lambda x: rt.reshape(x, target(x)))
    assert result.shape == rt.TensorShape(expected)


def test_dimensions_from_tensors_keep_the_known_ones() -> None:
    result, _ = traced((None, 3), lambda x: rt.zeros([rt.shape(x)[0], 5]))
    assert result.shape == (None, 5)
    assert traced((2, 3), lambda x: rt.zeros(rt.shape(x)))[0].shape == (2, 3)


def test_reshape_of_empty_tensors_infers_a_dimension() -> None:
    assert rt.reshape(rt.zeros([0, 3]), [0, -1]).shape == (0, 3)
    assert rt.reshape(rt.zeros([2, 0]), [-1, 0]).shape == (2, 0)


def test_broadcast_static_shape() -> None:
    @ag.function(input_signature=[rt.TensorSpec((None,), rt.int32)] * 2)
    def together(x: rt.Tensor, y: rt.Tensor) -> rt.Tensor:
        return rt.broadcast_dynamic_shape(x, y)

    for function in (rt.broadcast_dynamic_shape, together):
        assert function(rt.constant([1, 2]), rt.constant([3, 1])).numpy().tolist() == [3, 2]
        with pytest.raises(InvalidArgumentError):
            function(rt.constant([3, 2]), rt.constant([2, 1]))
