"""Folders are replaced as a whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.core import folders
from runtime.core.folders import replacing_folder
from runtime.errors import NotFoundError


def content(folder: Path) -> dict[str, str]:
    return {each.name: each.read_text() for each in folder.iterdir()}


def write(target: Path, **files: str) -> None:
    with replacing_folder(str(target)) as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text)


def test_a_folder_is_made_and_replaced(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "model"
    write(target, a="1", b="2")
    assert content(target) == {"a": "1", "b": "2"}
    write(target, a="3")
    assert content(target) == {"a": "3", "b": "2"}
    assert os.listdir(target.parent) == ["model"]


def test_a_folder_is_replaced_where_folders_cannot_be_exchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_exchange", lambda first, second: False)
    target = tmp_path / "model"
    write(target, a="1", b="2")
    write(target, a="3")
    assert content(target) == {"a": "3", "b": "2"} and os.listdir(tmp_path) == ["model"]


def test_an_error_leaves_the_old_folder(tmp_path: Path) -> None:
    target = tmp_path / "model"
    write(target, a="1")
    with pytest.raises(ZeroDivisionError):
        with replacing_folder(str(target)) as folder:
            Path(folder, "a").write_text("2")
            raise ZeroDivisionError
    assert content(target) == {"a": "1"} and os.listdir(tmp_path) == ["model"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("a file")
    with pytest.raises(NotFoundError):
        write(tmp_path / "model", a="1")
    assert (tmp_path / "model").read_text() == "a file"


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot kill itself there")
def test_a_killed_writer_leaves_the_old_folder(tmp_path: Path) -> None:
    target = tmp_path / "model"
    write(target, a="1")
    program = (
        "import os, signal, sys\nfrom runtime.core.folders import replacing_folder\n"
        "with replacing_folder(sys.argv[1]) as folder:\n"
        "    open(os.path.join(folder, 'a'), 'w').write('2')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(target)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert content(target) == {"a": "1"} and len(os.listdir(tmp_path)) == 2
    write(target, a="3")
    assert content(target) == {"a": "3"} and os.listdir(tmp_path) == ["model"]
