"""Tables keyed by the identity of objects, which they do not keep alive.

An entry is removed when its object dies, by a callback that is written in C. Python runs signal
handlers between two instructions of Python code, and only prints exceptions from callbacks of weak
references: a Ctrl-C that arrived in a Python callback would be lost.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Generic, TypeVar
from weakref import ref

from runtime.core.fork_safety import fork_safe_lock

K = TypeVar("K")
V = TypeVar("V")
Key = TypeVar("Key", bound=Hashable)


def weakref_removing(thing: K, table: dict[Key, Any], key: Key) -> ref[K]:
    """Return a weak reference to `thing`, whose death removes a dict entry.

    Args:
        thing: the object.
        table: the dict.
        key: the key of the entry, a number or a string, whose comparison runs no Python code.

    The caller must keep the reference alive.

    >>> class Thing: ...
    >>> thing, table = Thing(), {"a": 1}
    >>> kept = weakref_removing(thing, table, "a")
    >>> del thing
    >>> table
    {}
    """
    # It is called with the reference: `pop(key, reference)` has a default and never raises.
    return ref(thing, partial(table.pop, key))


class IdentityTable(Generic[K, V]):
    """A mapping keyed by the identity of objects, not by their equality.

    Code objects compare by value, which is slow, and two equal ones may have different lines. An
    entry is removed when its key dies, before the identity can be reused.

    Attributes:
        by_id: the values by `id(key)`, for fast reads while the key is alive.

    Example:
        >>> table = IdentityTable()
        >>> table.put(print, "known")
        >>> table.get(print), table.get(len), len(table)
        ('known', None, 1)
    """

    def __init__(self) -> None:
        self.by_id: dict[int, V] = {}
        self._keys: dict[int, tuple[ref[K], ref[K]]] = {}

    def get(self, key: K) -> V | None:
        """Return the value of this object, None if there is none."""
        return self.by_id.get(id(key))

    def put(self, key: K, value: V) -> None:
        """Store `value` for as long as `key` lives."""
        identity = id(key)
        if identity not in self._keys:
            tables: tuple[dict[int, Any], ...] = (self.by_id, self._keys)
            first, second = (weakref_removing(key, table, identity) for table in tables)
            self._keys[identity] = first, second
        self.by_id[identity] = value

    def get_or_put(self, key: K, value: V) -> V:
        """Return the value of an object; set it to `value` if there is none."""
        if key not in self:
            self.put(key, value)
        return self.by_id[id(key)]

    def get_or_make(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of an object, computed at the first call.

        >>> table, code = IdentityTable(), (lambda x: x).__code__
        >>> table.get_or_make(code, lambda: code.co_varnames), table.get_or_make(code, tuple)
        (('x',), ('x',))
        """
        if key not in self:
            self.put(key, make())
        return self.by_id[id(key)]

    def keys(self) -> list[K]:
        """Return the live keys."""
        found = [first() for first, _ in list(self._keys.values())]
        return [key for key in found if key is not None]

    def clear(self) -> None:
        """Remove all entries."""
        self._keys.clear()
        self.by_id.clear()

    def __contains__(self, key: object) -> bool:
        return id(key) in self.by_id

    def __len__(self) -> int:
        return len(self.by_id)


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
            variants = self._variants.get_or_make(key, dict)
            if variant not in variants:
                variants[variant] = make()
            return variants[variant]

    def _lock_of(self, key: K) -> threading.RLock:
        with self._lock:
            return self._making.get_or_make(key, fork_safe_lock)

    def __len__(self) -> int:
        return sum(len(variants) for variants in list(self._variants.by_id.values()))
