"""Hash buckets of strings agree with TensorFlow, for all relevant lengths.

Recorded from TensorFlow 2.21 with 2**63 - 1 buckets and the key [2**62 + 5, 7].
"""

from __future__ import annotations

from typing import Any

import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError

strings = rt.strings
LENGTHS = (0, 3, 7, 12, 20, 50, 64, 65, 130, 200)
TEXTS = [("abcdefghij\xe9" * 30).encode()[:length] for length in LENGTHS]
MOST = 2**63 - 1
EXPECTED = {
    "fast": [
        *(1936946117179621456, 2640714258260161385, 4341691227789030229, 9049145473844044755),
        *(8725307840395864099, 3706907325845933813, 1443303668906218176, 3434893924829532543),
        *(7490406304750525886, 4706222883726122301),
    ],
    "strong": [
        *(2503348223470704127, 39460084254513222, 6678244301705442979, 1519834897844885182),
        *(7952878883492843984, 252753020989588229, 8305426401829504752, 4611526125530375160),
        *(1749442459406786148, 5718318864272654020),
    ],
    "": [
        *(105434511174508092, 5658311696057142710, 2960345911509200449, 1633809145732514819),
        *(551002724996993350, 8035958949969918279, 2031676249096302786, 7226463304293924822),
        *(1162294992433744408, 6087770521060142827),
    ],
}
METHODS: dict[str, Any] = {
    "fast": strings.to_hash_bucket_fast,
    "strong": lambda x, n: strings.to_hash_bucket_strong(x, n, [2**62 + 5, 7]),
    "": strings.to_hash_bucket,
}


@pytest.mark.parametrize("method", EXPECTED)
def test_buckets_are_the_recorded_ones(method: str) -> None:
    assert EXPECTED[method] == METHODS[method](TEXTS, MOST).numpy().tolist()


@pytest.mark.parametrize("method", EXPECTED)
def test_bad_arguments(method: str) -> None:
    with pytest.raises(InvalidArgumentError, match="num_buckets must be at least 1"):
        METHODS[method](TEXTS, 0)
    with pytest.raises(DTypeError, match="works on string tensors"):
        METHODS[method](5, 3)


def test_a_key_is_two_numbers() -> None:
    with pytest.raises(InvalidArgumentError, match="two numbers"):
        strings.to_hash_bucket_strong("a", 3, [1])
