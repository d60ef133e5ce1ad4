"""Jumps of the Python branch: converted flags become `return`, `break` and `continue` again.

    try:                                     return x
        do_return = True
        retval_ = x
    except:                     ->
        do_return = False
        raise

    break_ = True               ->           break_ = True
                                             break

The flag is still set, since code after the loop may read it. A function with a single `return`, at
its end, needs neither flag nor value: `with_plain_returns` removes them.
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.lowering.operator_calls import VOCABULARY, put
from autograph.lowering.user_function import UserFunction
from autograph.syntax.tree import nodes, statements_in

_JUMPS: dict[str, type[ast.stmt]] = {"break_": ast.Break, "continue_": ast.Continue}


class Jumps:
    """Restores the jumps of a converted function.

    Args:
        original: the user's function.
    """

    def __init__(self, original: UserFunction) -> None:
        self._users = original.names
        # Conversion has turned such a `finally` into plain statements, which a jump would skip.
        self._are_kept = original.jumps_in_finally

    def made(self, statement: Any) -> list[ast.stmt]:
        """Return the statements for a statement that may set a flag: with the jump, if it does."""
        if self._are_kept:
            return [statement]
        if isinstance(statement, ast.Try) and self._is_return(statement):
            assignment = statement.body[1]
            assert isinstance(assignment, ast.Assign)
            return [put(ast.Return(assignment.value), assignment)]
        flag = _raised_flag(statement)
        if flag is None or flag in self._users:
            return [statement]
        for base, jump in _JUMPS.items():
            if flag.startswith(base):
                return [statement, put(jump(), statement)]
        return [statement]

    def is_about_flags(self, test: ast.AST) -> bool:
        """Return whether a test reads only flags, so that it is synthetic."""
        names = {node.id for node in nodes(test) if isinstance(node, ast.Name)}
        return names > {VOCABULARY} and names.isdisjoint(self._users)

    def _is_return(self, node: ast.Try) -> bool:
        flag = _return_flag(node)
        return flag is not None and flag not in self._users


def with_plain_returns(function: Any) -> Any:
    """Put a plain `return` at the end of functions that have no other, nested ones included."""
    for node in statements_in(function):
        if isinstance(node, ast.With):
            node.body = _plainly_ended(node.body, node.items[0].optional_vars)
    return function


def _plainly_ended(body: list[ast.stmt], scope: ast.expr | None) -> list[ast.stmt]:
    """Return a block with a plain `return` in place of the flag and value at its end."""
    if len(body) < 4 or not isinstance(body[-2], ast.Try):
        return body
    flag, ret = _return_flag(body[-2]), _scope_return(body[-1], scope)
    if flag is None or ret is None or not _is_about(ret.args[1], flag):
        return body
    assignment = body[-2].body[1]
    assert isinstance(assignment, ast.Assign)
    made = {flag, ast.unparse(assignment.targets[0])}
    between = [each for each in body[:-2] if not _assigns(each, made)]
    names = (node.id for each in between for node in nodes(each) if isinstance(node, ast.Name))
    if not made.isdisjoint(names):
        return body
    arguments = [assignment.value, put(ast.Constant(True), ret)]
    return [*between, put(ast.Return(put(ast.Call(ret.func, arguments, []), ret)), assignment)]


def _scope_return(statement: ast.stmt, scope: ast.expr | None) -> ast.Call | None:
    """Return the call in `return fscope.ret(value, flag)`."""
    call = statement.value if isinstance(statement, ast.Return) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    is_scope = isinstance(scope, ast.Name) and _is_about(call.func.value, scope.id)
    return call if is_scope and call.func.attr == "ret" else None


def _assigns(statement: ast.stmt, names: set[str]) -> bool:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    return isinstance(target, ast.Name) and target.id in names


def _is_about(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _return_flag(node: ast.Try) -> str | None:
    """Return the flag of a converted `return`, which is a `try` around two assignments."""
    if len(node.body) != 2 or len(node.handlers) != 1 or node.orelse or node.finalbody:
        return None
    flag = _raised_flag(node.body[0])
    if flag is None or not flag.startswith("do_return") or node.handlers[0].type is not None:
        return None
    return flag if isinstance(node.body[1], ast.Assign) else None


def _raised_flag(statement: Any) -> str | None:
    """Return the variable of `flag = True`."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, value = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Constant):
        return None
    return target.id if value.value is True else None
