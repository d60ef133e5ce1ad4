"""Messages about the progress of conversions, off by default.

It speaks through the logger "autograph" of Python's `logging`, at level INFO.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable

from autograph.errors import ConversionError
from runtime.core.lazy_imports import lazy_import

_logger = lazy_import("logging:getLogger")

# From which level on something is told of.
CONVERSIONS = 1
DECISIONS = 2
CODE = 3


class _Verbosity:
    """The level of messages, and whether they are printed as well as logged."""

    level: int | None = None
    prints = False


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Say how much is told of the functions that are converted from now on.

    Args:
        level: 0 for nothing, which is the default; 1 for the functions that are converted; 2 for
            those that stay as they are as well, with the reason; 3 and above for the code that is
            made, too. The environment variable AUTOGRAPH_VERBOSITY sets what is used until then.
        alsologtostdout: whether to print it, besides giving it to the logger "autograph".

    Raises:
        ConversionError: the level is no whole number of 0 or more.

    Example:
        >>> import autograph as ag
        >>> def double(x):
        ...     return 2 * x
        >>> ag.set_verbosity(1, alsologtostdout=True)
        >>> doubled = ag.to_graph(double)
        autograph: `double` is converted
        >>> ag.set_verbosity(0)
    """
    if isinstance(level, bool) or not isinstance(level, int) or level < 0:
        raise ConversionError(f"set_verbosity takes a level of 0, 1, 2 or 3, not {level!r}")
    _Verbosity.level, _Verbosity.prints = level, bool(alsologtostdout)


def trace(*args: object) -> None:
    """Print values while a function is traced, not when its graph runs: `print` is recorded.

    >>> import autograph as ag, runtime as rt
    >>> @ag.function
    ... def double(x):
    ...     ag.trace("x is", x)
    ...     return 2 * x
    >>> double(rt.constant(3)).numpy(), double(rt.constant(4)).numpy()
    x is Tensor("x:0", shape=(), dtype=int32)
    (np.int32(6), np.int32(8))
    """
    print(*args)


def tell(level: int, text: Callable[[], str]) -> None:
    """Tell something that is for this level and those above; the text is made if it is wanted."""
    if _level() < level:
        return
    said = text()
    _logger("autograph").info(said)
    if _Verbosity.prints:
        print(f"autograph: {said}", file=sys.stdout)


def _level() -> int:
    if _Verbosity.level is None:
        asked = os.environ.get("AUTOGRAPH_VERBOSITY", "0")
        if asked.strip() and not asked.strip().isdecimal():
            warnings.warn(
                f"AUTOGRAPH_VERBOSITY is {asked!r}, which is no level: set it to 0, 1, 2 or 3",
                stacklevel=2,
            )
            asked = "0"
        _Verbosity.level = int(asked.strip() or 0)
    return _Verbosity.level
