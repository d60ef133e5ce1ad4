"""Statements after a branch that jumps move into the other branch, where they need no flag.

    if x > 0:                if x > 0:
        return x                 return x
    y = f(x)           ->    else:
    return y                     y = f(x)
                                 return y

The `else` of a loop without `break` moves behind the loop; unreachable statements are dropped.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import LOOPS, block_fields, blocks, holders
from autograph.analysis.jumps import JUMPS, JumpFacts
from autograph.converters.base import Conversion, Converter, Tree, body_of, functions_in, set_body
from autograph.converters.finallies import FinallyJumps
from autograph.converters.functions import Functions
from autograph.converters.node_builders import undefined
from autograph.syntax.names import all_names, bound_names, declared_names


class EarlyExits(Converter):
    """Statements after an `if` with a branch that ends in a jump move into the other branch.

    Before and after: see the top of this file.
    """

    after = {
        Functions: "it changes the statements inside the function's scope",
        FinallyJumps: "it also moves the `raise` of a `finally` that is written out",
    }
    needs = ("exits",)
    handles = (*JUMPS, *LOOPS)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        for function in functions_in(tree):
            _Normalizer(function, facts.of(function).exits).apply()
        return tree


class _Normalizer:
    def __init__(self, function: Any, exits: JumpFacts) -> None:
        self._function = function
        self._exits = exits
        self._dropped: list[gast.stmt] = []

    def apply(self) -> None:
        set_body(self._function, self._block(body_of(self._function)))
        if self._dropped:
            set_body(self._function, [*self._anchors(), *body_of(self._function)])

    def _anchors(self) -> list[gast.stmt]:
        """Return marks that keep names local which only the dropped code binds."""
        origin = self._function
        outside = {*declared_names(origin), *declared_names(self._dropped)}
        lost = all_names(origin).difference(bound_names(origin), outside)
        return [undefined(name, origin) for name in bound_names(self._dropped) if name in lost]

    def _block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for position, statement in enumerate(statements):
            result.append(statement)
            if isinstance(statement, JUMPS) and not self._exits.keeps_returns:
                self._dropped += statements[position + 1 :]
                return result
            if type(statement) is gast.If and self._moves(statement, statements, position):
                self._append(statement, statements[position + 1 :])
                self._inside(statement)
                return result
            self._inside(statement)
            orelse = self._detached_else(statement)
            if orelse:
                return [*result, *self._block([*orelse, *statements[position + 1 :]])]
        return result

    def _detached_else(self, node: Any) -> list[gast.stmt]:
        """Remove the `else` of a loop without `break`; return its statements."""
        if not isinstance(node, LOOPS) or self._exits.is_kept(node) or not node.orelse:
            return []
        if self._exits.leaves(node.body, gast.Break):
            return []
        orelse, node.orelse = node.orelse, []
        return orelse

    def _moves(self, node: gast.If, statements: list[gast.stmt], position: int) -> bool:
        """Return whether the statements after an `if` move into it."""
        if self._exits.is_kept(node) or position + 1 == len(statements):
            return False
        ends = self._exits.ends(node.body) or self._exits.ends(node.orelse)
        if not ends or not self._exits.kept:
            return ends
        return not any(map(self._is_or_has_kept, statements[position + 1 :]))

    def _is_or_has_kept(self, statement: Any) -> bool:
        """Return whether a statement, or one inside it, stays Python."""
        if statement in self._exits.kept:
            return True
        for block in blocks(statement):
            for inner in block:
                if self._is_or_has_kept(inner):
                    return True
        return False

    def _inside(self, node: Any) -> None:
        for holder in holders(node):
            for field in block_fields(holder):
                setattr(holder, field, self._block(getattr(holder, field)))

    def _append(self, node: Any, rest: list[gast.stmt]) -> None:
        if not self._exits.ends(node.body):
            node.body = [*node.body, *rest]
        elif not self._exits.ends(node.orelse):
            node.orelse = [*node.orelse, *rest]
        else:
            self._dropped += rest
