"""Names of source files in messages: IPython's name of a notebook's cell instead of its file.

    model.py:3                                    a file
    /tmp/ipykernel_71/1062370313.py:3      ->     Cell In[8], line 3

IPython is never imported here: without it there are no cells.
"""

from __future__ import annotations

import sys
import warnings
from os.path import basename
from typing import Any, Protocol


class FileAndLine(Protocol):
    """A file and a line of it, such as an `Origin`."""

    @property
    def filename(self) -> str: ...

    @property
    def line(self) -> int: ...


def ipython_shell() -> Any:
    """Return IPython's shell, None outside of IPython.

    >>> ipython_shell() is None
    True
    """
    find = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return None if find is None else find()


def cell_name(filename: str) -> str:
    """Return IPython's name of the cell with this file name, such as `Cell In[8]`, or "".

    >>> cell_name("model.py")
    ''
    """
    compiler = getattr(ipython_shell(), "compile", None)
    find = getattr(compiler, "format_code_name", None)
    words = None if find is None else find(filename)
    return " ".join(words) if words else ""


def source_name(filename: str, folders: bool = True) -> str:
    """Return the name of a file or cell.

    Args:
        filename: the file name of the code.
        folders: whether a file is named with its folders.

    >>> source_name("lib/model.py", folders=False)
    'model.py'
    """
    return cell_name(filename) or (filename if folders else basename(filename))


def line_name(filename: str, line: int | None, folders: bool = True) -> str:
    """Return `FILE:LINE`, or `Cell In[8], line LINE`; the name alone for an unknown line.

    Args:
        filename: the file name of the code.
        line: the number of the line; None or 0 if it is not known.
        folders: whether a file is named with its folders.

    >>> line_name("lib/model.py", 3)
    'lib/model.py:3'
    """
    name = source_name(filename, folders)
    if not line:
        return name
    return f"{name}, line {line}" if cell_name(filename) else f"{name}:{line}"


# What Python has told of each file: its default filter tells a text once at each line.
_TOLD: dict[str, dict[Any, Any]] = {}


def warn_at(place: FileAndLine | None, message: str, category: type[Warning]) -> None:
    """Warn at the user's line; Python names its file, the message names its cell.

    Args:
        place: the line; None for that of the caller's caller.
        message: the message.
        category: the class of the warning.
    """
    if place is None:
        warnings.warn(message, category, stacklevel=3)
        return
    name = line_name(place.filename, place.line)
    if cell_name(place.filename) and name not in message:
        message += f"\n  at {name}"
    told = _TOLD.setdefault(place.filename, {})
    warnings.warn_explicit(message, category, place.filename, place.line, registry=told)
