"""The reasons why a statement stays Python, or an expression cannot become a lambda.

`JumpFacts` decides which statements stay Python; this module finds the reason in a statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autograph.analysis.frame_bound import is_frame_bound
from autograph.analysis.nesting_limit import MOST_LEVELS, is_too_deep
from autograph.analysis.scopes import names_in
from autograph.syntax.names import bound_names, walk_scope

_HOLDS: dict[type, str] = {
    gast.Yield: "it holds a `yield`",
    gast.YieldFrom: "it holds a `yield from`",
    gast.Await: "it holds an `await`",
    gast.AsyncFor: "it holds an `async for`",
    gast.AsyncWith: "it holds an `async with`",
    gast.comprehension: "it holds an asynchronous comprehension",
}
_JUMPS: dict[type, str] = {
    gast.Return: "it holds a `return` that cannot become a flag, because of what stays Python",
    gast.Break: "it holds a `break` of a loop that stays Python",
    gast.Continue: "it holds a `continue` of a loop that stays Python",
}
_ASYNC_FOR = "it awaits its items"
# The parts of a statement that move into functions of their own when it is staged.
_MOVING: dict[type, tuple[str, ...]] = {
    gast.If: ("body", "orelse"),
    gast.For: ("target", "body", "orelse"),
    gast.While: ("test", "body", "orelse"),
    gast.Match: ("cases",),
}


def reason_kept(statement: Any) -> str:
    """Return the reason why a statement that `JumpFacts` keeps stays Python; "" if none is found.

    >>> from autograph.syntax.tree import parse
    >>> reason_kept(parse("for x in xs:\\n if x: yield x").body[0])
    'it holds a `yield`'
    """
    if isinstance(statement, gast.AsyncFor):
        return _ASYNC_FOR
    inside = list(_moving(statement))
    pinned = (_HOLDS[type(node)] for node in inside if is_frame_bound(node))
    jumps = (_JUMPS[type(node)] for node in inside if type(node) in _JUMPS)
    return next(pinned, "") or _deep(statement) or next(jumps, "")


def _deep(statement: Any) -> str:
    if not is_too_deep(statement):
        return ""
    return f"it holds more than {MOST_LEVELS} levels of `if`, `for`, `while` and `match`"


def reason_not_lambda(*expressions: Any) -> str:
    """Return the reason why one of some expressions cannot become a lambda; "" if all can.

    >>> from autograph.syntax.tree import parse_expression
    >>> reason_not_lambda(parse_expression("x + 1"), parse_expression("(y := x)"))
    'it binds a name with `:=`'
    """
    for node in (node for expression in expressions for node in walk_scope(expression)):
        if type(node) is gast.NamedExpr:
            return "it binds a name with `:=`"
        if is_frame_bound(node):
            return _HOLDS[type(node)]
    return ""


def reason_not_nested(comprehension: Any) -> str:
    """Return the reason why the clauses of a comprehension cannot become calls inside of calls.

    A name that a later clause binds is a variable of the comprehension in all clauses but the
    first iterable: unbound at the first item, and then the one of the item before.

    >>> from autograph.syntax.tree import parse_expression
    >>> reason_not_nested(parse_expression("[y for x in xs for y in y]"))
    "it reads 'y' before its own `for` binds it"
    """
    clauses = comprehension.generators
    unbound = {name for clause in clauses for name in bound_names(clause.target)}
    for at, clause in enumerate(clauses):
        early = names_in([clause.iter]) & unbound if at else frozenset()
        unbound -= {*bound_names(clause.target)}
        for name in sorted(early | (names_in(clause.ifs) & unbound)):
            return f"it reads {name!r} before its own `for` binds it"
    return ""


def _moving(statement: Any) -> Iterator[Any]:
    kind = next((kind for kind in _MOVING if isinstance(statement, kind)), None)
    for field in _MOVING.get(kind, ()) if kind is not None else ():
        yield from walk_scope(getattr(statement, field))
