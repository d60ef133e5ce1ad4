"""What the backend of `runtime` tensors answers about texts with values of the run in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograph.backends.graph.functions.joined_texts import print_text, together
from autograph.backends.graph.functions.percents import percent
from autograph.backends.graph.functions.sized_texts import SizedText, formatted
from autograph.backends.graph.functions.strings import (
    joined,
    text_of,
    without_names,
)
from runtime.ops.python.string_methods import methods_of_text


class TextAnswers:
    """Texts, formatted and printed, that are known when the graph runs."""

    def text(self, value: object) -> object:
        """Return what leaves a mark in a text that Python formats with it."""
        return text_of(value)

    def sized(self, value: object) -> object:
        """Return what takes a specification with values of the run in it, for one of Python's."""
        return SizedText(value)

    def joined(self, text: str, is_kept: bool = True) -> object:
        """Return a string tensor for a text with marks in it, made when the graph runs."""
        return joined(without_names(text) if is_kept else text)

    def text_method(self, text: str, name: str, args: Sequence[object]) -> object:
        """Return what a method of a text gives for arguments that only the run knows.

        Raises:
            MissingMethodError: if that is no text, number or truth value.
        """
        return methods_of_text(text, name)(*args)

    def percent(self, template: str, values: object) -> object:
        """Return `template % values` as a string tensor."""
        return percent(template, values)

    def formatted(
        self, template: str, args: tuple[object, ...], kwargs: Mapping[str, object]
    ) -> object:
        """Return `template.format(*args, **kwargs)` as a string tensor."""
        return formatted(template, args, kwargs)

    def print_(self, values: Sequence[object], options: Mapping[str, object]) -> None:
        """Record that `print(*values, **options)` prints when the graph runs."""
        print_text(values, **options)  # type: ignore[arg-type]

    def together(self, separator: str, parts: Sequence[object]) -> object:
        """Return `separator.join(parts)` as a string tensor."""
        return together(separator, parts)
