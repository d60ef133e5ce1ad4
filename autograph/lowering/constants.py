"""Objects that compiled code references as constants, among them the operators.

A name such as `ag__` in the user's function would show in its closure, in `locals()` and in a
debugger, and could be the user's own; constants avoid that. The compiler takes only constants such
as texts, so a text that no source can hold stands for each object in the tree. It is replaced in
the compiled code.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from autograph.lowering.operator_calls import VOCABULARY
from autograph.lowering.tree_visitors import Transformer

_MARK = "\0autograph"


class Constants:
    """The objects that one compiled function holds, by the texts that stand for them.

    >>> constants = Constants()
    >>> constants.replaced(constants.node(len, ast.parse("x").body[0]).value) is len
    True
    >>> constants.replaced("text")
    'text'
    """

    def __init__(self) -> None:
        self._objects: dict[str, object] = {}

    def node(self, value: object, origin: ast.AST) -> ast.Constant:
        """Return a constant whose value in the compiled code is the object `value`."""
        text = f"{_MARK}{id(value)}"
        self._objects[text] = value
        return ast.copy_location(ast.Constant(text), origin)

    def replaced(self, value: object) -> object:
        """Return the object for a constant of the compiled code; other constants themselves."""
        return self._objects.get(value, value) if type(value) is str else value

    @property
    def objects(self) -> Mapping[str, Any]:
        """The objects by their texts."""
        return self._objects


# -- bound operators -------------------------------------------------------------------------------


def with_vocabulary(function: Any, vocabulary: object, constants: Constants) -> Any:
    """Return the function with constants in place of `ag__` and of `ag__.operator`.

    So no call looks up an operator.
    """
    return _OperatorBinding(vocabulary, constants).visit(function)


class _OperatorBinding(Transformer):
    def __init__(self, vocabulary: object, constants: Constants) -> None:
        self._vocabulary = vocabulary
        self._constants = constants

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        owner = node.value
        if type(owner) is ast.Name and owner.id == VOCABULARY:
            return self._constants.node(getattr(self._vocabulary, node.attr), node)
        node.value = self.visit(owner)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != VOCABULARY:
            return node
        return self._constants.node(self._vocabulary, node)
