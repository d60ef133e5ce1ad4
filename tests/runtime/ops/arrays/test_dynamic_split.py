"""Splits and transposes by tensors agree with those by constants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, InvalidArgumentError, ShapeError

ROWS = rt.constant([[1, 2, 3], [4, 5, 6]])


def of_run(function: Any, *shapes: Any) -> Any:
    return ag.function(function, input_signature=[rt.TensorSpec(s, rt.int32) for s in shapes])


@pytest.mark.parametrize("shape", [None, (None, None), (2, 3)])
@pytest.mark.parametrize("sizes", [[1, 2], [2, -1], [0, 3]])
def test_split_by_dynamic_sizes(shape: Any, sizes: list[int]) -> None:
    parts = of_run(lambda x, n: rt.split(x, n, axis=1, num=2), shape, None)(ROWS, sizes)
    expected = [part.numpy().tolist() for part in rt.split(ROWS, sizes, axis=1)]
    assert expected == [part.numpy().tolist() for part in parts]


@pytest.mark.parametrize("sizes", [[1, 1], [2, 2], [4, -1], [1, -5]])
def test_sizes_that_do_not_make_up_the_axis(sizes: list[int]) -> None:
    split = of_run(lambda x, n: rt.split(x, n, axis=1), (2, 3), (2,))
    with pytest.raises(InvalidArgumentError):
        split(ROWS, sizes)


@pytest.mark.parametrize("num", [0, 3, 2**40])
@pytest.mark.parametrize("shape", [(2,), (None,)])
def test_num_is_the_number_of_sizes(shape: Any, num: int) -> None:
    with pytest.raises(ArgumentValueError, match="num"):
        rt.split(ROWS, [1, 2], 1, num)
    with pytest.raises(InvalidArgumentError):
        of_run(lambda x, n: rt.split(x, n, 1, num), (2, 3), shape)(ROWS, [1, 2])


def test_the_number_of_sizes_must_be_known() -> None:
    with pytest.raises(ValueError, match="the number of sizes in .* is not known: give num="):
        of_run(lambda x, n: rt.split(x, n), (3,), (None,))(rt.constant([1, 2, 3]), [1, 2])


@pytest.mark.parametrize("shape", [None, (None, None), (2, 3)])
@pytest.mark.parametrize("perm", [[1, 0], [0, 1]])
def test_transpose_by_a_dynamic_permutation(shape: Any, perm: list[int]) -> None:
    turned = of_run(lambda x, order: rt.transpose(x, order), shape, (2,))(ROWS, perm)
    assert rt.transpose(ROWS, perm).numpy().tolist() == turned.numpy().tolist()


def test_a_permutation_of_constants_is_known_while_tracing() -> None:
    @ag.function(input_signature=[rt.TensorSpec((None, 3), rt.int32)])
    def turned(x: rt.Tensor) -> Any:
        perm = rt.concat([[1], rt.range(0, rt.rank(x) - 1)], 0)
        rows = rt.transpose(x, perm)
        assert rows.shape.as_list()[0] == 3
        return rows, rt.reduce_sum(x, axis=rt.range(1, rt.rank(x)))

    rows, sums = turned(ROWS)
    assert rows.numpy().tolist() == [[1, 4], [2, 5], [3, 6]] and sums.numpy().tolist() == [6, 15]


def test_gradients_flow_through_dynamic_permutations() -> None:
    @ag.function
    def gradient(x: rt.Tensor, perm: rt.Tensor) -> rt.Tensor:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = rt.reduce_sum(rt.transpose(x, perm) * [[1.0, 2.0], [3.0, 4.0]])
        return tape.gradient(y, x)

    found = gradient(rt.constant([[1.0, 1.0], [1.0, 1.0]]), rt.constant([1, 0]))
    assert found.numpy().tolist() == [[1.0, 3.0], [2.0, 4.0]]


@pytest.mark.parametrize(
    ("dtype", "sizes"),
    [
        (rt.int64, [2**40, -1]),
        (rt.uint64, [2**64 - 1, 2]),
        (rt.int32, [2**31 - 1, 2**31 - 1, 5]),  # their sum is 3 modulo 2**32
    ],
)
def test_sizes_that_are_too_large_are_refused_at_run_time(dtype, sizes):
    count = len(sizes)
    split = ag.function(lambda x, given: rt.split(x, given, num=count))
    with pytest.raises(ShapeError):
        split(rt.constant([1.0, 2.0, 3.0]), rt.constant(sizes, dtype))


def test_linspace_takes_one_int_in_a_vector():
    for linspace in (rt.linspace, ag.function(rt.linspace)):
        assert [0.0, 0.5, 1.0] == linspace(0.0, 1.0, rt.constant([3])).numpy().tolist()


def test_arguments_that_compare_as_arrays_are_refused():
    with pytest.raises(ArgumentValueError, match="acceptable_fraction"):
        rt.io.decode_jpeg(b"", acceptable_fraction=np.array([1, None]))
    with pytest.raises(ArgumentValueError, match="there is no device"):
        rt.config.set_logical_device_configuration(np.array([1, 2]), [])
