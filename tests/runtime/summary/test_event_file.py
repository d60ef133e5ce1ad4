"""Event files: names, times of writing, and files that cannot be created."""

from __future__ import annotations

import errno
import re
from io import FileIO
from pathlib import Path

import pytest

from runtime.errors import FailedPreconditionError, NotFoundError, ResourceExhaustedError
from runtime.summary import event_file
from runtime.summary.event_file import VERSION, EventFile
from tests.runtime.summary.event_files import events_in


class Clock:
    """A time that the test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def file_in(folder: Path, max_queue: int = 10, millis: int = 1000) -> tuple[EventFile, Clock]:
    clock = Clock()
    return EventFile(str(folder), max_queue, millis, ".v2", clock), clock


def test_the_name_is_one_that_tensorboard_looks_for(tmp_path: Path) -> None:
    file, _ = file_in(tmp_path / "a" / "b")
    pattern = r"events\.out\.tfevents\.0000001000\..+\.\d+\.\d+\.v2"
    assert re.fullmatch(pattern, file.path.name)
    assert file.path.parent == tmp_path / "a" / "b"


def test_two_files_of_one_second_have_two_names(tmp_path: Path) -> None:
    assert file_in(tmp_path)[0].path != file_in(tmp_path)[0].path


def test_the_first_event_is_the_version(tmp_path: Path) -> None:
    file_in(tmp_path)
    (event,) = events_in(tmp_path)
    assert (VERSION, 1000.0, "autograph") == (
        event.file_version,
        event.wall_time,
        event.source_metadata.writer,
    )


def test_events_are_written_when_the_queue_is_full(tmp_path: Path) -> None:
    file, _ = file_in(tmp_path, max_queue=2)
    sizes = []
    for step in range(4):
        file.put(step=step)
        sizes.append(len(events_in(tmp_path)))
    assert [1, 1, 4, 4] == sizes
    file.flush()
    assert [0, 0, 1, 2, 3] == [event.step for event in events_in(tmp_path)]


def test_events_that_have_waited_long_are_written_with_the_next_one(tmp_path: Path) -> None:
    file, clock = file_in(tmp_path)
    file.put(step=1)
    clock.now += 2
    file.put(step=2)
    assert 3 == len(events_in(tmp_path))


def test_a_closed_file_refuses_events(tmp_path: Path) -> None:
    file, _ = file_in(tmp_path)
    file.put(step=1)
    file.close()
    file.close()
    file.flush()
    assert 2 == len(events_in(tmp_path))
    with pytest.raises(FailedPreconditionError, match="is closed"):
        file.put(step=2)


def test_a_folder_that_cannot_be_created_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotFoundError, match="cannot be written: Not a directory"):
        file_in(tmp_path / "file" / "inside")


def test_a_full_disk_keeps_whole_events_and_retries_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, _ = file_in(tmp_path)
    write_all = event_file.write_all

    def half(opened: FileIO, data: bytes) -> None:
        write_all(opened, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    file.put(step=1)
    with monkeypatch.context() as patch:
        patch.setattr(event_file, "write_all", half)
        with pytest.raises(ResourceExhaustedError, match="No space left on device"):
            file.flush()
    assert 1 == len(events_in(tmp_path))
    file.put(step=2)
    file.close()
    assert [0, 1, 2] == [each.step for each in events_in(tmp_path)]
