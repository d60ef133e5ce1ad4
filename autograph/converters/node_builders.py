"""Builders of nodes of generated code; each takes the node whose position the new one gets."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import gast

from autograph.analysis.grammar import ForUntil, WhileUntil
from autograph.syntax.origin import position_of

VOCABULARY = "ag__"
_LOAD, _STORE = gast.Load(), gast.Store()
_OURS = {"id": VOCABULARY, "ctx": _LOAD, "annotation": None, "type_comment": None}
_NO_PARAMETERS = gast.arguments([], [], None, [], [], None, [])


def new(cls: Any, origin: Any, **fields: Any) -> Any:
    """Return a node with the given fields at the position of `origin`."""
    place = position_of(origin) if isinstance(origin, ast.AST) else None
    return _placed(cls, fields, place or {})


def _placed(cls: Any, fields: dict[str, Any], place: dict[str, int]) -> Any:
    node = cls.__new__(cls)
    node.__dict__.update(fields)
    node.__dict__.update(place)
    return node


def name(identifier: str, origin: Any, store: bool = False) -> gast.Name:
    """Return a variable, read or written."""
    ctx = _STORE if store else _LOAD
    return new(gast.Name, origin, id=identifier, ctx=ctx, annotation=None, type_comment=None)


def constant(value: object, origin: Any) -> gast.Constant:
    """Return a literal."""
    return new(gast.Constant, origin, value=value, kind=None)


def operator_call(identifier: str, arguments: Sequence[Any], origin: Any) -> gast.Call:
    """Return the call `ag__.identifier(*arguments)`."""
    place = (position_of(origin) if isinstance(origin, ast.AST) else None) or {}
    vocabulary = _placed(gast.Name, _OURS, place)
    fields = {"value": vocabulary, "attr": identifier, "ctx": _LOAD}
    function = _placed(gast.Attribute, fields, place)
    fields = {"func": function, "args": list(arguments), "keywords": []}
    return _placed(gast.Call, fields, place)


def thunk(body: Any) -> gast.Lambda:
    """Return `lambda: body`."""
    return new(gast.Lambda, body, args=_NO_PARAMETERS, body=body)


def assign(identifier: str, value: Any, origin: Any) -> gast.Assign:
    """Return the statement `identifier = value`."""
    target = name(identifier, origin, store=True)
    return new(gast.Assign, origin, targets=[target], value=value, type_comment=None)


def undefined(identifier: str, origin: Any) -> gast.Assign:
    """Return the statement `identifier = ag__.Undefined('identifier')`."""
    mark = operator_call("Undefined", [constant(identifier, origin)], origin)
    return assign(identifier, mark, origin)


def mark_if_unbound(identifier: str, origin: Any) -> gast.Assign:
    """Return `identifier = ag__.ldu(lambda: identifier, 'identifier')`: a mark if it is unbound.

    The end of an `except E as identifier` may have unbound it.
    """
    arguments = [thunk(name(identifier, origin)), constant(identifier, origin)]
    return assign(identifier, operator_call("ldu", arguments, origin), origin)


def set_flag(identifier: str, value: bool, origin: Any) -> gast.Assign:
    """Return the statement `identifier = True` (or `False`)."""
    return assign(identifier, constant(value, origin), origin)


def unless(identifier: str, body: list[gast.stmt], origin: Any) -> gast.If:
    """Return the statement `if not identifier: body`."""
    test = new(gast.UnaryOp, origin, op=gast.Not(), operand=name(identifier, origin))
    return new(gast.If, origin, test=test, body=body, orelse=[])


def nonempty(statements: list[gast.stmt], origin: Any) -> list[gast.stmt]:
    """Return the statements, or a `pass` if there are none."""
    return statements or [new(gast.Pass, origin)]


# -- loops -----------------------------------------------------------------------------------------


def with_until(loop: Any, flag: str | None = None, options: Sequence[Any] = ()) -> Any:
    """Return a loop with one more flag that stops it, and more options.

    A `for` becomes a `ForUntil`, a `while` a `WhileUntil`.
    """
    until = [*getattr(loop, "until", ()), *([name(flag, loop)] if flag else [])]
    all_options = [*getattr(loop, "options", ()), *options]
    kind = ForUntil if isinstance(loop, gast.For) else WhileUntil
    fields = {field: getattr(loop, field, None) for field in loop._fields}
    return new(kind, loop, **{**fields, "until": until, "options": all_options})
