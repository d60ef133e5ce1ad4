"""Checks that a converter has removed the nodes that it declares to remove."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import LOOPS, blocks
from autograph.converters.base import Tree, functions_in
from autograph.converters.rewriter import Rewriter


def statements_left(
    tree: Tree, facts: FunctionFacts, kinds: tuple[type, ...]
) -> Iterator[tuple[Any, FunctionFacts]]:
    """Yield the statements of some types in a tree, each with the facts of its function."""
    for function in functions_in(tree):
        own = facts.of(function)
        yield from ((node, own) for node in _inside(function.body) if isinstance(node, kinds))


def jumps_left(tree: Tree, facts: FunctionFacts, jump: type) -> Iterator[Any]:
    """Yield the loops that become calls and have a jump of a type that leaves them."""
    for loop, own in statements_left(tree, facts, LOOPS):
        if not own.exits.is_kept(loop) and own.exits.leaves(loop.body, jump):
            yield loop


def unkept(tree: Tree, facts: FunctionFacts, kinds: tuple[type, ...]) -> Iterator[Any]:
    """Yield the statements of some types that need not stay Python."""
    for node, own in statements_left(tree, facts, kinds):
        if not own.exits.is_kept(node):
            yield node


def expressions_left(tree: Tree, kind: type) -> list[Any]:
    """Return the expressions of a type that a rewriter visits."""
    finder = _NodeFinder(kind)
    finder.rewrite(tree)
    return finder.found


class _NodeFinder(Rewriter):
    def __init__(self, kind: type) -> None:
        self._kind = kind
        self.found: list[Any] = []

    def visit(self, node: Any) -> Any:
        if isinstance(node, self._kind):
            self.found.append(node)
        return super().visit(node)


def _inside(statements: list[gast.stmt]) -> Iterator[Any]:
    waiting = statements[::-1]
    while waiting:
        statement = waiting.pop()
        yield statement
        for block in reversed(blocks(statement)):
            waiting += block[::-1]
