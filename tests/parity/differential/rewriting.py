"""Faults planted in the text of a program by rewriting its tree."""

from __future__ import annotations

import ast

Rewriting = type[ast.NodeTransformer]


def changes(rewriting: Rewriting, text: str) -> bool:
    """Tell whether a rewriting changes a program at all: one that it leaves alone shows no fault.

    >>> changes(ast.NodeTransformer, "x = 1")
    False
    """
    before, after = ast.parse(text), rewriting().visit(ast.parse(text))
    return ast.dump(before, include_attributes=True) != ast.dump(after, include_attributes=True)
