"""A lock around tracing that detects deadlocks.

thread 1 traces f, which calls g        thread 2 traces g, which calls f

Each holds the lock that the other waits for. The second one goes on without the lock, and traces
the function that the other one is tracing as well; both traces are right.
"""

from __future__ import annotations

import threading
from threading import get_ident

from runtime.core.fork_safety import fork_safe_lock, reset_in_child


class TraceLock:
    """A reentrant lock that detects deadlocks.

    Attributes:
        acquisitions: the number of times it was acquired. A thread that finds the lock free, and
            later the same number, knows that no thread traced in between.

    Example:
        >>> lock = TraceLock()
        >>> with lock, lock:
        ...     pass
        >>> lock.take()
        True
        >>> lock.release()
    """

    # The lock that each waiting thread waits for; read and written under `_knowing`.
    _waiting: dict[int, TraceLock] = {}
    _knowing = fork_safe_lock()

    def __init__(self) -> None:
        self._lock = fork_safe_lock()
        self._owner: int | None = None
        self._depth = 0
        self.acquisitions = 0
        reset_in_child(self, TraceLock._forget_others)

    def _forget_others(self) -> None:
        """Release the lock in a forked child if a thread of the parent has it."""
        self._waiting.clear()
        if self._owner != get_ident():
            self._owner, self._depth = None, 0

    @property
    def is_free(self) -> bool:
        """True if no thread holds it."""
        return self._owner is None

    def take(self) -> bool:
        """Take the lock, waiting if need be; return False if that would never end."""
        me = get_ident()
        if not self._lock.acquire(blocking=False):
            with self._knowing:
                if self._waits_for(me):
                    return False
                self._waiting[me] = self
            self._lock.acquire()
        with self._knowing:
            self._waiting.pop(me, None)
            self._owner = me
            self._depth += 1
            self.acquisitions += 1
        return True

    def release(self) -> None:
        """Release the lock."""
        with self._knowing:
            self._depth -= 1
            if not self._depth:
                self._owner = None
        self._lock.release()

    def _waits_for(self, thread: int) -> bool:
        """Return whether the owner of the lock waits, through other locks, for a thread."""
        lock: TraceLock | None = self
        seen = set[int]()
        while lock is not None and lock._owner is not None and lock._owner not in seen:
            if lock._owner == thread:
                return True
            seen.add(lock._owner)
            lock = self._waiting.get(lock._owner)
        return False

    def __enter__(self) -> bool:
        taken = self.take()
        _taken().append(taken)
        return taken

    def __exit__(self, *exception: object) -> None:
        if _taken().pop():
            self.release()


class _HeldLocks(threading.local):
    """For each lock that a thread has entered: whether it was acquired."""

    def __init__(self) -> None:
        self.taken: list[bool] = []


_ENTERED = _HeldLocks()


def _taken() -> list[bool]:
    return _ENTERED.taken
