"""Dicts whose order of keys is known only at run time."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Any

from autograph.backends.backend_registry import check_contents_of
from autograph.backends.graph.source.source_location import user_location, variable_of
from autograph.errors import StagingError

# The dicts by identity; the table keeps them alive, so that identities stay unique.
_REORDERED: ContextVar[dict[int, object] | None] = ContextVar("reordered", default=None)


def begin_recording() -> Token[dict[int, object] | None]:
    """Begin the records of a trace; return the token for `end_recording`."""
    return _REORDERED.set({})


def end_recording(token: Token[dict[int, object] | None]) -> None:
    """Discard the records of a trace."""
    _REORDERED.reset(token)


def record_unknown_order(owner: dict[Any, Any]) -> None:
    """Record that the order of a dict's keys is known only at run time."""
    known = _REORDERED.get()
    if known is not None:
        known[id(owner)] = owner
        check_contents_of(dict)


def has_unknown_order(value: object) -> bool:
    """Return whether the order of a dict's keys is known only at run time."""
    known = _REORDERED.get()
    return known is not None and id(value) in known and bool(value)


def refuse_unknown_order(value: object) -> None:
    """Refuse a dict whose order of keys is known only at run time.

    Raises:
        StagingError: if the order is not known.
    """
    if has_unknown_order(value):
        named = variable_of(value)
        raise StagingError(
            f"the keys of {repr(named) if named else 'this dict'} are "
            "in another order on another path; the graph selects the order at run time: "
            "give it its keys in one order, or use sorted(d)",
            user_location(),
        )
