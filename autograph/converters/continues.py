"""`continue` is removed if nothing follows it, and else becomes a flag that guards the rest.

for v in t:                   for v in t:
    if a:                         continue_ = False
        if b: continue            if a:
        f()            ->             if b: continue_ = True
    g()                               else: f()
                                  if not continue_: g()
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import LOOPS, blocks
from autograph.analysis.jumps import JumpFacts
from autograph.converters.base import Conversion, Converter, Tree, functions_in
from autograph.converters.breaks import Breaks
from autograph.converters.early_exits import EarlyExits
from autograph.converters.jump_flags import FLAG_KINDS, JumpLowering
from autograph.converters.node_builders import nonempty, set_flag
from autograph.converters.postconditions import jumps_left


class Continues(Converter):
    """A `continue` is removed, or becomes a flag that guards the statements after it.

    Before and after: see the top of this file.
    """

    after = {
        EarlyExits: "statements after a jump must be in the other branch before they are guarded",
        Breaks: "a `continue` in a `finally` cancels a `break` only while it is a statement",
    }
    needs = ("exits",)
    handles = (gast.Continue,)
    removes = (gast.Continue,)
    makes = FLAG_KINDS

    def leftovers(self, tree: Tree, facts: FunctionFacts) -> Iterable[Any]:
        return jumps_left(tree, facts, gast.Continue)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        for function in functions_in(tree):
            _Continues(facts.of(function).exits, conversion).block(function.body)
        return tree


class _Continues:
    def __init__(self, exits: JumpFacts, conversion: Conversion) -> None:
        self._exits = exits
        self._conversion = conversion

    def block(self, statements: list[gast.stmt]) -> None:
        for statement in statements:
            if isinstance(statement, LOOPS) and not self._exits.is_kept(statement):
                self._loop(statement)
            for block in blocks(statement):
                self.block(block)

    def _loop(self, node: Any) -> None:
        if not self._exits.leaves(node.body, gast.Continue):
            return
        flags: list[str] = []

        def flag() -> str:
            if not flags:
                flags.append(self._conversion.fresh_flag("continue_", "continue"))
            return flags[0]

        lowering = JumpLowering(
            gast.Continue,
            flag,
            lambda jump, last: [] if last else [set_flag(flag(), True, jump)],
            self._exits,
            self._conversion,
        )
        body = lowering.block(node.body, last=True)
        start = [set_flag(name, False, node) for name in flags]
        node.body = nonempty([*start, *body], node)
