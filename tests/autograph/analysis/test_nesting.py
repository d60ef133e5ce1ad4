"""Statements that nest too deeply stay Python; the levels inside them that fit are staged."""

from __future__ import annotations

from typing import Any

import pytest

from autograph.analysis.facts import Facts
from autograph.analysis.keeping import why_kept
from autograph.analysis.nesting import MOST_LEVELS, is_too_deep, too_deep
from autograph.syntax.tree import parse


def chain(arms: int, arm: str = "y = {}") -> str:
    words = ["if", *["elif"] * (arms - 1)]
    return "".join(f"    {word} x == {i}: {arm.format(i)}\n" for i, word in enumerate(words))


def function(body: str) -> Any:
    return parse(f"def f(x):\n{body}").body[0]


@pytest.mark.parametrize(("arms", "kept"), [(1, 0), (MOST_LEVELS, 0), (MOST_LEVELS + 5, 5)])
def test_the_outermost_levels_stay(arms: int, kept: int) -> None:
    body = function(chain(arms)).body
    deep = too_deep(body)
    assert kept == len(deep)
    assert bool(kept) == (body[0] in deep) == is_too_deep(body[0])


def test_all_kinds_of_levels_count() -> None:
    lines = [
        f"{' ' * n}{('if x:', 'for x in y:', 'while x:', 'with x:')[n % 4]}" for n in range(92)
    ]
    text = "\n".join(["if x:", *(f" {line}" for line in lines), " " * 93 + "pass"])
    body = parse(text).body
    assert 1 + 69 - MOST_LEVELS == len(too_deep(body))


def test_a_jump_out_of_a_deep_statement_is_real() -> None:
    arms = chain(MOST_LEVELS + 1, "return {}")
    tree = function(f"    if x < 0: return 0\n    while x:\n        x -= 1\n{arms}    return 1\n")
    exits = Facts(tree).exits
    guard, loop, deep, _ = tree.body
    assert (False, False, True) == tuple(map(exits.is_kept, (guard, loop, deep)))
    assert exits.is_kept(deep.orelse[0])


def test_the_reason_is_said() -> None:
    deep = function(chain(MOST_LEVELS + 1)).body[0]
    assert "it holds more than 64 levels of `if`, `for` and `while`" == why_kept(deep)
