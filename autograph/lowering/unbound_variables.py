"""Marks of unbound variables: the Python branch has none, its variables are unbound in Python.

    y = ag__.Undefined('y')     ->    (nothing), or `del y` where the user deletes it

The functions of a staged statement share variables as cells, and an unbound one must hold a mark.
So the staged branch begins with the marks of the variables that its functions mention:

    y = ag__.ldu(lambda: y, 'y')

A thunk reads a variable that may be unbound in the same way. Python's own read would raise the
error for a free variable, since the variable is one of the function around the thunk:

    lambda: ag__.ld(y)      ->    lambda: ag__.ld(ag__.ldu(lambda: y, 'y'))
"""

from __future__ import annotations

import ast
from collections.abc import Set
from typing import Any

from autograph.lowering.item_assignment import update_thunks
from autograph.lowering.operator_calls import drop_lines, invoke, operator_of, put, read
from autograph.lowering.tree_visitors import with_children, with_fields
from autograph.lowering.user_function import LineAndColumn
from autograph.syntax.tree import nodes, statements_in


class UnboundMarks:
    """The marks in the statements of one function.

    Args:
        function: the converted function.
        own: the local variables by the user's own statements, which stand beside these.
        deleted: the positions at which the user deletes variables.
    """

    def __init__(self, function: Any, own: frozenset[str], deleted: Set[LineAndColumn]) -> None:
        self._deleted = deleted
        self._dropped = own & _marked_names(function) if own else own

    def python_form(self, statement: Any) -> list[ast.stmt]:
        """Return the statements of the Python branch for a statement."""
        name = _marked_variable(statement)
        if name is None:
            return [statement]
        is_deletion = operator_of(statement.value) == "Undefined"
        if is_deletion and (statement.lineno, statement.col_offset) in self._deleted:
            return [put(ast.Delete([put(ast.Name(name, ast.Del()), statement)]), statement)]
        return [] if name in self._dropped else [statement]

    def declarations(self, origin: Any) -> list[ast.stmt]:
        """Return annotations `y: None`, which keep the variables without marks local."""
        nothing = put(ast.Constant(None), origin)
        return [
            drop_lines(
                put(
                    ast.AnnAssign(put(ast.Name(name, ast.Store()), origin), nothing, None, 1),
                    origin,
                )
            )
            for name in sorted(self._dropped)
        ]

    def marks_for(self, parts: list[Any], origin: Any) -> list[ast.stmt]:
        """Return the statements that make the marks for the functions of a staged statement."""
        if not self._dropped:
            return []
        mentioned = {
            node.id for part in parts for node in nodes(part) if isinstance(node, ast.Name)
        }
        return [_mark(name, origin) for name in sorted(self._dropped & mentioned)]

    def marks_for_updates(self, statement: Any) -> list[ast.stmt]:
        """Return those for the functions in `ag__.update_item(x, i, '+=', lambda: y)`."""
        return self.marks_for(update_thunks(statement), statement) if self._dropped else []


def value_or_mark(name: str, origin: Any) -> ast.expr:
    """Return `ag__.ldu(lambda: y, 'y')`, which reads a variable and gives a mark if it is unbound.

    >>> call = value_or_mark("y", ast.parse("y").body[0])
    >>> ast.unparse(call).replace("lambda :", "lambda:")  # as Python 3.10 writes it
    "ag__.ldu(lambda: y, 'y')"
    """
    nothing = ast.arguments([], [], None, [], [], None, [])
    thunk = put(ast.Lambda(nothing, read(name, origin)), origin)
    return invoke("ldu", [thunk, put(ast.Constant(name), origin)], origin)


def _mark(name: str, origin: Any) -> ast.stmt:
    target = put(ast.Name(name, ast.Store()), origin)
    return put(ast.Assign([target], value_or_mark(name, origin)), origin)


def _marked_names(function: Any) -> frozenset[str]:
    names = (_marked_variable(node) for node in statements_in(function))
    return frozenset(name for name in names if name is not None)


def _marked_variable(statement: Any) -> str | None:
    """Return the variable of `x = ag__.Undefined('x')` or `x = ag__.ldu(lambda: x, 'x')`."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return None
    if operator_of(statement.value) not in ("Undefined", "ldu"):
        return None
    return statement.targets[0].id


# -- thunks ----------------------------------------------------------------------------------------


_CHECKED = ("ld", "load_operand")
_OF_VARIABLES = ("ldu", "bound")


def with_reads_in_thunks(call: ast.expr) -> ast.expr:
    """Return an operator call whose thunks raise Python's error for an unbound variable.

    >>> call = ast.parse("ag__.and_rest(x, lambda: ag__.ld(y))", mode="eval").body
    >>> ast.unparse(with_reads_in_thunks(call)).replace("lambda :", "lambda:")
    "ag__.and_rest(x, lambda: ag__.ld(ag__.ldu(lambda: y, 'y')))"
    """
    if not isinstance(call, ast.Call) or ast.Lambda not in map(type, call.args):
        return call
    if operator_of(call) in (None, *_OF_VARIABLES):
        return call
    return with_children(call, lambda each: _read(each) if isinstance(each, ast.Lambda) else each)


def _read(node: Any) -> Any:
    operator = operator_of(node)
    if operator in _CHECKED and isinstance(node.args[0], ast.Name):
        variable = node.args[0]
        return with_fields(node, {"args": [value_or_mark(variable.id, variable)]})
    # The thunk of such an operator is the variable itself.
    kept = node.args[0] if operator in _OF_VARIABLES else None
    return with_children(node, lambda each: each if each is kept else _read(each))
