"""A `finally` with a jump is duplicated, since its jump discards a pending exception.

try:                     try:
    a()                      a()
finally:           ->    except:
    break                    break
                         else:            # also after a jump out of the body
                             break
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import TryAlways, block_fields, holders
from autograph.analysis.jumps import JUMPS, JumpFacts
from autograph.converters.base import Conversion, Converter, Tree, functions_in
from autograph.converters.node_builders import new
from autograph.syntax.tree import copy_tree


class FinallyJumps(Converter):
    """A `finally` that jumps becomes a handler that raises again, and an `else`.

    Before: `try: a()\\nfinally: break`. After: a `TryAlways`, see the top of this file.
    """

    needs = ("exits",)
    handles = (gast.Try, gast.TryStar)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        for function in functions_in(tree):
            function.body = _block(function.body, facts.of(function).exits)
        return tree


def _block(statements: list[gast.stmt], exits: JumpFacts) -> list[gast.stmt]:
    return [_statement(statement, exits, False) for statement in statements]


def _statement(node: Any, exits: JumpFacts, in_kept_loop: bool) -> Any:
    kept = in_kept_loop
    if isinstance(node, (gast.For, gast.While, gast.AsyncFor)):
        kept = exits.is_kept(node)
    for holder in holders(node):
        for field in block_fields(holder):
            inside = [_statement(s, exits, kept) for s in getattr(holder, field)]
            setattr(holder, field, inside)
    if isinstance(node, (gast.Try, gast.TryStar)) and _jumps(node.finalbody, exits, kept):
        return _written_out(node)
    return node


def _jumps(statements: list[gast.stmt], exits: JumpFacts, in_kept_loop: bool) -> bool:
    kinds = (gast.Return,) if in_kept_loop else JUMPS
    return any(exits.leaves(statements, kind) for kind in kinds)


def _written_out(node: Any) -> gast.Try:
    final, node.finalbody = node.finalbody, []
    body = [node] if node.handlers else node.body
    again = new(gast.Raise, final[-1], exc=None, cause=None)
    handler = new(
        gast.ExceptHandler, final[0], type=None, name=None, body=[*copy_tree(final), again]
    )
    return new(TryAlways, node, body=body, handlers=[handler], orelse=final, finalbody=[])
