"""The names that gast code binds, declares or contains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autograph.syntax.tree import BLOCK_FIELDS, children, walk

_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
_BINDERS = {
    *(gast.Name, gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Import),
    *(gast.ImportFrom, gast.MatchAs, gast.MatchStar, gast.MatchMapping),
}
_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def parameter_nodes(args: gast.arguments) -> list[gast.Name]:
    """Return the parameters as gast Names (ctx Param), in source order."""
    star = [args.vararg] if args.vararg else []
    double_star = [args.kwarg] if args.kwarg else []
    return [*args.posonlyargs, *args.args, *star, *args.kwonlyargs, *double_star]


def bound_names(node: Any) -> tuple[str, ...]:
    """Return the names that code binds in its own scope, in the order of their first binding.

    For a function these are its local variables: the parameters, and the names that its body binds
    and does not declare global or nonlocal. For statements (one or a list) these are the names that
    they bind in the scope around them. Names bound inside nested functions, classes and
    comprehensions do not count, except by a walrus in a comprehension.

    >>> from autograph.syntax.tree import parse
    >>> bound_names(parse("a = 1\\nfor b, c in a: import d.e\\ndef f(x): y = 1").body)
    ('a', 'b', 'c', 'd', 'f')
    """
    found: dict[str, None] = {}
    if isinstance(node, _FUNCTIONS):
        found.update(dict.fromkeys(parameter.id for parameter in parameter_nodes(node.args)))
    for statement in _scope_body(node):
        _bind(statement, found)
    outside = declared_names(node) if isinstance(node, _FUNCTIONS) else ()
    return tuple(name for name in found if name not in outside)


def declared_names(node: Any) -> tuple[str, ...]:
    """Return the names that a function or statements declare `global` or `nonlocal`.

    Declarations inside nested functions and classes do not count.
    """
    found: dict[str, None] = {}
    waiting = _scope_body(node)[::-1]
    while waiting:
        # Declarations are statements, so that no expression needs to be searched.
        statement = waiting.pop()
        if isinstance(statement, (gast.Global, gast.Nonlocal)):
            found.update(dict.fromkeys(statement.names))
        elif not isinstance(statement, _DEFINITIONS):
            for field in reversed(BLOCK_FIELDS[type(statement)]):
                value = getattr(statement, field, None)
                waiting += value[::-1] if isinstance(value, list) else ()
    return tuple(found)


def all_names(node: Any) -> frozenset[str]:
    """Return every identifier that occurs, except attributes and keywords.

    >>> from autograph.syntax.tree import parse
    >>> sorted(all_names(parse("def f(x): return g(x.y, z=lambda w: w)")))
    ['f', 'g', 'w', 'x']
    """
    return frozenset(name for inner in walk(node) for name in _identifiers(inner))


def walk_scope(node: Any) -> Iterator[Any]:
    """Yield the nodes that are executed in the scope of `node`, parents first.

    Of a nested function or class, these are the definition itself and its decorators, defaults,
    annotations and bases, but not its body. This holds for `node` too if it is a function; for the
    scope of a function, give its body.
    """
    stack = node[::-1] if isinstance(node, list) else [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(_executed_here(current)[::-1])


def _executed_here(node: Any) -> list[Any]:
    kind = type(node)
    if kind is gast.Name or kind is gast.Constant:
        return []
    if kind is gast.Lambda:
        return _header(node.args)
    if kind is gast.FunctionDef or kind is gast.AsyncFunctionDef:
        returns = [node.returns] if getattr(node, "returns", None) else []
        return [*node.decorator_list, *_header(node.args), *returns]
    if kind is gast.ClassDef:
        return [*node.decorator_list, *node.bases, *node.keywords]
    return list(children(node))


def _header(args: gast.arguments) -> list[Any]:
    defaults = [d for d in (*args.defaults, *args.kw_defaults) if d is not None]
    annotations = [p.annotation for p in parameter_nodes(args) if p.annotation is not None]
    return [*defaults, *annotations]


def _scope_body(node: Any) -> list[Any]:
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.Module)):
        return list(node.body)
    if isinstance(node, gast.Lambda):
        return [node.body]
    return node if isinstance(node, list) else [node]


def _bind(node: Any, found: dict[str, None]) -> None:
    """Add the names that `node` binds, in the order in which they are bound at run time."""
    if isinstance(node, _COMPREHENSIONS):
        walruses = [n.target.id for n in walk_scope(node) if isinstance(n, gast.NamedExpr)]
        found.update(dict.fromkeys(walruses))
        return
    for child in _in_running_order(node):
        _bind(child, found)
    if type(node) in _BINDERS:
        found.update(dict.fromkeys(_own_bindings(node)))


def _in_running_order(node: Any) -> list[Any]:
    if isinstance(node, (gast.For, gast.AsyncFor)):
        return [node.iter, node.target, *node.body, *node.orelse]
    if isinstance(node, gast.Assign):
        return [node.value, *node.targets]
    if isinstance(node, gast.AnnAssign):
        value = [] if node.value is None else [node.value]
        return [*value, node.target, node.annotation]
    return _executed_here(node)


def _own_bindings(node: Any) -> Iterator[str]:
    if isinstance(node, gast.Name):
        if not isinstance(node.ctx, gast.Load):
            yield node.id
    elif isinstance(node, _DEFINITIONS):
        yield node.name
    elif isinstance(node, (gast.Import, gast.ImportFrom)):
        yield from (a.asname or a.name.partition(".")[0] for a in node.names if a.name != "*")
    elif isinstance(node, (gast.MatchAs, gast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, gast.MatchMapping) and node.rest:
        yield node.rest


def _identifiers(node: Any) -> Iterator[str]:
    if isinstance(node, gast.Name):
        yield node.id
    elif isinstance(node, (gast.Global, gast.Nonlocal)):
        yield from node.names
    elif isinstance(node, (gast.TypeVar, gast.ParamSpec, gast.TypeVarTuple)):
        yield node.name
    else:
        yield from _own_bindings(node)
