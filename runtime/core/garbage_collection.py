"""Pauses the garbage collector while trees and graphs are created, as most of them stay alive."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


@contextmanager
def old_objects_set_aside() -> Iterator[None]:
    """Set objects that exist already aside, so that a search for referrers does not visit them.

    `gc.get_referrers` visits each object that Python tracks, which are those of all imported
    modules, too. Objects that are set aside count among the oldest ones afterwards. Nothing is done
    where they are set aside already, by a `gc.freeze` of the program or around.

    Example:
        >>> old, new = [], {}
        >>> around = [old, new]
        >>> with old_objects_set_aside():
        ...     other = [old]
        ...     found = gc.get_referrers(old)
        >>> any(each is other for each in found), any(each is around for each in found)
        (True, False)
    """
    with _lock:
        sets_aside = not gc.get_freeze_count()
        if sets_aside:
            gc.freeze()
    try:
        yield
    finally:
        if sets_aside:
            gc.unfreeze()


@run_in_child
def _forget_others() -> None:
    """Enable the search in a forked child, if only threads of the parent paused it."""
    others = [thread for thread in _makers if thread != get_ident()]
    for thread in others:
        del _makers[thread]
    if others and not _makers:
        gc.enable()
