"""Nesting of statements does not multiply the traces of the innermost body."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from tests.suite_length import sample

HEAD = """import runtime as rt


class Box:
    def __init__(self):
        self.v = 0.0

    def add(self, x):
        self.v = self.v + x


def f(x):
"""
HEADERS = {
    "for": "for i{n} in rt.range(2):",
    "while": "while x < {n}.0:",
    "if": "if x > -{n}.0:",
    "try": "try:",
}
CHANGES = {
    "a list": ("l = []", "l.append(x)", "rt.stack(l)"),
    "an item": ("d = {'k': 0.0}", "d['k'] = d['k'] + x", "d['k']"),
    "an attribute": ("o = Box()", "o.v = o.v + x", "o.v"),
    "an attribute in a method": ("o = Box()", "o.add(x)", "o.v"),
    "a variable": ("y = 0", "y = y + x", "y"),
}
KINDS = [("for",), ("while",), ("for", "if"), ("for", "try"), ("if", "while", "for")]


def nested(kinds: tuple[str, ...], depth: int, change: str) -> str:
    """The text of a function with statements inside of each other, and one change innermost."""
    first, last, result = CHANGES[change]
    lines, ends = [f"    {first}"], list[str]()
    for level in range(depth):
        indent, kind = "    " * (level + 1), kinds[level % len(kinds)]
        lines.append(indent + HEADERS[kind].format(n=level + 2))
        if kind == "while":
            lines.append(f"{indent}    x = x + 50.0")
        if kind == "try":
            ends[:0] = [f"{indent}except ValueError:", f"{indent}    x = x - 1.0"]
    inside = "    " * (depth + 1)
    lines += [f"{inside}traced()", f"{inside}{last}", *ends, f"    return {result}"]
    return HEAD + "\n".join(lines) + "\n"


def loaded(text: str, name: str, folder: Path) -> tuple[Any, list[int]]:
    """The function of a module with this text, and a list that gets an item for each trace."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(f"retraced_{name}", path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    seen: list[int] = []
    module.traced = ag.do_not_convert(lambda: seen.append(1))  # type: ignore[attr-defined]
    return module.f, seen


@pytest.mark.parametrize("change", sample([*CHANGES], 2))
@pytest.mark.parametrize("kinds", KINDS, ids="-".join)
def test_nesting_does_not_multiply_traces(
    kinds: tuple[str, ...], change: str, tmp_path: Path
) -> None:
    counts = []
    for depth in (2, 4):
        function, seen = loaded(nested(kinds, depth, change), f"at_{depth}", tmp_path)
        ag.function(function).get_concrete_function(rt.constant(0.5))
        counts.append(len(seen))
    # With two traces a level more, two levels would multiply them by four.
    assert counts[1] <= 3 * counts[0]


@pytest.mark.parametrize("change", ["a list", "an attribute in a method"])
def test_nested_statements_agree_with_python(change: str, tmp_path: Path) -> None:
    function, _ = loaded(nested(("for", "if"), 4, change), "values", tmp_path)
    found, expected = ag.function(function)(rt.constant(0.5)), function(rt.constant(0.5))
    assert expected.numpy().tolist() == found.numpy().tolist()


def changes_numbers_only(n: Any) -> Any:
    """Its inner loop adds to the list only while `k` is a number of Python's."""
    seen = [n]
    k = 0
    for _ in rt.range(n):
        for _ in rt.range(n):
            if isinstance(k, int):
                seen.append(n)
        k = k + n
    return rt.stack(seen), k


def test_a_state_place_changed_by_another_trace_is_ignored() -> None:
    found, k = ag.function(changes_numbers_only)(rt.constant(3))
    assert ([3], 9) == (found.numpy().tolist(), k.numpy())
