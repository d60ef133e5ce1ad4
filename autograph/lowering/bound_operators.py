"""`ag__` is a constant of the compiled code, and so is each word it is asked for."""

from __future__ import annotations

import ast
from typing import Any

from autograph.lowering.constants import Constants
from autograph.lowering.operator_calls import VOCABULARY
from autograph.lowering.tree_visitors import Transformer


def with_vocabulary(function: Any, vocabulary: object, constants: Constants) -> Any:
    """Return the function with `vocabulary` in the place of the name `ag__`, its words in theirs.

    What is called so often need not be looked up each time.
    """
    return _Words(vocabulary, constants).visit(function)


class _Words(Transformer):
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
