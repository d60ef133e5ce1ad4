"""No search for garbage while trees and graphs are made: nearly all of what is made then stays."""

from __future__ import annotations

import gc
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

Made = TypeVar("Made")

_lock = Lock()
_makers = 0


def uncollected(make: Callable[[], Made]) -> Made:
    """Return what `make` makes, without Python's search for cycles that nobody holds meanwhile.

    Each search looks at all that has just been made, over and over as that grows: a fifth of the
    time that a long function takes. Where the search is off anyway, it stays off.

    Example:
        >>> uncollected(gc.isenabled), gc.isenabled()
        (False, True)
    """
    global _makers
    with _lock:
        pauses = gc.isenabled() or _makers > 0
        if pauses:
            _makers += 1
            gc.disable()
    try:
        return make()
    finally:
        if pauses:
            with _lock:
                _makers -= 1
                if not _makers:
                    gc.enable()
