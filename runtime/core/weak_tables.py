"""Tables by the identity of objects that they do not keep alive.

An entry goes when its object dies, by a callback that is written in C alone. Python runs the
handler of a signal between two instructions of Python code, and prints and drops what is raised in
the callback of a weak reference: a Ctrl-C that arrived in a callback of ours would be lost.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any, Generic, TypeVar
from weakref import ref

K = TypeVar("K")
V = TypeVar("V")
Key = TypeVar("Key", bound=Hashable)


def dropping(thing: K, table: dict[Key, Any], key: Key) -> ref[K]:
    """Return a weak reference; while it is kept, the end of `thing` drops an entry of a dict.

    Args:
        key: numbers and texts, whose comparison is not written in Python.

    >>> class Thing: ...
    >>> thing, table = Thing(), {"a": 1}
    >>> kept = dropping(thing, table, "a")
    >>> del thing
    >>> table
    {}
    """
    # Called with the reference, `pop(key, reference)` has a default and raises nothing.
    return ref(thing, partial(table.pop, key))


class IdentityTable(Generic[K, V]):
    """A mapping from objects themselves, not from what they are equal to.

    Code objects compare by value, slowly, and two equal ones may belong to different lines. An
    entry goes when its key dies, before the identity can be given to another object.

    Attributes:
        by_id: the values by `id(key)`, for readers in a hurry who hold the key alive.

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
        """Return the value put under this very object, or None."""
        return self.by_id.get(id(key))

    def put(self, key: K, value: V) -> None:
        """Remember `value` for as long as `key` lives."""
        identity = id(key)
        if identity not in self._keys:
            tables: tuple[dict[int, Any], ...] = (self.by_id, self._keys)
            first, second = (dropping(key, table, identity) for table in tables)
            self._keys[identity] = first, second
        self.by_id[identity] = value

    def get_or_put(self, key: K, value: V) -> V:
        """Return the value of an object; set it to `value` first where there is none."""
        if key not in self:
            self.put(key, value)
        return self.by_id[id(key)]

    def keys(self) -> list[K]:
        """Return the objects that are alive."""
        found = [first() for first, _ in list(self._keys.values())]
        return [key for key in found if key is not None]

    def clear(self) -> None:
        """Forget everything."""
        self._keys.clear()
        self.by_id.clear()

    def __contains__(self, key: object) -> bool:
        return id(key) in self.by_id

    def __len__(self) -> int:
        return len(self.by_id)
