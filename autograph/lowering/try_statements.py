"""`try` and `with` statements of compiled code, and their handlers.

The Python branch has the user's `try`, rebuilt from its functions:

def try_body(): f()
def except_body(e): g(e)                                   try: f()
ag__.try_stmt(try_body,                             ->     except ValueError as e:
    (ag__.handler(lambda: ValueError,                          ag__.drop_frames()
        except_body, 'e'),), None, None, ...)                  g(e)

A handler first drops the frames of these packages from the traceback:

    except ValueError as error:    ->    except ValueError as error:
        log(error)                           ag__.drop_frames()
                                             log(error)

The call has no line. The exception to raise may be one of several, selected by a run:
`raise ag__.raised(e)`.

The body of a function that the user converts is in a `with ag__.boundary:`, which drops these
frames from exceptions that leave it. After a `with`, a frame is still at the line that raised.

A `try` that stays Python's own cannot catch errors of a run, so nodes that may raise them are
refused:

    try:                                with ag__.refusals:
        if x > 0:                           try:
            raise ValueError(x)                 with ag__.uncatchable(lambda: ..., "star"):
    except* ValueError as e:      ->                if x > 0: raise ValueError(x)
        r = 1                               except* ValueError as e:
                                                r = 1

The same holds for a `try` with a `yield` or `await` in it, and for one that a jump leaves which
would skip a `yield` or `await`. There the statements between the
suspensions are in a `with` of their own, and a handler raises a refusal again.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

from autograph.lowering.operator_calls import (
    VOCABULARY,
    StatementFunctions,
    drop_line,
    drop_lines,
    invoke,
    put,
    read,
)
from autograph.lowering.tree_visitors import StatementTransformer
from autograph.lowering.versioning import split_docstring
from autograph.syntax.tree import children, statements_in
from runtime.core.fork_safety import cached_property

Statements = list[ast.stmt]


def python_try(
    call: ast.Call,
    parts: StatementFunctions,
    block: Callable[[Statements], Statements],
    rewritten: Callable[[Any], Any],
) -> ast.Try:
    """Return the `try` statement for a call of `try_stmt`.

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

    def handler(operator: Any) -> ast.ExceptHandler:
        kind, function, name = operator.args
        definition = parts.named(function)
        tidy = drop_lines(put(ast.Expr(invoke("drop_frames", [], definition)), definition))
        body = block(_users_statements(parts, function, name.value))
        kind = None if isinstance(kind, ast.Constant) else rewritten(kind.body)
        body = body or [put(ast.Pass(), definition)]
        return put(ast.ExceptHandler(kind, name.value, [tidy, *body]), definition)

    clauses = [handler(operator) for operator in handlers.elts]  # type: ignore[attr-defined]
    return put(ast.Try(inside(main), clauses, inside(orelse), inside(final)), call)


def python_with(
    call: ast.Call,
    parts: StatementFunctions,
    block: Callable[[Statements], Statements],
    rewritten: Callable[[Any], Any],
) -> ast.With:
    """Return the `with` statement for a call of `with_stmt`; arguments are as in `python_try`."""
    manager: Any = call.args[0]
    function: Any = call.args[1]
    target, statements = None, parts.inside(function)
    if parts.named(function).args.args:
        target, statements = parts.target_and_rest(function)
    body = block(statements) or [put(ast.Pass(), call)]
    return put(ast.With([ast.withitem(rewritten(manager), target)], body), call)


def _users_statements(parts: StatementFunctions, function: Any, name: str | None) -> Statements:
    """Return the statements of a handler without those that bind and unbind its variable."""
    statements = parts.inside(function)
    parameters = parts.named(function).args.args
    if not parameters or parameters[0].arg == name:
        return statements
    unbinding = statements[1]
    assert isinstance(unbinding, ast.Try)
    return unbinding.body


# -- handlers --------------------------------------------------------------------------------------


# CPython allows 20 nested blocks in one function.
_MOST_BLOCKS = 18
_NO_BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_PARTS = ("body", "orelse", "finalbody", "handlers", "cases")


def with_clean_handlers(function: Any) -> Any:
    """Return the converted function whose handlers first drop internal frames; in place.

    >>> tree = ast.parse("try: f()\\nexcept ValueError: pass")
    >>> print(ast.unparse(with_clean_handlers(tree).body[0].handlers[0]))
    except ValueError:
        ag__.drop_frames()
        pass
    """
    for node in statements_in(function):
        if isinstance(node, ast.ExceptHandler):
            node.body.insert(0, drop_lines(put(ast.Expr(invoke("drop_frames", [], node)), node)))
        elif isinstance(node, ast.Raise):
            node.exc = node.exc and invoke("raised", [node.exc], node.exc)
            node.cause = node.cause and invoke("raised", [node.cause], node.cause)
    return function


