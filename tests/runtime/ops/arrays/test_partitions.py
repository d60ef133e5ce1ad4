"""Dynamic partitions and stitches: numbers recorded with TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError


def lists(tensors: Any) -> list[Any]:
    return [each.numpy().tolist() for each in tensors]


def test_dynamic_partition_agrees_with_tensorflow() -> None:
    assert [[10, 40], [20, 30]] == lists(rt.dynamic_partition([10, 20, 30, 40], [0, 1, 1, 0], 2))
    rows = rt.dynamic_partition([[1, 2], [3, 4], [5, 6]], [0, 1, 0], 2)
    assert [[[1, 2], [5, 6]], [[3, 4]]] == lists(rows)
    assert [[1], [2, 3, 4]] == lists(rt.dynamic_partition([[1, 2], [3, 4]], [[0, 1], [1, 1]], 2))
    assert [[], [3]] == lists(rt.dynamic_partition(3, 1, 2))


def test_dynamic_stitch_agrees_with_tensorflow() -> None:
    assert [1, 7, 0, 2] == rt.dynamic_stitch([[0, 3], [1]], [[1, 2], [7]]).numpy().tolist()
    assert [1, 7] == rt.dynamic_stitch([[0, 1], [1]], [[1, 2], [7]]).numpy().tolist()
    places = [6, [4, 1], [[5, 2], [0, 3]]]
    rows = [[61, 62], [[41, 42], [11, 12]], [[[51, 52], [21, 22]], [[1, 2], [31, 32]]]]
    expected = [[1, 2], [11, 12], [21, 22], [31, 32], [41, 42], [51, 52], [61, 62]]
    assert expected == rt.dynamic_stitch(places, rows).numpy().tolist()
    nothing = rt.dynamic_stitch([np.zeros(0, np.int32)], [np.zeros((0, 2))])
    assert (0, 2) == nothing.shape


def test_dynamic_stitch_inverts_dynamic_partition() -> None:
    data = np.random.default_rng(0).normal(size=(5, 3))
    numbers = [2, 0, 1, 2, 0]
    rows = rt.dynamic_partition(data, numbers, 3)
    places = rt.dynamic_partition(rt.range(5), numbers, 3)
    np.testing.assert_array_equal(rt.dynamic_stitch(places, rows).numpy(), data)


def test_overwritten_rows_have_no_gradient() -> None:
    first, second = rt.constant([1.0, 2.0]), rt.constant([7.0])
    with rt.GradientTape() as tape:
        tape.watch([first, second])
        y = rt.dynamic_stitch([[0, 1], [1]], [first, second]) * [10.0, 20.0]
    assert [[10.0, 0.0], [20.0]] == lists(tape.gradient(y, [first, second]))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: rt.dynamic_partition([1, 2, 3], [0, 2, 5], 3), r"partitions\[2\] = 5 is not in"),
        (lambda: rt.dynamic_partition([1, 2, 3], [0, -1, 1], 3), r"partitions\[1\] = -1 is not"),
        (lambda: rt.dynamic_partition([1, 2], [0], 2), "must begin with"),
        (lambda: rt.dynamic_partition([1, 2], [0, 0], 0), "1 or more, not 0"),
        (lambda: rt.dynamic_stitch([[0, -1]], [[1, 2]]), "negative"),
        (lambda: rt.dynamic_stitch([[0]], [[1, 2]]), "must begin with"),
        (lambda: rt.dynamic_stitch([], []), "indices and data must have one length"),
        (lambda: rt.dynamic_stitch([[0]], [[1], [2]]), "indices and data must have one length"),
        (lambda: rt.dynamic_stitch([[0], [1]], [[[1, 2]], [3]]), "rows have several shapes"),
        (lambda: rt.dynamic_stitch(0, 1), "lists of tensors"),
    ],
)
def test_invalid_partitions_are_refused(call: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        call()


def test_numbers_of_rows_are_int32() -> None:
    with pytest.raises(DTypeError, match="partitions must be int32, not int64"):
        rt.dynamic_partition([1, 2], rt.constant([0, 0], rt.int64), 2)
    with pytest.raises(DTypeError, match="indices must be int32, not float32"):
        rt.dynamic_stitch([[0.0]], [[1]])
