"""The stages of one call, printed one after the other: source, converted code, graph, result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.cli.listing import listing_of
from autograph.cli.style import Style
from autograph.function.function import Function


class Stages:
    """A function on its way from text to result.

    Args:
        function: what is called.
        python_function: the plain function in it.
    """

    def __init__(self, function: Function, python_function: Callable[..., Any]) -> None:
        self._function = function
        self._python_function = python_function

    def show(self, args: Sequence[Any], kwargs: Mapping[str, Any], style: Style) -> Any:
        """Print every stage of a call and return its result."""
        listing = listing_of(self._python_function)
        _section(style, "source", listing.source_text)
        _section(style, "converted code", listing.code)
        concrete = self._function.get_concrete_function(*args, **kwargs)
        _section(style, "trace key", concrete.call_text())
        _section(style, "graph", concrete.graph.as_text(origins=True).rstrip())
        result = self._function(*args, **kwargs)
        _section(style, "result", str(result))
        return result


def _section(style: Style, title: str, text: str) -> None:
    print(style.heading(title))
    print(f"{text}\n")
