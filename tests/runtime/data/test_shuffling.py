"""`shuffle`: orders, seeds and buffers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.data import UNKNOWN_CARDINALITY, Dataset
from runtime.errors import ArgumentValueError, DTypeError


def shown(dataset: Any) -> list[Any]:
    return [np.asarray(each.numpy()).tolist() for each in dataset]


def apart(dataset: Dataset) -> Dataset:
    """The same elements, of which none can be had before the one before it."""
    return dataset.map(lambda n: n if n >= 0 else -n)


@pytest.mark.parametrize("whole", [lambda d: d, apart])
def test_a_shuffle_draws_from_its_buffer(whole: Any) -> None:
    for size in (1, 3, 10, 50):
        found = shown(whole(Dataset.range(20)).shuffle(size, seed=2))
        assert [*range(20)] == sorted(found)
        assert all(number < at + size for at, number in enumerate(found))
    assert [*range(20)] == shown(whole(Dataset.range(20)).shuffle(1))


def test_shuffling_is_uniform() -> None:
    dataset = Dataset.range(4).shuffle(4, seed=1).take(1).repeat(2000)
    counts = np.bincount(shown(dataset), minlength=4)
    assert counts.tolist() == pytest.approx([500] * 4, abs=90)
    streamed = apart(Dataset.range(4)).shuffle(2, seed=1).take(1).repeat(2000)
    assert np.bincount(shown(streamed)).tolist() == pytest.approx([1000] * 2, abs=130)


def test_the_same_order_after_the_same_seeds() -> None:
    def orders(seed: int | None = None) -> list[list[int]]:
        dataset = Dataset.range(30).shuffle(30, seed)
        return [shown(dataset), shown(dataset), shown(dataset.repeat(2))]

    rt.random.set_seed(5)
    first = orders()
    rt.random.set_seed(5)
    assert first == orders()
    assert orders(7) == orders(7)
    rt.random.set_seed(6)
    assert first != orders()
    assert first[0] != first[1] and first[2][:30] != first[2][30:]
    rt.random.set_seed(None)
    assert orders() != orders()


def test_a_long_dataset_is_shuffled_lazily() -> None:
    found = shown(Dataset.range(10**15).shuffle(9).take(20))
    assert 20 == len({*found}) and all(number < 29 for number in found)


def test_reshuffle_each_iteration_can_be_disabled() -> None:
    dataset = Dataset.range(30).shuffle(30, reshuffle_each_iteration=False)
    assert shown(dataset) == shown(dataset)
    assert shown(dataset) * 2 == shown(dataset.repeat(2))


def test_a_buffer_of_all_and_of_none() -> None:
    assert [*range(9)] == sorted(shown(Dataset.range(9).shuffle(UNKNOWN_CARDINALITY)))
    assert [] == shown(Dataset.range(0).shuffle(4))
    for wrong in (0, -1, -3):
        with pytest.raises(ArgumentValueError, match=f"buffer_size must be .*, not {wrong}"):
            Dataset.range(3).shuffle(wrong)
    with pytest.raises(DTypeError, match="buffer_size must be an int"):
        Dataset.range(3).shuffle(2.5)


def test_each_run_of_a_function_has_a_new_order() -> None:
    @ag.function
    def orders(n):
        found = []
        for x in Dataset.range(n).shuffle(n):
            found.append(x)
        return found

    n = rt.constant(20, rt.int64)
    runs = [[int(x) for x in orders(n)] for _ in range(2)]
    assert runs[0] != runs[1] and [*range(20)] == sorted(runs[0]) == sorted(runs[1])
    dataset = Dataset.range(20).shuffle(20, seed=3)

    @ag.function
    def listed(dataset):
        return list(dataset)

    alike = Dataset.range(20).shuffle(20, seed=3)
    assert [shown(alike), shown(alike)] == [[int(x) for x in listed(dataset)] for _ in range(2)]
