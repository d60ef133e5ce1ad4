"""Definite assignment: the variables that are bound at a point of generated code.

The analysis follows the code that the converter emits, function by function, so it is a walk along
with it and not a fact about the tree: a variable of a body that becomes a function is unbound at
the start of that function, whatever it was before.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

BOUND, MAYBE = True, False


class DefiniteAssignment:
    """The variables of one generated function: bound, maybe bound, or not bound yet.

    >>> here = DefiniteAssignment(["x"])
    >>> here.weaken(["x", "y"])
    >>> here.is_bound("x"), here.is_bound("y"), here.is_unbound("y"), here.is_unbound("z")
    (True, False, False, True)
    """

    def __init__(self, bound: Iterable[str] = ()) -> None:
        self._states = dict.fromkeys(bound, BOUND)
        self._wanted: dict[str, None] = {}
        self._shared: frozenset[str] = frozenset()

    def copy(self) -> DefiniteAssignment:
        """Return a copy for another path through the same generated function."""
        new = DefiniteAssignment()
        new._states.update(self._states)
        new._wanted = self._wanted
        new._shared = self._shared
        return new

    def in_function(self, shared: Iterable[str]) -> DefiniteAssignment:
        """Return a copy for a function generated inside this one, with shared names."""
        new = self.copy()
        new._wanted = {}
        new._shared = frozenset(shared)
        return new

    @property
    def wanted(self) -> tuple[str, ...]:
        """The variables that need a value from the start of the generated function."""
        return tuple(self._wanted)

    def want(self, names: Iterable[str]) -> None:
        """Make variables need a value from the start, except shared ones."""
        for name in names:
            if name not in self._shared:
                self._wanted[name] = None
                self._states[name] = BOUND

    def is_bound(self, name: str) -> bool:
        """True if a variable is surely bound."""
        return self._states.get(name) is BOUND

    def is_unbound(self, name: str) -> bool:
        """True if a variable is surely unbound."""
        return name not in self._states

    def is_shared(self, name: str) -> bool:
        """True for a variable that belongs to a function around the generated one."""
        return name in self._shared

    def bind(self, names: Iterable[str]) -> None:
        """Variables get a value."""
        self._states.update(dict.fromkeys(names, BOUND))

    def unbind(self, names: Iterable[str]) -> None:
        """Variables belong to a new function, or are deleted."""
        for name in names:
            self._states.pop(name, None)

    def weaken(self, names: Iterable[str]) -> None:
        """Variables may or may not have got a value."""
        for name in names:
            self._states.setdefault(name, MAYBE)

    def doubt(self, names: Iterable[str]) -> None:
        """Variables may or may not have lost their value."""
        self._states.update(dict.fromkeys(names, MAYBE))

    def become(self, ends: Iterable[DefiniteAssignment]) -> None:
        """Take the state that holds on all of several paths that meet."""
        states = [end._states for end in ends]
        names = {name for each in states for name in each}
        self._states = {
            name: BOUND if all(each.get(name) is BOUND for each in states) else MAYBE
            for name in sorted(names)
        }


def falls_through(statements: list[gast.stmt]) -> bool:
    """Return whether the end of a list of statements may be reached."""
    last = statements[-1] if statements else None
    return not isinstance(last, (gast.Raise, gast.Return, gast.Break, gast.Continue))
