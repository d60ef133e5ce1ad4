"""Lines of text files, and names of files."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.data import Dataset, TextLineDataset
from runtime.errors import ArgumentValueError, DTypeError, NotFoundError, UnimplementedError


def shown(dataset: Any) -> list[Any]:
    return list(dataset.as_numpy_iterator())


@pytest.fixture
def names(tmp_path: Path) -> list[str]:
    (tmp_path / "a.txt").write_bytes(b"one\r\n\ntwo\n")
    (tmp_path / "b.txt").write_bytes(b"three")
    return [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]


def test_lines_of_files_without_their_ends(names: list[str], tmp_path: Path) -> None:
    lines = [b"one", b"", b"two", b"three"]
    assert lines == shown(TextLineDataset(names))
    assert lines == shown(TextLineDataset(Dataset.from_tensor_slices(names)))
    assert lines[:3] == shown(TextLineDataset(Path(names[0])))
    (tmp_path / "c.gz").write_bytes(gzip.compress(b"packed\n"))
    assert [b"packed"] == shown(TextLineDataset(tmp_path / "c.gz", "GZIP"))
    one, other = iter(TextLineDataset(names)), iter(TextLineDataset(names))
    next(one)
    other.restore(one.save())
    assert b"" == next(other).numpy()


def test_a_function_iterates_over_lines(names: list[str]) -> None:
    @ag.function
    def joined(name: Any) -> Any:
        found = rt.constant("")
        for line in TextLineDataset(name):
            found = found + line
        return found

    assert b"onetwo" == joined(rt.constant(names[0])).numpy()


def test_files_are_found_by_patterns(names: list[str], tmp_path: Path) -> None:
    pattern = str(tmp_path / "*.txt")
    found: Any = Dataset.list_files(pattern, shuffle=False)  # type: ignore[attr-defined]
    assert [name.encode() for name in names] == shown(found)
    assert sorted(shown(found)) == sorted(shown(Dataset.list_files([pattern])))  # type: ignore[attr-defined]
    assert 4 == len(shown(found.interleave(TextLineDataset)))
    with pytest.raises(ArgumentValueError, match="no file matches"):
        Dataset.list_files(str(tmp_path / "*.csv"))  # type: ignore[attr-defined]


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no file '.*nothing'"):
        shown(TextLineDataset(tmp_path / "nothing"))
    with pytest.raises(UnimplementedError, match="plain files and GZIP"):
        TextLineDataset("a", "ZIP")
    with pytest.raises(DTypeError, match="filenames must be a string"):
        TextLineDataset(3)
