"""Debugger support: stepping skips the frames of these packages and enters the user's code.

`step` stops at the next frame, and between two of the user's may be frames of these packages.
Python's own debuggers, `pdb` among them, have a set of modules to skip. A debugger that is running
when a function is made or called gets these packages added, unless `AUTOGRAPH_TRACEBACKS=full` asks
for every frame.
"""

from __future__ import annotations

import sys
from typing import Any

from autograph.operators.tracebacks import shows_all_frames

SKIPPED = ("autograph", "autograph.*", "runtime", "runtime.*")


def step_over_ours() -> None:
    """Make the debugger of this thread, if there is one, skip frames of these packages."""
    debugger, bdb = getattr(sys.gettrace(), "__self__", None), sys.modules.get("bdb")
    if bdb is not None and isinstance(debugger, bdb.Bdb):
        skip_ours(debugger)


def skip_ours(debugger: Any) -> None:
    """Make one of Python's own debuggers skip frames of these packages."""
    if not shows_all_frames():
        debugger.skip = {*(debugger.skip or ()), *SKIPPED}
