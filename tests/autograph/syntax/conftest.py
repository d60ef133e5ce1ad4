"""Fixtures of the syntax tests."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

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


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., SimpleNamespace]:
    """Write a module, run it, and return its names."""

    def run(text: str, name: str = "module.py", **names: Any) -> SimpleNamespace:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        namespace: dict[str, Any] = {"__name__": "module", **names}
        exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), namespace)
        return SimpleNamespace(**{k: v for k, v in namespace.items() if k != "__builtins__"})

    return run
