"""Speculative staging, which is undone if it fails, since there is another way.

The rest of a long Python loop becomes a loop of the graph if it can, and is unrolled if it cannot.
So no check in which the two differ may be left to run time.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import runtime as rt
from autograph.backends.graph.state.alias_state import alias_snapshot, roll_back_aliases
from autograph.errors import AutographError
from runtime.ops.effects.checks import refuse

# Errors of Python's functions that are given a tensor in place of a number.
_OF_A_TENSOR = (TypeError, AttributeError)
_DEPTH: ContextVar[int] = ContextVar("trials", default=0)


class speculating:
    """Stage on an assumption; discard the errors and alias records if it fails.

    Attributes:
        succeeded: whether the block has ended without an error.
    """

    succeeded = False

    def __enter__(self) -> speculating:
        self._token, self._noted = _DEPTH.set(_DEPTH.get() + 1), alias_snapshot()
        return self

    def __exit__(self, kind: object, error: BaseException | None, place: object) -> bool:
        _DEPTH.reset(self._token)
        self.succeeded = error is None
        if not self.succeeded:
            roll_back_aliases(self._noted)
        return isinstance(error, (AutographError, rt.errors.OpError, *_OF_A_TENSOR))


def is_speculating() -> bool:
    """Return whether the staging is speculative.

    >>> is_speculating()
    False
    """
    return _DEPTH.get() > 0


def ends_speculation(error: BaseException) -> bool:
    """Return whether an exception ends the speculation."""
    return _DEPTH.get() > 0 and isinstance(error, _OF_A_TENSOR)


def refuse_at_run_time(allowed: Any, kind: type[AutographError], message: str) -> None:
    """Record an error of this package, raised at run time if `allowed` is false.

    No handler of the program catches it.

    Raises:
        AutographError: at once, if the staging is speculative.
    """
    if _DEPTH.get():
        raise kind(message)
    refuse(allowed, kind, message)
