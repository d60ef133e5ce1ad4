"""An event file: opened under a name TensorBoard looks for, events put behind each other."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from io import FileIO
from itertools import count
from pathlib import Path

from runtime.core.files import file_error, write_all
from runtime.core.fork_safety import fork_safe_lock
from runtime.errors import ArgumentValueError, FailedPreconditionError
from runtime.summary.events import Event, SourceMetadata
from runtime.summary.records import record

# The version of the files, by which readers know them.
VERSION = "brain.Event:2"
_number = count()


class EventFile:
    """A new event file in a folder.

    Args:
        folder: made if it is not there.
        max_queue: how many events may wait before they are written.
        flush_millis: how long events may wait, looked at when another one comes.
        suffix: what its name ends with.
        clock: tells the time in seconds.

    Raises:
        NotFoundError, PermissionDeniedError, ResourceExhaustedError: it cannot be made there.
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
        """Write what waits; nothing if the file is closed."""
        with self._lock:
            if not self._file.closed:
                self._write()

    def close(self) -> None:
        """Write what waits and close; nothing if that was done."""
        with self._lock:
            if not self._file.closed:
                self._write()
                self._file.close()

    @property
    def is_closed(self) -> bool:
        """Whether nothing can be added."""
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
            # Half an event would end the file for its readers; what waits is written later.
            self._file.truncate(start)
            raise file_error(error, str(self.path)) from None
        self._waiting.clear()
        self._flushed = self._clock()


def _opened(path: Path) -> FileIO:
    if "\0" in str(path):
        raise ArgumentValueError(f"logdir {str(path.parent)!r} holds a zero byte")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab", buffering=0)
    except OSError as error:
        raise file_error(error, str(path)) from None
