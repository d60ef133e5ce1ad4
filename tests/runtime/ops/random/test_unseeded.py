"""Unseeded random numbers: distribution, bounds, and no repetition."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError
from runtime.ops.random import unseeded

random = rt.random
COUNT = 40_000


@pytest.fixture(autouse=True)
def without_a_seed() -> Iterator[None]:
    random.set_seed(None)
    yield
    random.set_seed(None)


FLOATS = ("float16", "float32", "float64")


@pytest.mark.parametrize("dtype", FLOATS)
def test_uniform_numbers_fill_their_span(dtype: str) -> None:
    drawn = random.uniform([COUNT], -1.0, 3.0, dtype=dtype).numpy().astype(np.float64)
    assert -1 <= drawn.min() < -0.95 and 2.95 < drawn.max() <= 3
    shares = np.histogram(drawn, 8, (-1, 3))[0] / COUNT
    np.testing.assert_allclose(shares, 1 / 8, atol=0.02)


@pytest.mark.parametrize("dtype", FLOATS)
def test_normal_numbers_have_their_mean_and_deviation(dtype: str) -> None:
    drawn = random.normal([COUNT], 2.0, 3.0, dtype=dtype).numpy().astype(np.float64)
    assert abs(drawn.mean() - 2) < 0.1 and abs(drawn.std() - 3) < 0.1
    assert abs(np.mean(np.abs(drawn - 2) < 3) - 0.6827) < 0.02


@pytest.mark.parametrize("dtype", FLOATS)
def test_truncated_numbers_are_bounded_and_distributed_as_expected(dtype: str) -> None:
    drawn = random.truncated_normal([COUNT], dtype=dtype).numpy().astype(np.float64)
    assert np.abs(drawn).max() < 2
    # The deviation of what is left of a normal distribution within two deviations.
    assert abs(drawn.mean()) < 0.05 and abs(drawn.std() - 0.8796) < 0.02


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_whole_numbers_take_all_values_within_their_bounds(dtype: str) -> None:
    drawn = random.uniform([COUNT], -2, 3, dtype).numpy()
    values, counts = np.unique(drawn, return_counts=True)
    assert [-2, -1, 0, 1, 2] == values.tolist() and dtype == drawn.dtype.name
    np.testing.assert_allclose(counts / COUNT, 0.2, atol=0.02)
    info = np.iinfo(dtype)
    wide = random.uniform([100], info.min, info.max, dtype).numpy()
    assert wide.min() < 0 < wide.max()


def test_empty_ranges_are_refused_as_with_a_seed() -> None:
    messages = []
    for seed in (None, 5):
        with pytest.raises(ArgumentValueError) as caught:
            random.uniform([2], 3, 3, "int32", seed=seed)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert (0, 3) == random.uniform([0, 3], 3, 3, "int32").shape


def test_shuffling_leaves_the_rows_and_changes_their_order() -> None:
    rows = rt.reshape(rt.range(200), [100, 2])
    found = random.shuffle(rows).numpy()
    assert rows.numpy().tolist() == sorted(found.tolist()) != found.tolist()


DRAWS = [
    lambda: random.uniform([8]),
    lambda: random.normal([8]),
    lambda: random.truncated_normal([8]),
    lambda: random.uniform([8], 0, 2**30, "int32"),
    lambda: random.shuffle(rt.range(30)),
]


@pytest.mark.parametrize("draw", DRAWS)
def test_two_draws_differ(draw: Any) -> None:
    assert draw().numpy().tolist() != draw().numpy().tolist()


def test_a_seed_of_the_call_determines_the_numbers() -> None:
    runs = []
    for _ in range(2):
        random.set_seed(None)
        runs.append(random.uniform([8], seed=7).numpy().tolist())
    assert runs[0] == runs[1]


def test_threads_do_not_get_the_same_numbers() -> None:
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda _: unseeded.words(64).tobytes(), range(200)))
    assert len(set(drawn)) == len(drawn)


def _send_words(pipe: Any) -> None:
    pipe.send(unseeded.words(8).tolist())


def test_a_forked_process_does_not_get_the_numbers_of_its_parent() -> None:
    unseeded.words(1)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(False)
    process = context.Process(target=_send_words, args=(sender,))
    process.start()
    theirs = receiver.recv()
    process.join()
    assert unseeded.words(8).tolist() != theirs
