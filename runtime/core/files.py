"""Writes files atomically: a reader sees all of the new content or all of the old.

    write_atomically("model.keras", data)

The content is written to a temporary file in the same folder, which replaces the target at the end.
A writer locks its temporary file while it lives, so the next writer can tell the files of killed
processes from those in use, and removes the former.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from io import FileIO

from runtime.errors import (
    AlreadyExistsError,
    FailedPreconditionError,
    NotFoundError,
    OpError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnavailableError,
    UnknownError,
)

StrPath = str | os.PathLike[str]
"""The path of a file or a folder."""

try:
    import fcntl
except ImportError:  # Windows, where nobody can remove an open file.
    fcntl = None  # type: ignore[assignment]

_SUFFIX = ".autograph-tmp"
# The system's error numbers for exhausted resources: the disk, a quota, open files.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_NO_SUCH_PATH = (
    *(errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST),
    *(errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL),
)


def file_error(error: OSError, path: str, done: str = "written") -> OpError:
    """Return the runtime's error for a system error while a file is written, or is `done`.

    >>> file_error(OSError(errno.ENOSPC, "No space left on device"), "a.ckpt")
    ResourceExhaustedError("'a.ckpt' cannot be written: No space left on device")
    """
    reason = error.strerror or str(error)
    if error.errno in _FORBIDDEN:
        return PermissionDeniedError(f"'{path}' may not be {done}: {reason}")
    kind: type[OpError] = ResourceExhaustedError if error.errno in FULL else UnavailableError
    if error.errno in _NO_SUCH_PATH:
        kind = NotFoundError
    return kind(f"'{path}' cannot be {done}: {reason}")


_CLASSES: tuple[tuple[type[OSError], type[OpError]], ...] = (
    (FileNotFoundError, NotFoundError),
    (FileExistsError, AlreadyExistsError),
    (PermissionError, PermissionDeniedError),
    (IsADirectoryError, FailedPreconditionError),
    (NotADirectoryError, FailedPreconditionError),
)


@contextlib.contextmanager
def os_errors_as_ours() -> Iterator[None]:
    """Convert errors of the operating system inside a `with` block to ours.

    >>> with os_errors_as_ours():
    ...     open("/a/file/that/is/not/there")
    Traceback (most recent call last):
    runtime.errors.NotFoundError: '/a/file/that/is/not/there': No such file or directory
    """
    try:
        yield
    except OSError as error:
        other = ResourceExhaustedError if error.errno in FULL else UnknownError
        wanted = next((ours for kind, ours in _CLASSES if isinstance(error, kind)), other)
        raise wanted(f"{error.filename!r}: {error.strerror or error}") from None


def write_atomically(path: str, data: bytes) -> None:
    """Make `data` the content of a file; create its folder, and follow links.

    A new file has the permissions that the umask allows, a replaced file keeps its own.

    Raises:
        NotFoundError, PermissionDeniedError: there can be no such file.
        ResourceExhaustedError, UnavailableError: a resource such as the disk is exhausted, or the
            disk fails.

    After each of these errors the file is unchanged.
    """
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    try:
        os.makedirs(folder, exist_ok=True)
        _remove_abandoned(folder)
        if os.path.isdir(target):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        _write_and_rename(os.path.join(folder, f".{secrets.token_hex(8)}{_SUFFIX}"), target, data)
    except OSError as error:
        raise file_error(error, path) from None
    make_durable(folder)


def _write_and_rename(temporary: str, target: str, data: bytes) -> None:
    file = open(temporary, "xb", buffering=0, opener=_open_locked)
    try:
        _keep_permissions(target, temporary)
        write_all(file, data)
        os.fsync(file.fileno())
        if fcntl is None:
            file.close()  # Windows cannot rename an open file.
        os.replace(temporary, target)
    except BaseException:
        file.close()
        with contextlib.suppress(OSError):
            os.remove(temporary)
        raise
    file.close()


def write_all(file: FileIO, data: bytes) -> None:
    """Write all of `data` to an unbuffered file, which may accept a part at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _open_locked(path: str, flags: int) -> int:
    """Open a new file and lock it; try again if another writer removed it before it was locked."""
    while True:
        descriptor = os.open(path, flags, 0o666)
        if fcntl is None:
            return descriptor
        with contextlib.suppress(OSError):  # Some network file systems have no locks.
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.path.exists(path):
            return descriptor
        os.close(descriptor)


def _keep_permissions(target: str, temporary: str) -> None:
    with contextlib.suppress(OSError):
        os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))


def _remove_abandoned(folder: str) -> None:
    """Remove the temporary files in a folder whose writers are gone."""
    with contextlib.suppress(PermissionError):  # Not every writable folder is readable.
        for name in os.listdir(folder):
            if name.startswith(".") and name.endswith(_SUFFIX):
                with contextlib.suppress(OSError):
                    _remove_if_abandoned(os.path.join(folder, name))


def _remove_if_abandoned(path: str) -> None:
    if fcntl is None:
        os.remove(path)
        return
    descriptor = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.remove(path)
    finally:
        os.close(descriptor)


def make_durable(folder: str) -> None:
    """Make the new names in a folder survive a system crash, where that is possible.

    >>> make_durable(os.curdir)
    """
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
