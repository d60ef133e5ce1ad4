"""The state of a statement that becomes a call: variables shared with the code around it.

A variable that a body binds is state if it is live at the start of the body (or of the next
iteration) or after the statement, or if other code may read it: a nested function, or the scope of
a global or nonlocal variable. All others become local variables of the body's function.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import gast

from autograph.analysis.activity import Access
from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import blocks
from autograph.converters.definite_assignment import DefiniteAssignment
from autograph.converters.node_builders import mark_if_unbound
from autograph.syntax.qualname import QN


class StatementState(NamedTuple):
    """The state of one statement.

    Attributes:
        outputs: the variables that are live after the statement.
        composites: the places `o.x`, `d['k']`, ... that the bodies assign; they are outputs, too.
        inputs: the other variables of the state, which only the bodies read.
        locals: the variables that become local to the functions of the bodies.
    """

    outputs: tuple[str, ...]
    composites: tuple[QN, ...]
    inputs: tuple[str, ...]
    locals: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The simple variables among the symbols."""
        return self.outputs + self.inputs

    @property
    def symbols(self) -> tuple[str, ...]:
        """The whole state as the user writes it, outputs first."""
        return (*self.outputs, *map(str, self.composites), *self.inputs)

    @property
    def nouts(self) -> int:
        """The number of outputs among the symbols."""
        return len(self.outputs) + len(self.composites)


class StatementStates:
    """Finds the state of each statement of one function.

    It computes the facts that it needs at once, since the conversion changes the tree.
    """

    def __init__(self, facts: FunctionFacts) -> None:
        self._activity = facts.activity
        self._liveness = facts.liveness
        self._hidden = facts.hidden_writes
        declared = self._activity.globals | self._activity.nonlocals
        self._shared = self._activity.captured | declared
        # A variable that may be read before it is bound must stay a variable of the function.
        at_entry = self._liveness.live_at_entry
        self.anchored = at_entry.difference(self._activity.parameters, declared)
        self.declared = declared
        self.globals = self._activity.globals
        self.parameters = self._activity.parameters
        # Variables of outer functions that local functions write, which must not get marks.
        self.foreign = facts.hidden_writes.written.difference(self._activity.order)
        self.unbound_by_handlers = frozenset(_handler_names(facts.function))
        self._doubtful = self.anchored | self.unbound_by_handlers

    def binds(self, statement: gast.stmt) -> tuple[str, ...]:
        """Return the variables that a statement with its blocks binds."""
        return self._activity.statements[statement].binds

    def read_unbound(self, statement: gast.stmt) -> tuple[str, ...]:
        """Return the variables that a statement reads and that may be unbound in the function."""
        if not self._doubtful:
            return ()
        reads = self._activity.statements[statement].reads
        return self._activity.ordered(self._doubtful & reads)

    def fill(self, names: Iterable[str], origin: Any, here: DefiniteAssignment) -> list[gast.stmt]:
        """Give marks to variables that may be unbound; return the statements for the marks here.

        Most variables get their mark at the start of the generated function.
        """
        open_names = [name for name in names if not here.is_bound(name)]
        lost = [name for name in open_names if name in self.unbound_by_handlers]
        here.bind(lost)
        here.require_marks(name for name in open_names if name not in lost)
        return [mark_if_unbound(name, origin) for name in lost]

    def binds_of(self, piece: Any) -> tuple[str, ...]:
        """Return the variables that a piece (a `with` item, a case, ...) binds."""
        return self._activity.pieces[piece].binds

    def binds_in(self, statements: Iterable[gast.stmt]) -> tuple[str, ...]:
        """Return the variables that several statements bind."""
        return self._activity.of(statements).binds

    def of(self, node: Any) -> StatementState:
        """Return the state of a statement that becomes a call."""
        access = self._moved(node)
        bound = set(access.binds) | self._hidden.through(access.reads)
        after = self._liveness.live_out(node, bound) | (bound & self._shared)
        inside = self._liveness.live_in_bodies(node, bound) - self._given(node)
        needed = after | inside | (bound & self.anchored)
        names = self._activity.ordered(needed)
        composites = tuple(qn for qn in access.composites if _is_stable(qn, bound, access))
        outputs = tuple(name for name in names if name in after)
        inputs = tuple(name for name in names if name not in after)
        local = self._activity.ordered(set(access.binds) - needed)
        return StatementState(outputs, composites, inputs, local)

    def _given(self, node: Any) -> set[str]:
        """Return the variables that the body of a `with` binds first."""
        target = node.items[0].optional_vars if isinstance(node, gast.With) else None
        return set() if target is None else set(self.binds_of(target))

    def _moved(self, node: Any) -> Access:
        """Return the access of the parts of a statement that become functions."""
        inside = [self._activity.of(block) for block in blocks(node)]
        if isinstance(node, gast.For):
            inside = [self._activity.pieces[node], self._activity.pieces[node.target], *inside]
        elif isinstance(node, gast.With) and node.items[0].optional_vars is not None:
            inside = [self._activity.pieces[node.items[0].optional_vars], *inside]
        elif isinstance(node, gast.While):
            inside = [self._activity.pieces[node], *inside]
        elif isinstance(node, gast.Match):
            inside = [*(self._activity.pieces[case] for case in node.cases), *inside]
        elif isinstance(node, gast.Try):
            inside = [*(self._activity.pieces[handler] for handler in node.handlers), *inside]
        return Access.together(inside)


def _is_stable(qn: QN, bound: set[str], access: Access) -> bool:
    """Return whether a composite is the same place throughout the statement."""
    prefixes = set(qn.prefixes)
    return qn.name not in bound and prefixes.isdisjoint(access.composites)


def _handler_names(function: Any) -> Iterable[str]:
    statements = list(function.body) if isinstance(function.body, list) else []
    while statements:
        statement = statements.pop()
        for handler in getattr(statement, "handlers", ()):
            if handler.name is not None:
                yield handler.name.id
        for block in blocks(statement):
            statements.extend(block)
