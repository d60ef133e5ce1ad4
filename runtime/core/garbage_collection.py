"""Pauses the garbage collector while trees and graphs are made, since most of them stays."""

from __future__ import annotations

import gc
from collections.abc import Callable
from threading import get_ident
from typing import TypeVar

from runtime.core.fork_safety import fork_safe_lock, run_in_child

Made = TypeVar("Made")

_lock = fork_safe_lock()
# How many are at work, by their threads.
_makers: dict[int, int] = {}


def uncollected(make: Callable[[], Made]) -> Made:
    """Return the result of `make`, without Python's search for unreferenced cycles meanwhile.

    Each search looks at all that has just been made, over and over as that grows: a fifth of the
    time that a long function takes. Where the search is off anyway, it stays off.

    Example:
        >>> uncollected(gc.isenabled), gc.isenabled()
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
    """Search for garbage again where only threads of the parent have paused that."""
    others = [thread for thread in _makers if thread != get_ident()]
    for thread in others:
        del _makers[thread]
    if others and not _makers:
        gc.enable()
