"""`if`, `while`, `for`, `match`, `try` and `with` become calls; their bodies become functions.

if a:            def get_state(): return (x,)
    x = 1        def set_state(vars_): nonlocal x; (x,) = vars_
            ->   def if_body(): nonlocal x; x = 1
                 def else_body(): nonlocal x; pass
                 ag__.if_stmt(a, if_body, else_body, get_state, set_state, ('x',), 1)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import (
    COMPREHENSIONS,
    DEFINITIONS,
    STAGED,
    ForUntil,
    TryAlways,
    WhileUntil,
)
from autograph.analysis.reasons import reason_kept
from autograph.converters.base import Conversion, Converter, Tree, body_of, definitions_in, set_body
from autograph.converters.breaks import Breaks
from autograph.converters.conditionals import Conditionals
from autograph.converters.continues import Continues
from autograph.converters.declarations import Declarations
from autograph.converters.definite_assignment import DefiniteAssignment
from autograph.converters.logical import Logical
from autograph.converters.node_builders import undefined
from autograph.converters.postconditions import unkept
from autograph.converters.private_names import PrivateNames
from autograph.converters.python_statements import PythonStatements
from autograph.converters.returns import Returns
from autograph.converters.slices import Slices
from autograph.converters.staging import Staging
from autograph.converters.statement_state import StatementStates
from autograph.converters.supers import Supers
from autograph.converters.tries import can_stage_try
from autograph.converters.variables import Variables
from autograph.converters.withs import can_stage_with
from autograph.syntax.tree import walk

# The expressions whose parts are in thunks, now or after the converter of comprehensions.
_MAKE_THUNKS = (gast.Lambda, *COMPREHENSIONS)


class ControlFlow(Converter):
    """Statements become calls of `ag__.if_stmt`, `while_stmt`, `for_stmt`, `match_stmt`, ...

    Before and after: see the top of this file. Statements in `JumpFacts.kept` stay Python, and so
    does a `try` or `with` with a `yield` or a real jump in it; the statements inside are converted.
    """

    after = {
        PrivateNames: "the names of variables are also texts in generated code",
        Supers: "super() would not find its class in the function of a body",
        Declarations: "the function of a body has its own declarations",
        Breaks: "a `break` cannot leave the function of a body",
        Continues: "a `continue` cannot leave the function of a body",
        Returns: "a `return` would only leave the function of a body",
        Slices: "an assignment to an item makes a variable part of the state",
        Conditionals: "generated functions need no conversion",
        Logical: "generated functions need no conversion",
        Variables: "generated functions read variables that may have no value",
    }
    needs = ("activity", "exits", "hidden_writes", "liveness")
    handles = (*STAGED, gast.Try, gast.Lambda)
    removes = (*STAGED, ForUntil, WhileUntil, TryAlways)

    def __init__(self) -> None:
        self._stayed: set[Any] = set()

    def applies(self, facts: FunctionFacts, conversion: Conversion) -> bool:
        # The `with` of the function's scope does not count as the user's.
        return super().applies(facts, conversion) or facts.inventory.has(gast.With)

    def leftovers(self, tree: Tree, facts: FunctionFacts) -> Iterable[Any]:
        # Once the statements inside are calls, a statement does not nest too deeply any more.
        return (node for node in unkept(tree, facts, self.removes) if node not in self._stayed)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        if isinstance(tree, (gast.FunctionDef, gast.AsyncFunctionDef)):
            _Statements(tree, facts, conversion, self._stayed).apply()
        return tree


class _Statements:
    """The walk over the statements of one function, in source order."""

    def __init__(
        self, function: Any, facts: FunctionFacts, conversion: Conversion, stayed: set[Any]
    ) -> None:
        self._function = function
        self._stayed = stayed
        self._facts = facts
        self._conversion = conversion
        self._kept = facts.exits.kept
        self._states = StatementStates(facts)
        self._staging = Staging(conversion, self._states, self.block)
        self._python = PythonStatements(self._states, self.block)

    def apply(self) -> None:
        """Convert the function in place."""
        here = DefiniteAssignment([*self._states.parameters, *self._states.foreign])
        body = self.block(self._function.body, here)
        seeds = [undefined(name, self._function) for name in here.marks]
        self._function.body = body
        if seeds:
            set_body(self._function, [*seeds, *body_of(self._function)])

    def block(self, statements: list[gast.stmt], here: DefiniteAssignment) -> list[gast.stmt]:
        """Return the converted statements; `here` is updated from one to the next."""
        return [new for statement in statements for new in self._statement(statement, here)]

    def _statement(self, node: Any, here: DefiniteAssignment) -> list[gast.stmt]:
        if self._is_staged(node):
            self._conversion.report_staged(node)
            return self._staging.statement(node, here)
        if node in self._kept:
            self._stays(node)
        seeds = self._fill_unbound(node, here)
        if isinstance(node, DEFINITIONS):
            self._definition(node)
        if self._python.stays(node):
            return [*seeds, self._python.statement(node, here)]
        here.bind(self._states.binds(node))
        return [*seeds, node]

    def _is_staged(self, node: Any) -> bool:
        if isinstance(node, STAGED):
            return node not in self._kept
        return can_stage_try(node, self._conversion) or can_stage_with(node)

    def _stays(self, node: Any) -> None:
        self._stayed.add(node)
        if self._conversion.report is not None:
            self._conversion.report_python(node, reason_kept(node))

    def _fill_unbound(self, node: Any, here: DefiniteAssignment) -> list[gast.stmt]:
        """Return the marks for variables that a generated function reads and may find unbound.

        Python would raise a NameError there, and no UnboundLocalError.
        """
        read = [name for name in self._states.read_unbound(node) if not here.is_bound(name)]
        if not read:
            return []
        in_thunk = any(isinstance(inner, _MAKE_THUNKS) for inner in walk(node))
        return self._states.fill((n for n in read if in_thunk or here.is_shared(n)), node, here)

    def _definition(self, node: Any) -> None:
        if not isinstance(node, gast.ClassDef):
            _Statements(node, self._facts.of(node), self._conversion, self._stayed).apply()
            return
        for method in definitions_in(node.body):
            self._definition(method)
