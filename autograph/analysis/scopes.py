"""The names of enclosing scopes that nested scopes use."""

from __future__ import annotations

from typing import Any, NamedTuple

import gast

from autograph.analysis.grammar import COMPREHENSIONS, DEFINITIONS
from autograph.syntax.names import bound_names, walk_scope
from autograph.syntax.tree import children, walk


class Uses(NamedTuple):
    """The names of enclosing scopes that a nested scope uses.

    Attributes:
        names: the names that it reads or writes.
        writes: the names that it writes, by `nonlocal` or by a walrus in a comprehension.
    """

    names: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()

    def __or__(self, other: Uses) -> Uses:
        return Uses(self.names | other.names, self.writes | other.writes)

    def without(self, names: frozenset[str]) -> Uses:
        """Return the uses without those of some names, which a scope in between binds."""
        return Uses(self.names - names, self.writes - names)


def uses_of(scope: Any) -> Uses:
    """Return the names of enclosing scopes that a function, lambda, class or comprehension uses.

    Decorators, defaults, bases and the first iterable do not count: they are evaluated outside.

    >>> from autograph.syntax.tree import parse
    >>> sorted(uses_of(parse("def g(x=d):\\n nonlocal t; t = x + y").body[0]).names)
    ['t', 'y']
    """
    if isinstance(scope, COMPREHENSIONS):
        return _uses_of_comprehension(scope)
    body = scope.body if isinstance(scope.body, list) else [scope.body]
    declared = _declared(body, gast.Nonlocal)
    inside = _uses_of_all(body) | Uses(declared, declared)
    return inside.without(_own_names(scope, body) | _declared(body, gast.Global))


def _own_names(scope: Any, body: list[Any]) -> frozenset[str]:
    if isinstance(scope, gast.ClassDef):
        return frozenset(bound_names(body)) - _declared(body, gast.Nonlocal)
    return frozenset(bound_names(scope))


def _declared(body: list[Any], kind: type) -> frozenset[str]:
    return frozenset(
        name
        for statement in body
        for node in walk_scope(statement)
        if isinstance(node, kind)
        for name in getattr(node, "names", ())
    )


def _uses_of_comprehension(node: Any) -> Uses:
    targets = frozenset(name for g in node.generators for name in bound_names(g.target))
    first, *others = node.generators
    parts = [part for name in ("elt", "key", "value") if (part := getattr(node, name, None))]
    parts += [first.target, *first.ifs, *others]
    walrus = frozenset(n.target.id for p in parts for n in walk(p) if isinstance(n, gast.NamedExpr))
    return (_uses_of_all(parts) | Uses(walrus, walrus)).without(targets)


def names_in(expressions: list[Any]) -> frozenset[str]:
    """Return the names of their scope that some expressions use, themselves or in nested scopes.

    >>> from autograph.syntax.tree import parse_expression
    >>> sorted(names_in([parse_expression("f(x for x in y)")]))
    ['f', 'y']
    """
    return _uses_of_all(expressions).names


def _uses_of_all(nodes: list[Any]) -> Uses:
    uses = Uses()
    names: set[str] = set()
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if isinstance(node, gast.Name):
            names.add(node.id)
        elif isinstance(node, (*DEFINITIONS, gast.Lambda, *COMPREHENSIONS)):
            uses |= uses_of(node)
            stack.extend(header(node))
        else:
            stack.extend(children(node))
    return uses | Uses(frozenset(names))


def header(scope: Any) -> list[Any]:
    """Return the expressions of a nested scope that are evaluated in the scope around it."""
    if isinstance(scope, COMPREHENSIONS):
        return [scope.generators[0].iter]
    if isinstance(scope, gast.ClassDef):
        return [*scope.decorator_list, *scope.bases, *(k.value for k in scope.keywords)]
    defaults = [d for d in (*scope.args.defaults, *scope.args.kw_defaults) if d is not None]
    return [*getattr(scope, "decorator_list", ()), *defaults]
