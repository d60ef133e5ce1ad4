"""Old names of dataset methods."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.data import Dataset, Options, experimental
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    FailedPreconditionError,
    OutOfRangeError,
)


def shown(dataset: Any) -> list[Any]:
    return list(dataset.as_numpy_iterator())


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (experimental.enumerate_dataset(3), [(3, 4), (4, 4), (5, 6)]),
        (experimental.unique(), [4, 6]),
        (experimental.take_while(lambda n: n < 5), [4, 4]),
        (experimental.scan(0, lambda s, n: (s + n, s + n)), [4, 8, 14]),
        (experimental.ignore_errors(), [4, 4, 6]),
        (experimental.prefetch_to_device("/cpu:0"), [4, 4, 6]),
        (experimental.parallel_interleave(lambda n: Dataset.range(n - 3), 2), [0, 0, 0, 1, 2]),
        (experimental.group_by_window(lambda n: n, lambda k, g: g.take(1), 2), [4, 6]),
        (experimental.rejection_resample(lambda n: n // 4 - 1, [1.0]), [(0, 4), (0, 4), (0, 6)]),
    ],
)
def test_applied_transformations_agree_with_methods(step: Any, expected: list[Any]) -> None:
    assert expected == shown(Dataset.from_tensor_slices([4, 4, 6]).apply(step))


def test_batches_are_created_and_unbatched() -> None:
    batches = Dataset.range(3).apply(experimental.map_and_batch(lambda n: 2 * n, 2))
    assert [[0, 2], [4]] == [batch.tolist() for batch in shown(batches)]
    assert [0, 2, 4] == shown(batches.apply(experimental.unbatch()))
    twice = Dataset.range(3).apply(experimental.shuffle_and_repeat(3, 2))
    assert [0, 0, 1, 1, 2, 2] == sorted(shown(twice))
    with pytest.raises(DTypeError, match="unbatch takes a dataset"):
        experimental.unbatch()([1])  # type: ignore[arg-type]


def test_assert_cardinality_is_checked() -> None:
    few = Dataset.range(9).filter(lambda n: n < 3)
    assert 3 == len(few.apply(experimental.assert_cardinality(3)))
    with pytest.raises(FailedPreconditionError, match="must have 4 elements, but has 3"):
        shown(few.apply(experimental.assert_cardinality(4)))
    with pytest.raises(FailedPreconditionError, match="must have 2 elements, but has more than 2"):
        shown(few.apply(experimental.assert_cardinality(2)))


def test_counters_and_list_datasets() -> None:
    assert 2 == int(experimental.at(Dataset.range(5), 2))
    with pytest.raises(OutOfRangeError, match="no element 5"):
        experimental.at(Dataset.range(5), 5)
    assert [(1, b"a"), (2, b"b")] == shown(experimental.from_list([(1, "a"), (2, "b")]))
    assert [{"x": 1}, {"x": 2}] == shown(experimental.from_list([{"x": 1}, {"x": 2}]))
    with pytest.raises(ArgumentValueError, match="not of one structure"):
        experimental.from_list([(1,), (1, 2)])
    assert 3 == len(shown(experimental.RandomDataset(1).take(3)))


def test_auto_shard_policies_are_accepted() -> None:
    options = Options()
    options.experimental_distribute.auto_shard_policy = experimental.AutoShardPolicy.DATA
    assert [0, 1] == shown(Dataset.range(2).with_options(options))
