"""Compiles a definition again in its place in a file, to compare its code."""

from __future__ import annotations

import ast
import types
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.syntax.code_comparison import nested_codes
from autograph.syntax.tree import copy_tree, walk
from runtime.core.fork_safety import fork_safe_lock, is_held_by_other, run_in_child

# Statements whose inner ones still belong to the module's top level.
_BLOCKS = (ast.If, ast.Try, ast.With, ast.For, ast.While, ast.ExceptHandler)

Step = tuple[Any, str, int | None]
Context = Callable[[ast.Module, int, ast.stmt], list[ast.stmt]]
# The codes of top-level statements that have been compiled, by context, index and flags.
Compiled = dict[tuple[Context, int, int], list[types.CodeType]]


@dataclass(frozen=True, eq=False)
class Candidate:
    """A definition with the way down to it: (parent, field, index or None), outermost first."""

    node: Any
    path: tuple[Step, ...]


def compiled_in(
    context: Context,
    filename: str,
    candidates: Sequence[Candidate],
    flags: int,
    known: Compiled,
) -> list[tuple[Candidate, types.CodeType]]:
    """Compile the top-level statement around each candidate; pair the candidate with its code.

    Args:
        context: what of the module to compile with the statement: one of `CONTEXTS`.
        filename: the file's name.
        candidates: definitions of one module.
        flags: flags for `compile`.
        known: what has been compiled of the module before. The methods of a class all stand in one
            statement, which is compiled once.
    """
    pairs: list[tuple[Candidate, types.CodeType]] = []
    for candidate in candidates:
        module, _, index = candidate.path[0]
        line, statement = _recognisable(candidate)
        key = context, index or 0, flags
        is_moved = isinstance(candidate.node, ast.Lambda)
        codes = None if is_moved else known.get(key)
        if codes is None:
            codes = _codes_of(filename, context(module, index or 0, statement), flags)
            if not is_moved:
                known[key] = codes
        name = "<lambda>" if is_moved else candidate.node.name
        own = (c for c in codes if c.co_firstlineno == line and c.co_name == name)
        pairs.extend((candidate, code) for code in [next(own, None)] if code is not None)
    return pairs


def _with_imports(module: ast.Module, index: int, statement: ast.stmt) -> list[ast.stmt]:
    """Return the module's imports and the statement, mostly enough to get the same code.

    From Python 3.11 on a call `x.f()` is compiled in another way when the module imports `x`.
    """
    found: list[ast.stmt] = []
    stack: list[ast.AST] = [*module.body[::-1]]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.append(node)
        elif isinstance(node, _BLOCKS):
            stack.extend(child for _, _, child in indexed_children(node)[::-1])
    return [*found, statement]


def _alone(module: ast.Module, index: int, statement: ast.stmt) -> list[ast.stmt]:
    """Return the statement: what stands in a converted function was compiled without imports."""
    return [statement]


def _whole(module: ast.Module, index: int, statement: ast.stmt) -> list[ast.stmt]:
    """Return the whole module; its top level may, for one, define a `super` of its own."""
    return [*module.body[:index], statement, *module.body[index + 1 :]]


# In the order to try them: the cheap one first.
CONTEXTS: tuple[Context, ...] = (_with_imports, _alone, _whole)


def _codes_of(filename: str, body: list[ast.stmt], flags: int) -> list[types.CodeType]:
    module = ast.Module(body=body, type_ignores=[])
    flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with ignoring_compiler_warnings():
            code = compile(module, filename, "exec", flags=flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return []
    return list(nested_codes(code))


def _recognisable(candidate: Candidate) -> tuple[int, ast.stmt]:
    """Return the statement around a candidate, and the line the candidate's code will have.

    No two functions of one name start on one line. Lambdas do, so they are moved to a line of
    their own; not far beyond the file's, for Python 3.10 encodes the way there in steps of 127.
    Nothing of the file's tree is touched: the nodes on the way down are copied.
    """
    module, _, index = candidate.path[0]
    statement = module.body[index]
    if not isinstance(candidate.node, ast.Lambda):
        return first_line(candidate.node), statement
    line = int(module.body[-1].end_lineno) + 100
    node: Any = _moved(candidate.node, line)
    for parent, field, position in reversed(candidate.path[1:]):
        parent = _shallow(parent)
        setattr(parent, field, _replaced(getattr(parent, field), position, node))
        node = parent
    return line, node


def _moved(node: ast.Lambda, line: int) -> ast.Lambda:
    """Return a lambda at another line, with its body but without its defaults.

    The body moves along because the compiler looks whether lines change; the defaults do not
    belong to the lambda's code.
    """
    distance = line - node.lineno
    new = _shallow(node)
    new.body = copy_tree(node.body)
    for inner in [new, *walk(new.body)]:
        if hasattr(inner, "lineno"):
            inner.lineno += distance
            inner.end_lineno += distance
    return new


def _shallow(node: Any) -> Any:
    cls: Any = type(node)
    new = cls.__new__(cls)
    new.__dict__.update(node.__dict__)
    return new


def _replaced(value: Any, position: int | None, node: Any) -> Any:
    return node if position is None else [*value[:position], node, *value[position + 1 :]]


def indexed_children(node: ast.AST) -> list[tuple[str, int | None, Any]]:
    """Return the child nodes with their field and, in a list, their index."""
    found: list[tuple[str, int | None, Any]] = []
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, ast.AST):
            found.append((field, None, value))
        elif isinstance(value, list):
            found.extend((field, i, v) for i, v in enumerate(value) if isinstance(v, ast.AST))
    return found


def first_line(node: Any) -> int:
    """Return the line a definition's code starts at: that of its first decorator, if any."""
    decorators = getattr(node, "decorator_list", None)
    return int(decorators[0].lineno if decorators else node.lineno)


class ignoring_compiler_warnings(warnings.catch_warnings):
    """Ignore the compiler's warnings: the import of the file showed them already.

    The filter is global to the process, so threads take turns.
    """

    _turn = fork_safe_lock()

    def __enter__(self) -> None:
        self._turn.acquire()
        super().__enter__()
        _SILENCERS.append(self)
        warnings.simplefilter("ignore")

    def __exit__(self, *exception: Any) -> None:
        try:
            _SILENCERS.remove(self)
            super().__exit__(*exception)
        finally:
            self._turn.release()


_SILENCERS: list[ignoring_compiler_warnings] = []


@run_in_child
def _warn_again() -> None:
    if is_held_by_other(ignoring_compiler_warnings._turn):
        while _SILENCERS:
            warnings.catch_warnings.__exit__(_SILENCERS.pop(), None, None, None)
