"""`split_dataset` and `timeseries_dataset_from_array` of `keras.utils`."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.argument_checks import flag, shown, unavailable
from runtime.core.lazy_imports import own_names
from runtime.data import Dataset
from runtime.errors import ArgumentValueError
from runtime.ops.arguments import static_int


def split_dataset(
    dataset: Any,
    left_size: Any = None,
    right_size: Any = None,
    shuffle: bool = False,
    seed: int | None = None,
    preferred_backend: str | None = None,
) -> tuple[Dataset, Dataset]:
    """Return two datasets of the items of one: the first items, and the rest.

    Args:
        dataset: a Dataset, an array, or a tuple of arrays with as many items.
        left_size, right_size: the number of items, or their fraction as a float; one is enough.
        shuffle: whether to shuffle the items first.
        seed: the seed of the shuffle.

    Raises:
        ArgumentValueError: no size is given, or the sizes do not match.

    >>> first, rest = split_dataset(np.arange(5), left_size=0.6)
    >>> [int(each) for each in first], [int(each) for each in rest]
    ([0, 1, 2], [3, 4])
    """
    instead = "leave it out: a tf.data.Dataset is returned"
    unavailable(preferred_backend, "split_dataset: preferred_backend", instead, "tensorflow")
    whole = dataset if isinstance(dataset, Dataset) else Dataset.from_tensor_slices(dataset)
    number = int(whole.cardinality())
    if number < 0:
        number = sum(1 for _ in whole)
    first = _first(number, left_size, right_size)
    rest = number - first if right_size is None else _count(number, right_size, "right_size")
    if flag(shuffle, "shuffle"):
        drawn = np.random.default_rng(seed).integers(2**31 - 1)
        whole = whole.shuffle(number, seed=int(drawn), reshuffle_each_iteration=False)
    return whole.take(first), whole.skip(first).take(rest)


def _first(number: int, left: Any, right: Any) -> int:
    if left is None and right is None:
        raise ArgumentValueError("split_dataset needs left_size or right_size: a number or a share")
    if left is None:
        return number - _count(number, right, "right_size")
    found = _count(number, left, "left_size")
    if right is not None and found + _count(number, right, "right_size") > number:
        raise ArgumentValueError(
            f"left_size {left!r} and right_size {right!r} are more than the {number} items"
        )
    return found


def _count(number: int, size: Any, name: str) -> int:
    is_share = isinstance(size, float)
    if not is_share and (isinstance(size, bool) or not isinstance(size, (int, np.integer))):
        raise ArgumentValueError(
            f"{name} must be an int (a number of items) or a float (a share), not {shown(size)}"
        )
    if not 0 < size < (1 if is_share else number):
        most = "1 as a share" if is_share else f"the {number} items there are"
        raise ArgumentValueError(f"{name} must be between 0 and {most}, not {size!r}")
    return round(size * number) if is_share else int(size)


def timeseries_dataset_from_array(
    data: Any,
    targets: Any,
    sequence_length: int,
    sequence_stride: int = 1,
    sampling_rate: int = 1,
    batch_size: int | None = 128,
    shuffle: bool = False,
    seed: int | None = None,
    start_index: int | None = None,
    end_index: int | None = None,
    format: str = "tf",
) -> Dataset:
    """Return a dataset of windows of a series, with their targets.

    Args:
        data: an array with the steps along its first axis.
        targets: an array; a window that begins at a step has the target of that step. None for
            windows alone.
        sequence_length: the number of steps in a window.
        sequence_stride: the distance between the beginnings of windows.
        sampling_rate: the distance between the steps of a window.
        batch_size: the number of windows in a batch; None for windows one by one.
        shuffle: whether to shuffle the windows in each iteration.
        seed: the seed of the shuffle.
        start_index, end_index: the first step, and the step after the last.

    Raises:
        ArgumentValueError: a number is not above 0, or there is no such step.

    >>> windows = timeseries_dataset_from_array(np.arange(5), np.arange(5) * 10, 3, batch_size=2)
    >>> [(x.numpy().tolist(), y.numpy().tolist()) for x, y in windows]
    [([[0, 1, 2], [1, 2, 3]], [0, 10]), ([[2, 3, 4]], [20])]
    """
    instead = "leave it out: a tf.data.Dataset is returned"
    unavailable(format, "timeseries_dataset_from_array: format", instead, "tf")
    series = _rows(data, "data")
    length, stride, rate = (
        _positive(value, name)
        for value, name in (
            (sequence_length, "sequence_length"),
            (sequence_stride, "sequence_stride"),
            (sampling_rate, "sampling_rate"),
        )
    )
    first = _step(start_index, "start_index", len(series), 0)
    last = _step(end_index, "end_index", len(series), len(series))
    number = last - first - (length - 1) * rate
    rows_of_targets = None if targets is None else _rows(targets, "targets")
    if rows_of_targets is not None:
        number = min(number, len(rows_of_targets) - first)
    begins = first + np.arange(0, max(number, 0), stride)
    places = np.arange(length if len(begins) else 0) * rate
    parts = [series[begins[:, None] + places]]
    parts += [] if rows_of_targets is None else [rows_of_targets[begins]]
    found = Dataset.from_tensor_slices(parts[0] if rows_of_targets is None else tuple(parts))
    if flag(shuffle, "shuffle"):
        found = found.shuffle(max(len(begins), 1), seed=seed)
    return found if batch_size is None else found.batch(_positive(batch_size, "batch_size"))


def _rows(values: Any, name: str) -> Any:
    try:
        array = np.asarray(values)
    except ValueError:
        raise ArgumentValueError(f"{name} has rows of different lengths: {shown(values)}") from None
    if array.ndim == 0:
        raise ArgumentValueError(f"{name} must be an array or a list of steps, not {shown(values)}")
    return array


def _positive(value: Any, name: str) -> int:
    number = static_int(value, name)
    if number < 1:
        raise ArgumentValueError(f"{name} must be a whole number above 0, not {value!r}")
    return number


def _step(value: Any, name: str, size: int, otherwise: int) -> int:
    if value is None:
        return otherwise
    number = static_int(value, name)
    if not 0 <= number <= size:
        raise ArgumentValueError(
            f"{name} must be from 0 to {size}, the number of steps of the data, not {value!r}"
        )
    return number


__dir__ = own_names(__name__)
