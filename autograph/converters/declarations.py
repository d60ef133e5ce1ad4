"""Declarations move to the top of their function, and annotations of variables are dropped.

    def f(x):                      def f(x):
        if x:                          global count
            global count       ->      if x:
            count: int = 1                 count = 1

The functions of bodies have declarations of their own, and Python allows no annotation of a
`nonlocal` variable. It never evaluates annotations of variables in functions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import block_fields, holders
from autograph.converters.base import Conversion, Converter, Tree, functions_in
from autograph.converters.node_builders import new, nonempty, undefined
from autograph.converters.postconditions import statements_left
from autograph.syntax.names import all_names, bound_names, parameter_nodes
from autograph.syntax.tree import split_docstring


class Declarations(Converter):
    """`global`, `nonlocal` and bare annotations go to the top; `x: T = v` becomes `x = v`.

    Before: `if c: y: int = 0`. After: `if c: y = 0`.
    """

    handles = (gast.Global, gast.Nonlocal, gast.AnnAssign)
    removes = (gast.AnnAssign,)

    def leftovers(self, tree: Tree, facts: FunctionFacts) -> Iterable[Any]:
        return (node for node, _ in statements_left(tree, facts, self.removes))

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        for function in functions_in(tree):
            _Hoisting(function).apply()
        return tree


class _Hoisting:
    """Moves the declarations of one function to its top."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self._declared: dict[type, dict[str, Any]] = {gast.Global: {}, gast.Nonlocal: {}}
        self._annotated: dict[str, Any] = {}

    def apply(self) -> None:
        function = self._function
        docstring, rest = split_docstring(function.body)
        rest = self._block(rest)
        top = [
            new(kind, next(iter(origins.values())), names=list(origins))
            for kind, origins in self._declared.items()
            if origins
        ]
        function.body = [*docstring, *top, *self._only_annotated(rest), *rest]
        function.body = nonempty(function.body, function)

    def _only_annotated(self, rest: list[gast.stmt]) -> list[gast.stmt]:
        """Return marks that keep names local which are annotated and mentioned, but never bound."""
        if not self._annotated:
            return []
        bound = {*bound_names(rest), *(p.id for p in parameter_nodes(self._function.args))}
        mentioned = frozenset().union(*map(all_names, rest))
        return [
            undefined(name, origin)
            for name, origin in self._annotated.items()
            if name in mentioned and name not in bound
        ]

    def _block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        return [new for statement in statements for new in self._statement(statement)]

    def _statement(self, node: Any) -> list[gast.stmt]:
        if isinstance(node, (gast.Global, gast.Nonlocal)):
            self._declared[type(node)].update(dict.fromkeys(node.names, node))
            return []
        if isinstance(node, gast.AnnAssign):
            return self._annotation(node)
        for holder in holders(node):
            for field in block_fields(holder):
                block = getattr(holder, field)
                if block:
                    setattr(holder, field, nonempty(self._block(block), node))
        return [node]

    def _annotation(self, node: Any) -> list[gast.stmt]:
        if node.value is not None:
            return [
                new(gast.Assign, node, targets=[node.target], value=node.value, type_comment=None)
            ]
        if isinstance(node.target, gast.Name):
            if node.simple:  # `(x): int` declares nothing
                self._annotated[node.target.id] = node.target
            return []
        # Python evaluates the parts of the target, but does not read the place.
        parts = [node.target.value]
        if isinstance(node.target, gast.Subscript):
            parts += _of_index(node.target.slice)
        return [new(gast.Expr, node, value=part) for part in parts]


def _of_index(index: Any) -> list[Any]:
    """Return the expressions in square brackets, in the order of evaluation."""
    if isinstance(index, gast.Tuple):
        return [part for each in index.elts for part in _of_index(each)]
    if isinstance(index, gast.Slice):
        return [part for part in (index.lower, index.upper, index.step) if part is not None]
    return [index]
