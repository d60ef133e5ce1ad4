"""The `try` of Python's own road, put together again from the functions it was taken apart into.

def try_body(): f()
def except_body(e): g(e)                                   try: f()
ag__.try_stmt(try_body,                             ->     except ValueError as e:
    (ag__.handler(lambda: ValueError,                          ag__.drop_frames()
        except_body, 'e'),), None, None, ...)                  g(e)
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from autograph.lowering.operator_calls import put, say, unlined
from autograph.lowering.staged import Parts

Statements = list[ast.stmt]


def python_try(
    call: ast.Call,
    parts: Parts,
    block: Callable[[Statements], Statements],
    rewritten: Callable[[Any], Any],
) -> ast.Try:
    """Return the `try` statement that a call of `try_stmt` stands for.

    Args:
        call: the call.
        parts: the functions it takes.
        block: rewrites the statements inside.
        rewritten: rewrites an expression.
    """
    main, handlers, orelse, final = call.args[:4]

    def inside(function: Any) -> Statements:
        if isinstance(function, ast.Constant):
            return []
        return block(parts.inside(function)) or [put(ast.Pass(), parts.named(function))]

    def handler(word: Any) -> ast.ExceptHandler:
        kind, function, name = word.args
        definition = parts.named(function)
        tidy = unlined(put(ast.Expr(say("drop_frames", [], definition)), definition))
        body = block(_users_statements(parts, function, name.value))
        kind = None if isinstance(kind, ast.Constant) else rewritten(kind.body)
        body = body or [put(ast.Pass(), definition)]
        return put(ast.ExceptHandler(kind, name.value, [tidy, *body]), definition)

    clauses = [handler(word) for word in handlers.elts]  # type: ignore[attr-defined]
    return put(ast.Try(inside(main), clauses, inside(orelse), inside(final)), call)


def python_with(
    call: ast.Call,
    parts: Parts,
    block: Callable[[Statements], Statements],
    rewritten: Callable[[Any], Any],
) -> ast.With:
    """Return the `with` statement that a call of `with_stmt` stands for; as `python_try`."""
    manager: Any = call.args[0]
    function: Any = call.args[1]
    target, statements = None, parts.inside(function)
    if parts.named(function).args.args:
        target, statements = parts.target_and_rest(function)
    body = block(statements) or [put(ast.Pass(), call)]
    return put(ast.With([ast.withitem(rewritten(manager), target)], body), call)


def _users_statements(parts: Parts, function: Any, name: str | None) -> Statements:
    """Return the statements of a handler; Python binds and unbinds its variable by itself."""
    statements = parts.inside(function)
    parameters = parts.named(function).args.args
    if not parameters or parameters[0].arg == name:
        return statements
    unbinding = statements[1]
    assert isinstance(unbinding, ast.Try)
    return unbinding.body
