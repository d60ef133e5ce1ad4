"""Files and folders on this machine, by TensorFlow's names; paths are texts, bytes or paths."""

from __future__ import annotations

import builtins
import glob as globbing
import os
import shutil
from collections.abc import Callable, Iterator
from typing import IO, Any

from runtime.core.argument_checks import flag, function, plain_text
from runtime.core.files import StrPath, os_errors_as_ours
from runtime.core.lazy_imports import own_names
from runtime.errors import AlreadyExistsError, DTypeError


def _path(value: Any) -> str:
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise DTypeError(f"a path must be a text, not {value!r}")
    path = os.fsdecode(value)
    if "\0" in path:
        raise DTypeError(f"a path must not hold a zero byte: {path!r}")
    return path


def GFile(name: StrPath, mode: str = "r") -> IO[Any]:
    """Return an open file, for `with`; texts are UTF-8 without "b" in the mode.

    Raises:
        NotFoundError, PermissionDeniedError, FailedPreconditionError: it cannot be opened.
        DTypeError: there is no such mode.

    >>> import tempfile
    >>> path = join(tempfile.mkdtemp(), "notes.txt")
    >>> with GFile(path, "w") as file:
    ...     length = file.write("two words")
    >>> with GFile(path) as file:
    ...     file.read()
    'two words'
    """
    wanted = plain_text(mode, "mode")
    if wanted not in {f"{way}{more}" for way in "rwa" for more in ("", "b", "+", "b+", "+b")}:
        raise DTypeError(f"mode must be 'r', 'w' or 'a', with or without 'b' and '+', not {mode!r}")
    with os_errors_as_ours():
        encoding = None if "b" in wanted else "utf-8"
        return builtins.open(_path(name), wanted, encoding=encoding)


def exists(path: StrPath) -> bool:
    """Return whether there is a file or folder.

    >>> exists("/a/file/that/is/not/there")
    False
    """
    return os.path.exists(_path(path))


def isdir(path: StrPath) -> bool:
    """Return whether there is a folder.

    >>> isdir("/a/folder/that/is/not/there")
    False
    """
    return os.path.isdir(_path(path))


def listdir(path: StrPath) -> list[str]:
    """Return the names of a folder's entries; NotFoundError if there is no such folder.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> makedirs(join(folder, "logs"))
    >>> listdir(folder)
    ['logs']
    """
    with os_errors_as_ours():
        return os.listdir(_path(path))


def glob(pattern: StrPath) -> list[str]:
    """Return the sorted paths that match a pattern, or each of a list of patterns in turn.

    >>> glob("/a/folder/that/is/not/there/*.txt")
    []
    """
    patterns = pattern if isinstance(pattern, (list, tuple)) else [pattern]
    return [path for each in patterns for path in sorted(globbing.glob(_path(each)))]


def makedirs(path: StrPath) -> None:
    """Make a folder with its parents; an existing one is left as it is.

    >>> import tempfile
    >>> folder = join(tempfile.mkdtemp(), "logs", "run")
    >>> makedirs(folder)
    >>> isdir(folder)
    True
    """
    with os_errors_as_ours():
        os.makedirs(_path(path), exist_ok=True)


def mkdir(path: StrPath) -> None:
    """Make a folder in an existing one; AlreadyExistsError if the folder exists.

    >>> import tempfile
    >>> folder = join(tempfile.mkdtemp(), "logs")
    >>> mkdir(folder)
    >>> mkdir(folder)
    Traceback (most recent call last):
    runtime.errors.AlreadyExistsError: ...
    """
    with os_errors_as_ours():
        os.mkdir(_path(path))


def copy(src: StrPath, dst: StrPath, overwrite: bool = False) -> None:
    """Copy a file; AlreadyExistsError if the target exists, unless `overwrite` is true.

    Raises:
        NotFoundError: there is no file `src`.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with GFile(join(folder, "a"), "w") as file:
    ...     length = file.write("text")
    >>> copy(join(folder, "a"), join(folder, "b"))
    >>> sorted(listdir(folder))
    ['a', 'b']
    """
    if not flag(overwrite, "overwrite") and exists(dst):
        raise AlreadyExistsError(f"'{_path(dst)}' is there: copy with overwrite=True")
    with os_errors_as_ours():
        shutil.copyfile(_path(src), _path(dst))


def rename(src: StrPath, dst: StrPath, overwrite: bool = False) -> None:
    """Move a file or folder; AlreadyExistsError as in `copy`.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> mkdir(join(folder, "old"))
    >>> rename(join(folder, "old"), join(folder, "new"))
    >>> listdir(folder)
    ['new']
    """
    if not flag(overwrite, "overwrite") and exists(dst):
        raise AlreadyExistsError(f"'{_path(dst)}' is there: rename with overwrite=True")
    with os_errors_as_ours():
        os.replace(_path(src), _path(dst))


def remove(path: StrPath) -> None:
    """Remove a file; NotFoundError if it does not exist.

    >>> import tempfile
    >>> path = join(tempfile.mkdtemp(), "a")
    >>> GFile(path, "w").close()
    >>> remove(path)
    >>> exists(path)
    False
    """
    with os_errors_as_ours():
        os.remove(_path(path))


def rmtree(path: StrPath) -> None:
    """Remove a folder with its contents; NotFoundError if it does not exist.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> mkdir(join(folder, "logs"))
    >>> rmtree(folder)
    >>> exists(folder)
    False
    """
    with os_errors_as_ours():
        shutil.rmtree(_path(path))


def join(path: StrPath, *paths: Any) -> str:
    """Return paths as one.

    >>> join("logs", "run", "1")
    'logs/run/1'
    """
    return os.path.join(_path(path), *map(_path, paths))


def walk(
    top: StrPath, topdown: bool = True, onerror: Callable[[OSError], object] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield folder, folders in it and files in it, for a folder and all below.

    Args:
        onerror: called with the error of a folder that cannot be read; by default it is left out.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> GFile(join(folder, "a"), "w").close()
    >>> [(folders, files) for _, folders, files in walk(folder)]
    [([], ['a'])]
    """
    called = None if onerror is None else function(onerror, "onerror")
    return os.walk(_path(top), flag(topdown, "topdown"), called)


__dir__ = own_names(__name__)
