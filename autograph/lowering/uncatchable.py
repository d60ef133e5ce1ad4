"""A `try` of Python's own does not see what a run raises: that is refused where it is recorded.

    try:                                with ag__.refusals:
        if x > 0:                           try:
            raise ValueError(x)                 with ag__.unseen(lambda: (ValueError,), 'star'):
    except* ValueError as e:      ->                if x > 0: raise ValueError(x)
        r = 1                               except* ValueError as e:
                                                r = 1

So it is with a `try` that has a `yield` or `await` in its body. There each run of statements
without one stands in a `with` of its own, and a handler lets a refusal go on.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from autograph.lowering.operator_calls import VOCABULARY, put, put_off, read, say, unlined
from autograph.lowering.tree_visitors import StatementTransformer
from autograph.syntax.tree import children

_SUSPEND = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
# What holds blocks of statements that may be taken apart.
_BLOCKS = ("body", "orelse", "finalbody")


def with_unseen_refused(function: Any) -> Any:
    """Return the function with what a `try` of Python's own would miss refused; in place."""
    return _Unseen().visit(function)


class _Unseen(StatementTransformer):
    def visit_Try(self, node: Any) -> Any:
        self.generic_visit(node)
        if node.handlers and any(map(_suspends, node.body)):
            node.body = _apart(node.body, node.handlers)
            for handler in node.handlers:
                passed = put(ast.Expr(say("pass_refusal", [], handler)), handler)
                handler.body.insert(0, unlined(passed))
        return node

    def _star(self, node: Any) -> Any:
        self.generic_visit(node)
        if any(map(_suspends, node.body)):
            node.body = _apart(node.body, node.handlers)
        else:
            node.body = [_refusing(node.body, node.handlers, "star")]
        if any(map(_suspends, [node])):
            return node
        word = put(ast.Attribute(read(VOCABULARY, node), "refusals", ast.Load()), node)
        return put_off(ast.With([ast.withitem(unlined(word))], [node]))

    if hasattr(ast, "TryStar"):  # since Python 3.11
        visit_TryStar = _star


def _apart(statements: list[Any], handlers: list[Any]) -> list[Any]:
    """Return statements, of which some suspend, with those between these refusing."""
    found: list[Any] = []
    plain: list[Any] = []
    for statement in [*statements, None]:
        if statement is not None and not _suspends(statement):
            plain.append(statement)
            continue
        if any(map(_is_more_than_an_end, plain)):
            found.append(_refusing(plain, handlers, "yield"))
        else:
            found += plain
        plain = []
        if statement is not None:
            for part in _BLOCKS if isinstance(statement, (ast.If, ast.For, ast.While)) else ():
                if inner := getattr(statement, part, None):
                    setattr(statement, part, _apart(inner, handlers))
            found.append(statement)
    return found


def _is_more_than_an_end(statement: Any) -> bool:
    return not isinstance(statement, (ast.Pass, ast.Break, ast.Continue))


def _refusing(statements: list[Any], handlers: list[Any], what: str) -> Any:
    first = handlers[0]  # a statement that is made up is on no line, where no code can begin
    kinds = [_kind(handler, first) for handler in handlers]
    nothing = ast.arguments([], [], None, [], [], None, [])
    thunk = put(ast.Lambda(nothing, put(ast.Tuple(kinds, ast.Load()), first)), first)
    word = say("unseen", [thunk, put(ast.Constant(what), first)], first)
    return put_off(ast.With([ast.withitem(unlined(word))], statements))


def _kind(handler: Any, origin: Any) -> Any:
    return put(ast.Constant(None), origin) if handler.type is None else copy.deepcopy(handler.type)


def _suspends(node: Any) -> bool:
    """Tell whether a statement suspends the function it stands in."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, _SUSPEND) or bool(getattr(each, "is_async", False)):
            return True
        waiting += [child for child in children(each) if not isinstance(child, _SCOPES)]
    return False
