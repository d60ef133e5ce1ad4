"""A cache of values computed once per object, dropped when the object dies."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from runtime.core.fork_safety import fork_safe_lock
from runtime.core.weak_tables import IdentityTable

K = TypeVar("K")
V = TypeVar("V")


class OnceCache(Generic[K, V]):
    """Values computed once per key object and variant, across threads.

    While one thread computes the value of a key, other threads wait only if they need this key. If
    the computation raises, nothing is stored, and the next thread tries again.

    Example:
        >>> table = OnceCache()
        >>> table.get_or_make(print, "small", lambda: [1])
        [1]
        >>> table.get_or_make(print, "small", lambda: [2])
        [1]
    """

    def __init__(self) -> None:
        self._variants: IdentityTable[K, dict[Hashable, V]] = IdentityTable()
        self._making: IdentityTable[K, threading.RLock] = IdentityTable()
        self._lock = fork_safe_lock()

    def get_or_make(self, key: K, variant: Hashable, make: Callable[[], V]) -> V:
        """Return the value for `key` and `variant`, calling `make()` if there is none yet."""
        known = self._variants.get(key)
        if known is not None and variant in known:
            return known[variant]
        lock = self._lock_of(key)
        with lock:
            variants = self._variants_of(key)
            if variant not in variants:
                variants[variant] = make()
            return variants[variant]

    def _lock_of(self, key: K) -> threading.RLock:
        with self._lock:
            lock = self._making.get(key)
            if lock is None:
                lock = fork_safe_lock()
                self._making.put(key, lock)
            return lock

    def _variants_of(self, key: K) -> dict[Hashable, V]:
        variants = self._variants.get(key)
        if variants is None:
            variants = {}
            self._variants.put(key, variants)
        return variants

    def __len__(self) -> int:
        return sum(len(variants) for variants in list(self._variants.by_id.values()))
