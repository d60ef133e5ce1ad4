"""The node classes and identifiers that occur in a tree, collected in one quick walk."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import Any

import gast

from autograph.analysis.grammar import STAGED
from runtime.core.fork_safety import cached_property


@dataclass(eq=False, repr=False)
class Occurrences:
    """The kinds of nodes and the identifiers of a tree.

    Attributes:
        kinds: the types of its nodes.
        identifiers: all identifiers: of variables, attributes, keywords, ...
        staged: the number of `if`, `for`, `while` and `match` statements.

    >>> from autograph.syntax.tree import parse
    >>> found = occurrences_of(parse("def f(x): return g(x.y, z=1)"))
    >>> sorted(found.identifiers), "Return" in {kind.__name__ for kind in found.kinds}
    (['f', 'g', 'x', 'y', 'z'], True)
    """

    kinds: frozenset[type]
    identifiers: frozenset[str]
    staged: int = 0

    def with_kinds(self, kinds: tuple[type, ...]) -> Occurrences:
        """Return the occurrences with some kinds added."""
        return replace(self, kinds=self.kinds.union(kinds)) if kinds else self

    @cached_property
    def _families(self) -> frozenset[type]:
        return frozenset(base for kind in self.kinds for base in kind.__mro__)

    def has(self, *kinds: type) -> bool:
        """Return whether a node of one of some types, or of a subclass, occurs."""
        return not self._families.isdisjoint(kinds)


# Fields that hold an identifier, a list of them, or None; in some node classes they hold nodes.
_IDENTIFIERS = ("id", "attr", "arg", "name", "names", "asname", "rest", "kwd_attrs")
# Fields that hold neither statements, expressions nor identifiers.
_NEITHER = frozenset("ctx op ops kind type_comment level module simple is_async conversion".split())


class _NodeFields(dict[type, tuple[tuple[str, ...], tuple[str, ...]]]):
    """For a node class the fields that may hold nodes, and those that may hold identifiers."""

    def __missing__(self, kind: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
        fields = [name for name in kind._fields if name not in _NEITHER]
        named = tuple(name for name in fields if name in _IDENTIFIERS)
        # A constant's value is never a node.
        others = () if kind is gast.Constant else tuple(n for n in fields if n not in named)
        row = self[kind] = (others, named)
        return row


_ROWS = _NodeFields()


def occurrences_of(tree: Any, deep: bool = True) -> Occurrences:
    """Return the occurrences in a tree, or only in its first node."""
    kinds: set[type] = set()
    identifiers: set[str] = set()
    staged = 0
    stack = [tree]
    while stack:
        node = stack.pop()
        kind = type(node)
        kinds.add(kind)
        if kind in STAGED:
            staged += 1
        fields, named = _ROWS[kind]
        values = node.__dict__
        for name in named:
            value = values.get(name)
            if value.__class__ is str:
                identifiers.add(value)
            elif value is not None:
                _sort(value, stack, identifiers)
        for name in fields:
            value = values.get(name)
            if isinstance(value, ast.AST):
                stack.append(value)
            elif value.__class__ is list:
                stack += [item for item in value if isinstance(item, ast.AST)]
        if not deep:
            break
    return Occurrences(frozenset(kinds), frozenset(identifiers), staged)


def _sort(value: Any, nodes: list[Any], identifiers: set[str]) -> None:
    """Append the nodes in a field to `nodes`, and add the identifiers to `identifiers`."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, ast.AST):
            nodes.append(item)
        else:
            identifiers.add(item)
