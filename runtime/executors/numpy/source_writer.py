"""Writes the lines of a printed function, each with its node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from runtime.graph.node import Node

_INDENT = "    "


class PrintedNode(NamedTuple):
    """The node of a line, the texts of its operands, and whether the line calls its kernel."""

    node: Node
    operands: Sequence[str]
    by_kernel: bool = False


@dataclass(eq=False, repr=False)
class SourceLine:
    """One line: its indentation, its text, and its node."""

    depth: int
    text: str
    printed_node: PrintedNode | None


class FunctionSourceWriter:
    """The lines of a function so far."""

    def __init__(self) -> None:
        self.lines: list[SourceLine] = []
        self.depth = 1
        self._level = 1

    @property
    def is_straight(self) -> bool:
        """True if the next line runs exactly once per call of the function around it."""
        return self.depth == self._level

    def add(self, text: str, printed_node: PrintedNode | None = None) -> None:
        """Append a line."""
        self.lines.append(SourceLine(self.depth, text, printed_node))

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Indent the lines added inside; an empty block gets `pass`."""
        count = len(self.lines)
        self.depth += 1
        yield
        if len(self.lines) == count:
            self.add("pass")
        self.depth -= 1

    @contextmanager
    def function(self, header: str) -> Iterator[None]:
        """Add a nested function, whose body is added inside."""
        self.add(header)
        before, self._level = self._level, self.depth + 1
        with self.indented():
            yield
        self._level = before

    def text(self, header: Sequence[str]) -> tuple[str, dict[int, PrintedNode]]:
        """Return the source text, and the nodes of its lines by line number."""
        written = list(header)
        nodes: dict[int, PrintedNode] = {}
        for line in self.lines:
            written.append(f"{_INDENT * line.depth}{line.text}")
            if line.printed_node is not None:
                nodes[len(written)] = line.printed_node
        return "\n".join(written) + "\n", nodes
