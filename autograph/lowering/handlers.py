"""A handler of the user's sees the user's frames only.

    except ValueError as error:    ->    except ValueError as error:
        log(error)                           ag__.drop_frames()
                                             log(error)

What is raised may be one of several that only a run knows: `raise ag__.raised(e)` asks for it.
What a staged statement or an op raises has come through frames of ours. Nothing is done where
nothing is raised, and the call is on no line.

What leaves the function that the user asked for goes through a `with ag__.boundary:`, the one
statement after which a frame is still at the line that raised.
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.lowering.operator_calls import VOCABULARY, put, put_off, read, say, unlined
from autograph.lowering.versioning import split_docstring
from autograph.syntax.tree import statements_in

# Python nests no more than twenty blocks in one function.
_MOST_BLOCKS = 18
_NO_BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_PARTS = ("body", "orelse", "finalbody", "handlers", "cases")


def with_clean_handlers(function: Any) -> Any:
    """Return the converted function whose handlers first tidy up what they caught; in place.

    >>> tree = ast.parse("try: f()\\nexcept ValueError: pass")
    >>> print(ast.unparse(with_clean_handlers(tree).body[0].handlers[0]))
    <BLANKLINE>
    except ValueError:
        ag__.drop_frames()
        pass
    """
    for node in statements_in(function):
        if isinstance(node, ast.ExceptHandler):
            node.body.insert(0, unlined(put(ast.Expr(say("drop_frames", [], node)), node)))
        elif isinstance(node, ast.Raise):
            node.exc = node.exc and say("raised", [node.exc], node.exc)
            node.cause = node.cause and say("raised", [node.cause], node.cause)
    return function


def with_boundary(function: Any) -> Any:
    """Return the converted function, out of which exceptions come without frames of ours; in place.

    A lambda has no place for a statement, and neither has a function nested as deep as Python goes.
    """
    if isinstance(function, ast.Lambda) or _depth(function.body) > _MOST_BLOCKS:
        return function
    docstring, rest = split_docstring(function.body)
    declarations = [each for each in rest if isinstance(each, (ast.Global, ast.Nonlocal))]
    inside = [each for each in rest if not isinstance(each, (ast.Global, ast.Nonlocal))]
    if inside:
        word = put(ast.Attribute(read(VOCABULARY, function), "boundary", ast.Load()), function)
        around = ast.With([ast.withitem(unlined(word))], inside)
        inside = [put_off(around)]
    function.body = [*docstring, *declarations, *inside]
    return function


def _depth(statements: list[Any]) -> int:
    """Return how many blocks stand within each other; long chains of `elif` are deep trees."""
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
