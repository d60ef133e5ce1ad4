"""Objects that compiled code holds as constants, among them the operators.

A name of this package in the user's function would show in its closure, in `locals()` and in a
debugger, and could be the user's own; a constant avoids that. So `ag__`, and each operator read
from it, is a constant. The compiler takes texts, so each object stands in the tree as a text that
no source can hold, until the constants of the compiled code are replaced.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from autograph.lowering.operator_calls import VOCABULARY
from autograph.lowering.tree_visitors import Transformer

_MARK = "\0autograph"


class Constants:
    """The objects of one piece of code, by the texts that stand for them.

    >>> constants = Constants()
    >>> constants.replaced(constants.node(len, ast.parse("x").body[0]).value) is len
    True
    >>> constants.replaced("text")
    'text'
    """

    def __init__(self) -> None:
        self._objects: dict[str, object] = {}

    def node(self, value: object, origin: ast.AST) -> ast.Constant:
        """Return an expression whose value will be the object `value`."""
        text = f"{_MARK}{id(value)}"
        self._objects[text] = value
        return ast.copy_location(ast.Constant(text), origin)

    def replaced(self, value: object) -> object:
        """Return the object of a constant of the compiled code, or the constant."""
        return self._objects.get(value, value) if type(value) is str else value

    @property
    def objects(self) -> Mapping[str, Any]:
        """The objects by their texts."""
        return self._objects


# -- bound operators -------------------------------------------------------------------------------


def with_vocabulary(function: Any, vocabulary: object, constants: Constants) -> Any:
    """Return the function with `vocabulary` in place of the name `ag__`, and its operators.

    Operators are called so often that they are not looked up each time.
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
