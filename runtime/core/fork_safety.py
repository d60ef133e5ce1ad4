"""Locks and other process state that are initialized again in a forked child.

    lock = fork_safe_lock()

A fork copies only one thread. A lock that another thread held at that moment would be held in the
child forever. So all locks of both packages are created here: in a child they are free, except
those of the forking thread. If another thread may leave a half-done change, `reset_in_child` undoes
it.
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

Value = TypeVar("Value")

# The longest time that a fork waits for imports of other threads, and the polling interval.
_LONGEST_WAIT = 10.0
_SHORT_WAIT = 0.001

# The functions that run before a fork.
_BEFORE: list[Callable[[], object]] = []
# The reset functions by the identity of their object, in the order of creation.
_RESETS: dict[int, tuple[ref[Any], Callable[[Any], object]]] = {}


def fork_safe_lock() -> RLock:
    """Return a reentrant lock that is free in a forked child.

    >>> with fork_safe_lock() as taken:
    ...     taken
    True
    """
    return reset_in_child(RLock(), _free)


def reset_in_child(value: Value, reset: Callable[[Value], object]) -> Value:
    """Call `reset(value)` in every forked child while `value` lives; return `value`.

    It is called before the locks are freed, while there is no other thread; it takes no locks.
    """
    identity = id(value)
    _RESETS[identity] = ref(value, partial(_RESETS.pop, identity)), reset
    return value


def run_in_child(function: Callable[[], object]) -> Callable[[], object]:
    """Decorate a module-level function that every forked child calls once."""
    return reset_in_child(function, _call)


def run_before_fork(function: Callable[[], object]) -> Callable[[], object]:
    """Decorate a module-level function that every fork calls in the parent before it copies it.

    >>> run_before_fork(len) is len
    True
    >>> _BEFORE.remove(len)
    """
    _BEFORE.append(function)
    return function


def _prepare_fork() -> None:
    for function in _BEFORE:
        function()
    fork_gate.wait()


def _call(function: Callable[[], object]) -> None:
    function()


def is_held_by_other(lock: RLock) -> bool:
    """Return, in a reset, whether a thread of the parent holds a lock."""
    inner: Any = lock
    return not inner._is_owned() and not _acquirable(inner)


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
            value = reference()
            if value is not None and (reset is _free) == reset_locks:
                reset(value)


class _ForkGate:
    """A block that forks by other threads wait for, up to a limit.

    >>> with fork_gate, fork_gate:
    ...     pass
    """

    def __init__(self) -> None:
        # The nesting depth of blocks in each thread.
        self._inside: dict[int, int] = {}
        self._is_forking = False

    def __enter__(self) -> None:
        me, end = get_ident(), monotonic() + _LONGEST_WAIT
        # Announce the block first, then check for a fork; a forking thread does it in reverse
        # order.
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
        """Wait until no other thread is in a block, and let none enter one."""
        self._is_forking, end = True, monotonic() + _LONGEST_WAIT
        while self._inside.keys() - {get_ident()} and monotonic() < end:
            sleep(_SHORT_WAIT)

    def resume(self) -> None:
        """Let threads enter blocks again, in the parent."""
        self._is_forking = False

    def reset(self) -> None:
        """Forget the other threads, in the child."""
        self._is_forking, me = False, get_ident()
        self._inside = {me: self._inside[me]} if me in self._inside else {}


fork_gate = reset_in_child(_ForkGate(), _ForkGate.reset)


if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):
        """The `cached_property` of Python 3.12, whose threads do not wait for each other.

        Earlier versions have one lock for all objects, which a forked child may find held.
        """

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            attributes = vars(instance)
            if self.attrname not in attributes:
                attributes[self.attrname] = self.func(instance)
            return attributes[self.attrname]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_prepare_fork, after_in_parent=fork_gate.resume, after_in_child=_reset_all
    )
