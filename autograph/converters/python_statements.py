"""Statements that stay Python: their bodies are converted, and their bindings are followed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autograph.analysis.grammar import TryAlways, is_function_scope
from autograph.converters.definite_assignment import DefiniteAssignment, falls_through
from autograph.converters.node_builders import new
from autograph.converters.statement_state import StatementStates

# Converts a list of statements, given the bindings at its beginning.
Block = Callable[[list[gast.stmt], DefiniteAssignment], list[gast.stmt]]


class PythonStatements:
    """Converts the blocks of compound statements that stay Python.

    Args:
        states: the bindings of the statements of the function.
        block: converts the statements inside.
    """

    def __init__(self, states: StatementStates, block: Block) -> None:
        self._states = states
        self._block = block

    def stays(self, node: Any) -> bool:
        """Return whether a node is a compound statement."""
        return type(node) in _VISITS

    def statement(self, node: Any, here: DefiniteAssignment) -> Any:
        """Return the statement with its blocks converted."""
        return _VISITS[type(node)](self, node, here)

    def _if(self, node: Any, here: DefiniteAssignment) -> Any:
        here.bind(self._states.binds_of(node))
        branches = [here.copy(), here.copy()]
        node.body = self._block(node.body, branches[0])
        node.orelse = self._block(node.orelse, branches[1])
        _join_paths(here, zip((node.body, node.orelse), branches))
        return node

    def _loop(self, node: Any, here: DefiniteAssignment) -> Any:
        self._may_bind(here, node)
        node.body = self._block(node.body, here.copy())
        node.orelse = self._block(node.orelse, here.copy())
        return node

    def _with(self, node: Any, here: DefiniteAssignment) -> Any:
        if is_function_scope(node):
            node.body = self._block(node.body, here)
            return node
        inside = here.copy()
        for item in node.items:
            inside.bind(self._states.binds_of(item))
        node.body = self._block(node.body, inside)
        # The context manager may have suppressed an exception of the body.
        self._may_bind(here, node)
        here.bind(self._states.binds_of(node.items[0]))
        return node

    def _try(self, node: Any, here: DefiniteAssignment) -> Any:
        anywhere = here.copy()
        self._may_bind(anywhere, node)
        ends = self._paths_through(node, here, anywhere)
        if node.finalbody:
            at_end = anywhere.copy()
            binds = self._states.binds_in(node.finalbody)
            node.finalbody = self._block(node.finalbody, at_end)
            for _, end in ends:
                end.bind(name for name in binds if at_end.is_bound(name))
        _join_paths(here, ends)
        if isinstance(node, TryAlways):
            return new(gast.Try, node, **{field: getattr(node, field) for field in node._fields})
        return node

    def _paths_through(
        self, node: Any, here: DefiniteAssignment, anywhere: DefiniteAssignment
    ) -> list[tuple[list[gast.stmt], DefiniteAssignment]]:
        """Convert the body, `else` and handlers; return each path with the bindings at its end."""
        straight = here.copy()
        node.body = self._block(node.body, straight)
        ends: list[tuple[list[gast.stmt], DefiniteAssignment]] = []
        for handler in node.handlers:
            inside = anywhere.copy()
            caught = [handler.name.id] if handler.name is not None else []
            inside.bind(caught)
            handler.body = self._block(handler.body, inside)
            inside.unbind(caught)
            ends.append((handler.body, inside))
        node.orelse = self._block(node.orelse, straight)
        return [*ends, (node.orelse or node.body, straight)]

    def _match(self, node: Any, here: DefiniteAssignment) -> Any:
        here.bind(self._states.binds_of(node))
        ends: list[tuple[list[gast.stmt], DefiniteAssignment]] = []
        for case in node.cases:
            inside = here.copy()
            inside.bind(self._states.binds_of(case))
            case.body = self._block(case.body, inside)
            ends.append((case.body, inside))
        # A pattern that fails may have bound some of its names.
        here.may_bind(self._states.binds(node))
        _join_paths(here, [*ends, ([], here.copy())])
        return node

    def _may_bind(self, here: DefiniteAssignment, node: Any) -> None:
        """Record that a statement may have bound its names: it may have been left anywhere."""
        binds = self._states.binds(node)
        here.may_bind(binds)
        here.may_unbind(name for name in binds if name in self._states.unbound_by_handlers)


def _join_paths(here: DefiniteAssignment, ends: Any) -> None:
    reached = [end for statements, end in ends if falls_through(statements)]
    if reached:
        here.join(reached)


_VISITS: dict[type, Callable[[PythonStatements, Any, DefiniteAssignment], Any]] = {
    gast.If: PythonStatements._if,
    gast.For: PythonStatements._loop,
    gast.AsyncFor: PythonStatements._loop,
    gast.While: PythonStatements._loop,
    gast.With: PythonStatements._with,
    gast.AsyncWith: PythonStatements._with,
    gast.Try: PythonStatements._try,
    TryAlways: PythonStatements._try,
    gast.TryStar: PythonStatements._try,
    gast.Match: PythonStatements._match,
}
