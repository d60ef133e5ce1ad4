"""Table files: the entries written are read, and damage is an error."""

from __future__ import annotations

import random

import pytest

from runtime.errors import DataLossError
from runtime.export.saved_model.sstable import read_sstable, sstable


def entries(seed: int) -> dict[bytes, bytes]:
    rng = random.Random(seed)
    words = [b"layer", b"/", b"kernel", b"0", b"1", b".ATTRIBUTES", b"\xff"]
    keys = {b"".join(rng.choices(words, k=rng.randrange(9))) for _ in range(rng.randrange(200))}
    return {key: rng.randbytes(rng.randrange(60)) for key in keys}


@pytest.mark.parametrize("seed", range(20))
def test_what_is_written_is_read_in_order(seed: int) -> None:
    expected = entries(seed)
    found = list(read_sstable(sstable(expected)))
    assert sorted(expected.items()) == found


def test_large_tables_have_several_blocks() -> None:
    expected = {str(k).encode(): bytes(1000) for k in range(2000)}
    assert expected == dict(read_sstable(sstable(expected)))


def test_every_other_byte_is_an_error() -> None:
    data = sstable(entries(3))
    for place in range(0, len(data), 7):
        damaged = data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]
        try:
            found = dict(read_sstable(damaged))
        except DataLossError:
            continue
        assert found == entries(3), "only the padding of the footer may differ"


@pytest.mark.parametrize("length", [0, 10, 47, 100, -1])
def test_a_cut_table_is_an_error(length: int) -> None:
    with pytest.raises(DataLossError):
        list(read_sstable(sstable(entries(4))[:length]))
