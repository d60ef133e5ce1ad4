"""`CheckpointManager`: a folder that keeps the latest checkpoints."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from typing import Any

from runtime.core.argument_checks import file_path, flag
from runtime.core.files import StrPath
from runtime.distribute.processes import process_index
from runtime.errors import ArgumentValueError
from runtime.ops.arguments import static_int
from runtime.train.archive import SUFFIX
from runtime.train.checkpoint import Checkpoint
from runtime.train.reader import note_latest, saved_in


class CheckpointManager:
    """Saves a checkpoint repeatedly in one folder, and removes old files.

    Args:
        checkpoint: the checkpoint to save.
        directory: the folder; files of an earlier manager there belong to this one.
        max_to_keep: the number of files to keep; None for all.
        keep_checkpoint_every_n_hours: the interval at which an old file is kept anyway.
        checkpoint_name: the names of the files, before their numbers.
        step_counter: a variable that counts steps, for `checkpoint_interval`.
        checkpoint_interval: the minimum number of steps between two saved files.
        init_fn: called by `restore_or_initialize` if there is nothing to restore.
        last_checkpoint_step: the step of an earlier save, from which the first interval counts.

    Raises:
        ArgumentValueError: `max_to_keep` is not a positive number; an interval has no counter.

    Example:
        >>> import tempfile, runtime as rt
        >>> checkpoint = rt.train.Checkpoint(v=rt.Variable(1.0))
        >>> manager = CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=2)
        >>> paths = [manager.save() for _ in range(3)]
        >>> manager.checkpoints == paths[1:]
        True
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: StrPath,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
        step_counter: Any = None,
        checkpoint_interval: int | None = None,
        init_fn: Callable[[], object] | None = None,
        last_checkpoint_step: int | None = None,
    ) -> None:
        if max_to_keep is not None and (not isinstance(max_to_keep, int) or max_to_keep <= 0):
            raise ArgumentValueError(f"max_to_keep must be None or at least 1, not {max_to_keep!r}")
        if checkpoint_interval is not None and step_counter is None:
            raise ArgumentValueError("checkpoint_interval needs a step_counter: give both")
        self._checkpoint = checkpoint
        self._directory = file_path(directory, "directory")
        self._most = max_to_keep
        self._hours = keep_checkpoint_every_n_hours
        self._prefix = os.path.join(self._directory, file_path(checkpoint_name, "checkpoint_name"))
        self._step_counter, self._interval = step_counter, checkpoint_interval
        self._init_fn, self._last_step = init_fn, last_checkpoint_step
        # The state file lists the files; paths in other folders are never removed.
        named = [path for path in saved_in(self._directory) if _exists(path)]
        self._saved = [path for path in named if _folder(path) == _folder(self._prefix)]
        self._kept_at = time.time()

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint that is saved."""
        return self._checkpoint

    @property
    def directory(self) -> str:
        """The folder."""
        return self._directory

    @property
    def checkpoint_interval(self) -> int | None:
        """The minimum number of steps between two saved files."""
        return self._interval

    @property
    def checkpoints(self) -> list[str]:
        """The paths of the existing files, the latest one last."""
        return list(self._saved)

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the latest file."""
        return self._saved[-1] if self._saved else None

    def save(
        self, checkpoint_number: Any = None, check_interval: bool = True, options: Any = None
    ) -> str | None:
        """Save, and remove old files; return the path, or None if it is too early to save.

        Args:
            checkpoint_number: the number in the file's name; by default the count of saves.
            check_interval: whether `checkpoint_interval` applies.

        Raises:
            NotFoundError, PermissionDeniedError: a file cannot be written. If it is the list, the
                file `checkpoint`, the values are saved and counted already, and old files stay;
                else nothing has changed.
        """
        step = None if self._step_counter is None else int(self._step_counter)
        number = None if checkpoint_number is None else static_int(checkpoint_number, "the number")
        is_looked_at = flag(check_interval, "check_interval")
        if is_looked_at and self._interval is not None and self._last_step is not None:
            if step is not None and step < self._last_step + self._interval:
                return None
        counter = self._checkpoint.save_counter
        counter.assign_add(1)
        number = int(counter) if number is None else number
        try:
            path = self._checkpoint.write(f"{self._prefix}-{number}")
        except BaseException:
            counter.assign_sub(1)
            raise
        self._last_step = step
        saved = [*(each for each in self._saved if each != path), path]
        old = saved[: -self._most] if self._most is not None else []
        self._saved = saved[len(old) :]
        # The list is written before files are removed, so that every listed file exists.
        note_latest(path, self._saved[:-1])
        for each in old:
            self._remove(each)
        return path

    def restore_or_initialize(self) -> str | None:
        """Restore the latest file and return its path; without one, call `init_fn`; return None."""
        latest = self.latest_checkpoint
        if latest is not None:
            self._checkpoint.restore(latest)
            if self._step_counter is not None:
                self._last_step = int(self._step_counter)
        elif self._init_fn is not None:
            self._init_fn()
        return latest

    def sync(self) -> None:
        """Do nothing: `save` returns after the file is written."""

    def _remove(self, path: str) -> None:
        if process_index() > 0:
            return
        if self._hours is not None:
            written = os.path.getmtime(path + SUFFIX) if _exists(path) else 0.0
            if written - self._kept_at >= self._hours * 3600:
                self._kept_at = written
                return
        with contextlib.suppress(OSError):
            os.remove(path + SUFFIX)


def _folder(path: str) -> str:
    return os.path.dirname(os.path.realpath(path))


def _exists(path: str) -> bool:
    return os.path.exists(path + SUFFIX)
