"""What the tests of the printer share."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from autograph.syntax import print_tree, same_tree, to_gast


@pytest.fixture
def round_trip() -> Callable[[str], None]:
    """Check that a source prints, from ast and from gast, to a text of the same tree."""

    def check(source: str) -> None:
        tree = ast.parse(source)
        printed = print_tree(tree)
        assert same_tree(tree, ast.parse(printed)), printed
        assert printed == print_tree(to_gast(tree))
        assert printed == print_tree(ast.parse(printed))

    return check
