"""Switches NumPy's floating-point warnings off while ops compute.

    token = ignore_warnings()
    try:
        ...  # 1 / 0 is inf, regardless of np.seterr
    finally:
        restore_warnings(token)

The setting holds for one thread, and calls may be nested. `np.errstate` does the same, at several
times the cost of a small op. If NumPy's private state cannot be set directly, `np.seterr` is used.
The module also sets the size of NumPy's copy buffer, and keeps the memory of freed arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

# The number of elements that NumPy copies together if the rows of an array are shorter. Its
# default, 8192, does not fit into the first-level cache, and long rows need no copy.
_BUFFER_SIZE = 2048

_CORE = getattr(getattr(np, "_core", None), "umath", None)


class ErrstateMode(NamedTuple):
    """The mode in which NumPy's warnings are switched off.

    Attributes:
        ignore_warnings: switches them off, and returns a token.
        restore_warnings: restores the state from the token.
        state: returns the state.
        ignoring: the state while warnings are off, if it is always the same object.
    """

    ignore_warnings: Callable[[], Any]
    restore_warnings: Callable[[Any], object]
    state: Callable[[], object]
    ignoring: object

    def works(self) -> bool:
        """Return whether it works with this NumPy version.

        >>> by_seterr().works()
        True
        """
        before = np.geterr()
        token = self.ignore_warnings()
        during = np.geterr()
        self.restore_warnings(token)
        return set(during.values()) == {"ignore"} and np.geterr() == before


def by_context_variable() -> ErrstateMode | None:
    """Return the fast mode, by NumPy's own context variable; None if there is none."""
    try:
        variable: Any = _CORE._extobj_contextvar  # type: ignore[union-attr]
        ignoring = _CORE._make_extobj(all="ignore", bufsize=_BUFFER_SIZE)  # type: ignore[union-attr]
        mode = ErrstateMode(partial(variable.set, ignoring), variable.reset, variable.get, ignoring)
        return mode if mode.works() else None
    except (AttributeError, TypeError, LookupError, ValueError):
        return None  # another NumPy


def by_seterr() -> ErrstateMode:
    """Return the mode by documented functions of NumPy."""

    def restore_warnings(token: Any) -> None:
        np.seterr(**token)

    return ErrstateMode(partial(np.seterr, all="ignore"), restore_warnings, np.geterr, object())


ignore_warnings, restore_warnings, state, IGNORING = by_context_variable() or by_seterr()


# GNU's allocator does not adapt to blocks of more than 32 MB, including its own header.
LARGEST_KEPT = (32 << 20) - (1 << 16)


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
    np.empty(LARGEST_KEPT, np.uint8)


keep_freed()
