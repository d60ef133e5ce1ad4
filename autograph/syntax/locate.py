"""Finds the definition that a code object was compiled from, in the tree of its file."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from autograph.syntax.code_comparison import (
    count_same_positions,
    is_same_code,
    may_be_rewritten_from,
)
from autograph.syntax.recompile import (
    CONTEXTS,
    Compiled,
    DefinitionCandidate,
    Step,
    compiled_in,
    first_line,
    ignoring_compiler_warnings,
    indexed_children,
)

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(eq=False, repr=False)
class SourceFile:
    """A parsed file.

    Attributes:
        filename: the name of the file.
        raw_text: the text of the file.
        text: the text with `\\n` as the end of each line.
        lines: the lines of the text.
        tree: the tree; None if the text has a syntax error.
        compiled: a cache of the code objects that were compiled from the tree.
    """

    filename: str
    raw_text: str
    text: str
    lines: tuple[str, ...]
    tree: ast.Module | None
    compiled: Compiled = field(default_factory=dict)

    @classmethod
    def read(cls, filename: str, raw_text: str) -> SourceFile:
        """Return the parsed file; `\\r\\n` and `\\r` end lines, as they do for Python."""
        text = raw_text.replace("\r\n", "\n").replace("\r", "\n")
        try:
            with ignoring_compiler_warnings():
                tree = ast.parse(text, filename)
        except (SyntaxError, ValueError):
            tree = None
        return cls(filename, raw_text, text, tuple(text.split("\n")), tree)


class FoundDefinition(NamedTuple):
    """A definition in a file, and the innermost class around it."""

    node: Any
    class_name: str | None


def find_definition(
    file: SourceFile, code: types.CodeType, flags: int, rewritten: bool
) -> FoundDefinition | None:
    """Return the definition in `file` that compiles to `code`, or None.

    Args:
        file: the file that the code names.
        code: the code of a function.
        flags: the `__future__` flags that the file was compiled with.
        rewritten: whether an import hook may have added code to the file.

    Raises:
        RecursionError: the definition nests too deeply for Python's stack.
    """
    if file.tree is None:
        return None
    candidates = list(_candidates(file.tree, code, pruned=True))
    candidates = candidates or list(_candidates(file.tree, code, pruned=False))
    for context in CONTEXTS:
        compiled = compiled_in(context, file.filename, candidates, flags, file.compiled)
        matching = [pair for pair in compiled if is_same_code(code, pair[1])]
        if not matching and rewritten:
            matching = [pair for pair in compiled if may_be_rewritten_from(code, pair[1])]
        if matching:
            best = _best_of(matching, code)
            return FoundDefinition(best.node, _class_around(best))
    return None


def _best_of(
    matching: list[tuple[DefinitionCandidate, types.CodeType]], code: types.CodeType
) -> DefinitionCandidate:
    """Return the candidate that has the most instructions at the same positions as `code`."""
    if len(matching) == 1:
        return matching[0][0]
    return max(matching, key=lambda pair: count_same_positions(code, pair[1]))[0]


def _candidates(
    tree: ast.Module, code: types.CodeType, pruned: bool
) -> Iterator[DefinitionCandidate]:
    """Yield the definitions of the kind, name and line that the code has.

    If `pruned`, only nodes that span the line are searched. Python before 3.12 gives wrong
    positions to nodes in an f-string, so that a search of all nodes may be needed after it.
    """
    stack: list[tuple[ast.AST, tuple[Step, ...]]] = [(tree, ())]
    while stack:
        node, path = stack.pop()
        if _is_definition_of(node, code):
            yield DefinitionCandidate(node, path)
        # In reverse, so that they come off the stack in source order.
        for name, index, child in reversed(indexed_children(node)):
            if not pruned or _spans(child, code.co_firstlineno):
                stack.append((child, (*path, (node, name, index))))


def _spans(node: Any, line: int) -> bool:
    end = getattr(node, "end_lineno", None)
    return end is None or first_line(node) <= line <= end


def _is_definition_of(node: Any, code: types.CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        return code.co_name == "<lambda>" and node.lineno == code.co_firstlineno
    if isinstance(node, _DEFINITIONS):
        return node.name == code.co_name and first_line(node) == code.co_firstlineno
    return False


def _class_around(candidate: DefinitionCandidate) -> str | None:
    """Return the innermost class with the candidate in its body, or in its head if generic."""
    for node, name, _ in reversed(candidate.path):
        if isinstance(node, ast.ClassDef):
            generic_head = name != "decorator_list" and getattr(node, "type_params", None)
            if name == "body" or generic_head:
                return node.name
    return None
