"""Reduces the garbage collector's work while trees and graphs are created.

It pauses, as most of them stay alive, and searches for referrers visit new objects only.
"""

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
# The thread that has set objects aside, with the thresholds from before.
_aside: list[tuple[int, tuple[int, int, int]]] = []
# The number of traces for which a program counts as one with frozen objects, and those left.
_BETWEEN_LOOKS = 100
_looks_left = 0
# Python 3.12 freezes some hundred objects when it starts; a program freezes thousands.
_MOST_AT_START = 2000
# A threshold that no program reaches.
_NEVER = 2**31 - 1


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


class OldObjectsSetAside:
    """Sets objects that exist already aside, so that a search for referrers does not visit them.

    `gc.get_referrers` visits each object that Python tracks, which are those of all imported
    modules, too. Afterwards the objects count among the oldest ones. Nothing is done where objects
    are set aside already, by a `gc.freeze` of the program or by a trace around.

    Example:
        >>> with OldObjectsSetAside():
        ...     gc.get_freeze_count() > 0
        True
    """

    # No `contextmanager`: that one assigns to exceptions, which frozen classes refuse.
    def __enter__(self) -> None:
        with _lock:
            self._sets_aside = not _aside and not _is_frozen()
            if self._sets_aside:
                _set_aside()

    def __exit__(self, *error: object) -> None:
        if self._sets_aside:
            with _lock:
                _put_back()


def are_objects_set_aside() -> bool:
    """Return whether objects are frozen now by this module, not by the program.

    >>> are_objects_set_aside()
    False
    """
    return bool(_aside)


def has_frozen_objects() -> bool:
    """Return whether the program has frozen objects, which takes long: it visits each of them."""
    return gc.get_freeze_count() > _MOST_AT_START


def _is_frozen() -> bool:
    """Return whether the program has frozen objects, or had at one of the last looks."""
    global _looks_left
    if _looks_left:
        _looks_left -= 1
        return True
    is_frozen = has_frozen_objects()
    _looks_left = _BETWEEN_LOOKS if is_frozen else 0
    return is_frozen


def _set_aside() -> None:
    if gc.isenabled():
        gc.collect(1)  # What is young now counts as old afterwards: garbage would stay for long.
    gc.freeze()
    young, middle, _ = before = gc.get_threshold()
    # A full search in between would take the few objects that it sees for all, and after it Python
    # would search through all objects again and again.
    gc.set_threshold(young, middle, _NEVER)
    _aside.append((get_ident(), before))


def _put_back() -> None:
    gc.unfreeze()
    _, before = _aside.pop()
    if gc.get_threshold()[2] == _NEVER:
        gc.set_threshold(*before)


@run_in_child
def _forget_others() -> None:
    """Undo in a forked child the changes that only threads of the parent would undo."""
    others = [thread for thread in _makers if thread != get_ident()]
    for thread in others:
        del _makers[thread]
    if others and not _makers:
        gc.enable()
    if _aside and _aside[0][0] != get_ident():
        _put_back()
