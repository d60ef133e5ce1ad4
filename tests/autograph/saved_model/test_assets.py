"""Assets: files that are saved with an object."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from autograph.errors import ExportError
from runtime.errors import DataLossError, GraphError, InvalidArgumentError, NotFoundError


class Reader(rt.Module):
    """It returns the paths of its files, from a branch and from a called function."""

    def __init__(self, *paths: Path) -> None:
        super().__init__()
        self.words = tf.saved_model.Asset(str(paths[0]))
        self.others = [ag.saved_model.Asset(each) for each in paths[1:]]

    @ag.function
    def ending(self) -> Any:
        return rt.strings.join([self.words.asset_path, "!"])

    @ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
    def paths(self, n: Any) -> Any:
        if n > 0:
            found = self.ending()
        else:
            found = rt.strings.join([self.words.asset_path, "?"])
        return [found, *(each.asset_path for each in self.others)]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Return two files of one name with other words, and a copy of the first one."""
    made = []
    for folder, words in (("a", "one"), ("b", "two"), ("c", "one")):
        (tmp_path / folder).mkdir()
        made.append(tmp_path / folder / "words.txt")
        made[-1].write_text(words)
    return made


def paths(tensors: Any) -> list[str]:
    return [each.numpy().decode() for each in tensors]


def test_a_loaded_object_has_copies_of_its_files(files: list[Path], tmp_path: Path) -> None:
    reader = Reader(*files)
    report = ag.saved_model.save(reader, tmp_path / "model", signatures=reader.paths)
    copies = ["words.txt", "words_1.txt"]
    assert copies == sorted(each.name for each in (tmp_path / "model/assets").iterdir())
    assert copies == [Path(each).name for each in report.files[-2:]]
    for file in files:
        file.unlink()
    loaded = ag.saved_model.load(tmp_path / "model")
    first, second = ((tmp_path / "model/assets").resolve() / name for name in copies)
    assert [f"{first}!", str(second), str(first)] == paths(loaded.paths(rt.constant(1)))
    served = loaded.signatures["serving_default"](n=rt.constant(0))
    assert f"{first}?" == served["output_0"].numpy().decode()
    assert "one" == Path(loaded.words.path).read_text()
    assert [second, first] == [Path(each.path) for each in loaded.others]


def test_a_loaded_object_is_saved_with_its_files(files: list[Path], tmp_path: Path) -> None:
    ag.saved_model.save(Reader(*files), tmp_path / "first")
    once = ag.saved_model.load(tmp_path / "first")
    ag.saved_model.save(once, tmp_path / "first")  # its files are those that are replaced
    ag.saved_model.save(once, tmp_path / "second")
    twice = ag.saved_model.load(tmp_path / "second")
    assert ["one", "two", "one"] == [
        Path(each.path).read_text() for each in (twice.words, *twice.others)
    ]
    assert paths(twice.paths(rt.constant(1)))[0].startswith(str((tmp_path / "second").resolve()))


def test_a_function_is_exported_with_the_files_that_it_uses(
    files: list[Path], tmp_path: Path
) -> None:
    reader = Reader(*files)
    ag.export(reader.paths, tmp_path / "model")
    loaded = ag.saved_model.load(tmp_path / "model")
    assert "one" == Path(paths(loaded.paths(rt.constant(1)))[0][:-1]).read_text()
    ag.export(loaded.paths, tmp_path / "again")
    again = ag.saved_model.load(tmp_path / "again")
    assert "two" == Path(paths(again.paths(rt.constant(1)))[1]).read_text()


def test_a_missing_file_is_refused_and_nothing_is_written(
    files: list[Path], tmp_path: Path
) -> None:
    files[1].unlink()
    with pytest.raises(NotFoundError, match="words.txt"):
        ag.saved_model.save(Reader(*files), tmp_path / "model")
    with pytest.raises(NotFoundError, match="Is a directory"):
        ag.saved_model.save(Reader(files[0].parent), tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_directory_without_a_file_of_its_assets_is_refused(
    files: list[Path], tmp_path: Path
) -> None:
    ag.saved_model.save(Reader(*files), tmp_path / "model")
    (tmp_path / "model/assets/words_1.txt").unlink()
    with pytest.raises(DataLossError, match="no file of its asset 'words_1.txt'"):
        ag.saved_model.load(tmp_path / "model")


def test_an_asset_that_no_attribute_has_is_refused(files: list[Path], tmp_path: Path) -> None:
    asset = ag.saved_model.Asset(files[0])
    module = rt.Module()
    module.path = ag.function(lambda: asset.asset_path, input_signature=[])
    with pytest.raises(GraphError, match="the asset '.*words.txt' is used by a function"):
        ag.saved_model.save(module, tmp_path / "model")


def test_an_archive_has_no_files(files: list[Path], tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="an archive has no file of the asset '.*words.txt'"):
        ag.saved_model.save_archive(Reader(*files), tmp_path / "model")


@pytest.mark.parametrize("path", [None, 3, "a\0b", rt.constant(2)])
def test_a_path_is_a_text(path: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="path"):
        ag.saved_model.Asset(path)
    assert (
        "a/b" == ag.saved_model.Asset(rt.constant("a/b")).path == ag.saved_model.Asset(b"a/b").path
    )


def test_files_of_one_name_size_and_time_are_two_files(tmp_path: Path) -> None:
    module = rt.Module()
    for name in ("first", "second"):
        file = tmp_path / name / "words.txt"
        file.parent.mkdir()
        file.write_text(f"{name:6}", encoding="utf-8")
        os.utime(file, (1, 1))
        setattr(module, name, ag.saved_model.Asset(file))
    ag.saved_model.save(module, tmp_path / "model")
    loaded = ag.saved_model.load(tmp_path / "model")
    texts = [Path(each.path).read_text("utf-8") for each in (loaded.first, loaded.second)]
    assert ["first ", "second"] == texts
