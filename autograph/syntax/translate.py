"""Translates ast to gast and back, with one call per level of the tree.

gast has translators with the same result; but they need four calls per level, so that a sum of 240
terms exhausts Python's stack, and take three times as long. These nodes differ:

    ast                                   gast
    ------------------------------------  ------------------------------------------------
    `arg("x", annotation)`                `Name("x", Param(), annotation)`
    `Name("x", Load())`                   `Name("x", Load(), None, None)`
    `ExceptHandler(type, "e", body)`      `ExceptHandler(type, Name("e", Store()), body)`
    no `type_params`, no `default_value`  empty ones in every Python version
"""

from __future__ import annotations

import ast
from typing import Any

import gast

# Lists that nodes may lack if user code made them, as Python 3.13 allows for ast.
_MAY_BE_ABSENT = frozenset(
    "type_params decorator_list keywords orelse finalbody handlers type_ignores ifs "
    "bases posonlyargs kwonlyargs kw_defaults defaults".split()
)


class _NodeClasses(dict[type, tuple[Any, tuple[str, ...], Any]]):
    """For a node class of one module: that of the other, its fields, and a shared node, or None.

    Nodes without fields (`Load()`, `Add()`) are shared.
    """

    def __init__(self, target: Any) -> None:
        super().__init__()
        self._target = target

    def __missing__(self, kind: type) -> tuple[Any, tuple[str, ...], Any]:
        cls = getattr(self._target, kind.__name__, None)
        if cls is None:
            raise TypeError(f"no {self._target.__name__} node is called {kind.__name__}")
        is_empty = not cls._fields and not cls._attributes
        row = self[kind] = (cls, cls._fields, cls() if is_empty else None)
        return row


_GAST, _AST = _NodeClasses(gast), _NodeClasses(ast)
_GAST[ast.arg] = (gast.Name, gast.Name._fields, None)
_POSITIONS = ("lineno", "col_offset", "end_lineno", "end_col_offset")

# Line, column, end line and end column.
SourceRange = tuple[int, int, int, int]


def to_gast(node: Any) -> Any:
    """Return a new gast tree of an ast node, with its positions."""
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


def to_ast_node(node: Any, around: SourceRange | None = None) -> Any:
    """Return a new ast tree of a gast node.

    Args:
        node: a gast node.
        around: the position of the node around it, for nodes that have none; None to add none.

    Raises:
        TypeError: Python has no syntax for a node.
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
        around = _put_position(given, values, around)
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
        _fill_parameters(new, node, around)
    elif kind is gast.ExceptHandler and new.name is not None:
        new.name = new.name.id
    return new


def _put_position(
    given: dict[str, Any], values: dict[str, Any], around: SourceRange
) -> SourceRange:
    """Put the position of a node, or else `around`, into `values`; return it."""
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


def _fill_parameters(new: ast.arguments, node: gast.arguments, around: SourceRange | None) -> None:
    for name in ("posonlyargs", "args", "kwonlyargs"):
        parameters = getattr(node, name, None) or ()
        setattr(new, name, [_arg(parameter, around) for parameter in parameters])
    for name in ("vararg", "kwarg"):
        parameter = getattr(node, name, None)
        setattr(new, name, None if parameter is None else _arg(parameter, around))


def _arg(node: gast.Name, around: SourceRange | None) -> ast.arg:
    annotation = getattr(node, "annotation", None)
    new = ast.arg(node.id, None if annotation is None else to_ast_node(annotation, around))
    new.type_comment = getattr(node, "type_comment", None)
    if around is not None:
        _put_position(node.__dict__, new.__dict__, around)
    else:
        new.__dict__.update((k, v) for k, v in node.__dict__.items() if k in _POSITIONS)
    return new
