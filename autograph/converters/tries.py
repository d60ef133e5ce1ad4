"""`try` becomes a call: its parts become functions, and each handler a value with functions.

try:                          def try_body(): nonlocal y; y = f(x)
    y = f(x)                  def except_body(e): nonlocal y; y = g(e)
except ValueError as e:  ->   def finally_body(): nonlocal y; h()
    y = g(e)                  ag__.try_stmt(try_body, (ag__.handler(lambda: ValueError,
finally:                          except_body, 'e'),), None, finally_body, (), ..., ('y',), 1)
    h()

A handler's variable that is state of the statement is unbound at the end of the handler, as in
Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autograph.analysis.frame_bound import JUMPS, is_frame_bound
from autograph.analysis.grammar import TryAlways, blocks, is_loop
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
from autograph.converters.staged_statement import Block, Fresh, StagedStatement
from autograph.syntax.names import walk_scope
from autograph.syntax.template import Template

_HANDLER = Template("""
    def $function($parameter):
        nonlocal $nonlocals
        global $globals
        $body
""")
_UNBINDING_HANDLER = Template("""
    def $function($parameter):
        nonlocal $nonlocals
        global $globals
        $target = $parameter
        try:
            $body
        finally:
            $end
""")
_TRY = Template(
    "ag__.try_stmt($body, $handlers, $orelse, $final, $flags, $get, $set, $symbols, $nouts)"
)


def can_stage_try(node: Any, conversion: Conversion) -> bool:
    """Return whether the parts of a `try` may become functions."""
    if type(node) not in (gast.Try, TryAlways) or _takes_flag_back(node, conversion):
        return False
    return can_move(node)


def can_move(node: Any) -> bool:
    """Return whether the statements inside a statement may become functions."""
    return not any(map(is_frame_bound, walk_scope(node))) and not any(_real_jumps([node]))


def _takes_flag_back(node: Any, conversion: Conversion) -> bool:
    """Return whether a `try` is synthetic, and resets the flag of a jump."""
    handler = node.handlers[0] if len(node.handlers) == 1 else None
    if handler is None or handler.type is not None or len(handler.body) != 2:
        return False
    target = getattr(handler.body[0], "targets", [None])[0]
    return isinstance(target, gast.Name) and target.id in conversion.exits


def _real_jumps(statements: list[gast.stmt], in_loop: bool = False) -> Iterator[bool]:
    """Yield True for each jump that leaves the statements."""
    for statement in statements:
        if isinstance(statement, gast.Return) or (isinstance(statement, JUMPS) and not in_loop):
            yield True
        for block in blocks(statement):
            yield from _real_jumps(block, in_loop or is_loop(statement))


class TryStatement(StagedStatement):
    """The conversion of a `try` to a call."""

    def _take_names(self, fresh: Fresh) -> None:
        node = self._node
        self._main = fresh("try_body")
        self._handlers = [fresh("except_body") for _ in node.handlers]
        self._else = fresh("else_body") if node.orelse else None
        self._final = fresh("finally_body") if node.finalbody else None

    def functions(self, here: DefiniteAssignment, block: Block) -> list[gast.stmt]:
        node = self._node
        inside = self._inside(here)
        found = self._body(self._main, block(node.body, inside), inside)
        for handler, function in zip(node.handlers, self._handlers):
            found += self._handler(handler, function, self._later(here), block)
        for part, body in ((self._else, node.orelse), (self._final, node.finalbody)):
            if part is not None:
                inside = self._later(here)
                found += self._body(part, block(body, inside), inside)
        # The variable of a handler is unbound after it.
        here.may_unbind(self._states.unbound_by_handlers.intersection(self._state.names))
        return found

    def _read_unbound(self) -> tuple[str, ...]:
        names = {each.name.id for each in self._node.handlers if each.name is not None}
        own = names.difference(self._state.names)
        return tuple(each for each in super()._read_unbound() if each not in own)

    def _later(self, here: DefiniteAssignment) -> DefiniteAssignment:
        """Return the bindings at the start of a part that may follow other parts."""
        inside = self._inside(here)
        inside.may_unbind(self._states.unbound_by_handlers.intersection(self._state.names))
        return inside

    def _handler(
        self, handler: Any, function: str, inside: DefiniteAssignment, block: Block
    ) -> list[gast.stmt]:
        if handler.name is None:
            body = block(handler.body, inside)
            return self._placed(self._body(function, body, inside), handler)
        caught = handler.name.id
        inside.bind([caught])
        body = block(handler.body, inside)
        seeds = [undefined(each, handler) for each in inside.marks]
        common: dict[str, Any] = {
            "function": function,
            "body": nonempty([*seeds, *body], handler),
            **self._declarations(self._state.names),
        }
        if caught not in self._state.names:
            return _HANDLER.statements(origin=handler, parameter=caught, **common)
        return _UNBINDING_HANDLER.statements(
            origin=handler,
            parameter=self._conversion.caught_name,
            target=name(caught, handler, store=True),
            end=undefined(caught, handler),
            **common,
        )

    def _placed(self, definitions: list[gast.stmt], handler: Any) -> list[gast.stmt]:
        return [gast.copy_location(each, handler) for each in definitions]

    def call(self) -> gast.stmt:
        node = self._node
        handlers = [self._clause(*each) for each in zip(node.handlers, self._handlers)]
        flags = [constant(each, node) for each in self._flags()]
        (call,) = _TRY.statements(
            origin=node,
            body=self._main,
            handlers=new(gast.Tuple, node, elts=handlers, ctx=gast.Load()),
            orelse=self._else or constant(None, node),
            final=self._final or constant(None, node),
            nouts=gast.Constant(self._state.nouts, None),
            flags=new(gast.Tuple, node, elts=flags, ctx=gast.Load()),
            **self._common(),
        )
        return call

    def _clause(self, handler: Any, function: str) -> Any:
        kind = constant(None, handler) if handler.type is None else thunk(handler.type)
        caught = None if handler.name is None else handler.name.id
        return operator_call(
            "handler", [kind, name(function, handler), constant(caught, handler)], handler
        )
