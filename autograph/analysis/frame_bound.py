"""Frame-bound code, which works only in the frame of its function, such as `yield`.

A pinned statement cannot become a function of its own.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.grammar import STAGED, blocks
from autograph.syntax.names import walk_scope

JUMPS = (gast.Break, gast.Continue, gast.Return)
_PINS = (gast.Yield, gast.YieldFrom, gast.Await, gast.AsyncFor, gast.AsyncWith)


def is_frame_bound(node: Any) -> bool:
    """Return whether a node works only in the frame of its function."""
    if isinstance(node, _PINS):
        return True
    return isinstance(node, gast.comprehension) and bool(node.is_async)


def has_return(statement: gast.stmt) -> bool:
    """Return whether a statement is or has a `return` of its own function."""
    waiting = [statement]
    while waiting:
        inside = waiting.pop()
        if isinstance(inside, gast.Return):
            return True
        for block in blocks(inside):
            waiting += block
    return False


class FrameBound:
    """The pinned statements of a function's body.

    Args:
        body: the statements of the function.

    Attributes:
        kept: the `if`, `for`, `while` and `match` statements that stay Python, since a part that
            would become a function is pinned, or a return in them skips a pinned statement, which
            no staged flag can guard; and each `async for`.
    """

    def __init__(self, body: list[gast.stmt]) -> None:
        self.kept: set[gast.stmt] = set()
        self._pinned: set[gast.stmt] = set()
        self._collect(body)
        self._keep_guards(body, False)

    def _collect(self, statements: list[gast.stmt]) -> bool:
        """Record the pinned statements; return whether there are any."""
        found = [self._is_pinned(statement) for statement in statements]
        return any(found)

    def _is_pinned(self, statement: gast.stmt) -> bool:
        inside = [self._collect(block) for block in blocks(statement)]
        moving, staying = _own_parts(statement)
        moves = any(inside) or _has_pin(moving)
        if isinstance(statement, gast.AsyncFor) or (isinstance(statement, STAGED) and moves):
            self.kept.add(statement)
        if isinstance(statement, _PINS) or moves or _has_pin(staying):
            self._pinned.add(statement)
        return statement in self._pinned

    def _keep_guards(self, statements: list[gast.stmt], after: bool) -> None:
        """Keep the statements with a return before a pinned one; `after`: one follows the block."""
        for statement in reversed(statements):
            if isinstance(statement, STAGED):
                if after and has_return(statement):
                    self.kept.add(statement)
            else:
                # Of these, a `try` has an `else`, which a return before it skips.
                skips = not self._pinned.isdisjoint(getattr(statement, "orelse", ()))
                for block in blocks(statement):
                    self._keep_guards(block, after or skips)
            after = after or statement in self._pinned

    def overrules(self, statements: list[gast.stmt]) -> bool:
        """Return whether a `finally` has a return, or a pinned statement comes after a jump.

        A return that is a flag cannot override a real one; and an unreachable `yield` still makes
        the function a generator.
        """
        for position, statement in enumerate(statements):
            behind = statements[position + 1 :]
            if isinstance(statement, JUMPS) and not self._pinned.isdisjoint(behind):
                return True
            if any(map(has_return, getattr(statement, "finalbody", ()))):
                return True
            for block in blocks(statement):
                if self.overrules(block):
                    return True
        return False


def _has_pin(parts: list[Any]) -> bool:
    return any(is_frame_bound(node) for part in parts for node in walk_scope(part))


def _own_parts(statement: Any) -> tuple[list[Any], list[Any]]:
    """Return the parts of a statement outside of its blocks.

    First those that become functions when it is staged, then the others.
    """
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
        return [case.guard for case in statement.cases if case.guard], [statement.subject]
    return [], [statement]
