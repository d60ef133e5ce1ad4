"""Statements that nest too deeply stay Python; the levels inside them that fit are staged."""

from __future__ import annotations

from typing import Any

import pytest

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.nesting_limit import (
    CHUNK,
    MOST_LEVELS,
    arms_of,
    is_too_deep,
    long_chains,
    too_deep,
)
from autograph.analysis.reasons import reason_kept
from autograph.syntax.tree import parse


def chain(arms: int, arm: str = "y = {}") -> str:
    words = ["if", *["elif"] * (arms - 1)]
    return "".join(f"    {word} x == {i}: {arm.format(i)}\n" for i, word in enumerate(words))


def function(body: str) -> Any:
    return parse(f"def f(x):\n{body}").body[0]


def nested(levels: int, innermost: str = "y = 0") -> str:
    lines = [f"{' ' * (4 + n)}if x > {n}:\n" for n in range(levels)]
    return "".join(lines) + " " * (4 + levels) + innermost + "\n"


@pytest.mark.parametrize(("levels", "kept"), [(1, 0), (MOST_LEVELS, 0), (MOST_LEVELS + 5, 5)])
def test_the_outermost_levels_stay(levels: int, kept: int) -> None:
    body = function(nested(levels)).body
    deep = too_deep(body)
    assert kept == len(deep)
    assert bool(kept) == (body[0] in deep) == is_too_deep(body[0])


@pytest.mark.parametrize(("arms", "chains"), [(1, 0), (MOST_LEVELS, 0), (MOST_LEVELS + 5, 1)])
def test_an_elif_chain_counts_as_one_level(arms: int, chains: int) -> None:
    body = function(chain(arms)).body
    assert frozenset() == too_deep(body)
    assert chains == len(long_chains(body)) == len(long_chains(body) & {body[0]})


def test_a_chain_with_a_too_deep_arm_stays_python() -> None:
    deep = nested(MOST_LEVELS - CHUNK, "y = 1").replace("\n", "\n    ").rstrip()
    text = chain(MOST_LEVELS) + f"    elif x == 99:\n    {deep}\n" + "    elif x: y = 2\n" * 70
    body = function(text).body
    arms = arms_of(body[0])
    # The last arms are a chain by themselves.
    assert too_deep(body) == {*arms[: MOST_LEVELS + 1]}
    assert long_chains(body) == {arms[MOST_LEVELS + 1]}
    # One level less, and the whole chain is staged.
    inner: Any = arms[MOST_LEVELS].body[0]
    arms[MOST_LEVELS].body = inner.body
    assert (frozenset(), {body[0]}) == (too_deep(body), long_chains(body))


def test_all_kinds_of_statements_count_as_levels() -> None:
    lines = [
        f"{' ' * n}{('if x:', 'for x in y:', 'while x:', 'with x:')[n % 4]}" for n in range(92)
    ]
    text = "\n".join(["if x:", *(f" {line}" for line in lines), " " * 93 + "pass"])
    body = parse(text).body
    assert 1 + 69 - MOST_LEVELS == len(too_deep(body))


def test_a_jump_out_of_a_deep_statement_is_real() -> None:
    levels = nested(MOST_LEVELS + 2, "return 2")
    tree = function(f"    if x < 0: return 0\n    while x:\n        x -= 1\n{levels}    return 1\n")
    exits = FunctionFacts(tree).exits
    guard, loop, deep, _ = tree.body
    assert (False, False, True) == tuple(map(exits.is_kept, (guard, loop, deep)))
    assert exits.is_kept(deep.body[0])


def test_the_reason_names_the_limit() -> None:
    deep = function(nested(MOST_LEVELS + 1)).body[0]
    assert "it holds more than 64 levels of `if`, `for`, `while` and `match`" == reason_kept(deep)
