"""Joining, splitting and moving, against NumPy."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError

A, B = np.arange(6).reshape(2, 3), np.arange(6, 12).reshape(2, 3)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_concat_and_stack(axis: int) -> None:
    np.testing.assert_array_equal(rt.concat([A, B], axis).numpy(), np.concatenate([A, B], axis))
    np.testing.assert_array_equal(rt.stack([A, B], axis).numpy(), np.stack([A, B], axis))


def test_joining_literals_with_tensors() -> None:
    x = rt.constant([1.0, 2.0])
    assert rt.concat([x, [3]], 0).numpy().tolist() == [1, 2, 3]
    assert rt.stack([x, [3, 4]]).dtype is rt.float32 and rt.stack([1, 2]).shape == (2,)
    assert rt.stack(A).numpy().tolist() == A.tolist()
    with pytest.raises(DTypeError):
        rt.concat([x, rt.constant([1])], 0)


def test_joining_errors() -> None:
    with pytest.raises(ShapeError, match=r"concat: shapes \(2, 3\) and \(3, 2\) differ in more"):
        rt.concat([A, B.T], 0)
    with pytest.raises(ShapeError, match="use rt.stack"):
        rt.concat([1, 2], 0)
    with pytest.raises(ShapeError, match=r"stack: shapes \(2, 3\) and \(3, 2\)"):
        rt.stack([A, B.T])
    with pytest.raises(InvalidArgumentError, match="empty"):
        rt.concat([], 0)
    with pytest.raises(InvalidArgumentError, match="empty"):
        rt.stack([])


def test_values_and_axis_in_other_places_are_refused() -> None:
    a, b = rt.ones([2]), rt.zeros([2])
    for call in (lambda: rt.concat(a, b), lambda: rt.concat(0, [a, b])):
        with pytest.raises(DTypeError, match=r"write rt.concat\(\[a, b\], axis\)"):
            call()
    with pytest.raises(DTypeError, match=r"write rt.stack\(\[b, a\], axis\)"):
        rt.stack(b, a)


def test_ints_that_are_not_in_a_list_are_refused() -> None:
    images = rt.ones([2, 3])
    for call, advice in (
        (lambda: rt.tile(images, 2, 3), "rt.tile(images, [2, 3])"),
        (lambda: rt.reshape(images, 3, 2), "rt.reshape(images, [3, 2])"),
        (lambda: rt.broadcast_to(images, 2, 3), "rt.broadcast_to(images, [2, 3])"),
        (lambda: rt.transpose(images, 1, 0), "rt.transpose(images, [1, 0])"),
    ):
        with pytest.raises(DTypeError, match=f"in a list: write {re.escape(advice)}"):
            call()


def test_concatenation_of_one_tensor() -> None:
    assert rt.concat(rt.constant([[1], [2]]), 0).numpy().tolist() == [[1], [2]]
    assert rt.stack(rt.constant([[1], [2]])).numpy().tolist() == [[1], [2]]

    @ag.function(input_signature=[rt.TensorSpec(None, rt.int32)])
    def joined(x: rt.Tensor) -> rt.Tensor:
        return rt.concat(x, 0) + rt.stack(x)

    assert joined(rt.constant([[1], [2]])).numpy().tolist() == [[2], [4]]


def test_unstack() -> None:
    assert [x.numpy().tolist() for x in rt.unstack(A)] == A.tolist()
    assert [x.numpy().tolist() for x in rt.unstack(A, axis=-1)] == A.T.tolist()
    graph = rt.Graph("f")
    x = graph.add_input(rt.TensorSpec((None, 3)), "x")
    with graph.recording():
        assert [t.shape for t in rt.unstack(x, num=2)] == [(3,), (3,)]
        with pytest.raises(InvalidArgumentError, match="give num="):
            rt.unstack(x)


@pytest.mark.parametrize(
    "parts, expected", [(3, [[0], [1], [2]]), ([1, 2], [[0], [1, 2]]), ([-1, 1], [[0, 1], [2]])]
)
def test_split(parts: Any, expected: list[list[int]]) -> None:
    assert [x.numpy().tolist() for x in rt.split([0, 1, 2], parts)] == expected


def test_splits_that_do_not_add_up() -> None:
    for parts in (2, [1, 1], [5, -1]):
        with pytest.raises(ShapeError, match="split: 3 elements do not split"):
            rt.split([0, 1, 2], parts)


def test_repeating() -> None:
    np.testing.assert_array_equal(rt.tile(A, [2, 3]).numpy(), np.tile(A, (2, 3)))
    np.testing.assert_array_equal(rt.repeat(A, 2).numpy(), np.repeat(A, 2))
    np.testing.assert_array_equal(rt.repeat(A, [1, 2], axis=0).numpy(), np.repeat(A, [1, 2], 0))
    assert rt.tile([1], [rt.constant(3)]).numpy().tolist() == [1, 1, 1]
    with pytest.raises(ShapeError, match="2 multiples do not fit"):
        rt.tile([1], [1, 2])


@pytest.mark.parametrize("mode", ["CONSTANT", "REFLECT", "SYMMETRIC"])
def test_pad(mode: str) -> None:
    widths = [[1, 0], [0, 2]]
    expected = np.pad(A, widths, mode.lower())  # type: ignore[call-overload]
    np.testing.assert_array_equal(rt.pad(A, widths, mode).numpy(), expected)
    assert rt.pad([1], [[1, 1]], constant_values=9).numpy().tolist() == [9, 1, 9]
    assert rt.pad(["a"], [[0, 1]]).numpy().tolist() == [b"a", b""]
    with pytest.raises(InvalidArgumentError, match="mode must be"):
        rt.pad(A, widths, "odd")


def test_reverse_and_transpose() -> None:
    np.testing.assert_array_equal(rt.reverse(A, [1]).numpy(), A[:, ::-1])
    np.testing.assert_array_equal(rt.reverse(A, [0, -1]).numpy(), A[::-1, ::-1])
    np.testing.assert_array_equal(rt.roll(A, 1, 1).numpy(), np.roll(A, 1, 1))
    np.testing.assert_array_equal(rt.roll(A, [1, -1], [0, 1]).numpy(), np.roll(A, (1, -1), (0, 1)))


@pytest.mark.parametrize("mode, most", [("REFLECT", 1), ("SYMMETRIC", 2)])
def test_mirror_padding_is_bounded_by_the_size(mode: str, most: int) -> None:
    assert rt.pad([1, 2], [[0, most]], mode).shape == (2 + most,)
    with pytest.raises(ShapeError, match=f"at most {most} on each side in mode {mode}"):
        rt.pad([1, 2], [[0, most + 1]], mode)
    graph = rt.Graph("padded")
    x = graph.add_input(rt.TensorSpec((2,), rt.int32), "x")
    with graph.recording(), pytest.raises(ShapeError, match="at most"):
        rt.pad(x, [[5, 0]], mode)


@pytest.mark.parametrize("shape", [(5,), (4, 6), (3, 4, 5), (0, 3), (1, 2)])
@pytest.mark.parametrize("shifts", [(1, 2), (-3, 7), (0, 5), (4, -4)])
def test_roll_agrees_with_numpy(shape: Any, shifts: Any) -> None:
    x = np.arange(np.prod(shape)).reshape(shape)
    for axes in itertools.product(range(-len(shape), len(shape)), repeat=2):
        found = rt.roll(x, list(shifts), list(axes)).numpy()
        np.testing.assert_array_equal(found, np.roll(x, shifts, axes))
