"""Lowering of composites: attributes and items in a statement's state become composite places.

    ag__.ldu(lambda: ag__.ld(o).v, 'o.v')
        ->   ag__.ldu(lambda: ag__.place(ag__.ld(o), <steps>).value, 'o.v')
    (ag__.ld(o).v, x) = vars_
        ->   (ag__.place(ag__.ld(o), <steps>).value, x) = vars_

The printed form has `o.v`. But a property or a descriptor of that name must not run when a staged
statement reads and restores the place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from autograph.lowering.constants import Constants
from autograph.lowering.operator_calls import (
    StatementFunctions,
    find_staged,
    invoke,
    is_thunk,
    operator_of,
    put,
)
from autograph.syntax.tree import blocks_below

# The positions, from the end, of the arguments that read and assign the state.
_GET, _SET = -4, -3
_STEPS = (ast.Attribute, ast.Subscript)

# Makes the step to an attribute, or to an item.
MakeStep = Callable[[Any], object]


def with_places(function: Any, attribute: MakeStep, item: MakeStep, constants: Constants) -> Any:
    """Return the converted function with composite places in the states of its statements.

    Args:
        function: the converted function, changed in place.
        attribute: makes the step to an attribute with a name.
        item: makes the step to an item with a key.
        constants: collects the steps.
    """
    places = _Places(attribute, item, constants)
    for block in blocks_below(function):
        places.rewrite(block)
    return function


class _Places:
    def __init__(self, attribute: MakeStep, item: MakeStep, constants: Constants) -> None:
        self._attribute = attribute
        self._item = item
        self._constants = constants

    def rewrite(self, block: list[ast.stmt]) -> None:
        """Rewrite the states of the statements staged in a block."""
        staged = find_staged(block)
        for statement in block:
            parts = staged.by_call.get(id(statement))
            if parts and operator_of(statement.value) != "assert_stmt":  # type: ignore[attr-defined]
                self._state(statement.value.args, parts)  # type: ignore[attr-defined]

    def _state(self, arguments: list[Any], parts: StatementFunctions) -> None:
        values = parts.result_of(arguments[_GET])
        for value in values.elts:
            thunk: Any = value.args[0] if operator_of(value) == "ldu" else None
            if is_thunk(thunk) and isinstance(thunk.body, _STEPS):
                thunk.body = self._place(thunk.body)
        for statement in parts.inside(arguments[_SET]):
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple):
                targets = statement.targets[0].elts
                targets[:] = [self._place(t) if isinstance(t, _STEPS) else t for t in targets]

    def _place(self, composite: Any) -> ast.expr:
        steps: list[object] = []
        node = composite
        while isinstance(node, _STEPS):
            if isinstance(node, ast.Attribute):
                steps.insert(0, self._attribute(node.attr))
            else:
                steps.insert(0, self._item(ast.literal_eval(node.slice)))
            node = node.value
        # Without `ld`: a statement may leave a variable unbound that it does not read.
        node = node.args[0] if operator_of(node) == "ld" else node
        held = self._constants.node(tuple(steps), composite)
        place = invoke("place", [node, held], composite)
        return put(ast.Attribute(place, "value", composite.ctx), composite)
