"""Jumps: which `break`, `continue` and `return` leave a statement, and which stay as they are.

A statement is *kept* as Python if its body cannot become a function: because of a `yield` or
`await` in it, or because a real jump leaves it. A jump is *real*, and becomes no flag, if its loop
is kept; a return is also real in a kept statement, or if it skips a `yield` or `await`. Statements
that nest too deeply are kept as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import gast

from autograph.analysis.frame_bound import JUMPS, FrameBound, has_return
from autograph.analysis.frame_bound import is_frame_bound as is_frame_bound
from autograph.analysis.grammar import STAGED, Function, blocks, is_loop
from autograph.analysis.nesting_limit import MOST_LEVELS, too_deep
from autograph.analysis.occurrences import Occurrences
from autograph.syntax.names import walk_scope
from runtime.core.fork_safety import cached_property


class JumpFacts:
    """The jumps of one function.

    Args:
        function: a function definition or lambda.
        inventory: the occurrences in it (or in a tree around it).
    """

    def __init__(self, function: Function, inventory: Occurrences) -> None:
        self._function = function
        self._inventory = inventory

    @cached_property
    def suspends(self) -> bool:
        """True if the function is a generator or a coroutine."""
        return isinstance(self._function, gast.AsyncFunctionDef) or self._yields

    @cached_property
    def keeps_returns(self) -> bool:
        """True if all returns are real.

        They are in an asynchronous generator, whose returns have no value; in a generator or
        coroutine if no statement with a return in it could be staged anyway; and where a `finally`
        has a return or a pinned statement follows a jump (`FrameBound.overrules`).
        """
        if not self.suspends:
            return bool(self._deep) and self._pins.overrules(self._function.body)
        if isinstance(self._function, gast.Lambda):
            return True
        if self._yields and isinstance(self._function, gast.AsyncFunctionDef):
            return True
        body = self._function.body
        return self._pins.overrules(body) or not _any_left(body, self._kept_if(False))

    @cached_property
    def kept(self) -> frozenset[gast.stmt]:
        """The `if`, `for`, `while`, `match` and `async for` statements that stay Python."""
        if isinstance(self._function, gast.Lambda) or not (self.suspends or self._deep):
            return frozenset()
        return self._kept_if(self.keeps_returns)

    def _kept_if(self, keeps_returns: bool) -> frozenset[gast.stmt]:
        kept = {*self._pins.kept, *self._deep}
        while _spread(self._function.body, kept, (), keeps_returns):
            pass
        return frozenset(kept)

    @cached_property
    def _deep(self) -> frozenset[gast.stmt]:
        # Each of the three kinds of jumps may add a level to each level of the user's.
        if isinstance(self._function, gast.Lambda) or self._inventory.staged * 4 <= MOST_LEVELS:
            return frozenset()
        return too_deep(self._function.body)

    @cached_property
    def _pins(self) -> FrameBound:
        return FrameBound(self._function.body)

    @cached_property
    def _yields(self) -> bool:
        if not self._inventory.has(gast.Yield, gast.YieldFrom):
            return False
        body = self._function.body
        nodes = body if isinstance(body, list) else [body]
        return any(
            isinstance(inner, (gast.Yield, gast.YieldFrom))
            for node in nodes
            for inner in walk_scope(node)
        )

    def is_kept(self, statement: gast.stmt) -> bool:
        """Return whether a statement stays Python."""
        return statement in self.kept

    def leaves(self, statements: Iterable[gast.stmt], jump: type) -> bool:
        """Return whether a jump of a type that is not real leaves the statements.

        >>> from autograph.syntax.tree import parse
        >>> from autograph.analysis.occurrences import occurrences_of
        >>> function = parse("def f():\\n while a:\\n  if b: break").body[0]
        >>> exits = JumpFacts(function, occurrences_of(function))
        >>> loop = function.body[0]
        >>> exits.leaves(loop.body, gast.Break), exits.leaves([loop], gast.Break)
        (True, False)
        """
        if jump is gast.Return and self.keeps_returns:
            return False
        # No `any`: its calls into Python use the stack of C, which no limit can raise.
        for statement in statements:
            if self._leaves(statement, jump):
                return True
        return False

    def _leaves(self, statement: gast.stmt, jump: type) -> bool:
        if type(statement) is jump:
            return True
        if is_loop(statement) and jump is not gast.Return:
            return statement not in self.kept and self.leaves(statement.orelse, jump)
        if statement in self.kept:
            return False
        for block in blocks(statement):
            if self.leaves(block, jump):
                return True
        return False

    def ends(self, statements: Sequence[gast.stmt]) -> bool:
        """Return whether the end of the statements is unreachable because of jumps."""
        for statement in statements:
            if self._ends(statement):
                return True
        return False

    def _ends(self, statement: gast.stmt) -> bool:
        if isinstance(statement, gast.Return):
            return not self.keeps_returns
        if isinstance(statement, (gast.Break, gast.Continue)):
            return True
        if type(statement) is gast.If and statement not in self.kept:
            return self.ends(statement.body) and self.ends(statement.orelse)
        return False


def _any_left(statements: list[gast.stmt], kept: frozenset[gast.stmt]) -> bool:
    """Return whether a staged statement that is not kept has a return in it."""
    for statement in statements:
        if isinstance(statement, STAGED) and statement not in kept and has_return(statement):
            return True
        for block in blocks(statement):
            if _any_left(block, kept):
                return True
    return False


def _spread(
    statements: list[gast.stmt],
    kept: set[gast.stmt],
    around: tuple[gast.stmt, ...],
    keeps_returns: bool,
) -> bool:
    """Keep the statements that a real jump leaves; return whether that added any."""
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
