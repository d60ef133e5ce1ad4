"""The imports of a module: by statements, and by `runtime/core/lazy_imports.py` on first use."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def import_nodes(
    parent: ast.AST, inside_function: bool
) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Yield the imports that run, each with whether it is inside a function."""
    for node in _inner_statements(parent):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, inside_function
        elif isinstance(node, ast.If) and _is_type_checking(node.test):
            for statement in node.orelse:
                yield from import_nodes(statement, inside_function)
        else:
            inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from import_nodes(node, inside_function or inside)


def _inner_statements(parent: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements, handlers and cases that stand directly in a statement or module."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        yield from getattr(parent, field, ())


def type_import_nodes(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports under `if TYPE_CHECKING:`, except those of lazy attributes."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        waiting += _inner_statements(node)
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            if "lazy_attributes(" not in "".join(map(ast.unparse, node.orelse)):
                yield from (s for s in node.body if isinstance(s, ast.Import | ast.ImportFrom))


def _is_type_checking(test: ast.expr) -> bool:
    return "TYPE_CHECKING" in (getattr(test, "id", ""), getattr(test, "attr", ""))


def imported_names(
    node: ast.Import | ast.ImportFrom, module: str, known: frozenset[str], package: bool
) -> list[str]:
    """Return the modules that an import names; `known` tells a submodule from an attribute."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = _absolute(node, module, package)
    submodules = [f"{base}.{alias.name}" for alias in node.names]
    # `from package import submodule` reaches the submodule; any other name reaches the package.
    return sorted({name if name in known else base for name in submodules})


def _absolute(node: ast.ImportFrom, module: str, package: bool) -> str:
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    climb = node.level - 1 if package else node.level
    parents = parts[: len(parts) - climb]
    return ".".join([*parents, *([node.module] if node.module else [])])


def lazy_imports(tree: ast.AST, module: str, known: frozenset[str]) -> Iterator[tuple[str, int]]:
    """Yield each module that is imported on first use with its line; `known` are all modules.

    Methods that a class names in its body are not among them.

    >>> tree = ast.parse('lazy_attributes("a", {"a": "b c", "d.e": "f"}); lazy_import("g:h")')
    >>> sorted(lazy_imports(tree, "a", frozenset(["a.b", "a.c"])))
    [('a.b', 1), ('a.c', 1), ('d.e', 1), ('g', 1)]
    """
    for node in _outside_of_classes(tree):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func).lstrip("_")
        if called == "lazy_import":
            yield _beginning(node.args[0]).partition(":")[0], node.lineno
        elif called == "lazy_attributes":
            table: dict[str, str] = ast.literal_eval(node.args[1])
            for home, names in table.items():
                whole = [f"{home}.{name.rpartition('=')[2]}" for name in names.split()]
                yield from ((name, node.lineno) for name in whole if name in known)
                if home != module:
                    yield home, node.lineno


def _outside_of_classes(tree: ast.AST) -> Iterator[ast.AST]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.ClassDef):
            functions = (each for each in node.body if isinstance(each, ast.FunctionDef))
            waiting += (part for each in functions for part in ast.iter_child_nodes(each))
        else:
            waiting += ast.iter_child_nodes(node)


def _beginning(text: ast.expr) -> str:
    """Return a string, or an f-string up to its first expression."""
    first = text.values[0] if isinstance(text, ast.JoinedStr) else text
    return str(ast.literal_eval(first))
