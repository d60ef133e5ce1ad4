"""Functions defined inside a function, and the outer variables that calling one rebinds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import gast

from autograph.analysis.grammar import Function, blocks
from autograph.analysis.scopes import uses_of


def local_functions(function: Function) -> Mapping[str, tuple[Any, ...]]:
    """Return the functions that are defined in a function's own scope, by name.

    >>> from autograph.syntax.tree import parse
    >>> tree = parse("def f(t):\\n  def bump():\\n    nonlocal t; t = t + 1\\n  bump(); return t")
    >>> list(local_functions(tree.body[0]))
    ['bump']
    """
    found: dict[str, list[Any]] = {}
    waiting = function.body[::-1] if isinstance(function.body, list) else []
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, (gast.FunctionDef, gast.AsyncFunctionDef)):
            found.setdefault(statement.name, []).append(statement)
        for block in reversed(blocks(statement)):
            waiting += block[::-1]
    return {name: tuple(nodes) for name, nodes in found.items()}


class HiddenWrites:
    """The variables that calls of local functions rebind: they declare these nonlocal.

    The analysis takes each mention of a local function for a call of it.
    """

    def __init__(self, functions: Mapping[str, tuple[Any, ...]]) -> None:
        self._writes = {name: _writes_of(nodes) for name, nodes in functions.items()}
        self._mentions = {name: _names_of(nodes) for name, nodes in functions.items()}
        self._any = any(self._writes.values())

    @property
    def written(self) -> frozenset[str]:
        """The names that some local function rebinds."""
        return frozenset().union(*self._writes.values())

    def through(self, names: Iterable[str]) -> frozenset[str]:
        """Return the names that code reading `names` may rebind through local functions."""
        if not self._any:
            return frozenset()
        seen: set[str] = set()
        waiting = [name for name in names if name in self._writes]
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += [other for other in self._mentions[name] if other in self._writes]
        return frozenset().union(*(self._writes[name] for name in seen))


def _writes_of(nodes: tuple[Any, ...]) -> frozenset[str]:
    return frozenset().union(*(uses_of(node).writes for node in nodes))


def _names_of(nodes: tuple[Any, ...]) -> frozenset[str]:
    return frozenset().union(*(uses_of(node).names for node in nodes))
