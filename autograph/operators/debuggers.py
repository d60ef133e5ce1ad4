"""Debugger support: stepping skips the frames of these packages and enters the user's code.

`step` stops at the next frame, which may be one of these packages. Debuggers on the base of `bdb`,
such as `pdb`, have a set of modules to skip. A debugger that is active when a function is made or
called gets these packages added, unless `AUTOGRAPH_TRACEBACKS=full` is set.
"""

from __future__ import annotations

import sys
from typing import Any

from runtime.core.internal_files import shows_all_frames

SKIPPED = ("autograph", "autograph.*", "runtime", "runtime.*")


def step_over_internals() -> None:
    """Make the debugger of this thread, if there is one, skip frames of these packages."""
    debugger, bdb = getattr(sys.gettrace(), "__self__", None), sys.modules.get("bdb")
    if bdb is not None and isinstance(debugger, bdb.Bdb):
        skip_internals(debugger)


def skip_internals(debugger: Any) -> None:
    """Make one of Python's own debuggers skip frames of these packages."""
    if not shows_all_frames():
        debugger.skip = {*(debugger.skip or ()), *SKIPPED}
