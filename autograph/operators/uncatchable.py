"""A `try` of Python's own while a graph is recorded, as generated code tells of it.

Its handlers see what is raised while tracing, and not what a run raises: a backend refuses that.
No such refusal is caught by the program, whatever its handlers catch.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from contextvars import ContextVar
from types import TracebackType
from typing import Any

from autograph.backends.protocol import Backends
from autograph.errors import AutographError

_WHAT = {
    "star": "`except*` catches what is raised while the function is traced, and this may be raised "
    "when the graph runs: write `except` in place of `except*`, or raise outside of the `try`",
    "yield": "a `try` with a `yield` or `await` in it catches what is raised while the function is "
    "traced, and this may be raised when the graph runs: write a `try` of its own around this, "
    "without the `yield`",
}
# The refusals met in the body of each statement that is open, innermost last.
_REFUSED: ContextVar[tuple[list[AutographError], ...]] = ContextVar("refused", default=())


class UnseenErrors:
    """The words for that.

    Args:
        backends: the first of them that stages anything refuses.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends.backends
        self.refusals = _Refusals()

    def unseen(self, kinds: Callable[[], tuple[Any, ...]], what: str) -> Any:
        """Return what stands around statements whose handlers catch `kinds()` in Python alone."""
        backend = next((b for b in self._backends if b.active() and b.staging()), None)
        if backend is None:
            return nullcontext()
        return _Body(backend.unseen(kinds, _WHAT[what]))

    @staticmethod
    def pass_refusal() -> None:
        """Raise what is handled again if it is a refusal of something in the body."""
        error = sys.exc_info()[1]
        if isinstance(error, AutographError) and getattr(error, "_is_of_body", False):
            raise error


class _Body:
    """Takes down the refusals that leave a body."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __enter__(self) -> None:
        self._inner.__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._inner.__exit__(kind, error, traceback)
        if isinstance(error, AutographError):
            error.__dict__["_is_of_body"] = True
            for each in _REFUSED.get()[-1:]:
                each.append(error)


class _Refusals:
    """Stands around a statement, and raises the first refusal that was met in its body."""

    def __enter__(self) -> None:
        _REFUSED.set((*_REFUSED.get(), []))

    def __exit__(self, *error: object) -> None:
        *outer, own = _REFUSED.get()
        _REFUSED.set(tuple(outer))
        if own:
            raise own[0] from None
