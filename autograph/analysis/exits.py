"""Jumps: which `break`, `continue` and `return` leave a statement, and which must stay as they are.

A statement is *kept* as Python when its body cannot become a function of its own: because of a
`yield` or an `await`, or because a jump that must stay real leaves it. A jump must stay real when
the loop or function it belongs to is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import gast

from ..syntax.names import walk_scope
from .grammar import STAGED, Function, blocks, is_loop
from .inventory import Inventory

JUMPS = (gast.Break, gast.Continue, gast.Return)
_PINS = (gast.Yield, gast.YieldFrom, gast.Await, gast.AsyncFor, gast.AsyncWith)


class Exits:
    """The jumps of one function.

    Args:
        function: a function definition or lambda.
        inventory: what occurs in it (or in a tree around it).
    """

    def __init__(self, function: Function, inventory: Inventory) -> None:
        self._function = function
        self._inventory = inventory

    @cached_property
    def keeps_returns(self) -> bool:
        """True for a generator or coroutine: its returns mean more than leaving it."""
        if isinstance(self._function, gast.AsyncFunctionDef):
            return True
        if not self._inventory.has(gast.Yield, gast.YieldFrom):
            return False
        body = self._function.body
        nodes = body if isinstance(body, list) else [body]
        return any(
            isinstance(inner, (gast.Yield, gast.YieldFrom))
            for node in nodes
            for inner in walk_scope(node)
        )

    @cached_property
    def kept(self) -> frozenset[gast.stmt]:
        """The `if`, `for` and `while` statements that stay Python."""
        if isinstance(self._function, gast.Lambda) or not self._may_keep:
            return frozenset()
        kept: set[gast.stmt] = set()
        _collect_pinned(self._function.body, kept)
        while _spread(self._function.body, kept, (), self.keeps_returns):
            pass
        return frozenset(kept)

    @property
    def _may_keep(self) -> bool:
        return (
            self._inventory.has(*_PINS)
            or self.keeps_returns
            or (self._inventory.has(gast.comprehension) and self._in_coroutine)
        )

    @property
    def _in_coroutine(self) -> bool:
        return isinstance(self._function, gast.AsyncFunctionDef)

    def is_kept(self, statement: gast.stmt) -> bool:
        """True when a statement stays Python."""
        return statement in self.kept

    def leaves(self, statements: Iterable[gast.stmt], jump: type) -> bool:
        """Tell whether a jump of this type that is not real goes out of the statements.

        >>> from autograph.syntax.tree import parse
        >>> from autograph.analysis.inventory import take_inventory
        >>> function = parse("def f():\\n while a:\\n  if b: break").body[0]
        >>> exits = Exits(function, take_inventory(function))
        >>> loop = function.body[0]
        >>> exits.leaves(loop.body, gast.Break), exits.leaves([loop], gast.Break)
        (True, False)
        """
        if jump is gast.Return and self.keeps_returns:
            return False
        return any(self._leaves(statement, jump) for statement in statements)

    def _leaves(self, statement: gast.stmt, jump: type) -> bool:
        if type(statement) is jump:
            return True
        if is_loop(statement) and jump is not gast.Return:
            return statement not in self.kept and self.leaves(statement.orelse, jump)
        if statement in self.kept:
            return False
        return any(self.leaves(block, jump) for block in blocks(statement))

    def ends(self, statements: Sequence[gast.stmt]) -> bool:
        """Tell whether the end of the statements cannot be reached, because of jumps among them."""
        return any(self._ends(statement) for statement in statements)

    def _ends(self, statement: gast.stmt) -> bool:
        if isinstance(statement, gast.Return):
            return not self.keeps_returns
        if isinstance(statement, (gast.Break, gast.Continue)):
            return True
        if type(statement) is gast.If and statement not in self.kept:
            return self.ends(statement.body) and self.ends(statement.orelse)
        return False


def is_pinned(node: Any) -> bool:
    """Tell whether an expression node works only in the frame of the function it was written in."""
    if isinstance(node, _PINS):
        return True
    return isinstance(node, gast.comprehension) and bool(node.is_async)


def _collect_pinned(statements: list[gast.stmt], kept: set[gast.stmt]) -> bool:
    """Note statements with something pinned in a part that would move; tell if any has pins."""
    found = [_has_pins(statement, kept) for statement in statements]
    return any(found)


def _has_pins(statement: gast.stmt, kept: set[gast.stmt]) -> bool:
    inside = [_collect_pinned(block, kept) for block in blocks(statement)]
    moved, stays = _own_parts(statement)
    moves = any(inside) or any(is_pinned(n) for part in moved for n in walk_scope(part))
    if isinstance(statement, gast.AsyncFor) or (isinstance(statement, STAGED) and moves):
        kept.add(statement)
    pinned = isinstance(statement, _PINS) or moves
    return pinned or any(is_pinned(n) for part in stays for n in walk_scope(part))


def _own_parts(statement: Any) -> tuple[list[Any], list[Any]]:
    """Return the parts of a statement outside its blocks: those that move with it, the others."""
    if isinstance(statement, gast.While):
        return [statement.test], []
    if isinstance(statement, (gast.For, gast.AsyncFor)):
        return [statement.target], [statement.iter]
    if isinstance(statement, gast.If):
        return [], [statement.test]
    if isinstance(statement, (gast.With, gast.AsyncWith)):
        return [], list(statement.items)
    if isinstance(statement, (gast.Try, gast.TryStar)):
        return [], [handler.type for handler in statement.handlers if handler.type]
    if isinstance(statement, gast.Match):
        guards = [case.guard for case in statement.cases if case.guard]
        return [], [statement.subject, *guards]
    return [], [statement]


def _spread(
    statements: list[gast.stmt],
    kept: set[gast.stmt],
    around: tuple[gast.stmt, ...],
    keeps_returns: bool,
) -> bool:
    """Keep what a real jump leaves; tell whether that added anything."""
    before = len(kept)
    for statement in statements:
        if isinstance(statement, JUMPS):
            kept.update(_held_by(statement, around, kept, keeps_returns))
        inside = (*around, statement) if isinstance(statement, (*STAGED, gast.AsyncFor)) else around
        for block in blocks(statement):
            _spread(block, kept, inside, keeps_returns)
    return len(kept) > before


def _held_by(
    jump: gast.stmt, around: tuple[gast.stmt, ...], kept: set[gast.stmt], keeps_returns: bool
) -> tuple[gast.stmt, ...]:
    """Return the statements around a jump that cannot move, if the jump has to be real."""
    if isinstance(jump, gast.Return):
        is_real = keeps_returns or any(statement in kept for statement in around)
        return around if is_real else ()
    loops = [position for position, statement in enumerate(around) if is_loop(statement)]
    if not loops or around[loops[-1]] not in kept:
        return ()
    return around[loops[-1] :]
