"""The reasons, as text, for statements that stay Python."""

from __future__ import annotations

import gast
import pytest

from autograph.analysis.jumps import JumpFacts
from autograph.analysis.occurrences import occurrences_of
from autograph.analysis.reasons import reason_kept, reason_not_lambda, reason_not_nested
from autograph.syntax.tree import parse, parse_expression, walk


@pytest.mark.parametrize(
    "text, reasons",
    [
        ("def f():\n for i in a:\n  if b: yield\n", ["it holds a `yield`"] * 2),
        ("def f():\n for i in a: yield from b\n", ["it holds a `yield from`"]),
        ("async def f():\n if a: await b\n", ["it holds an `await`"]),
        ("async def f():\n while await a: b()\n", ["it holds an `await`"]),
        ("async def f():\n if a:\n  async with b: c()\n", ["it holds an `async with`"]),
        (
            "async def f():\n if a: [b async for b in c]\n",
            ["it holds an asynchronous comprehension"],
        ),
        ("async def f():\n async for i in a: pass\n", ["it awaits its items"]),
        (
            "def f():\n while a:\n  yield\n  if b: break\n",
            ["it holds a `yield`", "it holds a `break` of a loop that stays Python"],
        ),
        (
            "def f():\n for i in (yield):\n  if b: return\n  (yield)\n",
            [
                "it holds a `return` that cannot become a flag, because of what stays Python",
                "it holds a `yield`",
            ],
        ),
    ],
)
def test_kept_statements_have_a_reason(text: str, reasons: list[str]) -> None:
    function = parse(text).body[0]
    kept = JumpFacts(function, occurrences_of(function)).kept
    found = [reason_kept(node) for node in walk(function) if node in kept]
    assert sorted(reasons) == sorted(found)


def test_a_yield_in_a_test_or_iterable_is_no_reason() -> None:
    assert "" == reason_kept(parse("if (yield): x()").body[0])
    assert "" == reason_kept(parse("for i in (yield): x()").body[0])


@pytest.mark.parametrize(
    "text, reason",
    [
        ("a and b", ""),
        ("lambda: (yield)", ""),
        ("a and (b := c)", "it binds a name with `:=`"),
        ("[b := c for c in d]", "it binds a name with `:=`"),
        ("f((yield a))", "it holds a `yield`"),
        ("a or await b", "it holds an `await`"),
    ],
)
def test_expressions_that_cannot_become_a_lambda_have_a_reason(text: str, reason: str) -> None:
    assert reason == reason_not_lambda(parse_expression(text))


@pytest.mark.parametrize(
    "text, name",
    [
        ("[x for x in x]", ""),
        ("[y for x in xs for y in x]", ""),
        ("[y for x in xs for y in y]", "y"),
        ("[y for x in xs for y in [y for y in x]]", ""),
        ("[y for x in xs if y for y in x]", "y"),
        ("{x for x in xs for x in [x] if x}", ""),
        ("{z: y for x in xs for y in x if (lambda: z)() for z in y}", "z"),
    ],
)
def test_comprehensions_that_read_a_later_name_have_a_reason(text: str, name: str) -> None:
    expected = f"it reads {name!r} before its own `for` binds it" if name else ""
    assert expected == reason_not_nested(parse_expression(text))


def test_the_first_expression_with_a_reason_gives_it() -> None:
    parts = [parse_expression(text) for text in ("a", "(yield)", "(b := c)")]
    assert "it holds a `yield`" == reason_not_lambda(*parts)
    assert isinstance(parts[1], gast.Yield)
