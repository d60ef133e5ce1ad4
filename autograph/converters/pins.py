"""Expressions that cannot be put into a lambda."""

from __future__ import annotations

from typing import Any

from autograph.analysis.keeping import why_stays


def stays(expression: Any) -> bool:
    """Tell whether an expression binds a name or suspends the function it stands in.

    >>> from autograph.syntax.tree import parse_expression
    >>> stays(parse_expression("(y := x) + 1")), stays(parse_expression("x + 1"))
    (True, False)
    """
    return bool(why_stays(expression))
