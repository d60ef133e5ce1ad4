"""Finds statements that nest too deeply to become functions inside of functions.

Five hundred `elif`s are five hundred `if`s inside each other. As functions they would use up the
stack, so a long chain is staged in chunks that follow each other (`converters/elif_chains.py`).
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.grammar import STAGED, blocks

# The largest number of nesting levels that are staged: within the usual recursion limit.
MOST_LEVELS = 64
# The number of arms that are staged as one `if`, in a chain that is too long.
CHUNK = 16


def too_deep(statements: list[gast.stmt]) -> frozenset[gast.stmt]:
    """Return the statements that cannot be staged, since too many levels are inside of them.

    >>> from autograph.syntax.tree import parse
    >>> deep = "".join(" " * n + "if a:\\n" for n in range(70)) + " " * 70 + "b"
    >>> len(too_deep(parse(deep).body))
    6
    """
    levels = _Levels()
    levels.of(statements)
    return frozenset(levels.kept)


def is_too_deep(statement: Any) -> bool:
    """Return whether a statement nests too deeply."""
    return statement in too_deep([statement])


def long_chains(statements: list[gast.stmt]) -> frozenset[gast.If]:
    """Return the first `if`s of the chains of `elif` that have to be staged in chunks.

    >>> from autograph.syntax.tree import parse
    >>> len(long_chains(parse("if a: b\\n" + "elif a: b\\n" * 99).body))
    1
    """
    levels = _Levels()
    levels.of(statements)
    return frozenset(levels.chains)


def arms_of(statement: gast.If) -> list[gast.If]:
    """Return the `if`s of a chain of `elif`, the first one first.

    >>> from autograph.syntax.tree import parse
    >>> len(arms_of(parse("if a: b\\nelif c: d\\nelse: e").body[0]))
    2
    """
    arms = [statement]
    while len(arms[-1].orelse) == 1 and type(arms[-1].orelse[0]) is gast.If:
        arms.append(arms[-1].orelse[0])
    return arms


class _Levels:
    """Measures nesting depth; records the statements that nest too deeply, and long chains."""

    def __init__(self) -> None:
        self.kept: set[gast.stmt] = set()
        self.chains: set[gast.If] = set()

    def of(self, statements: list[gast.stmt]) -> int:
        """Return the number of levels in some statements."""
        return max(map(self._levels_of_statement, statements), default=0)

    def _levels_of_statement(self, statement: Any) -> int:
        if type(statement) is gast.If:
            return self._levels_of_chain(statement)
        levels = max(map(self.of, blocks(statement)), default=0)
        levels += isinstance(statement, STAGED)
        if levels > MOST_LEVELS and isinstance(statement, STAGED):
            self.kept.add(statement)
        return levels

    def _levels_of_chain(self, head: gast.If) -> int:
        arms = arms_of(head)
        levels = most = self.of(arms[-1].orelse)
        in_chunks: gast.If | None = None
        for arm in reversed(arms):
            inside = self.of(arm.body)
            levels, most = 1 + max(levels, inside), max(most, inside)
            if levels > MOST_LEVELS:
                fits = 1 + CHUNK + most <= MOST_LEVELS
                in_chunks = arm if fits else in_chunks
                self.kept.update(() if fits else (arm,))
        if in_chunks is not None:
            self.chains.add(in_chunks)
        return 1 + CHUNK + most if in_chunks is head else levels
