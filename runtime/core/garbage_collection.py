"""Pauses the garbage collector while trees and graphs are created, as most of them stay alive."""

from __future__ import annotations

import gc
from collections.abc import Callable
from threading import get_ident
from typing import TypeVar

from runtime.core.fork_safety import fork_safe_lock, run_in_child

Made = TypeVar("Made")

_lock = fork_safe_lock()
# The number of pauses in effect, by thread.
_makers: dict[int, int] = {}


def without_gc(make: Callable[[], Made]) -> Made:
    """Return the result of `make`, with the search for reference cycles paused.

    Each search would visit the growing number of new objects again: a fifth of the time for a long
    function. If the search is disabled already, it stays so.

    Example:
        >>> without_gc(gc.isenabled), gc.isenabled()
        (False, True)
    """
    me = get_ident()
    with _lock:
        pauses = gc.isenabled() or bool(_makers)
        if pauses:
            _makers[me] = _makers.get(me, 0) + 1
            gc.disable()
    try:
        return make()
    finally:
        if pauses:
            with _lock:
                _makers[me] -= 1
                if not _makers[me]:
                    del _makers[me]
                if not _makers:
                    gc.enable()


@run_in_child
def _forget_others() -> None:
    """Enable the search in a forked child, if only threads of the parent paused it."""
    others = [thread for thread in _makers if thread != get_ident()]
    for thread in others:
        del _makers[thread]
    if others and not _makers:
        gc.enable()
