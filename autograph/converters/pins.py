"""Expressions that cannot be put into a lambda."""

from __future__ import annotations

from typing import Any

import gast

from ..analysis.exits import is_pinned
from ..syntax.names import walk_scope


def stays(expression: Any) -> bool:
    """Tell whether an expression binds a name or suspends the function it stands in.

    >>> from autograph.syntax.tree import parse_expression
    >>> stays(parse_expression("(y := x) + 1")), stays(parse_expression("x + 1"))
    (True, False)
    """
    inside = walk_scope(expression)
    return any(isinstance(node, gast.NamedExpr) or is_pinned(node) for node in inside)
