"""Places other than variables that a statement writes to: `x.y`, `x['k']`, `x[0]`."""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.grammar import is_word


def without_reads(node: Any) -> Any:
    """Return `x.y[0]` for `ag__.ld(x).y[0]`, and other expressions as they are.

    >>> import ast
    >>> tree = gast.ast_to_gast(ast.parse("ag__.ld(x).y", mode="eval")).body
    >>> without_reads(tree).value.id
    'x'
    """
    if isinstance(node, gast.Call) and is_word(node.func, "ld"):
        return node.args[0]
    if isinstance(node, gast.Attribute):
        return gast.Attribute(without_reads(node.value), node.attr, node.ctx)
    if isinstance(node, gast.Subscript):
        return gast.Subscript(without_reads(node.value), node.slice, node.ctx)
    return node


def moves_items(place: Any) -> bool:
    """Tell whether `del x[i]` may be of a list, whose items after it change their places."""
    if not (isinstance(place, gast.Subscript) and isinstance(place.ctx, gast.Del)):
        return False
    return not (isinstance(place.slice, gast.Constant) and isinstance(place.slice.value, str))
