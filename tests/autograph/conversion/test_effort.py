"""The cost of conversion, in calls of Python functions, is linear in the statements."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import autograph as ag
from tools.bench.statements import nested_text, statements_text

KINDS = ["arithmetic", "`if` with `else`", "`while`", "`for` over a range", "calls", "`try`"]


def conversion_call_count(text: str, name: str, folder: Path) -> int:
    """How many Python functions are called to convert the function in a text."""
    return conversion_calls(text, name, folder)[0].total()


def conversion_calls(text: str, name: str, folder: Path) -> tuple[Counter[str], Counter[str]]:
    """Return how often each function of Python, and of C, is called to convert one in a text."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(f"effort_{name}", path)
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    of_python, of_c = Counter[str](), Counter[str]()

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            of_python[frame.f_code.co_name] += 1
        elif event == "c_call":
            of_c[argument.__qualname__] += 1

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        ag.to_graph(module.f)
    finally:
        sys.setprofile(before)
    return of_python, of_c


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


def test_only_a_function_with_try_is_searched_for_suspensions(tmp_path: Path) -> None:
    found = [
        conversion_calls(statements_text(kind, 5), f"suspends_{index}", tmp_path)[0]["_suspends"]
        for index, kind in enumerate(("`if` with `else`", "`try`"))
    ]
    assert found[0] == 0 < found[1]


def test_each_code_object_is_replaced_once(tmp_path: Path) -> None:
    of_python, of_c = conversion_calls(statements_text("`while`", 5), "replaced", tmp_path)
    others = 4  # the whole function, as it is loaded and as its code is deferred
    assert of_c["code.replace"] <= of_python["_with_names"] + others


def test_only_a_function_that_assigns_items_is_searched_for_bound_variables(tmp_path: Path) -> None:
    of_python, _ = conversion_calls(statements_text("arithmetic", 5), "bound", tmp_path)
    assert of_python["_names_bound"] == 0
