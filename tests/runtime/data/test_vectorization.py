"""Vectorized element functions are bit-identical to row by row, or not vectorized."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.data import Dataset

RANDOM = np.random.default_rng(4)
X = RANDOM.normal(size=(23, 3, 4)).astype(np.float32)
X[0, 0] = [np.nan, np.inf, -0.0, 0.0]
Y = RANDOM.integers(-5, 6, (23,))
B = RANDOM.integers(0, 256, (23, 3, 4)).astype(np.uint8)
TABLE = rt.constant(np.arange(22.0).reshape(11, 2))
COLUMN = rt.constant([[1.0], [2.0], [3.0]])

AT_ONCE = [
    lambda x, y, b: rt.cast(b, rt.float32) / 255.0,
    lambda x, y, b: (x * 2.0 - 1.0, y + 1, b // 3),
    lambda x, y, b: x + rt.cast(y, rt.float32),
    lambda x, y, b: rt.cast(y, rt.float32) * COLUMN + x,
    lambda x, y, b: rt.where(x > 0.0, x, -x),
    lambda x, y, b: rt.maximum(rt.sqrt(rt.abs(x)), rt.floor(x)),
    lambda x, y, b: (rt.cast(x, rt.int32), rt.cast(x, rt.int64), rt.cast(x, rt.bool)),
    lambda x, y, b: rt.clip_by_value(x, -0.5, 0.5),
    lambda x, y, b: rt.reshape(x, [-1]),
    lambda x, y, b: rt.reshape(x, [2, 6]),
    lambda x, y, b: (x[..., None], x[None], rt.expand_dims(y, -1), rt.expand_dims(x, 1)),
    lambda x, y, b: (x[1], x[:, ::2], x[-1, 1:3], x[::-1]),
    lambda x, y, b: (rt.transpose(x), rt.transpose(x[None], [2, 0, 1]), rt.squeeze(x[None, :, :1])),
    lambda x, y, b: rt.one_hot(y + 5, 4),
    lambda x, y, b: rt.one_hot(b, 3, axis=0),
    lambda x, y, b: rt.concat([x, x * 2.0], 0),
    lambda x, y, b: rt.concat([x, COLUMN], -1),
    lambda x, y, b: (rt.stack([x, x], -1), rt.stack([y, 7])),
    lambda x, y, b: rt.gather(TABLE, y + 5),
    lambda x, y, b: rt.gather(TABLE, [[0, 1]]) * rt.cast(y, rt.float64),
    lambda x, y, b: rt.gather(rt.transpose(TABLE), rt.stack([y + 5, 0]), axis=1),
    lambda x, y, b: (rt.reduce_max(b, 0), rt.reduce_sum(b, -1), rt.reduce_any(b > 3)),
    lambda x, y, b: rt.reduce_sum(b, keepdims=True),
    lambda x, y, b: (rt.zeros_like(x), 5, rt.constant([1.0, 2.0])),
    lambda x, y, b: {"y": y, "same": (b == 3, ~(y > 2))},
    lambda x, y, b: rt.bitwise.left_shift(b, 1),
]
ONE_BY_ONE = [
    lambda x, y, b: rt.reduce_sum(x),
    lambda x, y, b: rt.exp(x),
    lambda x, y, b: rt.cast(x * 1000.0, rt.uint8),
    lambda x, y, b: rt.matmul(x, rt.transpose(x)),
    lambda x, y, b: x if y > 0 else -x,
    lambda x, y, b: rt.random.uniform([2]) * 0.0,
    lambda x, y, b: rt.range(y + 5),
]


def dataset_of(function: Any) -> Dataset:
    return Dataset.from_tensor_slices((X, Y, B)).map(function)


def arrays(element: Any) -> list[Any]:
    return [tensor.numpy() for tensor in rt.nest.flatten(element)]


def alike(a: Any, b: Any) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


@pytest.mark.parametrize("at", range(len(AT_ONCE)))
def test_vectorized_results_are_bit_identical(at: int) -> None:
    dataset = dataset_of(AT_ONCE[at])
    function = dataset.plan.function  # type: ignore[attr-defined]
    assert function.at_once is not None
    rows = [(X[k], np.array(Y[k]), B[k]) for k in range(len(X))]
    expected = [function(row, ()) for row in rows]
    for found in ([arrays(each) for each in dataset], _unbatched(dataset.batch(7))):
        assert len(expected) == len(found)
        for one, other in zip(expected, found):
            assert all(map(alike, one, other))
    specs = dataset.plan.element.specs
    assert all(
        spec.shape.contains(array.shape) for one in expected for spec, array in zip(specs, one)
    )


def _unbatched(batches: Dataset) -> list[list[Any]]:
    return [list(row) for batch in batches for row in zip(*arrays(batch))]


@pytest.mark.parametrize("at", range(len(ONE_BY_ONE)))
def test_functions_that_might_differ_run_row_by_row(at: int) -> None:
    dataset = dataset_of(ONE_BY_ONE[at])
    assert dataset.plan.function.at_once is None  # type: ignore[attr-defined]
    assert 23 == sum(1 for _ in dataset)


def test_a_failing_row_fails_alone_and_in_order() -> None:
    divided = Dataset.from_tensor_slices([4, 2, 0, 1, 0, 5]).map(lambda x: 20 // x)
    assert divided.plan.function.at_once is not None  # type: ignore[attr-defined]
    assert not divided.plan.function.keeps_access  # type: ignore[attr-defined]
    batches = iter(divided.batch(2))
    assert [5, 10] == next(batches).numpy().tolist()
    with pytest.raises(ZeroDivisionError):
        next(batches)
    with pytest.raises(ZeroDivisionError):
        next(batches)
    assert [4] == next(batches).numpy().tolist()
    kept = Dataset.from_tensor_slices([4, 0, 1]).filter(lambda x: 20 // x > 5).batch(2)
    with pytest.raises(ZeroDivisionError):
        next(iter(kept))


def test_reads_and_effects_stay_in_their_order() -> None:
    factor = rt.Variable(2)
    dataset = Dataset.from_tensor_slices([1, 2, 3, 4]).map(lambda x: x * factor).batch(2)
    batches = iter(dataset)
    assert [2, 4] == next(batches).numpy().tolist()
    factor.assign(10)
    assert [30, 40] == next(batches).numpy().tolist()


def test_vectorized_functions_capture_tensors() -> None:
    @ag.function
    def f(v, scale):
        total = rt.zeros([3], rt.int32)
        for batch in Dataset.from_tensor_slices(v).map(lambda x: x * scale + 1).batch(3, True):
            total += batch
        return total

    found = f(rt.constant([1, 2, 3, 4, 5, 6, 7]), rt.constant(10))
    assert [52, 72, 92] == found.numpy().tolist()
