"""What occurs in a tree at all: kinds of nodes and identifiers, from one quick walk."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Inventory:
    """What one walk over a tree has met.

    Attributes:
        kinds: the types of its nodes.
        identifiers: every identifier in whatever role: variables, attributes, keywords, ...

    >>> from autograph.syntax.tree import parse
    >>> found = take_inventory(parse("def f(x): return g(x.y, z=1)"))
    >>> sorted(found.identifiers), "Return" in {kind.__name__ for kind in found.kinds}
    (['f', 'g', 'x', 'y', 'z'], True)
    """

    kinds: frozenset[type]
    identifiers: frozenset[str]

    def has(self, *kinds: type) -> bool:
        """True when a node of one of these types occurs (subclasses count)."""
        return any(issubclass(found, kind) for found in self.kinds for kind in kinds)


# Fields that hold an identifier, a list of them, or None.
_IDENTIFIERS = ("id", "attr", "arg", "name", "names", "asname", "rest", "kwd_attrs")
# Fields that hold neither statements, expressions nor identifiers.
_NEITHER = frozenset(("lineno", "col_offset", "end_lineno", "end_col_offset", "ctx", "op", "ops"))


def take_inventory(tree: Any, deep: bool = True) -> Inventory:
    """Walk a tree once and note what occurs in it, or only in its first node."""
    kinds: set[type] = set()
    identifiers: set[str] = set()
    stack = [tree]
    while stack:
        node = stack.pop()
        kinds.add(type(node))
        for name, value in node.__dict__.items():
            if name in _NEITHER:
                continue
            if isinstance(value, ast.AST):
                stack.append(value)
            elif type(value) is list:
                stack += [item for item in value if isinstance(item, ast.AST)]
                if name in _IDENTIFIERS:
                    identifiers.update(item for item in value if isinstance(item, str))
            elif name in _IDENTIFIERS and value is not None:
                identifiers.add(value)
        if not deep:
            break
    return Inventory(frozenset(kinds), frozenset(identifiers))
