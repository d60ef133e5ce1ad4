"""ast <-> gast: one call per level of a tree, and the few places where the two differ.

gast has translators of its own, with the same result; but they go four calls deep for every
level, so that a sum of 240 terms exhausts Python's stack, and take three times as long.

    ast                                   gast
    ------------------------------------  ------------------------------------------------
    `arg("x", annotation)`                `Name("x", Param(), annotation)`
    `Name("x", Load())`                   `Name("x", Load(), None, None)`
    `ExceptHandler(type, "e", body)`      `ExceptHandler(type, Name("e", Store()), body)`
    no `type_params`, no `default_value`  there on every Python, empty
"""

from __future__ import annotations

import ast
from typing import Any

import gast

# Lists that hand-made nodes may leave out, as Python 3.13 allows for ast.
_MAY_BE_ABSENT = frozenset(
    "type_params decorator_list keywords orelse finalbody handlers type_ignores ifs "
    "bases posonlyargs kwonlyargs kw_defaults defaults".split()
)


class _Kinds(dict[type, tuple[Any, tuple[str, ...], Any]]):
    """For a node class of one module its class in the other, the fields, and a shared node.

    Nodes that carry nothing (`Load()`, `Add()`) are shared.
    """

    def __init__(self, target: Any) -> None:
        super().__init__()
        self._target = target

    def __missing__(self, kind: type) -> tuple[Any, tuple[str, ...], Any]:
        cls = getattr(self._target, kind.__name__, None)
        if cls is None:
            raise TypeError(f"no {self._target.__name__} node is called {kind.__name__}")
        carries_nothing = not cls._fields and not cls._attributes
        row = self[kind] = (cls, cls._fields, cls() if carries_nothing else None)
        return row


_GAST, _AST = _Kinds(gast), _Kinds(ast)
_POSITIONS = frozenset(ast.stmt._attributes)


def to_gast(node: Any) -> Any:
    """Return a fresh gast tree of an ast node, positions kept."""
    kind = type(node)
    if kind is ast.arg:
        return _parameter(node)
    cls, fields, shared = _GAST[kind]
    if shared is not None:
        return shared
    new = cls.__new__(cls)
    values = new.__dict__
    values.update((k, v) for k, v in node.__dict__.items() if k in _POSITIONS)
    for name in fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            value = to_gast(value)
        elif isinstance(value, list):
            value = [to_gast(v) if isinstance(v, ast.AST) else v for v in value]
        elif value is None and name in _MAY_BE_ABSENT:
            value = []
        values[name] = value
    if kind is ast.ExceptHandler and new.name is not None:
        new.name = gast.Name(new.name, gast.Store(), None, None)
    return new


def _parameter(node: ast.arg) -> gast.Name:
    annotation = to_gast(node.annotation) if node.annotation is not None else None
    new = gast.Name(node.arg, gast.Param(), annotation, getattr(node, "type_comment", None))
    new.__dict__.update((k, v) for k, v in node.__dict__.items() if k in _POSITIONS)
    return new


def to_ast_node(node: Any) -> Any:
    """Return a fresh ast tree of the same kind as a gast tree: statement for statement.

    Raises TypeError for a node that Python has no syntax for.
    """
    kind = type(node)
    cls, fields, shared = _AST[kind]
    if shared is not None:
        return shared
    new = cls.__new__(cls)
    values = new.__dict__
    values.update((k, v) for k, v in node.__dict__.items() if k in _POSITIONS)
    for name in fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            value = to_ast_node(value)
        elif isinstance(value, list):
            value = [to_ast_node(v) if isinstance(v, ast.AST) else v for v in value]
        elif value is None and name in _MAY_BE_ABSENT:
            value = []
        values[name] = value
    if kind is gast.arguments:
        _make_args(new, node)
    elif kind is gast.ExceptHandler and new.name is not None:
        new.name = new.name.id
    return new


def _make_args(new: ast.arguments, node: gast.arguments) -> None:
    for name in ("posonlyargs", "args", "kwonlyargs"):
        setattr(new, name, [_arg(parameter) for parameter in getattr(node, name, None) or ()])
    for name in ("vararg", "kwarg"):
        parameter = getattr(node, name, None)
        setattr(new, name, None if parameter is None else _arg(parameter))


def _arg(node: gast.Name) -> ast.arg:
    annotation = getattr(node, "annotation", None)
    new = ast.arg(node.id, None if annotation is None else to_ast_node(annotation))
    new.type_comment = getattr(node, "type_comment", None)
    new.__dict__.update((k, v) for k, v in node.__dict__.items() if k in _POSITIONS)
    return new
