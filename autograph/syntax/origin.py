"""Origins: the file, line and column of a node in the user's source, and their printed form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from autograph.syntax.tree import POSITIONS, walk
from runtime.core.lazy_imports import lazy_import
from runtime.core.source_names import line_name

_combining = lazy_import("unicodedata:combining")
_east_asian_width = lazy_import("unicodedata:east_asian_width")

Tree = TypeVar("Tree")


class OriginSource(Protocol):
    """The parts of a `source.FunctionSource` that the origin of a node is made of."""

    @property
    def filename(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def lines(self) -> Sequence[str]: ...


class SourceSpan(NamedTuple):
    """A span of the user's source.

    The first line has number 1; a column is an offset into the UTF-8 bytes of a line, as in `ast`.
    `text` is the first line of the span, and `function` the name of the function that has the code.

    >>> print(SourceSpan("m.py", 3, "f", 4, 3, 9, "    x = 1").describe())
    at m.py:3, in f
      x = 1
      ^^^^^
    """

    filename: str
    line: int
    function: str
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    text: str = ""

    def describe(self) -> str:
        """Return `at FILE:LINE, in FUNCTION`, and the line with carets if its text is known."""
        place = f"at {line_name(self.filename, self.line)}, in {self.function}"
        shown = caret(self)
        return f"{place}\n{_indented(shown)}" if shown else place


def caret(origin: SourceSpan) -> str:
    """Return the first line of a span, and carets under the span, both without indentation.

    The result is empty if the text is not known.
    """
    text = origin.text.rstrip()
    stripped = text.lstrip()
    if not stripped:
        return ""
    if origin.column is None:
        return stripped
    indentation = len(text) - len(stripped)
    start, end = _span(origin, text, indentation)
    padding = _padding(text[indentation:start])
    return f"{stripped}\n{padding}{'^' * max(1, _width(text[start:end]))}"


def origin_of(node: Any, source: OriginSource) -> SourceSpan | None:
    """Return the origin of a node, or None for a node without a position."""
    line = getattr(node, "lineno", None)
    if line is None:
        return None
    text = source.lines[line - 1] if 0 < line <= len(source.lines) else ""
    column, end_line, end_column = (getattr(node, name, None) for name in POSITIONS[1:])
    return SourceSpan(
        source.filename, line, source.name, column, end_line, end_column, text.rstrip("\r\n")
    )


def segment_of(node: Any, source: OriginSource) -> str:
    """Return the source text of a node; empty if the node lacks a part of its position."""
    if any(getattr(node, name, None) is None for name in POSITIONS):
        return ""
    lines = list(source.lines[node.lineno - 1 : node.end_lineno])
    if node.lineno < 1 or not lines:
        return ""
    lines[-1] = lines[-1][: _characters(lines[-1], node.end_col_offset)]
    lines[0] = lines[0][_characters(lines[0], node.col_offset) :]
    return "\n".join(lines)


def copy_origin(source_node: Any, target_tree: Tree) -> Tree:
    """Give the position of `source_node`, if it has one, to those nodes of a tree that have none.

    The tree (a node or a list of nodes) is changed in place, and returned.
    """
    position = position_of(source_node)
    if position is None:
        return target_tree
    for node in walk(target_tree):
        if "lineno" in node._attributes and getattr(node, "lineno", None) is None:
            node.__dict__.update(position)
    return target_tree


def position_of(node: Any) -> dict[str, int] | None:
    """Return the four position attributes of a node; None if it has no line.

    A missing end is that of an empty span: CPython refuses a span that ends before its start.
    """
    given = getattr(node, "__dict__", {})
    line, column = given.get("lineno"), given.get("col_offset") or 0
    if line is None:
        return None
    end_line, end_column = given.get("end_lineno"), given.get("end_col_offset")
    if end_line is None or end_column is None:
        end_line, end_column = line, column
    return {
        "lineno": line,
        "col_offset": column,
        "end_lineno": end_line,
        "end_col_offset": end_column,
    }


def _span(origin: SourceSpan, text: str, indentation: int) -> tuple[int, int]:
    start = max(_characters(text, origin.column or 0), indentation)
    if origin.end_line != origin.line or origin.end_column is None:
        return start, len(text)
    return start, max(start, min(_characters(text, origin.end_column), len(text)))


def _characters(text: str, column: int) -> int:
    if text.isascii():
        return min(column, len(text))
    return len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace"))


def _padding(text: str) -> str:
    """Return white space of the same width as `text`, with the same tabs."""
    return "".join("\t" if c == "\t" else " " * _width(c) for c in text)


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if _combining(character):
        return 0
    return 2 if _east_asian_width(character) in "WF" else 1


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))
