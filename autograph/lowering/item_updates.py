"""`x[i] += v` takes Python's own road where `x` can be changed in place.

x = ag__.update_item(x, i, '+=', lambda: v)
    ->   if ag__.updates_in_place(x, value_ := i):
             x[value_] += v
         else:
             x = ag__.update_item(x, value_, '+=', lambda: v)
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, cast

from autograph.lowering.checks import Temporaries, taken
from autograph.lowering.operator_calls import put, put_off, read, say, word_of

OPERATORS: dict[str, type[ast.operator]] = {
    "+=": ast.Add,
    "-=": ast.Sub,
    "*=": ast.Mult,
    "@=": ast.MatMult,
    "/=": ast.Div,
    "//=": ast.FloorDiv,
    "%=": ast.Mod,
    "**=": ast.Pow,
    "<<=": ast.LShift,
    ">>=": ast.RShift,
    "|=": ast.BitOr,
    "^=": ast.BitXor,
    "&=": ast.BitAnd,
}


def is_item_update(statement: Any) -> bool:
    """Tell whether a statement says `x = ag__.update_item(...)`."""
    if not isinstance(statement, ast.Assign) or word_of(statement.value) != "update_item":
        return False
    return isinstance(statement.targets[0], ast.Name)


def item_roads(statement: Any, names: Temporaries, rewritten: Callable[[Any], Any]) -> ast.If:
    """Return both roads of an assignment by `ag__.update_item`."""
    call = statement.value
    target, index, symbol, value = cast("list[Any]", call.args)
    (variable,) = statement.targets
    name = names.fresh("value_")
    kept = put(ast.NamedExpr(put(ast.Name(name, ast.Store()), index), rewritten(index)), index)
    test = say("updates_in_place", [target, kept], call)
    item = put(ast.Subscript(read(variable.id, call), taken(name, index), ast.Store()), call)
    operator = OPERATORS[symbol.value]()
    python = put(ast.AugAssign(item, operator, rewritten(value.body)), statement)
    arguments = [read(variable.id, call), taken(name, index), symbol, rewritten(value)]
    rebound = put(ast.Name(variable.id, ast.Store()), variable)
    staged = put(ast.Assign([rebound], say("update_item", arguments, call)), statement)
    return put_off(ast.If(test, [python], [staged]))
