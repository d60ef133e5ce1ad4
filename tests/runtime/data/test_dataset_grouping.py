"""Methods that group elements by a function: groups, buckets, classes."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as rt
from runtime.data import Dataset
from runtime.errors import ArgumentValueError, DTypeError, ShapeError


def shown(dataset: Any) -> list[Any]:
    return [each.numpy().tolist() for each in dataset]


def lengths() -> Any:
    return Dataset.from_tensor_slices([1, 4, 2, 5, 1]).map(lambda n: rt.range(n))


def length(row: Any) -> Any:
    return rt.shape(row)[0]


def test_groups_are_emitted_when_full_then_by_key() -> None:
    groups = Dataset.range(11).group_by_window(lambda n: n % 3, lambda k, g: g.batch(2), 2)
    assert [[0, 3], [1, 4], [2, 5], [6, 9], [7, 10], [8]] == shown(groups)
    assert rt.data.UNKNOWN_CARDINALITY == int(groups.cardinality())


def test_a_group_is_a_dataset_and_its_key_a_tensor() -> None:
    by_key = Dataset.range(7).group_by_window(
        lambda n: n % 2,
        lambda key, group: group.map(lambda n: 10 * n + key),
        window_size_func=lambda key: key + 1,
    )
    assert [0, 20, 11, 31, 40, 60, 51] == shown(by_key)
    padded = lengths().group_by_window(lambda r: length(r) // 3, lambda k, g: g.padded_batch(2), 2)
    assert [[[0, 0], [0, 1]], [[0, 1, 2, 3, 0], [0, 1, 2, 3, 4]], [[0]]] == sorted(
        shown(padded), key=lambda rows: (len(rows), -len(rows[0])), reverse=True
    )


def test_keys_and_sizes_of_groups_are_checked() -> None:
    numbers = Dataset.range(4)
    with pytest.raises(ArgumentValueError, match="one of window_size and window_size_func"):
        numbers.group_by_window(lambda n: n, lambda k, g: g)
    with pytest.raises(ArgumentValueError, match="window_size must be at least 1, not 0"):
        numbers.group_by_window(lambda n: n, lambda k, g: g, 0)
    with pytest.raises(DTypeError, match="key_func must return one integer, not .*float32"):
        numbers.group_by_window(lambda n: rt.cast(n, rt.float32), lambda k, g: g, 2)
    with pytest.raises(DTypeError, match="reduce_func returns .*, not a dataset"):
        numbers.group_by_window(lambda n: n, lambda k, g: k, 2)
    sizes = numbers.group_by_window(lambda n: n, lambda k, g: g, window_size_func=lambda k: k)
    with pytest.raises(
        ArgumentValueError, match="the window size of key 0 must be at least 1, not 0"
    ):
        list(sizes)


def test_buckets_hold_elements_of_similar_length() -> None:
    buckets = lengths().bucket_by_sequence_length(length, [3], [2, 2])
    assert [[[0, 0], [0, 1]], [[0, 1, 2, 3, 0], [0, 1, 2, 3, 4]], [[0]]] == shown(buckets)
    assert (None, None) == buckets.element_spec.shape
    full = lengths().bucket_by_sequence_length(length, [3], [2, 2], drop_remainder=True)
    assert 2 == len(list(full))
    filled = lengths().bucket_by_sequence_length(
        length, [3, 6], [3, 2, 1], padding_values=9, pad_to_bucket_boundary=True
    )
    assert [[[0, 1, 2, 3, 9], [0, 1, 2, 3, 4]], [[0, 9], [0, 1], [0, 9]]] == shown(filled)
    alike = lengths().bucket_by_sequence_length(length, [2, 4], [2, 1, 1], no_padding=True)
    assert [[0, 1, 2, 3]] == shown(alike)[0] and [[0], [0]] == shown(alike)[-1]


def test_buckets_have_boundaries_that_rise_and_a_size_each() -> None:
    with pytest.raises(ArgumentValueError, match="2 boundaries make 3 buckets"):
        lengths().bucket_by_sequence_length(length, [2, 4], [1, 1])
    with pytest.raises(ArgumentValueError, match="must increase"):
        lengths().bucket_by_sequence_length(length, [4, 2], [1, 1, 1])
    with pytest.raises(ArgumentValueError, match="must be at least 1"):
        lengths().bucket_by_sequence_length(length, [2], [0, 1])
    long = lengths().bucket_by_sequence_length(length, [4], [2, 1], pad_to_bucket_boundary=True)
    with pytest.raises(ArgumentValueError, match="shorter than the last boundary, 4"):
        list(long)


@pytest.mark.parametrize("known", [None, [0.9, 0.1]])
def test_rejection_resampling_follows_the_target_distribution(known: Any) -> None:
    classes = Dataset.from_tensor_slices([0] * 9 + [1]).repeat(300)
    pairs = classes.rejection_resample(lambda n: n, [0.5, 0.5], known, seed=3)
    found = [int(number) for number, element in pairs if int(number) == int(element)]
    assert 0.4 < sum(found) / len(found) < 0.6
    assert found == [int(number) for number, _ in pairs]
    with pytest.raises(ShapeError, match="target_dist has 2 classes and initial_dist has 3"):
        classes.rejection_resample(lambda n: n, [0.5, 0.5], [0.1, 0.2, 0.7])
    with pytest.raises(ArgumentValueError, match="a class must be from 0 to 1, not 2"):
        list(classes.rejection_resample(lambda n: n + 2, [0.5, 0.5], known))


@pytest.mark.parametrize(
    "made",
    [
        lambda: Dataset.range(12).group_by_window(lambda n: n % 2, lambda k, g: g.batch(2), 3),
        lambda: lengths().repeat(3).bucket_by_sequence_length(length, [3], [2, 2]),
        lambda: Dataset.range(90).rejection_resample(lambda n: n % 3, [0.2, 0.2, 0.6], seed=1),
        lambda: Dataset.counter(3).take(9),
        lambda: Dataset.range(5).apply(rt.data.experimental.assert_cardinality(5)),
    ],
)
def test_an_iterator_resumes_where_it_was_saved(made: Any) -> None:
    one, other = iter(made()), iter(made())
    next(one), next(one)
    other.restore(one.save())

    def rest(iterator: Any) -> list[Any]:
        return [[part.numpy().tolist() for part in rt.nest.flatten(each)] for each in iterator]

    left = rest(one)
    assert left and left == rest(other)


def test_a_counter_has_no_end() -> None:
    assert [5, 3, 1] == shown(Dataset.counter(5, -2).take(3))
    assert rt.data.INFINITE_CARDINALITY == int(Dataset.counter().cardinality())
    assert rt.float32 == Dataset.counter(dtype=rt.float32).element_spec.dtype
    assert [[0, 1], [2, 3]] == shown(Dataset.counter().batch(2).take(2))
    assert 4 == len(list(Dataset.counter().shuffle(3).take(4)))
    with pytest.raises(ArgumentValueError, match="the step is 0"):
        list(Dataset.counter(step=0).take(1))
