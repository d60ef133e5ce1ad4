"""Files written as one step: after a kill, on a full disk, under an umask."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.core import files
from runtime.core.files import write_atomically
from runtime.errors import NotFoundError, OpError, PermissionDeniedError, ResourceExhaustedError
from runtime.nn import Sequential
from runtime.nn.layers import Dense

ROOT = Path(__file__).resolve().parents[3]


def network() -> Any:
    return Sequential([Dense(2, input_shape=(3,))])


def _saved_model(path: Path) -> Path:
    ag.saved_model.save_archive(network(), path)
    return path / "saved_model.ckpt"


def _model(path: Path) -> Path:
    network().save(path)
    return path


def _weights(path: Path) -> Path:
    network().save_weights(path)
    return path


def _checkpoint(path: Path) -> Path:
    rt.train.Checkpoint(v=rt.Variable(1.0)).write(str(path))
    return path.with_name(path.name + ".ckpt")


WRITERS = [_saved_model, _model, _weights, _checkpoint]
each_writer = pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__[1:])


@each_writer
@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_permissions_that_the_umask_leaves(
    tmp_path: Path, write: Any, umask: int
) -> None:
    before = os.umask(umask)
    try:
        written = write(tmp_path / "it")
    finally:
        os.umask(before)
    assert 0o666 & ~umask == written.stat().st_mode & 0o777


@each_writer
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path, write: Any) -> None:
    written = write(tmp_path / "it")
    written.chmod(0o640)
    write(tmp_path / "it")
    assert 0o640 == written.stat().st_mode & 0o777


@each_writer
def test_a_full_disk_is_an_error_that_leaves_the_old_file(
    tmp_path: Path, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = write(tmp_path / "it")
    old, names = written.read_bytes(), sorted(os.listdir(written.parent))

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(ResourceExhaustedError, match=f"'{written}' cannot be written: No space"):
        write(tmp_path / "it")
    assert old == written.read_bytes()
    assert names == sorted(os.listdir(written.parent))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no device that is full")
def test_a_full_device_raises_resource_exhausted() -> None:
    with open("/dev/full", "wb", buffering=0) as file, pytest.raises(OSError) as caught:
        files.write_all(file, b"data")
    assert isinstance(files.file_error(caught.value, "/dev/full"), ResourceExhaustedError)


@each_writer
def test_a_path_through_a_file_is_refused(tmp_path: Path, write: Any) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotFoundError, match=str(tmp_path / "file" / "it")):
        write(tmp_path / "file" / "it")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
@each_writer
def test_a_read_only_folder_is_refused(tmp_path: Path, write: Any) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    with pytest.raises(PermissionDeniedError, match=str(folder / "it")):
        write(folder / "it")


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.EACCES, PermissionDeniedError),
        (errno.EROFS, PermissionDeniedError),
        (errno.ENOSPC, ResourceExhaustedError),
        (errno.EDQUOT, ResourceExhaustedError),
        (errno.EIO, rt.errors.UnavailableError),
        (errno.ENOENT, NotFoundError),
    ],
)
def test_each_error_of_the_system_becomes_one_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[OpError]
) -> None:
    path = tmp_path / "it"
    path.write_bytes(b"old")

    def fail(source: str, target: str) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(files.os, "replace", fail)
    with pytest.raises(kind, match=str(path)):
        write_atomically(str(path), b"new")
    assert [path] == list(tmp_path.iterdir())
    assert b"old" == path.read_bytes()


KILLED = """
import os, sys, time
from runtime.core import files
def stop(descriptor):
    print("writing", flush=True)
    time.sleep(600)
files.os.fsync = stop
files.write_atomically(sys.argv[1], b"half of it")
"""


def killed_while_writing(path: Path) -> Path:
    """Return the temporary file of a process that was killed while it wrote to a path."""
    before = set(path.parent.iterdir())
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and "writing\n" == process.stdout.readline()
        # What a living process writes is nobody's to remove.
        write_atomically(str(path.with_name("other")), b"")
        (temporary,) = set(path.parent.iterdir()) - before - {path.with_name("other")}
        process.send_signal(signal.SIGKILL)
    return temporary


@pytest.mark.parametrize("name", ["it", "another one", "ckpt-7.ckpt"])
def test_a_write_removes_temporary_files_of_killed_writes(tmp_path: Path, name: str) -> None:
    path = tmp_path / "it"
    write_atomically(str(path), b"old")
    temporary = killed_while_writing(path)
    assert (b"half of it", b"old") == (temporary.read_bytes(), path.read_bytes())
    write_atomically(str(path.with_name(name)), b"new")
    assert not temporary.exists()


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link, target = tmp_path / "link", tmp_path / "there" / "file"
    link.symlink_to(target)
    write_atomically(str(link), b"data")
    assert link.is_symlink()
    assert b"data" == target.read_bytes()


def test_writers_side_by_side_leave_one_whole_file(tmp_path: Path) -> None:
    code = (
        "import sys; from runtime.core.files import write_atomically\n"
        "for n in range(60): write_atomically(sys.argv[1], bytes([n]) * 100_000)"
    )
    path = tmp_path / "it"
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=ROOT) for _ in range(3)
    ]
    deadline = time.monotonic() + 120
    while any(each.poll() is None for each in writers) and time.monotonic() < deadline:
        if path.exists():
            data = path.read_bytes()
            assert data == data[:1] * 100_000
    assert [0, 0, 0] == [each.wait() for each in writers]
    assert [path] == list(tmp_path.iterdir())
