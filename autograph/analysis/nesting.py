"""Statements that nest too deeply to become functions inside of functions.

Five hundred `elif`s are five hundred `if`s inside each other. As functions they would use up the
stack of the program that calls them, and of the trace that stages them.
"""

from __future__ import annotations

from typing import Any

import gast

from .grammar import STAGED, blocks

# How many levels may be staged; with the usual recursion limit a trace takes some more.
MOST_LEVELS = 64


def too_deep(statements: list[gast.stmt]) -> frozenset[gast.stmt]:
    """Return the statements to be staged that hold too many levels of such statements.

    >>> from autograph.syntax.tree import parse
    >>> deep = "if a: b\\n" + "elif a: b\\n" * 70
    >>> len(too_deep(parse(deep).body))
    7
    """
    found: set[gast.stmt] = set()
    _levels_in(statements, found)
    return frozenset(found)


def is_too_deep(statement: Any) -> bool:
    """Tell whether a statement is one of those."""
    return _reach([statement], MOST_LEVELS + 1)


def _reach(statements: list[gast.stmt], levels: int) -> bool:
    """Tell whether statements hold so many levels; stops at the first that do."""
    for statement in statements:
        left = levels - isinstance(statement, STAGED)
        if left == 0:
            return True
        for block in blocks(statement):
            if _reach(block, left):
                return True
    return False


def _levels_in(statements: list[gast.stmt], found: set[gast.stmt]) -> int:
    most = 0
    for statement in statements:
        levels = 0
        for block in blocks(statement):
            levels = max(levels, _levels_in(block, found))
        if isinstance(statement, STAGED):
            levels += 1
            if levels > MOST_LEVELS:
                found.add(statement)
        most = max(most, levels)
    return most
