"""The node classes of trees beside those of gast, and the nesting of statements.

All executable parts are fields of a node, so that each walk over a tree visits them. The nodes of
these classes exist only between converters: `control_flow` and `walruses` replace the last of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import gast

Function: TypeAlias = gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda
Block = list[gast.stmt]


class ForUntil(gast.For):
    """A `for` that stops as soon as one of the flags in `until` is set.

    Fields (by keyword): those of `For`, `until` (a list of expressions) and `options` (a list of
    keywords for the operator).
    """

    _fields = (*gast.For._fields, "until", "options")


class WhileUntil(gast.While):
    """A `while` that stops, before its test is evaluated, once a flag in `until` is set."""

    _fields = (*gast.While._fields, "until", "options")


class TryAlways(gast.Try):
    """A `try` whose `else` also runs after a jump out of its body: it was a `finally`."""


class NamedInThunk(gast.NamedExpr):
    """A walrus in code that becomes a function, which binds through a cell."""


LOOPS = (gast.For, gast.While)
STAGED = (gast.If, gast.For, gast.While, gast.Match)
DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)

_BLOCK_FIELDS: dict[type, tuple[str, ...]] = {
    gast.If: ("body", "orelse"),
    gast.For: ("body", "orelse"),
    ForUntil: ("body", "orelse"),
    gast.AsyncFor: ("body", "orelse"),
    gast.While: ("body", "orelse"),
    WhileUntil: ("body", "orelse"),
    gast.With: ("body",),
    gast.AsyncWith: ("body",),
    gast.Try: ("body", "orelse", "finalbody"),
    TryAlways: ("body", "orelse", "finalbody"),
    gast.TryStar: ("body", "orelse", "finalbody"),
    gast.ExceptHandler: ("body",),
    gast.match_case: ("body",),
}


def block_fields(node: Any) -> tuple[str, ...]:
    """Return the names of the fields of a node that hold lists of statements of its scope."""
    return _BLOCK_FIELDS.get(type(node), ())


def holders(statement: Any) -> tuple[Any, ...]:
    """Return the nodes that have the blocks of a statement: itself, its handlers or its cases."""
    if isinstance(statement, (gast.Try, gast.TryStar)):
        return (statement, *statement.handlers)
    if isinstance(statement, gast.Match):
        return tuple(statement.cases)
    return (statement,)


def blocks(statement: Any) -> Sequence[Block]:
    """Return the lists of statements directly inside a statement, in source order.

    >>> from autograph.syntax.tree import parse
    >>> [len(block) for block in blocks(parse("if a: b; c\\nelse: d").body[0])]
    [2, 1]
    """
    fields = _BLOCK_FIELDS.get(type(statement))
    if fields is None:
        return [case.body for case in statement.cases] if type(statement) is gast.Match else ()
    found: list[Block] = [getattr(statement, name) for name in fields]
    if len(fields) == 3:
        found[1:1] = [handler.body for handler in statement.handlers]
    return found


def is_loop(statement: Any) -> bool:
    """Return whether a statement is a `for`, `while` or `async for`."""
    return isinstance(statement, (gast.For, gast.While, gast.AsyncFor))


def is_operator(node: Any, name: str | None = None) -> bool:
    """Return whether a node is the operator `ag__.name`; any operator if there is no name."""
    return (
        isinstance(node, gast.Attribute)
        and isinstance(node.value, gast.Name)
        and node.value.id == "ag__"
        and (name is None or node.attr == name)
    )


def is_function_scope(statement: Any) -> bool:
    """Return whether a statement is the `with ag__.FunctionScope(...)` of a converted body."""
    if not isinstance(statement, gast.With):
        return False
    call = statement.items[0].context_expr
    return isinstance(call, gast.Call) and is_operator(call.func, "FunctionScope")
