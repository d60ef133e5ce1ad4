"""Files and folders by TensorFlow's names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runtime.errors import (
    AlreadyExistsError,
    DTypeError,
    FailedPreconditionError,
    NotFoundError,
)
from runtime.io import gfile


def test_files_are_written_read_and_moved(tmp_path: Path) -> None:
    folder = gfile.join(tmp_path, "a", "b")
    gfile.makedirs(folder)
    gfile.makedirs(folder)
    first, second = gfile.join(folder, "1.txt"), gfile.join(folder, "2.txt")
    with gfile.GFile(first, "w") as file:
        file.write("one\ntwo\n")
    with gfile.GFile(first, "rb") as file:
        assert [b"one\n", b"two\n"] == list(file)
    gfile.copy(first, second)
    assert [first, second] == gfile.glob(gfile.join(folder, "*.txt"))
    with pytest.raises(AlreadyExistsError, match="copy with overwrite=True"):
        gfile.copy(first, second)
    gfile.rename(first, second, overwrite=True)
    assert ["2.txt"] == gfile.listdir(folder)
    assert gfile.exists(second) and gfile.isdir(folder) and not gfile.exists(first)
    assert [(folder, [], ["2.txt"])] == list(gfile.walk(folder))
    gfile.remove(second)
    gfile.rmtree(folder)
    assert not gfile.exists(folder)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda path: gfile.GFile(path), NotFoundError),
        (gfile.remove, NotFoundError),
        (gfile.rmtree, NotFoundError),
        (gfile.listdir, NotFoundError),
        (lambda path: gfile.mkdir(path.parent), AlreadyExistsError),
        (lambda path: gfile.GFile(path.parent), FailedPreconditionError),
        (lambda path: gfile.GFile(path, "q"), DTypeError),
        (lambda path: gfile.exists(3), DTypeError),
        (lambda path: gfile.exists("\0"), DTypeError),
    ],
)
def test_errors_are_ours(tmp_path: Path, call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call(tmp_path / "nothing")
