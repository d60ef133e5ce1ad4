"""Tensor bundles: all dtypes are read as they were written, and damage is an error."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from runtime.errors import DataLossError, NotFoundError
from runtime.export.saved_model.sstable import read_sstable, sstable
from runtime.export.saved_model.tensor_bundle import Bundle, write_bundle
from tests.suite_length import IS_LONG

NUMBERS = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()
TENSORS = {
    **{name: np.array([[0, 1], [2, 3], [1, 0]], name) for name in NUMBERS},
    "complex64": np.array([1 + 2j, -3j], np.complex64),
    "complex128": np.array(1 - 1j),
    "scalar": np.array(2.5),
    "empty": np.zeros((0, 3), np.float32),
    "texts": np.array([["a", "é"], [b"\x00\xff", ""]], object),
    "text": np.array(b"one", object),
    "swapped": np.arange(4, dtype=">i4"),
    "strided": np.arange(12.0).reshape(3, 4)[:, ::2],
}


@pytest.fixture
def prefix(tmp_path: Path) -> str:
    found = str(tmp_path / "variables")
    write_bundle(found, TENSORS)
    return found


def test_tensors_are_read_as_they_were_written(prefix: str) -> None:
    bundle = Bundle(prefix)
    assert sorted(TENSORS) == list(bundle)
    for key, expected in TENSORS.items():
        found = bundle.array(key)
        assert found.dtype == expected.dtype.newbyteorder("=") and found.shape == expected.shape
        if expected.dtype == object:
            texts = [x.encode() if isinstance(x, str) else x for x in expected.ravel().tolist()]
            assert texts == found.ravel().tolist()
        else:
            assert expected.tolist() == found.tolist()


def test_an_unknown_key_and_a_missing_bundle_are_errors(prefix: str) -> None:
    with pytest.raises(NotFoundError, match="has no tensor 'x'"):
        Bundle(prefix).array("x")
    with pytest.raises(NotFoundError, match="cannot be read"):
        Bundle(f"{prefix}.index")


@pytest.mark.parametrize("key", ["float32", "texts", "int8"])
def test_other_bytes_are_an_error(prefix: str, key: str) -> None:
    data = Path(f"{prefix}.data-00000-of-00001")
    whole = data.read_bytes()
    for place in range(len(whole)):
        data.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        bundle = Bundle(prefix)
        try:
            found = bundle.array(key)
        except DataLossError:
            break
        assert found.tolist() == Bundle(prefix).array(key).tolist()
    else:
        pytest.fail("no byte belongs to the tensor")


def test_tensors_that_overlap_are_an_error(prefix: str) -> None:
    entries = dict(read_sstable(Path(f"{prefix}.index").read_bytes()))
    entries[b"int8"] = entries[b"float64"]
    Path(f"{prefix}.index").write_bytes(sstable(entries))
    with pytest.raises(DataLossError, match="overlap"):
        Bundle(prefix)


def test_a_cut_data_file_is_an_error(prefix: str) -> None:
    data = Path(f"{prefix}.data-00000-of-00001")
    data.write_bytes(data.read_bytes()[:-1])
    with pytest.raises(DataLossError, match="is cut"):
        for key in TENSORS:
            Bundle(prefix).array(key)


@contextmanager
def at_most(count: int) -> Iterator[None]:
    """Check that no more than a number of bytes is allocated meanwhile."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < count
    finally:
        tracemalloc.stop()


MEGA = 1 << 20
# Above 2 GB, where a number of 32 bits wraps around.
LARGE = (1 << 31) + 12 * MEGA + 5 if IS_LONG else 20 * MEGA + 5


def test_large_tensors_are_written_and_read_without_another_copy(tmp_path: Path) -> None:
    large, small = np.zeros(LARGE, np.uint8), np.arange(1000.0)
    large[[0, MEGA, -1]] = 1, 2, 3
    prefix = str(tmp_path / "variables")
    with at_most(8 * MEGA):
        write_bundle(prefix, {"large": large, "small": small})
        bundle = Bundle(prefix)
        assert small.tolist() == bundle.array("small").tolist()
    data = Path(f"{prefix}.data-00000-of-00001")
    assert LARGE + small.nbytes == data.stat().st_size
    del large
    with at_most(LARGE + 8 * MEGA):
        found = bundle.array("large")
    assert [1, 2, 3] == found[[0, MEGA, -1]].tolist() and 3 == np.count_nonzero(found)
    with data.open("r+b") as file:
        file.seek(LARGE - 1)
        file.write(b"\0")
    with pytest.raises(DataLossError, match="another checksum"):
        bundle.array("large")
