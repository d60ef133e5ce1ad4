"""Places that a loop or `try` changed in an earlier trace of the loop around it.

    for i in rt.range(n):            # traced until the spec of `total` is a fixpoint
        for j in rt.range(n):        # traced in each of these traces; only the first one has to
            total.append(j)          # find out that `total` is a place of its own

Without it every level of nesting would multiply the traces of the innermost body.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass, field

from autograph.backends.graph.objects.object_lifetimes import is_from_outside
from autograph.backends.graph.state.object_paths import WatchedObject
from autograph.backends.graph.state.state_slots import StateEntry

# The identity of a statement: the code of its functions, and the variables that it names.
_Which = tuple[object, ...]


@dataclass(slots=True, eq=False, repr=False)
class StatementFacts:
    """Facts about a statement, cached from the last trace of the statement around it.

    Attributes:
        codes: the code objects that identify the statement, kept alive.
        places: the places that it changes; None if these are of no use: one is in an object that
            each trace creates, or a later trace has not changed it.
        inside: the facts of the statements in its body, in the order of their traces.
    """

    codes: tuple[object, ...]
    places: list[StateEntry] | None = field(default_factory=list)
    inside: dict[_Which, list[StatementFacts]] = field(default_factory=dict)

    def add(self, entries: Sequence[StateEntry]) -> None:
        """Add places that the body was seen to change."""
        if self.places is None or not all(is_from_outside(each.owner) for each in entries):
            self.places = None
        else:
            self.places = [*self.places, *entries]

    def entries(self, watched: Sequence[WatchedObject]) -> list[StateEntry]:
        """Return the places if all of their objects are watched now, else none."""
        now = {id(each.value) for each in watched}
        places = self.places or []
        return places if all(id(entry.owner) in now for entry in places) else []


class _Body:
    """The loops, and `try` statements, in a body that is being traced."""

    def __init__(self, before: dict[_Which, list[StatementFacts]]) -> None:
        self._before = before
        self.now: dict[_Which, list[StatementFacts]] = {}

    def known(self, which: _Which, codes: tuple[object, ...]) -> StatementFacts:
        """Return the facts about the next statement of an identity in the body."""
        before, now = self._before.get(which, ()), self.now.setdefault(which, [])
        now.append(before[len(now)] if len(now) < len(before) else StatementFacts(codes))
        return now[-1]


_BODY: ContextVar[_Body | None] = ContextVar("statements_in_body", default=None)


def facts_of(
    functions: Sequence[Callable[..., object] | None], names: Sequence[str]
) -> StatementFacts:
    """Return the facts about a statement, given the user's functions that it calls.

    Args:
        functions: its functions.
        names: the variables that it names.
    """
    codes = tuple([getattr(function, "__code__", None) for function in functions])
    body = _BODY.get()
    return StatementFacts(codes) if body is None else body.known((*map(id, codes), *names), codes)


class caching_statements:
    """Trace a body and cache the facts of the statements in it."""

    __slots__ = ("_body", "_found", "_token")
    _token: Token[_Body | None]

    def __init__(self, found: StatementFacts) -> None:
        self._found = found
        self._body = _Body(found.inside)

    def __enter__(self) -> None:
        self._token = _BODY.set(self._body)

    def __exit__(self, *error: object) -> None:
        _BODY.reset(self._token)
        self._found.inside = self._body.now
