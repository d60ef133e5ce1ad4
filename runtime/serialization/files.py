"""The files that a loaded graph may open."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

from runtime.core.argument_checks import shown
from runtime.errors import DTypeError, PermissionDeniedError
from runtime.graph.graph import Graph
from runtime.ops.op import Op

# False for no files, True for all; else one or several paths of files and folders.
AllowFiles: TypeAlias = "bool | str | os.PathLike[str] | Iterable[str | os.PathLike[str]]"


class FilesAllowed:
    """The files that a loader allows.

    Args:
        allow_files: False for no file, True for any, or one or several paths of files and folders.

    Raises:
        DTypeError: the argument is none of these.

    >>> FilesAllowed("logs").has("logs/today"), FilesAllowed("logs").has("logs/../secrets")
    (True, False)
    """

    def __init__(self, allow_files: Any = False) -> None:
        self._all = allow_files is True
        self._paths = [] if isinstance(allow_files, bool) else _paths(allow_files)

    def has(self, path: str | None) -> bool:
        """Return whether a file is allowed; None stands for any file."""
        if self._all or path is None:
            return self._all
        real = os.path.realpath(path)
        return any(
            real == each or real.startswith(each.rstrip(os.sep) + os.sep) for each in self._paths
        )

    def check(self, op: Op, attrs: Any, where: str) -> None:
        """Raise PermissionDeniedError if a call of an op opens a file that is not allowed."""
        for path in () if op.files is None else op.files(**attrs):
            if path is None and not self.has(path):
                raise PermissionDeniedError(
                    f"{where} opens files that only its run names ({op.name}): give "
                    "allow_files=True to load it, if it may open any file"
                )
            if not self.has(path):
                raise PermissionDeniedError(
                    f"{where} opens the file {path!r} when it runs ({op.name}): give "
                    f"allow_files=[{path!r}] to load it, if that is what you want"
                )

    def check_graph(self, graph: Graph) -> None:
        """Raise PermissionDeniedError if a node of a graph opens a file that is not allowed."""
        for node in graph.walk():
            self.check(node.op, node.attrs, f"the function {graph.name!r}")


# The allowed files while a file is read.
_NONE = FilesAllowed()
_ALLOWED: ContextVar[FilesAllowed] = ContextVar("files_allowed", default=_NONE)


@contextmanager
def allowing(allow_files: Any) -> Iterator[None]:
    """Allow graphs that are read inside a `with` block to open files.

    >>> with allowing("logs"):
    ...     allowed().has("logs/today")
    True
    """
    token = _ALLOWED.set(FilesAllowed(allow_files))
    try:
        yield
    finally:
        _ALLOWED.reset(token)


def allowed() -> FilesAllowed:
    """Return the files that the loader allows, by default none."""
    return _ALLOWED.get()


def _paths(given: Any) -> list[str]:
    try:
        several = [given] if isinstance(given, (str, os.PathLike)) else list(given)
        return [os.path.realpath(os.fspath(each)) for each in several]
    except TypeError:
        raise DTypeError(
            f"allow_files must be False, True, a path or a list of paths, not {shown(given)}"
        ) from None
