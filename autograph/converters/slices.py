"""Assigning an item rebinds the variable, so that values that cannot change can have it too.

x[i] = v    ->    x = ag__.set_item(v, x, i)
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import gast

from ..analysis.facts import Facts
from ..syntax.names import bound_names
from .base import Conversion, Converter, Tree
from .rewriter import Rewriter
from .words import assign, constant, name, new, word


class Slices(Converter):
    """Item assignments to local variables become assignments of the variables.

    Before: `x[a:b] = v`. After: `x = ag__.set_item(v, x, ag__.slice_(a, b, None))`.
    """

    handles = (gast.Subscript,)

    def convert(self, tree: Tree, facts: Facts, conversion: Conversion) -> Tree:
        return _Slices(conversion).rewrite(tree)


class _Locals:
    """The names a function binds itself, found when first asked for."""

    def __init__(self, function: Any) -> None:
        self._function = function

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(bound_names(self._function))


class _Slices(Rewriter):
    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion
        self._locals: _Locals | None = None

    def function(self, node: Any, walk: Any) -> None:
        before, self._locals = self._locals, _Locals(node)
        walk()
        self._locals = before

    def visit_Assign(self, node: Any) -> Any:
        self.generic(node)
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, gast.Subscript):
            return node
        if not isinstance(target.value, gast.Name) or self._locals is None:
            return node
        variable = target.value.id
        if variable not in self._locals.names:
            return node
        self._conversion.staged(node)
        arguments = [node.value, name(variable, target), _index(target.slice)]
        return assign(variable, word("set_item", arguments, target), node)


def _index(node: Any) -> Any:
    if isinstance(node, gast.Slice):
        bounds = [node.lower, node.upper, node.step]
        return word("slice_", [b or constant(None, node) for b in bounds], node)
    if isinstance(node, gast.Tuple):
        return new(gast.Tuple, node, elts=[_index(e) for e in node.elts], ctx=gast.Load())
    return node
