"""Functions that look at the exception which is handled where they are called."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from autograph.backends.protocol import Backends

# What writes down the exception that is handled, by module and name.
WRITING = tuple(
    ("traceback", name)
    for name in ("format_exc", "format_exception", "print_exc", "print_exception", "print_last")
)


class Handled:
    """Answers for such functions.

    Args:
        backends: who may own the exception: it is one of several, and a run knows which.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends

    def exc_info(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> object:
        """Return `sys.exc_info()`."""
        kind, value, traceback = sys.exc_info(*args, **kwargs)
        backend = self._backends.of(value)
        if backend is not None:
            kind = backend.builtin("type", (value,), {})  # type: ignore[assignment]
        return kind, value, traceback

    def written(self, function: Callable[..., object]) -> Callable[..., object]:
        """Return what is called in place of a function that writes the exception down."""

        def answer(*args: Any, **kwargs: Any) -> object:
            for each in (sys.exc_info()[1], *args, *kwargs.values()):
                backend = self._backends.of(each)
                if backend is not None and isinstance(each, BaseException):
                    raise backend.refused_use(
                        f"{function.__module__}.{function.__name__}() writes down an exception "
                        "that is known only when the graph runs: take its text with str(error), "
                        "or its class with type(error).__name__"
                    )
            return function(*args, **kwargs)

        return answer
