"""Running converted functions in their traced version, which needs a recorder.

Nothing the tests do here records anything: the values are Python's, and their meaning must be too.
"""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable
from typing import Any

from autograph.backends.python import PythonBackend
from runtime.graph.graph import Graph


class Active(PythonBackend):
    """A backend that always records, and owns the given types."""

    name = "active"

    def __init__(self, *types: type) -> None:
        self._types = types

    def owned_types(self) -> tuple[type, ...]:
        return self._types


def recorded(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return `fn(*args, **kwargs)`, called while a graph is recorded."""
    with Graph("probe").recording():
        return fn(*args, **kwargs)


def from_text(text: str) -> dict[str, Any]:
    """Run a module's text, giving linecache its lines, as a notebook does; return its names."""
    filename = f"<text {next(_NUMBERS)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space: dict[str, Any] = {"__name__": "a_text"}
    exec(compile(text, filename, "exec", dont_inherit=True), space)
    return space


_NUMBERS = itertools.count()
