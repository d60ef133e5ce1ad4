"""Seeds of datasets: random words are drawn one by one, skipped, or as arrays."""

from __future__ import annotations

import pytest

from runtime.errors import ArgumentValueError
from runtime.ops.data.dataset_state import RandomWords, ShuffleSeeds
from runtime.ops.random.philox import StreamPosition, words

START = StreamPosition.of_seeds(5, 7)
TOLD = words(START, 40_000).tolist()


@pytest.mark.parametrize("sizes", [[1] * 100, [3, 0, 40, 1, 9000], [40_000], [31, 1, 33, 64]])
def test_random_words_are_drawn_in_order(sizes: list[int]) -> None:
    stream = RandomWords(START)
    found = [word for size in sizes for word in stream.take(size)]
    assert TOLD[: sum(sizes)] == found
    assert [stream.next()] == words(START, sum(sizes) + 1).tolist()[-1:]


@pytest.mark.parametrize("before", [0, 1, 5, 32])
@pytest.mark.parametrize("skipped", [0, 1, 3, 4, 31, 32, 1000])
def test_random_words_are_skipped(before: int, skipped: int) -> None:
    stream = RandomWords(START)
    stream.take(before)
    stream.skip(skipped)
    at = before + skipped
    assert TOLD[at : at + 50] == [stream.next() for _ in range(50)]


def test_random_words_are_drawn_as_arrays() -> None:
    stream = RandomWords(START)
    found = [stream.array(size).tolist() for size in (4096, 8, 0, 3)]
    assert [TOLD[:4096], TOLD[4096:4104], [], TOLD[4104:4107]] == found


def test_each_order_has_the_next_two_words_as_seeds() -> None:
    seeds = ShuffleSeeds([5, 7], changes=True)
    for number in range(5):
        first = words(StreamPosition.of_seeds(*TOLD[2 * number : 2 * number + 2]), 3).tolist()
        assert first == seeds.words(seeds.next_epoch()).take(3)
    same = ShuffleSeeds([5, 7], changes=False)
    assert TOLD[:3] == same.words(same.next_epoch()).take(3) == same.words([0, 5, 7]).take(3)


@pytest.mark.parametrize("saved", [[], [1], [1, 2], [0, -1, 2], [1, 2, 3, 4]])
def test_invalid_saved_seeds_are_refused(saved: list[int]) -> None:
    with pytest.raises(ArgumentValueError, match="the seeds of a dataset must be"):
        ShuffleSeeds([1, 2], changes=True).restore(saved)
