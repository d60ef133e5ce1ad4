"""A very long chain of `elif`s is split into chunks, each of which is staged by itself.

    if x == 0: ...             else_ = False
    elif x == 1: ...           if x == 0: ...
    ...                        ...
    elif x == 500: ...   ->    elif x == 15: ...
    else: ...                  else: else_ = True
                               if else_:
                                   else_ = False
                                   if x == 16: ...
                                   ...

Each `elif` is an `if` inside the `else` before it. Functions nested so deeply would use up the
stack; chunks do not, and time and memory are linear in the number of arms.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import block_fields, holders
from autograph.analysis.nesting_limit import CHUNK, MOST_LEVELS, arms_of, long_chains
from autograph.converters.base import Conversion, Converter, Tree, functions_in
from autograph.converters.node_builders import name, new, set_flag
from autograph.converters.returns import Returns


class ElifChains(Converter):
    """Chains that would be too deep are split into chunks.

    Before and after: see the top of this file.
    """

    after = {Returns: "returns in a chain must be flags before the chain is split"}
    handles = (gast.If,)
    makes = (gast.If, gast.Name)

    def applies(self, facts: FunctionFacts, conversion: Conversion) -> bool:
        return facts.inventory.staged > MOST_LEVELS and super().applies(facts, conversion)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        for function in functions_in(tree):
            chains = long_chains(function.body)
            if chains:
                function.body = _Chunks(chains, conversion).block(function.body)
        return tree


class _Chunks:
    def __init__(self, chains: frozenset[gast.If], conversion: Conversion) -> None:
        self._chains = chains
        self._conversion = conversion

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        """Return statements with the chains among and inside them split."""
        return [new for statement in statements for new in self._statement(statement)]

    def _statement(self, node: Any) -> list[gast.stmt]:
        arms = arms_of(node) if type(node) is gast.If else [node]
        for arm in arms:
            for holder in holders(arm):
                for field in block_fields(holder):
                    if arm is arms[-1] or field != "orelse":
                        setattr(holder, field, self.block(getattr(holder, field)))
        cut = next((at for at, arm in enumerate(arms) if arm in self._chains), None)
        if cut is None:
            return [node]
        runs = self._in_chunks(arms[cut:])
        if cut == 0:
            return runs
        arms[cut - 1].orelse = runs
        return [node]

    def _in_chunks(self, arms: list[gast.If]) -> list[gast.stmt]:
        flag = self._conversion.namer.fresh("else_")
        statements: list[gast.stmt] = []
        for start in range(0, len(arms), CHUNK):
            run: list[gast.stmt] = [arms[start]]
            if start + CHUNK < len(arms):
                arms[start + CHUNK - 1].orelse = [set_flag(flag, True, arms[start + CHUNK])]
                run = [set_flag(flag, False, arms[start]), *run]
            test = name(flag, arms[start])
            further = new(gast.If, arms[start], test=test, body=run, orelse=[])
            statements += run if start == 0 else [further]
        return statements
