"""Formats the output of the command line: colours on a terminal, and two columns."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TextIO

_MOST_COLUMNS = 100
_CODES = {
    "title": "1",
    "note": "2",
    "good": "32",
    "bad": "31",
    "name": "36",
    "keyword": "35",
    "string": "33",
}


@dataclass(frozen=True)
class Style:
    """The format for a stream: colours and width.

    Attributes:
        colours: whether it supports escape sequences.
        columns: the largest width of a line.
    """

    colours: bool
    columns: int

    @staticmethod
    def of(stream: TextIO | None = None) -> Style:
        """Return the format for a stream, by default standard output."""
        stream = sys.stdout if stream is None else stream
        columns = shutil.get_terminal_size((_MOST_COLUMNS, 24)).columns
        return Style(_has_colours(stream), min(columns, _MOST_COLUMNS))

    def paint(self, text: str, role: str) -> str:
        """Return the text in the colour of its role.

        Args:
            role: title, note, good, bad, name, keyword or string.

        >>> Style(False, 80).paint("done", "good")
        'done'
        """
        return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if self.colours else text

    def heading(self, text: str) -> str:
        """Return the first line of a section."""
        rule = "-" * max(0, self.columns - len(text) - 4)
        return f"{self.paint('--', 'note')} {self.paint(text, 'title')} {self.paint(rule, 'note')}"


def _has_colours(stream: TextIO) -> bool:
    """Return whether a stream gets escape sequences; an empty variable is as good as none."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    # Consoles of Windows show the sequences only where a newer terminal, which says so, has them.
    is_bare_console = sys.platform == "win32" and "WT_SESSION" not in os.environ
    return stream.isatty() and os.environ.get("TERM") != "dumb" and not is_bare_console


# -- two columns -----------------------------------------------------------------------------------


_SEPARATOR = " | "
_NARROWEST = 20


def side_by_side(rows: Iterable[tuple[str, str]], columns: int) -> Iterator[str]:
    """Yield pairs of lines in two columns; a line too long for its column continues below.

    Args:
        rows: pairs of a left and a right line.
        columns: the width of the terminal.

    Example:
        >>> for line in side_by_side([("x = 1", "y"), ("", "z")], 40):
        ...     print(line)
        x = 1 | y
              | z
    """
    pairs = list(rows)
    left, right = _widths(pairs, columns - len(_SEPARATOR))
    for first, second in pairs:
        firsts, seconds = wrap(first, left), wrap(second, right)
        for at in range(max(len(firsts), len(seconds))):
            start = firsts[at] if at < len(firsts) else ""
            rest = seconds[at] if at < len(seconds) else ""
            yield f"{start:<{left}}{_SEPARATOR}{rest}".rstrip()


def _widths(pairs: list[tuple[str, str]], columns: int) -> tuple[int, int]:
    """Return the widths of the columns: that of the left one is at most two fifths."""
    needed = max((len(first) for first, _ in pairs), default=0)
    left = max(min(needed, columns * 2 // 5), min(needed, _NARROWEST))
    return left, max(columns - left, _NARROWEST)


def wrap(line: str, width: int) -> list[str]:
    """Split a line at spaces into pieces of a width; all but the first are indented further.

    >>> wrap("f(a, b)", 5)
    ['f(a,', '  b)']
    """
    pieces = []
    indent = " " * min(len(line) - len(line.lstrip()) + 4, width // 2)
    while len(line) > width:
        cut = line.rfind(" ", len(indent) + 1, width + 1)
        cut = width if cut <= 0 else cut
        pieces.append(line[:cut].rstrip())
        line = indent + line[cut:].lstrip()
    return [*pieces, line]
