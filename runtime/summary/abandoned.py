"""Event files whose writer is gone: they are closed by the next use of any writer, or at the end.

Nothing of ours runs when a writer dies. Python drops what is raised there, so that a Ctrl-C which
arrives in the meantime would be lost.
"""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from itertools import count
from weakref import ref

from runtime.core.weak_tables import dropping
from runtime.summary.event_file import EventFile

_numbers = count()
# The open files, and the writers that are alive, by the same numbers.
_files: dict[int, EventFile] = {}
_writers: dict[int, ref[object]] = {}


def close_with(writer: object, file: EventFile) -> None:
    """Have a file closed once its writer is gone, and when Python ends."""
    close_abandoned()
    number = next(_numbers)
    _writers[number] = dropping(writer, _writers, number)
    _files[number] = file


def close_abandoned() -> None:
    """Write what waits for files whose writer is gone, and close them."""
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
