"""A function beside its converted form, every converted line knowing the line it stems from.

def relu(x):        | def tf__relu(x):
    if x > 0:       |     ...
        return x    |             retval_ = ag__.ld(x)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from autograph.conversion.explanation import definition_lines
from autograph.conversion.to_code import code_text
from autograph.converters.pipeline import convert_function
from autograph.options import ConversionOptions
from autograph.syntax import FunctionSource, source_of, walk

Names = Mapping[str, object]


@dataclass(frozen=True)
class Listing:
    """Source and converted code of one function.

    Attributes:
        source: the user's lines.
        first_line: the number, in the user's file, of the first of them.
        converted: the lines of the converted form.
        origins: for each converted line the number of the user's line it stems from.
    """

    source: tuple[str, ...]
    first_line: int
    converted: tuple[str, ...]
    origins: tuple[int, ...]

    @property
    def code(self) -> str:
        """The converted form as text."""
        return "\n".join(self.converted)

    @property
    def source_text(self) -> str:
        """The source as text."""
        return "\n".join(self.source)

    def rows(self) -> Iterator[tuple[str, str]]:
        """Pair the lines: a source line stands beside the first line that stems from it."""
        shown = 0
        for line, origin in zip(self.converted, self.origins):
            wanted = min(origin - self.first_line + 1, len(self.source))
            while shown < wanted - 1:
                yield self.source[shown], ""
                shown += 1
            if shown < wanted:
                yield self.source[shown], line
                shown += 1
            else:
                yield "", line
        for line in self.source[shown:]:
            yield line, ""


def listing_of(python_function: Any) -> Listing:
    """Convert a function and keep track of lines.

    Raises:
        SourceError: the source cannot be found.
        ConversionError: it cannot be converted.
    """
    trees: list[Any] = []

    def keep(source: FunctionSource, options: ConversionOptions, names: Names) -> Any:
        trees.append(convert_function(source, options, names))
        return trees[-1]

    text = code_text(python_function, ConversionOptions(user_requested=True), keep)
    converted = tuple(text.rstrip("\n").split("\n"))
    first, lines = definition_lines(source_of(python_function))
    return Listing(lines, first, converted, _origins(text, len(converted), trees[0], first))


def _origins(text: str, count: int, tree: Any, first: int) -> tuple[int, ...]:
    """Find the line each printed line stems from; lines that start no statement follow the last."""
    starts = dict(_statement_lines(text, tree))
    origins = []
    current = first
    for number in range(1, count + 1):
        current = starts.get(number, current)
        origins.append(current)
    return tuple(origins)


def _statement_lines(text: str, tree: Any) -> Iterator[tuple[int, int]]:
    """Pair the statements of the printed text with those of the tree it was printed from."""
    printed = [node for node in _in_order(ast.parse(text)) if isinstance(node, ast.stmt)]
    made = [node for node in walk(tree) if hasattr(node, "lineno") and _is_statement(node)]
    if len(printed) != len(made):
        return
    for shown, node in zip(printed, made):
        yield shown.lineno, node.lineno


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        yield child
        yield from _in_order(child)


def _is_statement(node: Any) -> bool:
    return any(base.__name__ == "stmt" for base in type(node).__mro__)
