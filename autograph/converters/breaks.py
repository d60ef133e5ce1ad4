"""`break` becomes a flag that stops the loop.

while a:                  break_ = False
    if b: break           while a, until break_:
    f()            ->         if b: break_ = True
else:                         else: f()
    g()                   if not break_: g()
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import LOOPS, block_fields, holders
from autograph.analysis.jumps import JumpFacts
from autograph.converters.base import Conversion, Converter, Tree, functions_in
from autograph.converters.early_exits import EarlyExits
from autograph.converters.jump_flags import FLAG_KINDS, JumpLowering
from autograph.converters.node_builders import nonempty, set_flag, unless, with_until
from autograph.converters.postconditions import jumps_left


class Breaks(Converter):
    """A loop with `break` stops once a flag is set; its `else` runs unless the flag is set.

    Before and after: see the top of this file.
    """

    after = {
        EarlyExits: "statements after a jump must be in the other branch before they are guarded"
    }
    needs = ("exits",)
    handles = (gast.Break,)
    removes = (gast.Break,)
    makes = FLAG_KINDS

    def leftovers(self, tree: Tree, facts: FunctionFacts) -> Iterable[Any]:
        return jumps_left(tree, facts, gast.Break)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        for function in functions_in(tree):
            breaks = _Breaks(facts.of(function).exits, conversion)
            function.body = breaks.block(function.body)
        return tree


class _Breaks:
    def __init__(self, exits: JumpFacts, conversion: Conversion) -> None:
        self._exits = exits
        self._conversion = conversion

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        return [new for statement in statements for new in self._statement(statement)]

    def _statement(self, node: Any) -> list[gast.stmt]:
        breaks = isinstance(node, LOOPS) and not self._exits.is_kept(node)
        breaks = breaks and self._exits.leaves(node.body, gast.Break)
        flag = self._conversion.fresh_flag("break_", "break") if breaks else ""
        for holder in holders(node):
            for field in block_fields(holder):
                setattr(holder, field, self.block(getattr(holder, field)))
        return self._loop(node, flag) if flag else [node]

    def _loop(self, node: Any, flag: str) -> list[gast.stmt]:
        orelse, node.orelse = node.orelse, []
        lowering = JumpLowering(
            gast.Break,
            lambda: flag,
            lambda jump, last: [set_flag(flag, True, jump)],
            self._exits,
            self._conversion,
        )
        loop = with_until(node, flag)
        loop.body = nonempty(lowering.block(node.body, last=True), node)
        after = [unless(flag, orelse, orelse[0])] if orelse else []
        return [set_flag(flag, False, node), loop, *after]