def with_boundary(function: Any) -> Any:
    """Return the converted function with its body in a `with ag__.boundary:`, changed in place.

    A lambda cannot have one, nor can a function whose blocks are nested as deep as Python allows.
    """
    if isinstance(function, ast.Lambda) or _depth(function.body) > _MOST_BLOCKS:
        return function
    docstring, rest = split_docstring(function.body)
    declarations = [each for each in rest if isinstance(each, (ast.Global, ast.Nonlocal))]
    inside = [each for each in rest if not isinstance(each, (ast.Global, ast.Nonlocal))]
    if inside:
        operator = put(ast.Attribute(read(VOCABULARY, function), "boundary", ast.Load()), function)
        around = ast.With([ast.withitem(drop_lines(operator))], inside)
        inside = [drop_line(around)]
    function.body = [*docstring, *declarations, *inside]
    return function


def _depth(statements: list[Any]) -> int:
    """Return the depth of nested blocks, without recursion: chains of `elif` are deep trees."""
    deepest = 0
    waiting = [(statement, 0) for statement in statements]
    while waiting:
        node, around = waiting.pop()
        deepest = max(deepest, around)
        if not isinstance(node, _NO_BLOCKS):
            own = len(getattr(node, "items", ())) or not isinstance(node, (ast.If, ast.match_case))
            for part in _PARTS:
                waiting += [(inner, around + own) for inner in getattr(node, part, ())]
    return deepest


# -- uncatchable -----------------------------------------------------------------------------------


_SUSPEND = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
# The fields of statements that may be divided.
_BLOCKS = ("body", "orelse", "finalbody")


def with_uncatchable_refused(function: Any) -> Any:
    """Return the function with refusals of errors that Python's `try` cannot catch, in place."""
    return _UncatchableTries(function).visit(function)


class _UncatchableTries(StatementTransformer):
    def __init__(self, function: Any) -> None:
        self._function = function

    @cached_property
    def _function_suspends(self) -> bool:
        return any(map(_suspends, children(self._function)))

    def visit_Try(self, node: Any) -> Any:
        self.generic_visit(node)
        is_pythons = _suspends(node) or (_is_left(node) and self._function_suspends)
        if node.handlers and is_pythons:
            node.body = _apart(node.body, node.handlers)
            for handler in node.handlers:
                passed = put(ast.Expr(invoke("pass_refusal", [], handler)), handler)
                handler.body.insert(0, drop_lines(passed))
        return node

    def _star(self, node: Any) -> Any:
        self.generic_visit(node)
        if any(map(_suspends, node.body)):
            node.body = _apart(node.body, node.handlers)
        else:
            node.body = [_refusing(node.body, node.handlers, "star")]
        if any(map(_suspends, [node])):
            return node
        operator = put(ast.Attribute(read(VOCABULARY, node), "refusals", ast.Load()), node)
        return drop_line(ast.With([ast.withitem(drop_lines(operator))], [node]))

    if hasattr(ast, "TryStar"):  # since Python 3.11
        visit_TryStar = _star


def _apart(statements: list[Any], handlers: list[Any]) -> list[Any]:
    """Return statements with a refusing `with` around those between the suspensions."""
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
    first = handlers[0]  # the origin, since a synthetic statement has no line
    kinds = [_kind(handler, first) for handler in handlers]
    nothing = ast.arguments([], [], None, [], [], None, [])
    thunk = put(ast.Lambda(nothing, put(ast.Tuple(kinds, ast.Load()), first)), first)
    operator = invoke("uncatchable", [thunk, put(ast.Constant(what), first)], first)
    return drop_line(ast.With([ast.withitem(drop_lines(operator))], statements))


def _kind(handler: Any, origin: Any) -> Any:
    return put(ast.Constant(None), origin) if handler.type is None else copy.deepcopy(handler.type)


def _is_left(statement: Any) -> bool:
    """Return whether a jump leaves a statement; in a generator, it is then Python's own."""
    waiting = [(statement, False)]
    while waiting:
        each, is_in_loop = waiting.pop()
        if isinstance(each, ast.Return):
            return True
        if isinstance(each, (ast.Break, ast.Continue)) and not is_in_loop:
            return True
        is_in_loop = is_in_loop or isinstance(each, (ast.For, ast.While))
        waiting += [
            (child, is_in_loop) for child in children(each) if not isinstance(child, _SCOPES)
        ]
    return False


def _suspends(node: Any) -> bool:
    """Return whether a statement suspends its function."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, _SUSPEND) or bool(getattr(each, "is_async", False)):
            return True
        waiting += [child for child in children(each) if not isinstance(child, _SCOPES)]
    return False
