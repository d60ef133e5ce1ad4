"""The base class of statements that become calls: functions for their state and bodies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autograph.converters.base import Conversion
from autograph.converters.definite_assignment import DefiniteAssignment
from autograph.converters.node_builders import (
    constant,
    name,
    new,
    nonempty,
    operator_call,
    thunk,
    undefined,
)
from autograph.converters.statement_state import StatementState, StatementStates
from autograph.syntax.qualname import QN
from autograph.syntax.template import Template

_STATE = Template("""
    def $get_state():
        return $values

    def $set_state($parameter):
        nonlocal $nonlocals
        global $globals
        $targets = $parameter
""")
_NO_STATE = Template("""
    def $get_state():
        return ()

    def $set_state($parameter):
        pass
""")
_BODY = Template("""
    def $function():
        nonlocal $nonlocals
        global $globals
        $body
""")

Fresh = Callable[[str], str]
Block = Callable[[list[gast.stmt], DefiniteAssignment], list[gast.stmt]]


class StagedStatement:
    """The conversion of one statement to a call; names are made in the order of their printing."""

    def __init__(
        self, node: Any, state: StatementState, conversion: Conversion, states: StatementStates
    ) -> None:
        self._node = node
        self._state = state
        self._conversion = conversion
        self._states = states
        self._get = conversion.namer.fresh("get_state")
        self._set = conversion.namer.fresh("set_state")
        self._take_names(conversion.namer.fresh)
        self._declared = states.declared

    def _take_names(self, fresh: Fresh) -> None:
        """Make the names of the functions of the bodies."""

    def statements(self, here: DefiniteAssignment, block: Block) -> list[gast.stmt]:
        """Return the statements that replace it; `here` has the bindings, which are updated."""
        seeds = self._seeds(here)
        return [*self._state_functions(), *self.functions(here, block), *seeds, self.call()]

    def functions(self, here: DefiniteAssignment, block: Block) -> list[gast.stmt]:
        """Return the definitions of the functions of the bodies."""
        raise TypeError("a statement defines its functions")

    def call(self) -> gast.stmt:
        """Return the operator call."""
        raise TypeError("a statement defines its operator call")

    def _seeds(self, here: DefiniteAssignment) -> list[gast.stmt]:
        """Return marks for variables that the bodies share with the function and may be unbound."""
        read = self._read_unbound()
        shared = dict.fromkeys((*self._state.names, *read))
        open_names = [n for n in shared if n not in self._declared and not here.is_bound(n)]
        unbound = [name for name in open_names if here.is_unbound(name)]
        here.bind(unbound)
        filled = self._states.fill(open_names, self._node, here)
        return [*(undefined(name, self._node) for name in unbound), *filled]

    def _flags(self) -> list[str]:
        """Return the symbols that are flags of jumps: an exception resets them."""
        return [each for each in self._state.symbols if each in self._conversion.exits]

    def _read_unbound(self) -> tuple[str, ...]:
        """Return the variables of the statement that may be read before they are bound."""
        return self._states.read_unbound(self._node)

    def _inside(self, here: DefiniteAssignment) -> DefiniteAssignment:
        """Return the bindings at the start of the function of a body."""
        inside = here.in_function(self._state.names)
        inside.unbind(self._state.locals)
        if isinstance(self._node, (gast.For, gast.While)):
            # The iteration before may have ended with a handler that unbinds its name.
            inside.may_unbind(self._states.unbound_by_handlers.intersection(self._state.names))
        return inside

    def _body(
        self, function: str, body: list[gast.stmt], inside: DefiniteAssignment
    ) -> list[gast.stmt]:
        seeds = [undefined(name, self._node) for name in inside.marks]
        return _BODY.statements(
            origin=self._node,
            function=function,
            body=nonempty([*seeds, *body], self._node),
            **self._declarations(self._state.names),
        )

    def _state_functions(self) -> list[gast.stmt]:
        state, node = self._state, self._node
        parameter = self._conversion.values_name
        if not state.symbols:
            return _NO_STATE.statements(
                origin=node, get_state=self._get, set_state=self._set, parameter=parameter
            )
        return _STATE.statements(
            origin=node,
            get_state=self._get,
            set_state=self._set,
            parameter=parameter,
            values=self._values(),
            targets=self._targets(),
            **self._declarations(state.names),
        )

    def _values(self) -> Any:
        outputs = [self._value(name) for name in self._state.outputs]
        composites = [self._composite_value(qn) for qn in self._state.composites]
        inputs = [self._value(name) for name in self._state.inputs]
        elements = [*outputs, *composites, *inputs]
        return new(gast.Tuple, self._node, elts=elements, ctx=gast.Load())

    def _value(self, variable: str) -> Any:
        """Return the read of a variable for the state, with a mark if it may be unbound."""
        node = self._node
        read = name(variable, node)
        if variable in self._declared or variable in self._states.unbound_by_handlers:
            return operator_call("ldu", [thunk(read), constant(variable, node)], node)
        return read

    def _composite_value(self, qn: QN) -> Any:
        node = self._node
        return operator_call(
            "ldu", [thunk(self._place(qn, gast.Load())), constant(str(qn), node)], node
        )

    def _targets(self) -> Any:
        node, state = self._node, self._state
        outputs = [name(n, node, store=True) for n in state.outputs]
        composites = [self._place(qn, gast.Store()) for qn in state.composites]
        inputs = [name(n, node, store=True) for n in state.inputs]
        return new(gast.Tuple, node, elts=[*outputs, *composites, *inputs], ctx=gast.Store())

    def _place(self, qn: QN, ctx: Any) -> Any:
        """Return the code of a composite, whose root is read by `ld`."""
        node = self._node
        place = top = qn.ast(ctx)
        while not isinstance(top.value, gast.Name):
            top = top.value
        top.value = operator_call("ld", [name(qn.name, node)], node)
        return place

    def _declarations(self, names: tuple[str, ...]) -> dict[str, Any]:
        is_global = self._states.globals
        return {
            "nonlocals": [n for n in names if n not in is_global],
            "globals": [n for n in names if n in is_global],
        }

    def _common(self) -> dict[str, Any]:
        symbols = [constant(symbol, self._node) for symbol in self._state.symbols]
        return {
            "get": self._get,
            "set": self._set,
            "symbols": new(gast.Tuple, self._node, elts=symbols, ctx=gast.Load()),
        }
