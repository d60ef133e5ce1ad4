"""Finding the definition a code object was compiled from, in the tree of its file."""

from __future__ import annotations

import ast
import copy
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .codes import count_same_positions, is_same_code, may_be_rewritten_from, nested_codes

# Statements whose inner ones still belong to the module's top level.
_BLOCKS = (ast.If, ast.Try, ast.With, ast.For, ast.While, ast.ExceptHandler)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

Step = tuple[ast.AST, str, int | None]


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A parsed file: the text as given, its lines, and the tree, None if it does not parse."""

    filename: str
    given: str
    text: str
    lines: tuple[str, ...]
    tree: ast.Module | None

    @classmethod
    def read(cls, filename: str, given: str) -> SourceFile:
        """Parse a text; `\\r\\n` and `\\r` end lines as they do for Python."""
        text = given.replace("\r\n", "\n").replace("\r", "\n")
        try:
            with _quiet():
                tree = ast.parse(text, filename)
        except (SyntaxError, ValueError):
            tree = None
        return cls(filename, given, text, tuple(text.split("\n")), tree)


@dataclass(frozen=True, eq=False)
class Found:
    """A definition in a file, and the innermost class around it."""

    node: Any
    class_name: str | None


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A definition with the way down to it: (parent, field, index or None), outermost first."""

    node: Any
    path: tuple[Step, ...]


def find(file: SourceFile, code: types.CodeType, flags: int, rewritten: bool) -> Found | None:
    """Return the definition in `file` that compiles to `code`, or None.

    Args:
        file: the file the code says it is from.
        code: a function's code.
        flags: the `__future__` flags the file was compiled with.
        rewritten: whether an import hook may have added to the code of the file.
    """
    if file.tree is None:
        return None
    candidates = list(_candidates(file.tree, code, pruned=True))
    candidates = candidates or list(_candidates(file.tree, code, pruned=False))
    for context in (_imports, _whole):
        compiled = _compiled(file, candidates, flags, context)
        matching = [pair for pair in compiled if is_same_code(code, pair[1])]
        if not matching and rewritten:
            matching = [pair for pair in compiled if may_be_rewritten_from(code, pair[1])]
        if matching:
            best = max(matching, key=lambda pair: count_same_positions(code, pair[1]))[0]
            return Found(best.node, _class_around(best))
    return None


def _candidates(tree: ast.Module, code: types.CodeType, pruned: bool) -> Iterator[_Candidate]:
    """Yield the definitions of the right kind, name and line.

    Pruned, only statements and expressions that reach over the line are entered. Python before
    3.12 misplaces what is in an f-string, hence the second try without.
    """
    stack: list[tuple[ast.AST, tuple[Step, ...]]] = [(tree, ())]
    while stack:
        node, path = stack.pop()
        if _is_definition_of(node, code):
            yield _Candidate(node, path)
        for field, index, child in _children(node):
            if not pruned or _reaches(child, code.co_firstlineno):
                stack.append((child, (*path, (node, field, index))))


def _children(node: ast.AST) -> list[tuple[str, int | None, ast.AST]]:
    """Return the child nodes, last first: popped from a stack they come in source order."""
    found: list[tuple[str, int | None, ast.AST]] = []
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, ast.AST):
            found.append((field, None, value))
        elif isinstance(value, list):
            found.extend((field, i, v) for i, v in enumerate(value) if isinstance(v, ast.AST))
    return found[::-1]


def _reaches(node: Any, line: int) -> bool:
    end = getattr(node, "end_lineno", None)
    return end is None or _first_line(node) <= line <= end


def _first_line(node: Any) -> int:
    decorators = getattr(node, "decorator_list", None)
    return int(decorators[0].lineno if decorators else node.lineno)


def _is_definition_of(node: Any, code: types.CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        return code.co_name == "<lambda>" and node.lineno == code.co_firstlineno
    if isinstance(node, _DEFINITIONS):
        return node.name == code.co_name and _first_line(node) == code.co_firstlineno
    return False


def _class_around(candidate: _Candidate) -> str | None:
    """Return the innermost class whose body (or, if generic, whose head) holds the candidate."""
    for node, field, _ in reversed(candidate.path):
        if isinstance(node, ast.ClassDef):
            generic_head = field != "decorator_list" and getattr(node, "type_params", None)
            if field == "body" or generic_head:
                return node.name
    return None


def _compiled(
    file: SourceFile,
    candidates: list[_Candidate],
    flags: int,
    context: Callable[[ast.Module, int, ast.stmt], list[ast.stmt]],
) -> list[tuple[_Candidate, types.CodeType]]:
    """Compile the top-level statement around each candidate; pair the candidate with its code."""
    # A line beyond the file's, to know the candidate's code by; not far, for Python 3.10 encodes
    # the way there in steps of 127.
    mark = len(file.lines) + 100
    pairs = []
    for candidate in candidates:
        index = candidate.path[0][2] or 0
        body = context(candidate.path[0][0], index, _marked(candidate, mark))  # type: ignore[arg-type]
        for code in _codes_of(file.filename, body, flags):
            if code.co_firstlineno == mark and code.co_name == _code_name(candidate.node):
                pairs.append((candidate, code))
                break
    return pairs


def _imports(module: ast.Module, index: int, statement: ast.stmt) -> list[ast.stmt]:
    """Return the module's imports and the statement, which is mostly enough to get the same code.

    From Python 3.11 on a call `x.f()` is compiled in another way when the module imports `x`.
    """
    found: list[ast.stmt] = []
    stack: list[ast.AST] = module.body[::-1]  # type: ignore[assignment]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.append(node)
        elif isinstance(node, _BLOCKS):
            stack.extend(child for _, _, child in _children(node))
    return [*found, statement]


def _whole(module: ast.Module, index: int, statement: ast.stmt) -> list[ast.stmt]:
    """Return the whole module; its top level may, for one, define a `super` of its own."""
    return [*module.body[:index], statement, *module.body[index + 1 :]]


def _codes_of(filename: str, body: list[ast.stmt], flags: int) -> Iterator[types.CodeType]:
    module = ast.Module(body=body, type_ignores=[])
    flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with _quiet():
            code = compile(module, filename, "exec", flags=flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return iter(())
    return nested_codes(code)


def _code_name(node: Any) -> str:
    return "<lambda>" if isinstance(node, ast.Lambda) else str(node.name)


def _marked(candidate: _Candidate, line: int) -> ast.stmt:
    """Return the top-level statement around a candidate with only the candidate's line changed.

    Nothing of the file's tree is touched: the nodes on the way down are copied.
    """
    node = copy.copy(candidate.node)
    if getattr(node, "decorator_list", None):
        node.decorator_list = [_moved(node.decorator_list[0], line), *node.decorator_list[1:]]
    node = _moved(node, line)
    for parent, field, index in reversed(candidate.path[1:]):
        parent = copy.copy(parent)
        setattr(parent, field, _replaced(getattr(parent, field), index, node))
        node = parent
    return node


def _moved(node: Any, line: int) -> Any:
    node = copy.copy(node)
    node.lineno, node.end_lineno, node.end_col_offset = line, line + 1, 0
    return node


def _replaced(value: Any, index: int | None, node: Any) -> Any:
    return node if index is None else [*value[:index], node, *value[index + 1 :]]


class _quiet(warnings.catch_warnings):
    """Silence the compiler: its warnings were shown when the file was imported."""

    def __enter__(self) -> None:
        super().__enter__()
        warnings.simplefilter("ignore")
