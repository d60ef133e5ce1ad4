"""Definite assignment: the variables that are bound at a point of generated code.

The analysis is about the generated code, function by function, and runs along with its generation:
a local variable of a body that becomes a function is unbound at the start of that function.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

BOUND, MAYBE = True, False


class DefiniteAssignment:
    """The variables of one generated function: bound, maybe bound, or unbound.

    >>> here = DefiniteAssignment(["x"])
    >>> here.may_bind(["x", "y"])
    >>> here.is_bound("x"), here.is_bound("y"), here.is_unbound("y"), here.is_unbound("z")
    (True, False, False, True)
    """

    def __init__(self, bound: Iterable[str] = ()) -> None:
        self._states = dict.fromkeys(bound, BOUND)
        self._marks: dict[str, None] = {}
        self._shared: frozenset[str] = frozenset()

    def copy(self) -> DefiniteAssignment:
        """Return a copy, for another path through the same generated function."""
        new = DefiniteAssignment()
        new._states.update(self._states)
        new._marks = self._marks
        new._shared = self._shared
        return new

    def in_function(self, shared: Iterable[str]) -> DefiniteAssignment:
        """Return a copy for a function that is generated inside this one, with shared variables."""
        new = self.copy()
        new._marks = {}
        new._shared = frozenset(shared)
        return new

    @property
    def marks(self) -> tuple[str, ...]:
        """The variables that need a mark at the start of the generated function."""
        return tuple(self._marks)

    def require_marks(self, names: Iterable[str]) -> None:
        """Record that variables need a mark at the start of the function, except shared ones."""
        for name in names:
            if name not in self._shared:
                self._marks[name] = None
                self._states[name] = BOUND

    def is_bound(self, name: str) -> bool:
        """Return whether a variable is bound on all paths."""
        return self._states.get(name) is BOUND

    def is_unbound(self, name: str) -> bool:
        """Return whether a variable is unbound on all paths."""
        return name not in self._states

    def is_shared(self, name: str) -> bool:
        """Return whether a variable belongs to a function around the generated one."""
        return name in self._shared

    def bind(self, names: Iterable[str]) -> None:
        """Record that variables are bound."""
        self._states.update(dict.fromkeys(names, BOUND))

    def unbind(self, names: Iterable[str]) -> None:
        """Record that variables are unbound."""
        for name in names:
            self._states.pop(name, None)

    def may_bind(self, names: Iterable[str]) -> None:
        """Record that variables may have been bound."""
        for name in names:
            self._states.setdefault(name, MAYBE)

    def may_unbind(self, names: Iterable[str]) -> None:
        """Record that variables may have been unbound."""
        self._states.update(dict.fromkeys(names, MAYBE))

    def join(self, ends: Iterable[DefiniteAssignment]) -> None:
        """Set the state to the join of the states at the ends of several paths."""
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
