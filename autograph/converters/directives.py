"""Directives, the calls of `set_loop_options`, become options of their loop.

while i < n:
    ag.set_loop_options(maximum_iterations=9)
    i += 1
->
ag__.while_stmt(..., {'maximum_iterations': 9})
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import LOOPS, blocks
from autograph.converters.base import Conversion, Converter, Tree, functions_in
from autograph.converters.node_builders import constant, new, nonempty, with_until

DIRECTIVE = "set_loop_options"
_OPTIONS = ("parallel_iterations", "swap_memory", "maximum_iterations", "shape_invariants")


class Directives(Converter):
    """`set_loop_options(...)` moves from the body of a loop to its `options`.

    Before: `for v in t: ag.set_loop_options(maximum_iterations=9); ...`. After: the call is gone
    and the loop has the keyword among its `options`.
    """

    needs = ("exits",)
    handles = LOOPS

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        for function in functions_in(tree):
            finder = _DirectiveFinder(facts.of(function), conversion)
            function.body = finder.block(function.body)
        return tree


def _is_directive(value: object) -> bool:
    return getattr(value, "__name__", None) == DIRECTIVE


class _DirectiveFinder:
    def __init__(self, facts: FunctionFacts, conversion: Conversion) -> None:
        self._exits = facts.exits
        self._conversion = conversion

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        return [self._statement(statement) for statement in statements]

    def _statement(self, node: Any) -> Any:
        for block in blocks(node):
            block[:] = self.block(block)
        if not isinstance(node, LOOPS) or self._exits.is_kept(node):
            return node
        directives = [statement for statement in node.body if self._advises(statement)]
        if not directives:
            return node
        for directive in directives:
            self._conversion.report_staged(directive.value)
        node.body = nonempty([s for s in node.body if s not in directives], node)
        options = [option for call in directives for option in self._options(call.value)]
        return with_until(node, options=options)

    def _advises(self, statement: Any) -> bool:
        if not isinstance(statement, gast.Expr) or not isinstance(statement.value, gast.Call):
            return False
        path = _dotted(statement.value.func)
        if not path:
            return False
        known, value = self._resolve(path)
        return _is_directive(value) if known else path[-1] == DIRECTIVE

    def _resolve(self, path: list[str]) -> tuple[bool, object]:
        namespace = self._conversion.namespace or {}
        if path[0] not in namespace:
            return False, None
        value = namespace[path[0]]
        for step in path[1:]:
            if not hasattr(value, step):
                return False, None
            value = getattr(value, step)
        return True, value

    def _options(self, call: Any) -> list[Any]:
        given = [
            new(gast.keyword, call, arg=arg, value=value) for arg, value in zip(_OPTIONS, call.args)
        ]
        for keyword in call.keywords:
            if keyword.arg not in _OPTIONS:
                known = ", ".join(_OPTIONS)
                message = f"set_loop_options() has no option {keyword.arg!r}; it has {known}"
                raise self._conversion.error(message, call)
        return [self._option(keyword) for keyword in (*given, *call.keywords)]

    def _option(self, keyword: Any) -> Any:
        if keyword.arg == "shape_invariants":
            keyword.value = self._invariants(keyword.value)
        return keyword

    def _invariants(self, pairs: Any) -> Any:
        """Return `[(v, shape), ...]` with the names of the variables in place of their values."""
        elements = getattr(pairs, "elts", None)
        if elements is None or not all(_is_pair(pair) for pair in elements):
            message = "write shape_invariants as a list of (variable, shape) pairs"
            raise self._conversion.error(message, pairs)
        for pair in elements:
            pair.elts[0] = constant(pair.elts[0].id, pair)
        return new(
            gast.Tuple,
            pairs,
            elts=[new(gast.Tuple, p, elts=p.elts, ctx=gast.Load()) for p in elements],
            ctx=gast.Load(),
        )


def _is_pair(node: Any) -> bool:
    elements = getattr(node, "elts", ())
    return len(elements) == 2 and isinstance(next(iter(elements)), gast.Name)


def _dotted(node: Any) -> list[str]:
    if isinstance(node, gast.Name):
        return [node.id]
    if isinstance(node, gast.Attribute):
        owner = _dotted(node.value)
        return [*owner, node.attr] if owner else []
    return []
