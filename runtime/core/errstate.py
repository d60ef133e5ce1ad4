"""Switches NumPy's floating-point warnings off while ops compute.

    asked = hush()
    try:
        ...  # 1 / 0 is inf, whatever np.seterr has asked for
    finally:
        unhush(asked)

Both hold for one thread, and may stand in one another. `np.errstate` does the same, at several
times the cost of a small op. Where NumPy does not let its state be set at once (it is private
there), `np.seterr` is used. It also says how much NumPy copies before it computes with it, and what
becomes of the memory that arrays have left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

# NumPy copies so many numbers together where the lines of an array are shorter, so that it has
# fewer of them. Its own 8192 do not stay in the nearest cache, and long lines need no copy.
_LINES = 2048

_CORE = getattr(getattr(np, "_core", None), "umath", None)


class ErrstateMode(NamedTuple):
    """The way NumPy's warnings are switched off.

    Attributes:
        hush: sets its state, and returns what sets it back.
        unhush: sets it back.
        state: returns its state.
        silent: what `state` gives between the two, where it is the same each time.
    """

    hush: Callable[[], Any]
    unhush: Callable[[Any], object]
    state: Callable[[], object]
    silent: object

    def works(self) -> bool:
        """Tell whether it does what it is for, with this NumPy.

        >>> by_name().works()
        True
        """
        before = np.geterr()
        asked = self.hush()
        during = np.geterr()
        self.unhush(asked)
        return set(during.values()) == {"ignore"} and np.geterr() == before


def by_context() -> ErrstateMode | None:
    """Return the quick way, by the variable that NumPy itself looks at; None if there is none."""
    try:
        held: Any = _CORE._extobj_contextvar  # type: ignore[union-attr]
        silent = _CORE._make_extobj(all="ignore", bufsize=_LINES)  # type: ignore[union-attr]
        way = ErrstateMode(partial(held.set, silent), held.reset, held.get, silent)
        return way if way.works() else None
    except (AttributeError, TypeError, LookupError, ValueError):
        return None  # another NumPy


def by_name() -> ErrstateMode:
    """Return the way by functions that NumPy documents."""

    def unhush(asked: Any) -> None:
        np.seterr(**asked)

    return ErrstateMode(partial(np.seterr, all="ignore"), unhush, np.geterr, object())


hush, unhush, state, SILENT = by_context() or by_name()


# GNU's library learns nothing from what is larger than 32 MB, its own notes included.
LARGEST = (32 << 20) - (1 << 16)


def keep_freed() -> None:
    """Have the memory of arrays of up to 32 MB kept when they are freed, 64 MB of it at most.

    The C library gives memory back to the system where much of it is free, and takes large arrays
    from the system one by one. The next array of that size then pays for each of its pages when it
    is first written, which costs several times what NumPy needs to write it. GNU's library learns
    from the largest array that has been freed: arrays up to that size come from memory that is
    kept, of which at most twice as much stays free. So it is shown one that nobody writes to, and
    that takes no memory. Other C libraries pass over it, and who has set MALLOC_TRIM_THRESHOLD_ or
    the like keeps that.

    >>> keep_freed()
    """
    np.empty(LARGEST, np.uint8)


keep_freed()
