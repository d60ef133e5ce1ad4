"""Compiles the top-level statement around a definition again, to compare the code."""

from __future__ import annotations

import ast
import types
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from autograph.syntax.code_comparison import nested_codes
from autograph.syntax.tree import copy_tree, walk
from runtime.core.fork_safety import fork_safe_lock, is_held_by_other, run_in_child

# Statements whose inner statements run in the module's scope.
_BLOCKS = (ast.If, ast.Try, ast.With, ast.For, ast.While, ast.ExceptHandler)

Step = tuple[Any, str, int | None]
Context = Callable[[ast.Module, int, ast.stmt], list[ast.stmt]]
# The codes of compiled top-level statements, by context, index and flags.
Compiled = dict[tuple[Context, int, int], list[types.CodeType]]


class DefinitionCandidate(NamedTuple):
    """A definition, and the path to it: steps (parent, field, index or None), outermost first."""

    node: Any
    path: tuple[Step, ...]


def compiled_in(
    context: Context,
    filename: str,
    candidates: Sequence[DefinitionCandidate],
    flags: int,
    known: Compiled,
) -> list[tuple[DefinitionCandidate, types.CodeType]]:
    """Compile the top-level statement around each candidate; pair the candidate with its code.

    Args:
        context: one of `CONTEXTS`: the statements of the module to compile with that one.
        filename: the file's name.
        candidates: definitions of one module.
        flags: flags for `compile`.
        known: a cache of the module's codes: the methods of a class are in one statement, which is
            compiled once.
    """
    pairs: list[tuple[DefinitionCandidate, types.CodeType]] = []
    for candidate in candidates:
        module, _, index = candidate.path[0]
        line, statement = _with_own_line(candidate)
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
    """Return the module's imports and the statement, which mostly give the same code.

    From Python 3.11 on, a call `x.f()` is compiled in another way if the module imports `x`.
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
    """Return the statement: definitions in a converted function are compiled without imports."""
    return [statement]


def _whole(module: ast.Module, index: int, statement: ast.stmt) -> list[ast.stmt]:
    """Return the whole module, which may, for example, define its own `super`."""
    return [*module.body[:index], statement, *module.body[index + 1 :]]


# In the order in which to try them: from cheap to expensive.
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


def _with_own_line(candidate: DefinitionCandidate) -> tuple[int, ast.stmt]:
    """Return the line of a candidate's code, and the statement around the candidate.

    Functions of one name start on different lines. Lambdas need not, so that the candidate is moved
    to a line that no other has: not far beyond the file's end, since Python 3.10 encodes a distance
    in steps of 127. The file's tree does not change: the nodes on the path are copied.
    """
    module, _, index = candidate.path[0]
    statement = module.body[index]
    if not isinstance(candidate.node, ast.Lambda):
        return first_line(candidate.node), statement
    line = int(module.body[-1].end_lineno) + 100
    node: Any = _moved(candidate.node, line)
    for parent, field, position in reversed(candidate.path[1:]):
        parent = _shallow_copy(parent)
        setattr(parent, field, _replaced(getattr(parent, field), position, node))
        node = parent
    return line, node


def _moved(node: ast.Lambda, line: int) -> ast.Lambda:
    """Return a copy of a lambda at another line, with the positions of its body moved.

    The body is moved too because the compiler tests whether the line changes. The defaults are not,
    since they are not part of the lambda's code.
    """
    distance = line - node.lineno
    new = _shallow_copy(node)
    new.body = copy_tree(node.body)
    for inner in [new, *walk(new.body)]:
        if hasattr(inner, "lineno"):
            inner.lineno += distance
            inner.end_lineno += distance
    return new


def _shallow_copy(node: Any) -> Any:
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
    """Return the first line of a definition's code: that of its first decorator, if any."""
    decorators = getattr(node, "decorator_list", None)
    return int(decorators[0].lineno if decorators else node.lineno)


class ignoring_compiler_warnings(warnings.catch_warnings):
    """Ignores the compiler's warnings, which the import of the file has shown.

    The filter is one for the process, so that a lock makes other threads wait.
    """

    _filter_lock = fork_safe_lock()

    def __enter__(self) -> None:
        self._filter_lock.acquire()
        super().__enter__()
        _SILENCERS.append(self)
        warnings.simplefilter("ignore")

    def __exit__(self, *exception: Any) -> None:
        try:
            _SILENCERS.remove(self)
            super().__exit__(*exception)
        finally:
            self._filter_lock.release()


_SILENCERS: list[ignoring_compiler_warnings] = []


@run_in_child
def _restore_warnings() -> None:
    if is_held_by_other(ignoring_compiler_warnings._filter_lock):
        while _SILENCERS:
            warnings.catch_warnings.__exit__(_SILENCERS.pop(), None, None, None)
