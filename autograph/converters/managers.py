"""`with` of several managers becomes one in the other, as Python defines it.

with a() as x, b():        with a() as x:
    f(x)             ->        with b():
                                   f(x)
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.facts import Facts
from autograph.analysis.grammar import block_fields, holders
from autograph.converters.base import Conversion, Converter, Tree, functions_in
from autograph.converters.words import new


class Managers(Converter):
    """Every `with` has one manager, so that each end can be staged for itself.

    Before: `with a, b: f()`. After: `with a:` around `with b: f()`.
    """

    handles = (gast.With,)

    def convert(self, tree: Tree, facts: Facts, conversion: Conversion) -> Tree:
        for function in functions_in(tree):
            function.body = list(map(_statement, function.body))
        return tree


def _statement(node: Any) -> Any:
    for holder in holders(node):
        for field in block_fields(holder):
            setattr(holder, field, list(map(_statement, getattr(holder, field))))
    while type(node) is gast.With and len(node.items) > 1:
        inner = new(gast.With, node, items=node.items[-1:], body=node.body, type_comment=None)
        node.items, node.body = node.items[:-1], [inner]
    return node
