"""Batches, padded batches and windows: the elements TensorFlow 2.21 gave, and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.data import Dataset, DatasetSpec
from runtime.errors import ArgumentValueError, DTypeError, ShapeError

LONG = rt.TensorSpec((), rt.int64)


def shown(dataset: Any) -> list[Any]:
    return [each.numpy().tolist() for each in dataset]


# Recorded by tf.data.Dataset.range(7).window(*arguments): windows, and how many it says there are.
@pytest.mark.parametrize(
    "arguments, size, expected",
    [
        ((3, 1, 1, True), 5, [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6]]),
        ((3, 2, 1, False), 4, [[0, 1, 2], [2, 3, 4], [4, 5, 6], [6]]),
        ((2, 5, 1, False), 2, [[0, 1], [5, 6]]),
        ((2, 1, 3, True), 4, [[0, 3], [1, 4], [2, 5], [3, 6]]),
        ((3, 2, 2, False), 4, [[0, 2, 4], [2, 4, 6], [4, 6], [6]]),
        ((2, 5, 1, True), 2, [[0, 1], [5, 6]]),
    ],
)
def test_windows(arguments: Any, size: int, expected: list[Any]) -> None:
    windows = Dataset.range(7).window(*arguments)
    assert expected == [shown(window) for window in windows]
    assert expected == shown(windows.flat_map(lambda window: window.batch(9)))
    assert size == len(windows)
    assert DatasetSpec(LONG) == windows.element_spec


def test_windows_of_structures_and_of_datasets() -> None:
    pairs = Dataset.range(4).enumerate().window(2)
    assert [([0, 1], [0, 1]), ([2, 3], [2, 3])] == [(shown(a), shown(b)) for a, b in pairs]
    sums = pairs.flat_map(lambda a, b: Dataset.zip(a, b)).map(lambda a, b: a + b)
    assert [0, 2, 4, 6] == shown(sums)
    for refused in (pairs.batch, pairs.window, pairs.padded_batch):
        with pytest.raises(DTypeError, match="an element holds a dataset"):
            refused(2)
    with pytest.raises(ArgumentValueError, match="window: shift must be at least 1, not 0"):
        Dataset.range(4).window(2, 0)


def growing() -> Dataset:
    return Dataset.range(1, 5).map(lambda n: rt.fill([n], n))


def test_padded_batches() -> None:
    # Recorded from TensorFlow 2.21.
    assert [[[1, 0, 0], [2, 2, 0], [3, 3, 3]], [[4, 4, 4, 4]]] == shown(growing().padded_batch(3))
    padded = growing().padded_batch(2, [5], -1, drop_remainder=True)
    expected = [
        [[1, -1, -1, -1, -1], [2, 2, -1, -1, -1]],
        [[3, 3, 3, -1, -1], [4, 4, 4, 4, -1]],
    ]
    assert expected == shown(padded)
    assert rt.TensorSpec((2, 5), rt.int64) == padded.element_spec
    assert [[0, 1], [2]] == shown(Dataset.range(3).padded_batch(2))
    words = Dataset.range(1, 3).map(lambda n: rt.fill([n], "w")).padded_batch(2)
    assert [[[b"w", b""], [b"w", b"w"]]] == shown(words)


def test_padding_of_structures() -> None:
    both = growing().map(lambda row: {"row": row, "flag": row > 1})
    (batch,) = both.padded_batch(4, {"row": [None], "flag": (6,)}, {"row": 9, "flag": True})
    assert [[1, 9, 9, 9], [2, 2, 9, 9], [3, 3, 3, 9], [4] * 4] == batch["row"].numpy().tolist()
    assert [False, *[True] * 5] == batch["flag"].numpy()[0].tolist()


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"padded_shapes": [2]}, ShapeError, r"larger than padded_shapes \[2\]"),
        ({"padded_shapes": [2, 2]}, ShapeError, "does not have the rank of shape"),
        ({"padded_shapes": {"x": [2]}}, ArgumentValueError, "must hold shapes"),
        ({"padding_values": 1.5}, DTypeError, "1.5 cannot be made int64"),
        (
            {"padding_values": rt.constant([1], rt.int64)},
            ShapeError,
            "padding value must be a scalar",
        ),
    ],
)
def test_mismatched_padding_is_refused(arguments: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        shown(growing().padded_batch(4, **arguments))


def test_unbatch_and_rebatch() -> None:
    batches = Dataset.range(7).batch(3)
    assert [*range(7)] == shown(batches.unbatch())
    assert [[0, 1], [2, 3], [4, 5], [6]] == shown(batches.rebatch(2))
    assert [[0, 1], [2, 3], [4, 5]] == shown(batches.rebatch(2, drop_remainder=True))
    assert 4 == len(Dataset.range(4).batch(2, drop_remainder=True).unbatch())
    with pytest.raises(ShapeError, match="has no rows"):
        Dataset.range(3).unbatch()
    with pytest.raises(ShapeError, match=r"different numbers of rows, \[1, 2\]"):
        Dataset.from_tensors(([1], [1, 2])).unbatch()


def test_a_batch_of_rows_is_a_slice_and_not_a_call_for_each() -> None:
    images = np.arange(5000 * 4, dtype=np.uint8).reshape(5000, 2, 2)
    calls: list[int] = []

    def prepare(x: Any, y: Any) -> Any:
        return rt.cast(x, rt.float32) / 255.0, rt.cast(y, rt.int64)

    dataset = Dataset.from_tensor_slices((images, images[:, 0, 0])).map(prepare)
    function = dataset.plan.function  # type: ignore[attr-defined]
    assert function.keeps_access
    type(function).__call__, before = (lambda *given: calls.append(1)), type(function).__call__
    try:
        elements = list(dataset.take(4000).shuffle(4000, seed=1).batch(100))
    finally:
        type(function).__call__ = before  # type: ignore[method-assign]
    assert [] == calls and 40 == len(elements)
    x = np.concatenate([x.numpy() for x, _ in elements])
    y = np.concatenate([y.numpy() for _, y in elements])
    assert np.array_equal((x[:, 0, 0] * 255).round().astype(np.int64), y)
    assert np.array_equal(np.sort(images[:4000, 0, 0]), np.sort(y))


def test_a_window_may_hold_elements_of_several_shapes() -> None:
    rows = Dataset.range(4).map(lambda n: (rt.range(n), n)).window(2)
    shown = [[row.numpy().tolist() for row in window] for window, _ in rows]
    assert [[[], [0]], [[0, 1], [0, 1, 2]]] == shown
    padded = rows.flat_map(lambda window, numbers: Dataset.zip(window.padded_batch(2), numbers))
    assert [[[0], [0]], [[0, 1, 0], [0, 1, 2]]] == [rows.numpy().tolist() for rows, _ in padded]
    one, other = iter(rows), iter(rows)
    next(one)
    other.restore(one.save())
    assert [[0, 1], [0, 1, 2]] == [row.numpy().tolist() for row in next(other)[0]]
