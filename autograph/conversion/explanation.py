"""The explanation of a function: the outcome of its conversion, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from autograph.converters.constructs import ConstructOutcome
from autograph.converters.report import Entry
from autograph.syntax import FunctionSource
from autograph.syntax.origin import caret
from runtime.core.lazy_imports import lazy_import
from runtime.core.source_names import source_name

# The order of the outcomes of one line, the most important first.
_IN_MARGIN = tuple(ConstructOutcome[name] for name in ("PYTHON", "STAGED", "CALL", "NOTE"))
_ON_REQUEST = (
    "that is for calls from converted code: asked for by name, by `code`, `run` or ag.function, "
    "it is converted"
)


class Line(NamedTuple):
    """One line of the source with its outcomes.

    Attributes:
        number: the line number in the user's file.
        text: the line without the common indentation.
        entries: the constructs that begin there.
    """

    number: int
    text: str
    entries: tuple[Entry, ...]

    @property
    def margin(self) -> str:
        """The outcomes of the line, the most important one first."""
        outcomes = {entry.outcome for entry in self.entries}
        return " ".join(each.value for each in _IN_MARGIN if each in outcomes)

    @property
    def remarks(self) -> tuple[str, ...]:
        """For each construct that Python runs, carets below the text, and the reason."""
        indentation = self.text[: len(self.text) - len(self.text.lstrip())]
        return tuple(
            f"{indentation}{caret(entry.origin).split(chr(10))[-1]} {entry.reason}"
            for entry in self.entries
            if entry.reason
        )


class CalleeExplanation(NamedTuple):
    """The treatment of a function that converted code calls.

    Attributes:
        written: the callee as the user wrote it.
        line: the line of the first such call.
        is_converted: whether it is converted when it is called.
        reason: the reason, a clause about "it".
    """

    written: str
    line: int
    is_converted: bool
    reason: str

    @property
    def decision(self) -> str:
        """The decision as text."""
        return "converted" if self.is_converted else "left alone"


@dataclass(frozen=True, repr=False)
class Explanation:
    """The outcome of a function's conversion; `print` shows it beside the source.

    Attributes:
        name: the name of the function, in backquotes.
        is_converted: whether converted code that calls it converts it.
        reason: the reason, a clause about "it".
        filename: the file of its source; empty if there is nothing to show.
        lines: its source; empty if it cannot be converted, or is exempt.
        callees: the functions it calls, as far as known before it runs.
    """

    name: str
    is_converted: bool
    reason: str
    filename: str = ""
    lines: tuple[Line, ...] = ()
    callees: tuple[CalleeExplanation, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every construct with its outcome, in the order of the source."""
        return tuple(entry for line in self.lines for entry in line.entries)

    @property
    def kept(self) -> tuple[Entry, ...]:
        """The constructs that stay Python, for which `strict` refuses the function."""
        return tuple(entry for entry in self.entries if entry.outcome is ConstructOutcome.PYTHON)

    @property
    def heading(self) -> str:
        """The decision whether the function is converted, and the reason."""
        decision = "converted" if self.is_converted else "left alone"
        sentence = f"{self.name} is {decision}: {self.reason}"
        return f"{sentence}\n{_ON_REQUEST}" if self.lines and not self.is_converted else sentence

    @property
    def summary(self) -> str:
        """The number of parts that stay Python, as a clause."""
        count = len(self.kept)
        if not count:
            return "nothing in it stays Python"
        return f"{count} part{'s' * (count > 1)} of it stay{'s' * (count == 1)} Python"

    def __str__(self) -> str:
        return "\n".join(self._text())

    __repr__ = __str__
    _repr_html_ = lazy_import("autograph.display.reports:explanation_html")

    def _text(self) -> Iterator[str]:
        yield self.heading
        if self.lines:
            yield from ("", source_name(self.filename), *self._listing(), "", self.summary)
        if self.callees:
            yield from ("", "it calls", *self._calls())

    def _listing(self) -> Iterator[str]:
        digits = len(str(self.lines[-1].number))
        words = max(len(line.margin) for line in self.lines)
        for line in self.lines:
            yield f"{line.number:>{digits}}  {line.margin:<{words}}  {line.text}".rstrip()
            for remark in line.remarks:
                yield f"{'':{digits + words + 4}}{remark}"

    def _calls(self) -> Iterator[str]:
        width = max(len(callee.written) for callee in self.callees)
        for callee in self.callees:
            yield f"  {callee.written:<{width}}  {callee.decision}: {callee.reason}"


def lines_of(source: FunctionSource, entries: Iterable[Entry]) -> tuple[Line, ...]:
    """Return the lines of a function's definition with their outcomes.

    Args:
        source: the source of the function; its tree must not have been converted.
        entries: the report of its conversion.
    """
    by_line: dict[int, list[Entry]] = {}
    for entry in entries:
        by_line.setdefault(entry.line, []).append(entry)
    first, texts = definition_lines(source)
    return tuple(
        Line(number, text, tuple(by_line.get(number, ())))
        for number, text in enumerate(texts, first)
    )


def definition_lines(source: FunctionSource) -> tuple[int, tuple[str, ...]]:
    """Return the number of a definition's first line, decorators included, and its lines.

    The lines have no common indentation.
    """
    node: Any = source.node
    decorators = [each.lineno for each in getattr(node, "decorator_list", ())]
    first = min([node.lineno, *decorators])
    lines = source.lines[first - 1 : node.end_lineno]
    margin = min((len(x) - len(x.lstrip()) for x in lines if x.strip()), default=0)
    return first, tuple(line[margin:].rstrip() for line in lines)
