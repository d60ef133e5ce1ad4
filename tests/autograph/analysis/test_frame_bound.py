"""Code that works only in the frame of its function, and the statements that it pins."""

from __future__ import annotations

import gast
import pytest

from autograph.analysis.frame_bound import FrameBound, has_return, is_frame_bound
from autograph.syntax.tree import parse, walk


def pins_of(text: str) -> tuple[list[gast.stmt], FrameBound]:
    body = parse(text).body[0].body
    return body, FrameBound(body)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("def f(): yield", 1),
        ("def f(): yield from a", 1),
        ("async def f():\n async with a: await b\n async for i in c: pass", 3),
        ("async def f(): return [i async for i in a], [i for i in a]", 1),
        ("def f():\n with a: pass\n for i in b: pass", 0),
    ],
)
def test_frame_bound_nodes_are_counted(text: str, count: int) -> None:
    assert count == sum(map(is_frame_bound, walk(parse(text))))


def test_a_return_of_a_nested_function_does_not_leave_the_outer_one() -> None:
    body, _ = pins_of("def f():\n def g(): return 1\n with a:\n  return 2\n")
    assert [False, True] == [*map(has_return, body)]


def test_only_moved_expressions_pin_a_statement() -> None:
    body, pins = pins_of(
        "def f():\n if (yield): a\n while (yield): a\n for i in (yield): a\n for x[(yield)] in a: b"
    )
    assert {body[1], body[3]} == pins.kept


def test_a_return_before_a_pin_keeps_its_statement() -> None:
    body, pins = pins_of("def f():\n if a: return\n if b: c\n yield\n if d: return\n")
    assert {body[0]} == pins.kept


@pytest.mark.parametrize(
    ("text", "overrules"),
    [
        ("def f():\n return\n yield\n", True),
        ("def f():\n while a:\n  break\n  yield\n", True),
        ("def f():\n try: yield\n finally: return\n", True),
        ("def f():\n try: return\n finally: yield\n", False),
        ("def f():\n while a:\n  yield\n  break\n return 1\n", False),
    ],
)
def test_returns_that_skip_or_hide_a_pinned_statement(text: str, overrules: bool) -> None:
    body, pins = pins_of(text)
    assert overrules == pins.overrules(body)
