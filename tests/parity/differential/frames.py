"""Tracebacks written out as plain data: files, functions, lines and where the carets go."""

from __future__ import annotations

import itertools
import os
import sys
import types
from collections.abc import Iterable
from typing import Any

from autograph.operators.frames import is_internal_code

# The frames that call a program are not its own.
_OURS = ("running.py",)


def frames(entry: types.TracebackType | None) -> Any:
    """Spell a traceback: file, function and place of each frame below ours."""
    found = []
    while entry is not None:
        code = entry.tb_frame.f_code
        name = getattr(code, "co_qualname", code.co_name)
        if os.path.basename(code.co_filename) not in _OURS and not _must_stay(code):
            place = (entry.tb_lineno, _columns(code, entry.tb_lasti))
            found.append((os.path.basename(code.co_filename), name, *place))
        entry = entry.tb_next
    return tuple(found)


def _columns(code: types.CodeType, instruction: int) -> Any:
    """Return where the carets of a traceback go; before Python 3.11 there are none."""
    positions: Iterable[Any] = getattr(code, "co_positions", tuple)()
    return next(itertools.islice(positions, instruction // 2, None), None)


def _must_stay(code: types.CodeType) -> bool:
    """Tell a frame of ours that Python 3.10 cannot leave out: one that raises a caught error."""
    return sys.version_info < (3, 11) and is_internal_code(code)
