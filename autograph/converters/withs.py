"""`with` becomes a call, since the end of a context manager must get exceptions of a run."""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import block_fields, holders, is_function_scope
from autograph.converters.base import Conversion, Converter, Tree, functions_in
from autograph.converters.definite_assignment import DefiniteAssignment
from autograph.converters.node_builders import constant, new, nonempty, undefined
from autograph.converters.staged_statement import Block, Fresh, StagedStatement
from autograph.converters.tries import can_move
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


def can_stage_with(node: Any) -> bool:
    """Return whether a statement is a user's `with` that may become a call."""
    return type(node) is gast.With and not is_function_scope(node) and can_move(node)


class WithStatement(StagedStatement):
    """The conversion of a `with` of one manager to a call."""

    def _take_names(self, fresh: Fresh) -> None:
        self._main = fresh("with_body")

    @property
    def _target(self) -> Any:
        return self._node.items[0].optional_vars

    def functions(self, here: DefiniteAssignment, block: Block) -> list[gast.stmt]:
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
            seeds=[undefined(name, node) for name in inside.marks],
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


# -- `with` of several managers becomes nested ones, as Python defines it --------------------------


class MultipleWithItems(Converter):
    """A `with` of several managers becomes nested ones, so that each is staged by itself.

    Before: `with a, b: f()`. After: `with a:` around `with b: f()`.
    """

    handles = (gast.With,)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        for function in functions_in(tree):
            function.body = list(map(_statement, function.body))
        return tree


def _statement(node: Any) -> Any:
    for holder in holders(node):
        for field in block_fields(holder):
            setattr(holder, field, list(map(_statement, getattr(holder, field))))
    while type(node) is gast.With and len(node.items) > 1:
        inner = new(gast.With, node, items=node.items[-1:], body=node.body, type_comment=None)
        node.items, node.body = node.items[:-1], [inner]
    return node
