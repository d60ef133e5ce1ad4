"""What a module imports later: the tables of doors and of ops, and calls of `late`."""

from __future__ import annotations

import ast
from collections.abc import Iterator


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
