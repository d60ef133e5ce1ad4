"""Batches of all kinds of data."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.training.data_adapters import feed_of, specs_of

X, Y = np.arange(20.0).reshape(10, 2), np.arange(10)


def sizes(feed: Any) -> list[int]:
    return [len(batch[0]) for batch in feed.epoch()]


def test_arrays_are_batched_with_a_smaller_last_batch() -> None:
    feed = feed_of(X, Y, batch_size=4)
    assert (3, [4, 4, 2]) == (feed.size, sizes(feed))
    x, y = next(feed.epoch())
    np.testing.assert_array_equal(X[:4].astype(np.float32), x)
    np.testing.assert_array_equal(Y[:4], y)
    assert ("float32", "int64") == (x.dtype.name, y.dtype.name)


def test_lists_tensors_and_structures_are_arrays_too() -> None:
    for data in (X.tolist(), rt.constant(X), {"a": X, "b": [X, Y]}, (X, Y)):
        (batch,) = feed_of(data).epoch()
        assert all(len(each) == 10 for each in rt.nest.flatten(batch))


def test_shuffling_keeps_rows_together_and_differs_per_epoch() -> None:
    rt.random.set_seed(None)
    feed = feed_of(X, Y, batch_size=5, shuffle=True)
    orders = []
    for _ in range(2):
        batches = list(feed.epoch())
        rows = np.concatenate([y for _, y in batches])
        np.testing.assert_array_equal(np.concatenate([x for x, _ in batches])[:, 0], 2.0 * rows)
        orders.append(rows.tolist())
    assert orders[0] != orders[1]
    assert list(range(10)) == sorted(orders[0])


def test_a_global_seed_has_one_order_for_all_epochs() -> None:
    # Recorded from Keras 3.15.
    rt.random.set_seed(7)
    feed = feed_of(X, Y, batch_size=10, shuffle=True)
    for _ in range(2):
        assert [7, 5, 4, 0, 3, 6, 9, 2, 8, 1] == [int(each) for each in next(feed.epoch())[1]]
    rt.random.set_seed(None)


def test_class_weights_become_sample_weights() -> None:
    for y in (Y % 3, np.eye(3)[Y % 3], (Y % 3)[:, None]):
        (batch,) = feed_of(X, y, class_weight={0: 2.0, 2: 0.5}).epoch()
        expected = [2.0, 1.0, 0.5] * 3 + [2.0]
        assert expected == batch[2].tolist()


def test_datasets_and_generators_yield_batches() -> None:
    rows = rt.data.Dataset.from_tensor_slices((X, Y)).batch(4)
    feed = feed_of(rows, class_weight={0: 3.0})
    assert (3, [4, 4, 2]) == (feed.size, sizes(feed))
    assert [3.0, 1.0, 1.0, 1.0] == next(feed.epoch())[2].tolist()
    feed = feed_of(iter([(X, Y, None), (X,)]))
    assert [2, 1] == [len(batch) for batch in feed.epoch()]
    assert feed.size is None


class Batches:
    def __init__(self) -> None:
        self.epochs = 0

    def __len__(self) -> int:
        return 2

    def __getitem__(self, at: int) -> Any:
        return X[at::2], Y[at::2]

    def on_epoch_end(self) -> None:
        self.epochs += 1


def test_on_epoch_end_of_a_sequence_is_called() -> None:
    batches = Batches()
    feed = feed_of(batches)
    assert [5, 5] == sizes(feed) == sizes(feed)
    assert 2 == batches.epochs


REFUSED: list[tuple[Any, str]] = [
    (lambda: feed_of(None), "there is no data: give x"),
    (lambda: feed_of(X[:0], Y[:0]), "the arrays are empty"),
    (lambda: feed_of(X, Y[:4]), "not 10 in x, 4 in y"),
    (lambda: feed_of({"a": X}, Y[:4]), r"10 in x\['a'\], 4 in y"),
    (lambda: feed_of(3.0), "x is one number"),
    (lambda: feed_of("abc"), "not the string 'abc'"),
    (lambda: feed_of(X, Y, batch_size=0), "batch_size must be a whole number above 0, not 0"),
    (lambda: feed_of(X, Y, Y, class_weight={}), "class_weight or sample_weight, not both"),
    (lambda: feed_of(X, None, Y), "sample_weight needs y"),
    (lambda: feed_of(rt.data.Dataset.range(3), Y), "come from a Dataset itself"),
    (lambda: next(feed_of(iter([(1, 2, 3, 4)])).epoch()), "not a tuple of 4"),
    (lambda: next(feed_of(X, Y, class_weight=[1]).epoch()), "class_weight must be a dict"),
    (lambda: next(feed_of(X, class_weight={0: 1}).epoch()), "class_weight needs one y"),
    (lambda: specs_of((np.float32(1.0),)), "element is one number: write dataset.batch"),
]


@pytest.mark.parametrize(("wrong", "words"), REFUSED)
def test_wrong_data_is_refused(wrong: Any, words: str) -> None:
    with pytest.raises((ArgumentValueError, ShapeError), match=words):
        wrong()


@pytest.mark.parametrize("size, steps", [(2, 1), (4, 2), (3, 3), (3, 2)])
def test_epochs_restart_the_data_at_its_end(size: int, steps: int) -> None:
    rows = rt.data.Dataset.range(size)
    for feed in (
        feed_of(np.arange(size), batch_size=1),
        feed_of(rows.batch(1)),
        feed_of(rows.filter(lambda n: n >= 0).batch(1)),
    ):
        seen = []
        for _ in range(4):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                seen.append([int(x[0]) for x in feed.epoch(steps)])
        # As in TensorFlow 2.21, an epoch is cut short where fewer batches are left.
        whole = list(range(size))
        one_time = [whole[at : at + steps] for at in range(0, size, steps)]
        assert (one_time * 4)[:4] == seen


def first_elements(feed: Any, steps: int | None) -> list[int]:
    return [int(x[0, 0]) for (x,) in feed.epoch(steps)]


@pytest.mark.parametrize(
    ("steps", "epochs"),
    [
        # Recorded in Keras 3.15: a generator that ran out begins anew with its first two batches.
        (None, [[1, 2, 3], [1, 2], [1, 2]]),
        (2, [[1, 2], [3], [1, 2]]),
        (10, [[1, 2, 3], [1, 2]]),
    ],
)
def test_an_exhausted_generator_repeats_its_first_batches(steps: Any, epochs: Any) -> None:
    feed = feed_of((np.full((2, 1), number),) for number in (1, 2, 3))
    with pytest.warns(UserWarning, match="ran out of data in an earlier epoch, and this one has"):
        assert epochs == [first_elements(feed, steps) for _ in epochs]


def test_a_rewound_generator_continues_after_its_first_batches() -> None:
    feed = feed_of((np.full((2, 1), number),) for number in range(1, 9))
    seen = []
    for _ in range(3):
        feed.rewind()
        seen.append(first_elements(feed, 3))
    assert [[1, 2, 3], [1, 2, 4], [1, 2, 5]] == seen


def test_running_out_of_data_warns() -> None:
    feed = feed_of((x,) for x in np.ones((3, 2, 1)))
    assert 2 == len(list(feed.epoch(2)))
    with pytest.warns(UserWarning, match="the data ended after 1 of 2 steps"):
        assert 1 == len(list(feed.epoch(2)))


def test_batch_size_is_ignored_for_batched_data() -> None:
    assert [5, 5] == sizes(feed_of(Batches(), batch_size=3))
    assert [2, 2] == sizes(feed_of(((x,) for x in np.ones((2, 2, 1))), batch_size=1))
    assert [3] == sizes(feed_of(rt.data.Dataset.from_tensors((X[:3],)), batch_size=1))
