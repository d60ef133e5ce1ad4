"""How the command line looks: colours where a terminal shows them, plain text elsewhere."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import TextIO

_MOST_COLUMNS = 100
_CODES = {"title": "1", "note": "2", "good": "32", "bad": "31", "name": "36"}


@dataclass(frozen=True)
class Style:
    """What a stream can show.

    Attributes:
        colours: whether escape sequences are understood.
        columns: how wide a line may be.
    """

    colours: bool
    columns: int

    @staticmethod
    def of(stream: TextIO | None = None) -> Style:
        """Find out what a stream, by default standard output, can show."""
        stream = sys.stdout if stream is None else stream
        colours = stream.isatty() and "NO_COLOR" not in os.environ
        columns = shutil.get_terminal_size((_MOST_COLUMNS, 24)).columns
        return Style(colours, min(columns, _MOST_COLUMNS))

    def paint(self, text: str, role: str) -> str:
        """Return the text in the colour of its role: title, note, good, bad or name.

        >>> Style(False, 80).paint("done", "good")
        'done'
        """
        return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if self.colours else text

    def heading(self, text: str) -> str:
        """Return a line that opens a section."""
        rule = "-" * max(0, self.columns - len(text) - 4)
        return f"{self.paint('--', 'note')} {self.paint(text, 'title')} {self.paint(rule, 'note')}"
