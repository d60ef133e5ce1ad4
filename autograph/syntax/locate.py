"""Finds the definition that a code object was compiled from, in the tree of its file."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from autograph.syntax.code_comparison import (
    count_same_positions,
    is_same_code,
    may_be_rewritten_from,
)
from autograph.syntax.recompile import (
    CONTEXTS,
    Candidate,
    Compiled,
    Step,
    compiled_in,
    first_line,
    ignoring_compiler_warnings,
    indexed_children,
)

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A parsed file: the text as given, its lines, and the tree, None if it does not parse.

    `compiled` caches the code objects compiled from it.
    """

    filename: str
    given: str
    text: str
    lines: tuple[str, ...]
    tree: ast.Module | None
    compiled: Compiled = field(default_factory=dict)

    @classmethod
    def read(cls, filename: str, given: str) -> SourceFile:
        """Parse a text; `\\r\\n` and `\\r` end lines as they do for Python."""
        text = given.replace("\r\n", "\n").replace("\r", "\n")
        try:
            with ignoring_compiler_warnings():
                tree = ast.parse(text, filename)
        except (SyntaxError, ValueError):
            tree = None
        return cls(filename, given, text, tuple(text.split("\n")), tree)


@dataclass(frozen=True, eq=False)
class FoundDefinition:
    """A definition in a file, and the innermost class around it."""

    node: Any
    class_name: str | None


def find(
    file: SourceFile, code: types.CodeType, flags: int, rewritten: bool
) -> FoundDefinition | None:
    """Return the definition in `file` that compiles to `code`, or None.

    Args:
        file: the file the code says it is from.
        code: a function's code.
        flags: the `__future__` flags the file was compiled with.
        rewritten: whether an import hook may have added to the code of the file.

    Raises RecursionError when the definition nests too deeply for Python's stack.
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
            best = _nearest(matching, code)
            return FoundDefinition(best.node, _class_around(best))
    return None


def _nearest(matching: list[tuple[Candidate, types.CodeType]], code: types.CodeType) -> Candidate:
    """Return the candidate most of whose instructions stand where those of `code` do."""
    if len(matching) == 1:
        return matching[0][0]
    return max(matching, key=lambda pair: count_same_positions(code, pair[1]))[0]


def _candidates(tree: ast.Module, code: types.CodeType, pruned: bool) -> Iterator[Candidate]:
    """Yield the definitions of the right kind, name and line.

    Pruned, only statements and expressions that reach over the line are entered. Python before
    3.12 misplaces what is in an f-string, hence the second try without.
    """
    stack: list[tuple[ast.AST, tuple[Step, ...]]] = [(tree, ())]
    while stack:
        node, path = stack.pop()
        if _is_definition_of(node, code):
            yield Candidate(node, path)
        # Last first: popped from the stack they come in source order.
        for name, index, child in reversed(indexed_children(node)):
            if not pruned or _reaches(child, code.co_firstlineno):
                stack.append((child, (*path, (node, name, index))))


def _reaches(node: Any, line: int) -> bool:
    end = getattr(node, "end_lineno", None)
    return end is None or first_line(node) <= line <= end


def _is_definition_of(node: Any, code: types.CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        return code.co_name == "<lambda>" and node.lineno == code.co_firstlineno
    if isinstance(node, _DEFINITIONS):
        return node.name == code.co_name and first_line(node) == code.co_firstlineno
    return False


def _class_around(candidate: Candidate) -> str | None:
    """Return the innermost class whose body (or, if generic, whose head) holds the candidate."""
    for node, name, _ in reversed(candidate.path):
        if isinstance(node, ast.ClassDef):
            generic_head = name != "decorator_list" and getattr(node, "type_params", None)
            if name == "body" or generic_head:
                return node.name
    return None
