"""On Python's own road a jump is a jump again.

    try:                                     return x
        do_return = True
        retval_ = x
    except:                     ->
        do_return = False
        raise

    break_ = True               ->           break_ = True
                                             break

A flag is still set where the code after the loop asks for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograph.lowering.words import VOCABULARY, put
from autograph.syntax.tree import children, nodes

_JUMPS: dict[str, type[ast.stmt]] = {"break_": ast.Break, "continue_": ast.Continue}
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Jumps:
    """Knows the flags of a converted function from the names of the user's.

    Args:
        original: the user's function.
        users: every name in it.
    """

    def __init__(self, original: ast.AST, users: frozenset[str]) -> None:
        self._users = users
        # Such a `finally` has been written out as statements, which a jump would leave behind.
        self._are_kept = any(map(_jumps_in_finally, nodes(original)))

    def made(self, statement: Any) -> list[ast.stmt]:
        """Return what does the jump a statement stands for: the statement itself, if none."""
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
        """Tell whether a test asks about flags only, so that it is none of the user's."""
        names = {node.id for node in nodes(test) if isinstance(node, ast.Name)}
        return names > {VOCABULARY} and names.isdisjoint(self._users)

    def _is_return(self, node: ast.Try) -> bool:
        if len(node.body) != 2 or len(node.handlers) != 1 or node.orelse or node.finalbody:
            return False
        flag = _raised_flag(node.body[0])
        if flag is None or flag in self._users or not flag.startswith("do_return"):
            return False
        return isinstance(node.body[1], ast.Assign) and node.handlers[0].type is None


def _raised_flag(statement: Any) -> str | None:
    """Return the variable of `flag = True`."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, value = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Constant):
        return None
    return target.id if value.value is True else None


def _jumps_in_finally(node: ast.AST) -> bool:
    return any(_leaves(each) for each in getattr(node, "finalbody", ()))


def _leaves(statement: ast.AST) -> bool:
    """Tell whether a statement holds a jump, be it one that ends inside of it."""
    if isinstance(statement, (ast.Return, ast.Break, ast.Continue)):
        return True
    return any(map(_leaves, _inside(statement)))


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    for child in children(node):
        if not isinstance(child, _SCOPES):
            yield child
