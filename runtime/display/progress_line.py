"""A line about work that takes long, such as a trace or an export: on a terminal, or in a cell.

tracing train: 1,204 nodes, model.py:31, 7 s

It appears after two seconds, is rewritten, and is gone when the work is done. A pipe gets nothing.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from runtime.core.context import is_internal_frame, line_of
from runtime.core.source_names import line_name
from runtime.display.live_output import live_output

DELAY = 2.0
INTERVAL = 0.25
_is_shown = False


class ProgressLine:
    """A line about the work in a block, shown if it takes long and somebody may look.

    Args:
        describe: returns the text; another thread calls it while the work goes on.

    Work inside of the block has no line of its own. This is no generator of `contextlib`, which
    would assign to exceptions that pass.
    """

    def __init__(self, describe: Callable[[], str]) -> None:
        self._describe, self._is_done = describe, threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> None:
        global _is_shown
        output = _output()
        if output is None or _is_shown:
            return
        _is_shown = True
        parts = (output, self._describe, threading.get_ident(), time.monotonic(), self._is_done)
        self._thread = threading.Thread(target=_show_until_done, args=parts, daemon=True)
        self._thread.start()

    def __exit__(self, *exception: object) -> None:
        global _is_shown
        if self._thread is not None:
            self._is_done.set()
            self._thread.join()
            _is_shown = False


def _output() -> Callable[[str], None] | None:
    """Return a function that shows a text in place of the one before; None if nobody looks."""
    cell = live_output()
    if cell is not None:
        return cell.show
    stream: Any = sys.stderr
    try:
        is_terminal = stream.isatty()
    except (AttributeError, ValueError):  # there is no stream, or it is closed
        return None
    return (lambda text: _rewrite(stream, text)) if is_terminal else None


def _rewrite(stream: Any, text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        stream.write(f"\r\x1b[K{text}")
        stream.flush()


def _show_until_done(
    show: Callable[[str], None],
    describe: Callable[[], str],
    worker: int,
    begin: float,
    is_done: threading.Event,
) -> None:
    if is_done.wait(DELAY):
        return
    while True:
        parts = [_place(worker), f"{time.monotonic() - begin:.0f} s"]
        show(", ".join(filter(None, [describe(), *parts])))
        if is_done.wait(INTERVAL):
            break
    show("")


def _place(worker: int) -> str:
    """Return the line of the user's that a thread executes, "" if there is none."""
    frame: FrameType | None = sys._current_frames().get(worker)
    while frame is not None and is_internal_frame(frame):
        frame = frame.f_back
    if frame is None:
        return ""
    return line_name(frame.f_code.co_filename, line_of(frame), folders=False)
