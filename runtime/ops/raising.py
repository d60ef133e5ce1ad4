"""Raising an exception when a point of the graph is reached."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from runtime.context import Origin
from runtime.ops.op import apply, define


@dataclass(frozen=True, eq=False)
class Raised:
    """An exception to raise, and where the user raised it.

    Attributes:
        error: the exception; each run raises a copy of it where it can be copied.
        origin: the position of the `raise`, if it is known.
    """

    error: BaseException
    origin: Origin | None = None

    def again(self) -> BaseException:
        """Return the exception for one more run."""
        error = _copied(self.error)
        notes, place = getattr(self.error, "__notes__", []), f"  at {self.origin}"
        if self.origin is not None and place not in notes:
            # Said here, since the node stands where the branch does, not where the `raise` does.
            error.__notes__ = [*notes, place]
            error._located = True  # type: ignore[attr-defined]
        return error.with_traceback(None)

    def __repr__(self) -> str:
        return repr(self.error)


def raise_error(error: BaseException, origin: Origin | None = None) -> None:
    """Raise `error` now, or in a graph whenever this point is reached.

    Args:
        error: the exception; its class, arguments and attributes are kept.
        origin: where the user raised it.

    >>> raise_error(KeyError("k"))
    Traceback (most recent call last):
    KeyError: 'k'
    """
    apply(RAISE, (), exception=Raised(error, origin))


def _copied(error: BaseException) -> BaseException:
    """Return a copy of an exception, or the same where its class does not let itself be copied."""
    try:
        again = copy.copy(error)
    except Exception:
        return error
    if type(again) is not type(error) or again.args != error.args:
        return error
    again.__cause__, again.__suppress_context__ = error.__cause__, error.__suppress_context__
    return again


def _raise_kernel(*, exception: Raised) -> tuple[()]:
    raise exception.again()


def _no_results(**attrs: Any) -> tuple[()]:
    return ()


RAISE = define(
    "raise", _raise_kernel, _no_results, effects="io", lower={"graphdef": "Assert"}, n_outputs=0
)
