"""The report of a conversion: the outcome of each construct, recorded by the converters."""

from __future__ import annotations

from typing import Any, NamedTuple

from autograph.converters.constructs import (
    Construct,
    ConstructOutcome,
    Key,
    OutcomeAndReason,
    constructs_of,
    default_outcome,
    key_of,
)
from autograph.errors import ConversionError
from autograph.syntax.origin import SourceSpan
from autograph.syntax.tree import walk

# For code that is written out twice, the worst outcome counts.
_WORST = tuple(ConstructOutcome[name] for name in ("PYTHON", "NOTE", "CALL", "STAGED"))


class Entry(NamedTuple):
    """The outcome of one construct.

    Attributes:
        construct: its name; a keyword of Python in backquotes.
        outcome: the outcome.
        reason: the reason why Python runs it, a clause about "it"; empty if it was converted.
        origin: its position in the user's source.
    """

    construct: str
    outcome: ConstructOutcome
    reason: str
    origin: SourceSpan

    @property
    def line(self) -> int:
        """Its first line."""
        return self.origin.line

    def __str__(self) -> str:
        if self.outcome is ConstructOutcome.PYTHON:
            return f"{self.construct} stays Python: {self.reason}"
        return f"{self.construct}: {self.reason or self.outcome.value}"


class Report:
    """The outcomes of one conversion.

    It is made of the user's tree before the conversion. Outcomes of synthetic nodes are ignored.

    Args:
        source: the source, a `syntax.source.FunctionSource`.
    """

    def __init__(self, source: Any) -> None:
        self._source = source
        self._constructs = constructs_of(source.node, tuple(source.lines))
        self._reported: dict[Key, OutcomeAndReason] = {}

    def note(self, node: Any, outcome: ConstructOutcome, reason: str = "") -> None:
        """Record the outcome of a node."""
        key = key_of(node)
        if key is None or key not in self._constructs:
            return
        known = self._reported.get(key)
        if known is None or _WORST.index(outcome) < _WORST.index(known[0]):
            self._reported[key] = (outcome, reason)

    def entries(self, tree: Any) -> tuple[Entry, ...]:
        """Return the rows in source order; `tree` is the converted function."""
        left = {key_of(node) for node in walk(tree)}
        rows = []
        for key, construct in self._constructs.items():
            outcome = self._reported.get(key) or default_outcome(construct, key in left)
            if outcome is not None:
                rows.append(Entry(construct.quoted, *outcome, self._origin(construct)))
        return tuple(sorted(rows, key=lambda row: (row.line, row.origin.column or 0)))

    def _origin(self, construct: Construct) -> SourceSpan:
        source = self._source
        kind, line, column, end_line, end_column = construct.key
        text = source.lines[line - 1].rstrip("\r\n") if line <= len(source.lines) else ""
        return SourceSpan(source.filename, line, source.name, column, end_line, end_column, text)


def refuse_kept(entries: tuple[Entry, ...]) -> None:
    """Raise an error at the first construct that stays Python, if there is one.

    Raises:
        ConversionError: a construct stays Python; the message has the reason, and the lines of the
            others.
    """
    kept = [entry for entry in entries if entry.outcome is ConstructOutcome.PYTHON]
    if kept:
        others = _others([entry.line for entry in kept[1:]])
        raise ConversionError(f"strict: this {kept[0]}{others}", kept[0].origin)


def _others(lines: list[int]) -> str:
    if not lines:
        return ""
    where = list(dict.fromkeys(lines))
    verb = "stays" if len(lines) == 1 else "stay"
    noun = "line" if len(where) == 1 else "lines"
    return f"; {len(lines)} more {verb} Python ({noun} {', '.join(map(str, where))})"
