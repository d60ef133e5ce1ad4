"""Completes the messages of errors that nothing catches, before Python shows them."""

from __future__ import annotations

import contextlib
import sys
from types import TracebackType

from runtime.core.lazy_imports import lazy_import

_complete_message = lazy_import("runtime.core.keyword_suggestions:complete_message")


def complete_uncaught_errors() -> None:
    """Have `sys.excepthook` complete a TypeError by the keyword that is meant, then show it."""
    before = sys.excepthook

    def show(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        if kind is TypeError:
            with contextlib.suppress(Exception):  # the error itself is what has to be shown
                _complete_message(error)
        before(kind, error, traceback)

    sys.excepthook = show
