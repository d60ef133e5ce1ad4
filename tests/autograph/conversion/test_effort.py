"""The cost of conversion, in calls of Python functions, is linear in the statements."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import autograph as ag
from tools.bench.statements import nested_text, statements_text

KINDS = ["arithmetic", "`if` with `else`", "`while`", "`for` over a range", "calls", "`try`"]


def conversion_call_count(text: str, name: str, folder: Path) -> int:
    """How many Python functions are called to convert the function in a text."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(f"effort_{name}", path)
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    count = 0

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        ag.to_graph(module.f)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("kind", KINDS)
def test_the_effort_is_linear_in_the_statements(kind: str, tmp_path: Path) -> None:
    few, many = (
        conversion_call_count(statements_text(kind, n), f"of_{n}", tmp_path) for n in (40, 160)
    )
    assert many <= 4.2 * few


def test_an_arithmetic_statement_converts_in_few_calls(tmp_path: Path) -> None:
    few, many = (
        conversion_call_count(statements_text("arithmetic", n), f"of_{n}", tmp_path)
        for n in (100, 300)
    )
    # With every question asked of all nodes anew it was more than a thousand.
    assert (many - few) / 200 <= 450


def test_nesting_does_not_multiply_the_effort(tmp_path: Path) -> None:
    efforts = [
        conversion_call_count(nested_text(depth), f"at_{depth}", tmp_path) for depth in (3, 6, 9)
    ]
    # Each level is copied once per road and level around it, at most.
    assert efforts[2] - efforts[1] <= 2 * (efforts[1] - efforts[0])
