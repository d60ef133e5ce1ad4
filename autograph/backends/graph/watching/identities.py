"""Which object a container is, where a place holds one on one path and another on the other.

    if full: self.items = []      the list there was on one path, a new one on the other: in the
    self.items.append(x)          trace it is a third one, that holds what the one taken holds

A call must leave the list there was, with other items, where Python does. So beside what such a
place holds, the graph carries which object that is: one from outside of the function, or a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Any

from autograph.backends.graph.program.contents import contents_of
from autograph.backends.graph.values.nullable import Nullable
from autograph.backends.graph.values.planning import Held, is_changeable
from autograph.backends.graph.values.several import Several
from autograph.backends.graph.watching.reach import Watched
from autograph.backends.maybe import Maybe
from runtime import nest


class Token:
    """Stands for a container from outside of the function.

    Attributes:
        value: the container; None if it is one that calls make.
    """

    __slots__ = ("value",)

    def __init__(self, value: object = None) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"<that {type(self.value).__name__}>" if self.value is not None else "<new>"


NEW = Token()
Which = Token | Several


class Identified:
    """A container that is made anew in the trace, and which one it is."""

    __slots__ = ("value", "which")

    def __init__(self, value: object, which: Which) -> None:
        self.value, self.which = value, which


class Identities:
    """What one trace knows of that.

    Args:
        reach: what the function can reach, before it is traced and while it is.
    """

    def __init__(self, reach: Sequence[Watched]) -> None:
        self.reach = reach
        outside = (each.value for each in reach)
        self._tokens = {id(value): Token(value) for value in outside if is_changeable(value)}
        self._noted: dict[int, Identified] = {}

    def __enter__(self) -> Identities:
        self._entered = _IDENTITIES.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        _IDENTITIES.reset(self._entered)

    def of(self, value: object) -> Which:
        """Return which container a value is; one of several if only the graph knows."""
        value = _inside(value)
        if (noted := self._noted.get(id(value))) is not None:
            return noted.which
        return self._tokens.get(id(value), NEW)

    def one_of_several(self, value: object) -> Several | None:
        """Return which container one is that was made anew, if only the graph knows."""
        noted = self._noted.get(id(value))
        return noted.which if noted is not None and type(noted.which) is Several else None

    def note(self, value: object, which: object) -> None:
        """Note which container a value is, unless it is one from outside itself."""
        value = _inside(value)
        if id(value) in self._tokens or not is_changeable(value):
            return
        if isinstance(which, (Token, Several)) and which is not NEW:
            self._noted[id(value)] = Identified(value, which)
            self._note_parts(value, which)

    def _note_parts(self, value: object, which: Which) -> None:
        """Note the same of what a container holds: of its parts each is that of the one it is."""
        if type(which) is not Several:
            return
        options: list[Any] = [token.value for token in which.options]
        held = [contents_of(each) or {} if each is not None else {} for each in options]
        for key, part in (contents_of(value) or {}).items():
            tokens = [self._tokens.get(id(_inside(each.get(key))), NEW) for each in held]
            if id(_inside(part)) not in self._noted and any(token is not NEW for token in tokens):
                self.note(part, Several(which.index, tuple(tokens)))

    def may_be(self, value: object, container: object) -> bool:
        """Tell whether a container that was made anew is one from outside in some runs."""
        which = self.one_of_several(value)
        return which is not None and any(token.value is container for token in which.options)

    def differ(self, values: Sequence[object]) -> bool:
        """Tell whether a place holds a container from outside on one path and another elsewhere.

        Objects from outside alone the graph tells apart by themselves.
        """
        found = {id(value): value for value in map(_inside, values) if is_changeable(value)}
        known = [value for value in found.values() if id(value) in self._tokens]
        if len(found) < 2 or not (known or any(at in self._noted for at in found)):
            return False
        return len(known) < len(found) or any(map(nest.is_nested, known))


_IDENTITIES: ContextVar[Identities | None] = ContextVar("identities", default=None)


def identities() -> Identities | None:
    """Return what the trace that is going on knows; None if nothing is outside of it."""
    return _IDENTITIES.get()


def places_that_differ(rows: Sequence[Sequence[object]]) -> Iterator[int]:
    """Yield the positions at which the rows, one per path, hold containers that are not one."""
    known = identities()
    if known is not None:
        yield from (at for at, column in enumerate(zip(*rows)) if known.differ(column))


def _inside(value: object) -> object:
    """Return the container that is held, and may be absent."""
    while isinstance(value, (Held, Nullable, Maybe)):
        value = value.value
    return value
