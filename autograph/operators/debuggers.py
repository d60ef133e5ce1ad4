"""Debugger support: stepping skips the frames of these packages and enters the user's code.

`step` stops at the next frame there is, and between two of the user's may be some of ours. Python's
own debuggers, `pdb` among them, have a set of modules they skip. One that is running when a
function is made or called has ours in it from then on, unless `AUTOGRAPH_TRACEBACKS=full` asks
for every frame.
"""

from __future__ import annotations

import sys
from typing import Any

from autograph.operators.tracebacks import shows_all_frames

SKIPPED = ("autograph", "autograph.*", "runtime", "runtime.*")


def step_over_ours() -> None:
    """Let the debugger that traces this thread, if one does, not stop in frames of ours."""
    debugger, bdb = getattr(sys.gettrace(), "__self__", None), sys.modules.get("bdb")
    if bdb is not None and isinstance(debugger, bdb.Bdb):
        skip_ours(debugger)


def skip_ours(debugger: Any) -> None:
    """Let a debugger of Python's own not stop in frames of ours."""
    if not shows_all_frames():
        debugger.skip = {*(debugger.skip or ()), *SKIPPED}
