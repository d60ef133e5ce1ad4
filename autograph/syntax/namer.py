"""Fresh names for generated code, different from all names in the user's code."""

from __future__ import annotations

import keyword
from collections.abc import Iterable


class Namer:
    """Makes unused names: `get_state`, `get_state_1`, `get_state_2`, ...

    Args:
        reserved: the names never to use: all in the user's code, and its globals.

    >>> namer = Namer({"get_state_1"})
    >>> namer.fresh("get_state"), namer.fresh("get_state")
    ('get_state', 'get_state_2')
    """

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._taken = set(reserved)
        self._next: dict[str, int] = {}

    def fresh(self, base: str, scope_names: Iterable[str] = ()) -> str:
        """Return `base`, or `base_1`, `base_2`, ... when it is taken, and take it.

        Args:
            base: the wished name, an identifier.
            scope_names: more names to avoid, this time only.
        """
        avoid = frozenset(scope_names)
        number = self._next.get(base, 0)
        name = _numbered(base, number)
        while name in self._taken or name in avoid or keyword.iskeyword(name):
            number += 1
            name = _numbered(base, number)
        if not avoid:
            self._next[base] = number + 1
        self._taken.add(name)
        return name

    def reserve(self, names: Iterable[str]) -> None:
        """Never hand out these names from now on."""
        self._taken.update(names)

    def is_taken(self, name: str) -> bool:
        """Return whether a name is reserved or in use."""
        return name in self._taken


def _numbered(base: str, number: int) -> str:
    return f"{base}_{number}" if number else base
