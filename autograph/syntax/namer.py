"""New names for generated code, different from all names in the user's code."""

from __future__ import annotations

import keyword
from collections.abc import Iterable


class Namer:
    """Makes unused names: `get_state`, `get_state_1`, `get_state_2`, ...

    Args:
        reserved: names that it must not make: those of the user's code and of its globals.

    >>> namer = Namer({"get_state_1"})
    >>> namer.fresh("get_state"), namer.fresh("get_state")
    ('get_state', 'get_state_2')
    """

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._taken = set(reserved)
        self._next: dict[str, int] = {}

    def fresh(self, base: str, scope_names: Iterable[str] = ()) -> str:
        """Return `base`, or the first of `base_1`, `base_2`, ... that is unused, and reserve it.

        Args:
            base: an identifier.
            scope_names: more names to avoid in this call.
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
        """Make none of these names from now on."""
        self._taken.update(names)

    def is_taken(self, name: str) -> bool:
        """Return whether a name is reserved, or was made before."""
        return name in self._taken


def _numbered(base: str, number: int) -> str:
    return f"{base}_{number}" if number else base
