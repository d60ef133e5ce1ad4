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
from typing import Any

from autograph.lowering.original import Original
from autograph.lowering.words import VOCABULARY, put
from autograph.syntax.tree import nodes

_JUMPS: dict[str, type[ast.stmt]] = {"break_": ast.Break, "continue_": ast.Continue}


class Jumps:
    """Knows the flags of a converted function from the names of the user's.

    Args:
        original: the user's function.
    """

    def __init__(self, original: Original) -> None:
        self._users = original.names
        # Such a `finally` has been written out as statements, which a jump would leave behind.
        self._are_kept = original.jumps_in_finally

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
