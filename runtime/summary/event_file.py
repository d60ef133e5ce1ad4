"""Event files: records with checksums, under names that TensorBoard finds."""

from __future__ import annotations

import atexit
import os
import platform
import struct
import time
from collections.abc import Callable
from contextlib import ExitStack
from io import FileIO
from itertools import count
from pathlib import Path
from weakref import ref

from runtime.core.crc32c import masked_crc32c
from runtime.core.files import file_error, write_all
from runtime.core.fork_safety import fork_safe_lock
from runtime.core.weak_tables import weakref_removing
from runtime.errors import ArgumentValueError, FailedPreconditionError
from runtime.summary.events import Event, SourceMetadata


def record(data: bytes) -> bytes:
    """Return a piece of bytes as a record.

    >>> record(b"").hex()
    '000000000000000029039807d8ea82a2'
    """
    length = struct.pack("<Q", len(data))
    checks = (struct.pack("<I", masked_crc32c(each)) for each in (length, data))
    return length + next(checks) + data + next(checks)


# -- event files -----------------------------------------------------------------------------------


# The version of the format, the first record of a file.
VERSION = "brain.Event:2"
_number = count()


class EventFile:
    """A new event file in a folder.

    Args:
        folder: the folder, created if missing.
        max_queue: the number of events that may be queued before a write.
        flush_millis: the time that events may be queued, checked when an event is added.
        suffix: the end of its name.
        clock: returns the time in seconds.

    Raises:
        ArgumentValueError: the name of the folder holds a zero byte.
        NotFoundError, PermissionDeniedError, ResourceExhaustedError: it cannot be created.
    """

    def __init__(
        self,
        folder: str,
        max_queue: int,
        flush_millis: int,
        suffix: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._clock = clock
        self._max_queue = max_queue
        self._longest = flush_millis / 1000
        self._waiting: list[bytes] = []
        self._flushed = clock()
        self._lock = fork_safe_lock()
        name = f"events.out.tfevents.{int(clock()):010d}.{platform.node()}.{os.getpid()}"
        self.path = Path(folder) / f"{name}.{next(_number)}{suffix}"
        self._file = _opened(self.path)
        self.put(file_version=VERSION, source_metadata=SourceMetadata(writer="autograph"))
        self.flush()

    def put(self, **values: object) -> None:
        """Add an event with these fields.

        Raises:
            FailedPreconditionError: the file is closed.
            ResourceExhaustedError: the disk is full.
        """
        event = record(Event(wall_time=self._clock(), **values).SerializeToString())
        with self._lock:
            self._check_open()
            self._waiting.append(event)
            waits = self._clock() - self._flushed
            if len(self._waiting) > self._max_queue or waits > self._longest:
                self._write()

    def flush(self) -> None:
        """Write the queued events; do nothing if the file is closed."""
        with self._lock:
            if not self._file.closed:
                self._write()

    def close(self) -> None:
        """Write the queued events and close; do nothing if the file is closed."""
        with self._lock:
            if not self._file.closed:
                self._write()
                self._file.close()

    @property
    def is_closed(self) -> bool:
        """True if the file is closed."""
        return self._file.closed

    def _check_open(self) -> None:
        if self._file.closed:
            raise FailedPreconditionError(
                f"the writer of {self.path.name} is closed: close it after the last summary"
            )

    def _write(self) -> None:
        start = self._file.tell()
        try:
            write_all(self._file, b"".join(self._waiting))
        except OSError as error:
            # A partial record would make the file unreadable, so it is removed; the queue stays.
            self._file.truncate(start)
            raise file_error(error, str(self.path)) from None
        self._waiting.clear()
        self._flushed = self._clock()


def _opened(path: Path) -> FileIO:
    if "\0" in str(path):
        raise ArgumentValueError(f"logdir {str(path.parent)!r} must not hold a zero byte")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab", buffering=0)
    except OSError as error:
        raise file_error(error, str(path)) from None


# -- files of writers that are gone: the next use of a writer closes them, or the exit -------------


_numbers = count()
# The open files, and their living writers, by the same numbers.
_files: dict[int, EventFile] = {}
_writers: dict[int, ref[object]] = {}


def close_with(writer: object, file: EventFile) -> None:
    """Close a file after its writer is garbage-collected, or at exit."""
    close_abandoned()
    number = next(_numbers)
    _writers[number] = weakref_removing(writer, _writers, number)
    _files[number] = file


def close_abandoned() -> None:
    """Write the queued events of files without a live writer, and close them."""
    if len(_files) != len(_writers):
        for number in _files.keys() - _writers.keys():
            file = _files.pop(number, None)
            if file is not None:
                file.close()


@atexit.register
def _close_all() -> None:
    with ExitStack() as closing:
        for file in _files.values():
            closing.callback(file.close)
