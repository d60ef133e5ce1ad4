"""`ag__` is a constant of the compiled code."""

from __future__ import annotations

import ast
from typing import Any

from autograph.lowering.constants import Constants
from autograph.lowering.words import VOCABULARY


def with_vocabulary(function: Any, vocabulary: object, constants: Constants) -> Any:
    """Return the function with the object `vocabulary` in the place of the name `ag__`."""
    return _Words(vocabulary, constants).visit(function)


class _Words(ast.NodeTransformer):
    def __init__(self, vocabulary: object, constants: Constants) -> None:
        self._vocabulary = vocabulary
        self._constants = constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != VOCABULARY:
            return node
        return self._constants.node(self._vocabulary, node)
