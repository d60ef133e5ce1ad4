"""What lowering asks about the user's own function, found in one walk over it."""

from __future__ import annotations

import ast
from typing import Any

from autograph.lowering.scopes import Place, bound_by_statements, identifiers_of
from autograph.options import TEXT_METHODS
from autograph.syntax.tree import children, nodes, statements_in
from runtime.core.fork_safety import cached_property

# A function that says one of these may begin to record in the middle of a call.
STARTERS = frozenset({"recording", "as_default"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.Lambda)
_DECLARATIONS = (ast.Global, ast.Nonlocal)
_OPERATIONS = (ast.BinOp, ast.AugAssign)


class Original:
    """The user's function; its tree is not changed.

    Args:
        function: its definition, or any other tree.

    Attributes:
        function: the same.
        deleted: the variables that are deleted somewhere, or not the function's own.
        deletions: where variables are deleted.
        begins_to_record: whether it may start recording by itself.
        has_texts: whether it may put texts together, or give them to Python's `str` and the like.

    >>> original = Original(ast.parse("global u\\ndel x, (y, z[0])\\nwith g.as_default(): pass"))
    >>> sorted(original.deleted), sorted(original.deletions), original.begins_to_record
    (['u', 'x', 'y'], [(2, 4), (2, 8)], True)
    """

    def __init__(self, function: Any) -> None:
        self.function = function
        self._nodes = nodes(function)
        self.deleted: set[str] = set()
        self.deletions: set[Place] = set()
        self.begins_to_record = self.has_texts = False
        for node in self._nodes:
            kind = type(node)
            if kind is ast.Name:
                self._note_name(node)
            elif kind is ast.Attribute:
                self.begins_to_record |= node.attr in STARTERS
            elif kind in _DECLARATIONS:
                self.deleted.update(node.names)
            elif kind is ast.JoinedStr:
                self.has_texts = True
            elif kind in _FUNCTIONS:
                self.has_texts |= node.name in TEXT_METHODS
            elif kind in _OPERATIONS:
                self.has_texts |= type(node.op) is ast.Mod

    def _note_name(self, node: ast.Name) -> None:
        if node.id in STARTERS:
            self.begins_to_record = True
        if isinstance(node.ctx, ast.Del):
            self.deleted.add(node.id)
            self.deletions.add((node.lineno, node.col_offset))

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name in it, whatever it names."""
        return identifiers_of(self._nodes)

    @cached_property
    def bound(self) -> frozenset[str]:
        """The variables that its statements bind in its own scope."""
        return bound_by_statements(self.function)

    @cached_property
    def functions(self) -> dict[Place, Any]:
        """The function definitions in it, and itself, by where they stand."""
        return self._by_place(_FUNCTIONS)

    @cached_property
    def matches(self) -> dict[Place, Any]:
        """The `match` statements in it by where they stand."""
        return self._by_place((ast.Match,))

    @cached_property
    def jumps_in_finally(self) -> bool:
        """Whether a `finally` in it holds a jump, be it one that ends inside of it."""
        tries = (node for node in self._statements if getattr(node, "finalbody", None))
        return any(_leaves(each) for node in tries for each in node.finalbody)

    @cached_property
    def _statements(self) -> list[Any]:
        return statements_in(self.function)

    def _by_place(self, kinds: tuple[type, ...]) -> dict[Place, Any]:
        found: list[Any] = [node for node in self._statements if isinstance(node, kinds)]
        return {(node.lineno, node.col_offset): node for node in found}


def _leaves(statement: ast.AST) -> bool:
    if isinstance(statement, (ast.Return, ast.Break, ast.Continue)):
        return True
    return any(_leaves(each) for each in children(statement) if not isinstance(each, _SCOPES))
