"""`with` becomes a call, since its end has to see what is raised when the graph runs.

with lock(d) as held:              def with_body(itr): nonlocal y; held = itr; y = f(x)
    y = f(x)              ->       ag__.with_stmt(lock(d), with_body, 'held', ...)

One that holds a `yield`, an `await` or a real jump stays Python.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.grammar import is_function_scope
from autograph.converters.bindings import Bindings
from autograph.converters.staged_statement import Block, Fresh, StagedStatement
from autograph.converters.tries import moves
from autograph.converters.words import constant, new, nonempty, undefined
from autograph.syntax.template import Template

_BODY = Template("""
    def $function($item):
        nonlocal $nonlocals
        global $globals
        $seeds
        $target = $item
        $body
""")
_WITH = Template("ag__.with_stmt($manager, $body, $name, $flags, $get, $set, $symbols, $nouts)")


def can_be_left(node: Any) -> bool:
    """Tell whether a statement is a `with` of the user's that may become a call."""
    return type(node) is gast.With and not is_function_scope(node) and moves(node)


class WithStatement(StagedStatement):
    """A `with` of one manager on its way to a call."""

    def _take_names(self, fresh: Fresh) -> None:
        self._main = fresh("with_body")

    @property
    def _target(self) -> Any:
        return self._node.items[0].optional_vars

    def functions(self, here: Bindings, block: Block) -> list[gast.stmt]:
        node, target = self._node, self._target
        inside = self._inside(here)
        if target is None:
            return self._body(self._main, block(node.body, inside), inside)
        inside.bind(self._states.binds_of(target))
        body = block(node.body, inside)
        return _BODY.statements(
            origin=node,
            function=self._main,
            item=self._conversion.item_name,
            target=target,
            seeds=[undefined(name, node) for name in inside.wanted],
            body=nonempty(body, node),
            **self._declarations(self._state.names),
        )

    def call(self) -> gast.stmt:
        node, target = self._node, self._target
        flags = [constant(each, node) for each in self._flags()]
        name = None if target is None else self._conversion.text_of(target)
        (call,) = _WITH.statements(
            origin=node,
            manager=node.items[0].context_expr,
            body=self._main,
            name=constant(name, node),
            flags=new(gast.Tuple, node, elts=flags, ctx=gast.Load()),
            nouts=gast.Constant(self._state.nouts, None),
            **self._common(),
        )
        return call
