"""Switches NumPy's floating-point warnings off while ops compute.

    asked = hush()
    try:
        ...  # 1 / 0 is inf, regardless of np.seterr
    finally:
        unhush(asked)

The settings hold for one thread, and may be nested. `np.errstate` does the same, at several times
the cost of a small op. If NumPy's state cannot be set directly (it is private), `np.seterr` is
used. The module also sets the size of NumPy's copy buffer, and keeps the memory of freed arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

# The number of elements that NumPy copies together if the rows of an array are shorter. Its
# default, 8192, does not fit into the first-level cache, and long rows need no copy.
_LINES = 2048

_CORE = getattr(getattr(np, "_core", None), "umath", None)


class ErrstateMode(NamedTuple):
    """The way in which NumPy's warnings are switched off.

    Attributes:
        hush: switches them off, and returns a token.
        unhush: restores the state from the token.
        state: returns the state.
        silent: the value of `state` between the two, if it is always the same.
    """

    hush: Callable[[], Any]
    unhush: Callable[[Any], object]
    state: Callable[[], object]
    silent: object

    def works(self) -> bool:
        """Return whether it works with this NumPy version.

        >>> by_name().works()
        True
        """
        before = np.geterr()
        asked = self.hush()
        during = np.geterr()
        self.unhush(asked)
        return set(during.values()) == {"ignore"} and np.geterr() == before


def by_context() -> ErrstateMode | None:
    """Return the fast way, by NumPy's own context variable; None if there is none."""
    try:
        held: Any = _CORE._extobj_contextvar  # type: ignore[union-attr]
        silent = _CORE._make_extobj(all="ignore", bufsize=_LINES)  # type: ignore[union-attr]
        way = ErrstateMode(partial(held.set, silent), held.reset, held.get, silent)
        return way if way.works() else None
    except (AttributeError, TypeError, LookupError, ValueError):
        return None  # another NumPy


def by_name() -> ErrstateMode:
    """Return the way by documented functions of NumPy."""

    def unhush(asked: Any) -> None:
        np.seterr(**asked)

    return ErrstateMode(partial(np.seterr, all="ignore"), unhush, np.geterr, object())


hush, unhush, state, SILENT = by_context() or by_name()


# GNU's allocator does not adapt to blocks of more than 32 MB, including its own header.
LARGEST = (32 << 20) - (1 << 16)


def keep_freed() -> None:
    """Make the C library keep the memory of freed arrays of up to 32 MB, at most 64 MB in total.

    The C library returns free memory to the system, and gets the memory of large arrays directly
    from the system. A new array then causes a page fault for each of its pages, which takes several
    times as long as writing it. GNU's library adapts to the largest block that was freed: blocks up
    to that size come from kept memory, of which at most twice that size stays free. So this
    function frees such a block once, without writing to it, which takes no memory. Other C
    libraries ignore it, and the environment variable MALLOC_TRIM_THRESHOLD_ and similar ones stay
    in effect.

    >>> keep_freed()
    """
    np.empty(LARGEST, np.uint8)


keep_freed()
