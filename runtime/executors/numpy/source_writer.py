"""Writes the lines of a printed function, each with its node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from runtime.graph.node import Node

_INDENT = "    "


class PrintedNode(NamedTuple):
    """The node of a line, its operands as texts, and whether its kernel is called."""

    node: Node
    operands: Sequence[str]
    by_kernel: bool = False


@dataclass
class SourceLine:
    """One line, how far it is indented, and what it is for."""

    depth: int
    text: str
    place: PrintedNode | None


class SourceLines:
    """Lines that are being written."""

    def __init__(self) -> None:
        self.lines: list[SourceLine] = []
        self.depth = 1
        self._level = 1

    @property
    def is_straight(self) -> bool:
        """True where the next line runs once in each call of the function it is in."""
        return self.depth == self._level

    def add(self, text: str, place: PrintedNode | None = None) -> None:
        """Write a line."""
        self.lines.append(SourceLine(self.depth, text, place))

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Write the lines of a block; one without lines gets `pass`."""
        count = len(self.lines)
        self.depth += 1
        yield
        if len(self.lines) == count:
            self.add("pass")
        self.depth -= 1

    @contextmanager
    def function(self, header: str) -> Iterator[None]:
        """Write the lines of a function inside of this one."""
        self.add(header)
        before, self._level = self._level, self.depth + 1
        with self.indented():
            yield
        self._level = before

    def text(self, header: Sequence[str]) -> tuple[str, dict[int, PrintedNode]]:
        """Return all as one text, and the places of its lines by their numbers."""
        written = list(header)
        places: dict[int, PrintedNode] = {}
        for line in self.lines:
            written.append(f"{_INDENT * line.depth}{line.text}")
            if line.place is not None:
                places[len(written)] = line.place
        return "\n".join(written) + "\n", places
