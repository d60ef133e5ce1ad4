"""`with contextlib.suppress(E):` becomes a call, since a graph has to know what it swallows.

with suppress(KeyError):           def with_body(): nonlocal y; y = f(x)
    y = f(x)              ->       ag__.suppress_stmt(lambda: suppress(KeyError), with_body, ...)

Other context managers stay Python.
"""

from __future__ import annotations

import contextlib
from typing import Any

import gast

from ..analysis.grammar import is_word
from ..syntax.template import Template
from .base import Conversion
from .bindings import Bindings
from .staged_statement import Block, Fresh, StagedStatement
from .tries import moves
from .words import constant, new, thunk

_SUPPRESS = Template("ag__.suppress_stmt($manager, $body, $flags, $get, $set, $symbols, $nouts)")


def suppresses(node: Any, conversion: Conversion) -> bool:
    """Tell whether a statement is a `with contextlib.suppress(...)` that may become a call."""
    if type(node) is not gast.With or len(node.items) != 1 or conversion.namespace is None:
        return False
    item = node.items[0]
    if item.optional_vars is not None or not isinstance(item.context_expr, gast.Call):
        return False
    found = _callee(item.context_expr, conversion)
    return found is contextlib.suppress and moves(node)


def _callee(call: Any, conversion: Conversion) -> object:
    """Return what a call calls, as far as the function's namespace tells."""
    function = call.func
    if is_word(function, "converted_call"):
        function = call.args[0]
    steps: list[str] = []
    while isinstance(function, gast.Attribute):
        steps.insert(0, function.attr)
        function = function.value
    if isinstance(function, gast.Call) and is_word(function.func, "ld"):
        function = function.args[0]
    if not isinstance(function, gast.Name) or conversion.namespace is None:
        return None
    found = conversion.namespace.get(function.id)
    for step in steps:
        found = getattr(found, step, None) if found is contextlib else None
    return found


class SuppressStatement(StagedStatement):
    """A `with contextlib.suppress(...)` on its way to a call."""

    def _take_names(self, fresh: Fresh) -> None:
        self._main = fresh("with_body")

    def functions(self, here: Bindings, block: Block) -> list[gast.stmt]:
        inside = self._inside(here)
        return self._body(self._main, block(self._node.body, inside), inside)

    def call(self) -> gast.stmt:
        node = self._node
        flags = [constant(each, node) for each in self._flags()]
        (call,) = _SUPPRESS.statements(
            origin=node,
            manager=thunk(node.items[0].context_expr),
            body=self._main,
            flags=new(gast.Tuple, node, elts=flags, ctx=gast.Load()),
            nouts=gast.Constant(self._state.nouts, None),
            **self._common(),
        )
        return call
