"""What a module imports: now by statements, later by tables of doors and of ops and by `late`."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def import_nodes(
    parent: ast.AST, inside_function: bool
) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Yield the imports that run, each with whether it stands in a function."""
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, inside_function
        elif isinstance(node, ast.If) and _is_type_checking(node.test):
            for statement in node.orelse:
                yield from import_nodes(statement, inside_function)
        else:
            inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from import_nodes(node, inside_function or inside)


def _is_type_checking(test: ast.expr) -> bool:
    return ast.unparse(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


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


def imported_later(tree: ast.AST, module: str, known: frozenset[str]) -> Iterator[tuple[str, int]]:
    """Yield each module that is imported on demand with its line; `known` are all modules.

    >>> tree = ast.parse('door("a", {"a": "b c", "d.e": "f"}); late("g", "h")')
    >>> sorted(imported_later(tree, "a", frozenset(["a.b", "a.c"])))
    [('a.b', 1), ('a.c', 1), ('d.e', 1), ('g', 1)]
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "OP_HOMES":
            yield from _keys(node.value)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "late":
            if isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value), node.lineno
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "door":
            yield from _behind(node.args[1], module, known)


def _behind(table: ast.expr, module: str, known: frozenset[str]) -> Iterator[tuple[str, int]]:
    assert isinstance(table, ast.Dict), "the table of a door is written out"
    for (home, line), names in zip(_keys(table), table.values):
        whole = [f"{home}.{name.rpartition('=')[2]}" for name in ast.literal_eval(names).split()]
        submodules = [name for name in whole if name in known]
        if home != module and len(submodules) < len(whole):
            submodules.append(home)
        yield from ((name, line) for name in submodules)


def _keys(table: ast.expr | None) -> Iterator[tuple[str, int]]:
    for key in getattr(table, "keys", ()):
        yield ast.literal_eval(key), key.lineno
