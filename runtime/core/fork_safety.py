"""Locks and other process state that a forked child initializes anew.

    lock = fork_safe_lock()

A fork copies one thread. A lock that another thread holds at that moment is held in the child for
ever, by nobody. So every lock of both packages is made here: in a child all are free but those of
the thread that has forked. Where another thread leaves half-done work behind, `reset_in_child`
undoes it.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from functools import partial
from threading import RLock, get_ident
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import ref

Thing = TypeVar("Thing")

# Seconds that a fork waits for imports of other threads, and how often it looks.
_LONGEST_WAIT = 10.0
_SHORT_WAIT = 0.001

# By the identity of what is reset, in the order in which that was made.
_RESETS: dict[int, tuple[ref[Any], Callable[[Any], object]]] = {}


def fork_safe_lock() -> RLock:
    """Return a lock that its thread may take again, and that a forked child finds free.

    >>> with fork_safe_lock() as taken:
    ...     taken
    True
    """
    return reset_in_child(RLock(), _free)


def reset_in_child(thing: Thing, reset: Callable[[Thing], object]) -> Thing:
    """Have `reset(thing)` called in every forked child for as long as `thing` lives; return it.

    It is called before the locks are free, takes none, and there is no other thread.
    """
    identity = id(thing)
    _RESETS[identity] = ref(thing, partial(_RESETS.pop, identity)), reset
    return thing


def run_in_child(function: Callable[[], object]) -> Callable[[], object]:
    """Decorate a function of a module that every forked child calls once."""
    return reset_in_child(function, _call)


def _call(function: Callable[[], object]) -> None:
    function()


def is_held_by_other(lock: RLock) -> bool:
    """Tell in a reset whether a lock is held by a thread of the parent."""
    held: Any = lock
    return not held._is_owned() and not _acquirable(held)


def _acquirable(lock: Any) -> bool:
    taken: bool = lock.acquire(blocking=False)
    if taken:
        lock.release()
    return taken


def _free(lock: Any) -> None:
    if not lock._is_owned():
        lock._at_fork_reinit()


def _reset_all() -> None:
    for reset_locks in (False, True):
        for reference, reset in list(_RESETS.values()):
            thing = reference()
            if thing is not None and (reset is _free) == reset_locks:
                reset(thing)


class _Unforked:
    """A block that a fork by another thread waits for, though not for ever.

    >>> with unforked, unforked:
    ...     pass
    """

    def __init__(self) -> None:
        # How many blocks each thread is in.
        self._inside: dict[int, int] = {}
        self._is_forking = False

    def __enter__(self) -> None:
        me, end = get_ident(), monotonic() + _LONGEST_WAIT
        # First said, then looked: a thread that forks does it the other way round.
        self._inside[me] = self._inside.get(me, 0) + 1
        while self._is_forking and self._inside[me] == 1 and monotonic() < end:
            del self._inside[me]
            sleep(_SHORT_WAIT)
            self._inside[me] = 1

    def __exit__(self, *exception: object) -> None:
        me = get_ident()
        self._inside[me] -= 1
        if not self._inside[me]:
            del self._inside[me]

    def wait(self) -> None:
        """Wait until no other thread is in such a block, and let none begin one."""
        self._is_forking, end = True, monotonic() + _LONGEST_WAIT
        while self._inside.keys() - {get_ident()} and monotonic() < end:
            sleep(_SHORT_WAIT)

    def go_on(self) -> None:
        """Let blocks begin again, in the parent."""
        self._is_forking = False

    def begin_anew(self) -> None:
        """Know of this thread only, in the child."""
        self._is_forking, me = False, get_ident()
        self._inside = {me: self._inside[me]} if me in self._inside else {}


unforked = reset_in_child(_Unforked(), _Unforked.begin_anew)


if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):
        """The `cached_property` of Python 3.12 on, whose threads do not wait for each other.

        The lock of the earlier ones is one for all objects, and a forked child may find it held.
        """

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            held = vars(instance)
            if self.attrname not in held:
                held[self.attrname] = self.func(instance)
            return held[self.attrname]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=unforked.wait, after_in_parent=unforked.go_on, after_in_child=_reset_all
    )
