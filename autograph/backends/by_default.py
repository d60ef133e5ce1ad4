"""Attributes that an object holds where its class may have given them before.

class Page: hits = 0
if c: page.hits += 1        page.hits is 1 or 0; whether the page itself holds it, none can tell
"""

from __future__ import annotations

import weakref
from typing import Any

# Objects may not be hashable, so they are known by their identities for as long as they live.
_HELD: dict[int, tuple[weakref.ref[Any], set[str]]] = {}


def note_by_default(owner: Any, name: str) -> None:
    """Take note that `owner` is given an attribute that its class may have given until now."""
    identity = id(owner)
    known = _HELD.get(identity)
    if known is not None and known[0]() is owner:
        known[1].add(name)
        return
    try:
        reference = weakref.ref(owner, lambda _: _HELD.pop(identity, None))
    except TypeError:
        return  # it has slots, and no dictionary to look into
    _HELD[identity] = (reference, {name})


def held_by_default(owner: Any) -> list[str]:
    """Return the attributes noted of an object.

    >>> class Page:
    ...     hits = 0
    >>> page = Page()
    >>> note_by_default(page, "hits")
    >>> held_by_default(page), held_by_default(Page())
    (['hits'], [])
    """
    known = _HELD.get(id(owner))
    return sorted(known[1]) if known is not None and known[0]() is owner else []
