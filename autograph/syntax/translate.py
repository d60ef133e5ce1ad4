"""Translates ast to gast and back: one call per level, with the nodes in which they differ.

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
_GAST[ast.arg] = (gast.Name, gast.Name._fields, None)
_POSITIONS = ("lineno", "col_offset", "end_lineno", "end_col_offset")

# Line, column, end line and end column.
Position = tuple[int, int, int, int]


def to_gast(node: Any) -> Any:
    """Return a fresh gast tree of an ast node, positions kept."""
    kind = type(node)
    if kind is ast.arg:
        return _parameter(node)
    cls, fields, shared = _GAST[kind]
    if shared is not None:
        return shared
    new = cls.__new__(cls)
    given, values = node.__dict__, new.__dict__
    for name in _POSITIONS:
        if name in given:
            values[name] = given[name]
    for name in fields:
        value = given.get(name)
        if isinstance(value, ast.AST):
            value = _GAST[type(value)][2] or to_gast(value)
        elif value.__class__ is list:
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


def to_ast_node(node: Any, around: Position | None = None) -> Any:
    """Return a fresh ast tree of the same kind as a gast tree: statement for statement.

    Args:
        node: a gast node.
        around: the position for nodes without one, below other nodes that of the nearest of
            these; without it they stay without.

    Raises TypeError for a node that Python has no syntax for.
    """
    kind = type(node)
    cls, fields, shared = _AST[kind]
    if shared is not None:
        return shared
    new = cls.__new__(cls)
    given, values = node.__dict__, new.__dict__
    if around is None:
        for name in _POSITIONS:
            if name in given:
                values[name] = given[name]
    elif cls._attributes:
        around = _placed(given, values, around)
    for name in fields:
        value = given.get(name)
        if value is None:
            value = [] if name in _MAY_BE_ABSENT else None
        elif value.__class__ is list:
            value = [to_ast_node(v, around) if isinstance(v, ast.AST) else v for v in value]
        elif value.__class__ is not str and isinstance(value, ast.AST):
            value = _AST[type(value)][2] or to_ast_node(value, around)
        values[name] = value
    if kind is gast.arguments:
        _make_args(new, node, around)
    elif kind is gast.ExceptHandler and new.name is not None:
        new.name = new.name.id
    return new


def _placed(given: dict[str, Any], values: dict[str, Any], around: Position) -> Position:
    """Put the position of a node, or else the given one, into `values`; return it."""
    line, column = given.get("lineno"), given.get("col_offset")
    if line is not None and column is not None:
        end_line, end_column = given.get("end_lineno"), given.get("end_col_offset")
        if end_line is None or end_column is None:
            end_line, end_column = line, column
        around = line, column, end_line, end_column
    else:
        line, column, end_line, end_column = around
    values["lineno"] = line
    values["col_offset"] = column
    values["end_lineno"] = end_line
    values["end_col_offset"] = end_column
    return around


def _make_args(new: ast.arguments, node: gast.arguments, around: Position | None) -> None:
    for name in ("posonlyargs", "args", "kwonlyargs"):
        parameters = getattr(node, name, None) or ()
        setattr(new, name, [_arg(parameter, around) for parameter in parameters])
    for name in ("vararg", "kwarg"):
        parameter = getattr(node, name, None)
        setattr(new, name, None if parameter is None else _arg(parameter, around))


def _arg(node: gast.Name, around: Position | None) -> ast.arg:
    annotation = getattr(node, "annotation", None)
    new = ast.arg(node.id, None if annotation is None else to_ast_node(annotation, around))
    new.type_comment = getattr(node, "type_comment", None)
    if around is not None:
        _placed(node.__dict__, new.__dict__, around)
    else:
        new.__dict__.update((k, v) for k, v in node.__dict__.items() if k in _POSITIONS)
    return new
