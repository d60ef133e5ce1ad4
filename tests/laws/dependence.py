"""Statements of a corpus program that depend on an argument: an over-approximation by names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_SAME_COUNT = {"enumerate", "list", "tuple", "sorted", "reversed", "iter", "map", "dict", "set"}
_CHANGING = {
    "add",
    "append",
    "appendleft",
    "clear",
    "discard",
    "extend",
    "insert",
    "pop",
    "popleft",
    "remove",
    "setdefault",
    "update",
}
_LITERALS = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


class Dependence:
    """Finds the values that depend on an argument: names are one variable in the whole program.

    Every parameter of every function counts as an argument, and so does a name that is bound or
    changed under a condition that does.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._names = {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
        self._counts: set[str] = set()
        self._bindings = list(_bindings(tree, ()))
        size = -1
        while size != len(self._names) + len(self._counts):
            size = len(self._names) + len(self._counts)
            self._spread()

    def value(self, node: ast.AST) -> bool:
        """Whether the value of an expression depends on an argument."""
        return any(isinstance(each, ast.Name) and each.id in self._names for each in ast.walk(node))

    def count(self, node: ast.AST) -> bool:
        """Whether how many items something has depends on an argument."""
        if isinstance(node, _LITERALS):
            return any(isinstance(each, ast.Starred) for each in ast.walk(node))
        if isinstance(node, _COMPREHENSIONS):
            parts = node.generators
            return any(each.ifs or self.count(each.iter) for each in parts)
        if isinstance(node, ast.Name):
            return node.id in self._counts or node.id in self._parameters_and_items()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            if node.func.id in _SAME_COUNT:
                return self.count(node.args[-1 if node.func.id == "map" else 0])
            if node.func.id == "zip":
                return all(self.count(each) for each in node.args)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
            return self.count(node.func.value)  # d.items()
        return self.value(node)

    def _parameters_and_items(self) -> set[str]:
        counted = {name for name, value, _, _ in self._bindings if value is not None}
        return self._names - counted

    def _spread(self) -> None:
        for name, value, conditions, is_whole in self._bindings:
            conditional = any(map(self.value, conditions))
            if conditional or (value is not None and self.value(value)):
                self._names.add(name)
            if conditional or value is None or not is_whole or self.count(value):
                self._counts.add(name)


Binding = tuple[str, ast.AST | None, tuple[ast.AST, ...], bool]


def _bindings(node: ast.AST, conditions: tuple[ast.AST, ...]) -> Iterator[Binding]:
    """Yield each binding or change: name, value, conditions, and whether that is all of it."""
    yield from ((name, value, conditions, whole) for name, value, whole in _bound(node))
    for part, child in _children(node):
        inner = conditions
        if part in ("body", "orelse") and isinstance(node, (ast.If, ast.While)):
            inner = (*conditions, node.test)
        elif part in ("body", "orelse") and isinstance(node, ast.For):
            inner = (*conditions, node.iter)
        yield from _bindings(child, inner)


def _children(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for name, value in ast.iter_fields(node):
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield name, each


def _bound(node: ast.AST) -> Iterator[tuple[str, ast.AST | None, bool]]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from ((name, node.value, name == _name(target)) for name in _targets(target))
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield from ((name, node.value, True) for name in _targets(node.target))
    elif isinstance(node, ast.AugAssign):
        yield from ((name, node.value, False) for name in _targets(node.target))
    elif isinstance(node, ast.For | ast.comprehension):
        yield from ((name, node.iter, False) for name in _targets(node.target))
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield from ((name, node.context_expr, False) for name in _targets(node.optional_vars))
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name, ast.Module(node.body, []), False
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in _CHANGING:
            operands = ast.Tuple([*node.args, *(each.value for each in node.keywords)])
            yield from ((name, operands, False) for name in _targets(node.func.value))


def _name(target: ast.AST) -> str | None:
    return target.id if isinstance(target, ast.Name) else None


def _targets(target: ast.AST) -> Iterator[str]:
    """Yield the names a target binds, or whose parts it changes."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            yield from _targets(each)
    elif isinstance(target, ast.Starred | ast.Attribute | ast.Subscript):
        yield from _targets(target.value)
