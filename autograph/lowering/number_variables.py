"""Type inference for variables that only contain numbers, which need no run-time checks.

    i = 0
    while i < n:
        i += 1          # `i` only contains numbers; `n` may contain anything

In a staged statement, the number may be a tensor. That makes no difference: neither is a mark of an
unbound variable, and neither has special methods of user code.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, ClassVar

from autograph.lowering.operator_calls import operator_of
from autograph.syntax.tree import children

_NUMBERS = (int, float, complex)


def number_names(function: ast.AST) -> frozenset[str]:
    """Return the variables of a converted function, and of those inside it, that are numbers.

    >>> tree = ast.parse("def f(n):\\n i = j = 0\\n i += 1\\n j += n").body[0]
    >>> sorted(number_names(tree))
    ['i']
    """
    bindings = _Bindings()
    bindings.collect(function)
    names = set(bindings.values) - bindings.others - _from_outside(function)
    while True:
        # A variable stays if all its values are numbers, assuming that the others hold numbers.
        lost = {n for n in names if not all(_is_number(v, names) for v in bindings.values[n])}
        if not lost:
            return frozenset(names)
        names -= lost


def _from_outside(function: Any) -> set[str]:
    """Return the variables of outer functions, which other code may assign."""
    body = function.body if isinstance(function.body, list) else []
    declarations = (each for each in body if isinstance(each, ast.Nonlocal))
    return {name for declaration in declarations for name in declaration.names}


def _is_number(node: Any, names: set[str]) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, _NUMBERS)
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.BinOp):
        return _is_number(node.left, names) and _is_number(node.right, names)
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand, names)
    return operator_of(node) == "ld" and _is_number(node.args[0], names)


class _Bindings:
    """Collects the values that are assigned to each name, and the names with other bindings."""

    def __init__(self) -> None:
        self.values: dict[str, list[ast.expr]] = {}
        self.others: set[str] = set()
        self._plain: set[int] = set()

    def collect(self, function: Any) -> None:
        """Visit a function and all nodes in it, outer before inner."""
        found = [function]
        for node in found:
            kind = type(node)
            if kind is ast.Name:
                if type(node.ctx) is not ast.Load and id(node) not in self._plain:
                    self.others.add(node.id)
                continue
            note = self._notes.get(kind)
            if note is not None:
                goes_on = note(self, node)
            else:
                goes_on = True
                for field in _NAMING[kind]:
                    value = getattr(node, field, None)
                    if isinstance(value, str):
                        self.others.add(value)
            if goes_on:
                found += children(node)

    def _function(self, node: Any) -> bool:
        self.others.add(node.name)
        # The arguments of `set_state` are values that statements leave, so it binds nothing new.
        return not _is_set_state(node)

    def _assign(self, node: ast.Assign) -> bool:
        for target in node.targets:
            self._bind(target, node.value)
        return True

    def _one_target(self, node: ast.AugAssign | ast.NamedExpr) -> bool:
        self._bind(node.target, node.value)
        return True

    def _bind(self, target: Any, value: Any) -> None:
        if isinstance(target, ast.Name):
            self.values.setdefault(target.id, []).append(value)
            self._plain.add(id(target))
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            parts = (*target.elts, *value.elts)
            starred = any(isinstance(part, ast.Starred) for part in parts)
            if len(target.elts) == len(value.elts) and not starred:
                for inner, given in zip(target.elts, value.elts):
                    self._bind(inner, given)

    def _arg(self, node: ast.arg) -> bool:
        self.others.add(node.arg)
        return False

    def _global(self, node: ast.Global) -> bool:
        self.others.update(node.names)
        return False

    def _nonlocal(self, node: ast.Nonlocal) -> bool:
        # Bodies of statements declare variables of outer functions in the tree.
        for name in node.names:
            self.values.setdefault(name, [])
        return False

    # The notes on nodes that bind names; each returns whether to go on below the node.
    _notes: ClassVar[dict[type, Callable[[_Bindings, Any], bool]]] = {
        ast.FunctionDef: _function,
        ast.AsyncFunctionDef: _function,
        ast.Assign: _assign,
        ast.AugAssign: _one_target,
        ast.NamedExpr: _one_target,
        ast.arg: _arg,
        ast.Global: _global,
        ast.Nonlocal: _nonlocal,
    }


class _BindingFields(dict[type, tuple[str, ...]]):
    """For a node class the fields that may hold a name it binds."""

    def __missing__(self, kind: Any) -> tuple[str, ...]:
        row = self[kind] = tuple(set(kind._fields).intersection(("name", "rest", "asname")))
        return row


_NAMING = _BindingFields()


def _is_set_state(node: Any) -> bool:
    """Return whether a node is `def set_state(vars_): nonlocal ...; (x, y) = vars_`."""
    last = node.body[-1]
    return (
        len(node.args.args) == 1
        and isinstance(last, ast.Assign)
        and isinstance(last.value, ast.Name)
        and last.value.id == node.args.args[0].arg
        and isinstance(last.targets[0], ast.Tuple)
        and all(isinstance(each, (ast.Nonlocal, ast.Global)) for each in node.body[:-1])
    )
