"""Replaces folders: a reader sees all of the old folder or all of the new one.

    with replacing_folder("model") as folder:
        ...                                     write files into `folder`

The files are written to a temporary folder beside the target, which changes places with it at the
end. A writer locks its temporary folder while it lives, so the next writer can tell the folders of
killed processes from those in use, and removes the former.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator

from runtime.core.files import file_error, make_durable

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_SUFFIX = ".autograph-tmp-folder"
# Linux's renameat2 with RENAME_EXCHANGE, and macOS's renamex_np with RENAME_SWAP.
_CURRENT_FOLDER, _EXCHANGE, _SWAP = -100, 2, 2


@contextlib.contextmanager
def replacing_folder(path: str) -> Iterator[str]:
    """Yield a new folder, which takes the place of `path` at the end of the `with` block.

    What the old folder has and the new one does not is kept. On Linux and macOS a killed process
    leaves all of the old folder or all of the new one; elsewhere there is a moment without a
    folder. After an error the old folder is unchanged.

    Raises:
        NotFoundError, PermissionDeniedError, ResourceExhaustedError, UnavailableError: the folder
            cannot be written.

    >>> import tempfile
    >>> target = os.path.join(tempfile.mkdtemp(), "model")
    >>> with replacing_folder(target) as folder:
    ...     open(os.path.join(folder, "a.txt"), "w").close()
    >>> os.listdir(target)
    ['a.txt']
    """
    target = os.path.realpath(path)
    parent = os.path.dirname(target)
    try:
        os.makedirs(parent, exist_ok=True)
        if os.path.exists(target) and not os.path.isdir(target):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        _remove_abandoned(parent)
        with _temporary_folder(parent) as temporary:
            yield temporary
            _replace(target, temporary)
    except OSError as error:
        raise file_error(error, path) from None
    make_durable(parent)


@contextlib.contextmanager
def _temporary_folder(parent: str) -> Iterator[str]:
    temporary = os.path.join(parent, f".{secrets.token_hex(8)}{_SUFFIX}")
    os.mkdir(temporary)
    lock = _locked(temporary)
    try:
        yield temporary
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _locked(folder: str) -> int | None:
    """Lock a folder for as long as the returned descriptor is open; None where that cannot be."""
    if fcntl is None:
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _remove_abandoned(parent: str) -> None:
    """Remove the temporary folders whose writers are gone."""
    with contextlib.suppress(PermissionError):  # Not every writable folder is readable.
        for name in os.listdir(parent):
            if name.startswith(".") and name.endswith(_SUFFIX):
                path = os.path.join(parent, name)
                with contextlib.suppress(OSError):
                    lock = _locked(path)
                    if lock is not None or fcntl is None:
                        shutil.rmtree(path, ignore_errors=True)
                    if lock is not None:
                        os.close(lock)


def _replace(target: str, new: str) -> None:
    if not os.path.isdir(target):
        os.rename(new, target)
        return
    with contextlib.suppress(OSError):
        os.chmod(new, stat.S_IMODE(os.stat(target).st_mode))
    if not _exchange(new, target):
        aside = f"{new}.old"
        os.rename(target, aside)
        os.rename(new, target)
        os.rename(aside, new)
    _keep_others(new, target)


def _exchange(first: str, second: str) -> bool:
    """Exchange two folders in one step; return whether the system could."""
    paths = os.fsencode(first), os.fsencode(second)
    system = ctypes.CDLL(None) if sys.platform != "win32" else None
    linux = getattr(system, "renameat2", None)
    if linux is not None:
        found: int = linux(_CURRENT_FOLDER, paths[0], _CURRENT_FOLDER, paths[1], _EXCHANGE)
        return found == 0
    macos = getattr(system, "renamex_np", None)
    return macos is not None and macos(*paths, _SWAP) == 0


def _keep_others(old: str, target: str) -> None:
    """Move the files that only the old folder has into the new one."""
    for name in os.listdir(old):
        kept = os.path.join(target, name)
        if not os.path.lexists(kept):
            os.rename(os.path.join(old, name), kept)
