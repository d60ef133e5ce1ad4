"""Messages about the progress of conversions, off by default.

The messages go to the logger "autograph" of Python's `logging`, at level INFO.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable

from autograph.errors import ConversionError
from runtime.core.lazy_imports import lazy_import

_logger = lazy_import("logging:getLogger")

# The levels at which messages appear.
CONVERSIONS = 1
DECISIONS = 2
CODE = 3


class _Verbosity:
    """The level of messages, and whether they are printed, too."""

    level: int | None = None
    prints = False


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Set the level of messages about functions that are converted from now on.

    Args:
        level: 0 for no messages, which is the default; 1 for the functions that are converted, or
            cannot be; 2 also for those that a rule leaves unconverted, with the reason; 3 and above
            also for the generated code. The environment variable AUTOGRAPH_VERBOSITY sets the
            initial level.
        alsologtostdout: whether to print the messages as well.

    Raises:
        ConversionError: the level is not an integer of 0 or more.

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


def log(level: int, text: Callable[[], str]) -> None:
    """Log a message if the verbosity is at least `level`; `text` is called only then."""
    if _level() < level:
        return
    message = text()
    _logger("autograph").info(message)
    if _Verbosity.prints:
        print(f"autograph: {message}", file=sys.stdout)


def _level() -> int:
    if _Verbosity.level is None:
        setting = os.environ.get("AUTOGRAPH_VERBOSITY", "0")
        if setting.strip() and not setting.strip().isdecimal():
            warnings.warn(
                f"AUTOGRAPH_VERBOSITY is {setting!r}, which is not a level: set it to 0, 1, 2 or 3",
                stacklevel=2,
            )
            setting = "0"
        _Verbosity.level = int(setting.strip() or 0)
    return _Verbosity.level
