"""Which jumps leave a statement, and which statements stay Python because of them."""

from __future__ import annotations

from typing import Any

import gast
import pytest

from autograph.analysis.grammar import blocks
from autograph.analysis.jumps import JumpFacts
from autograph.analysis.occurrences import occurrences_of
from autograph.syntax.tree import parse


def exits_of(text: str) -> tuple[Any, JumpFacts]:
    function = parse(text).body[0]
    return function, JumpFacts(function, occurrences_of(function))


def reached_exit_lines(text: str) -> list[int]:
    _, exits = exits_of(text)
    return sorted(statement.lineno for statement in exits.kept)


def statements(block: list[Any]) -> list[Any]:
    return [
        s for each in block for s in (each, *(x for b in blocks(each) for x in statements([*b])))
    ]


def test_a_jump_leaves_the_statements_up_to_its_target() -> None:
    function, exits = exits_of(
        "def f():\n while a:\n  with b:\n   if c: break\n  try: continue\n  finally: return\n"
    )
    loop = function.body[0]
    with_, try_ = loop.body
    found = {
        jump.__name__: [exits.leaves([node], jump) for node in (loop, with_, try_)]
        for jump in (gast.Break, gast.Continue, gast.Return)
    }
    expected = {
        "Break": [False, True, False],
        "Continue": [False, False, True],
        "Return": [True, False, True],
    }
    assert expected == found


def test_a_break_in_the_else_of_a_loop_belongs_to_the_loop_around() -> None:
    function, exits = exits_of("def f():\n while a:\n  for i in b: pass\n  else: break\n")
    inner = function.body[0].body[0]
    assert exits.leaves([inner], gast.Break)
    assert not exits.leaves(inner.body, gast.Break)


def test_statements_end_where_every_branch_jumps() -> None:
    function, exits = exits_of(
        "def f():\n while a:\n  if b: break\n  elif c: continue\n  else: return\n"
        " if a: return\n with b: return\n"
    )
    loop, one_sided, with_ = function.body
    assert exits.ends(loop.body)
    assert not exits.ends([loop, one_sided, with_])


@pytest.mark.parametrize("pinned", ["yield", "(yield from a)", "x = yield a"])
def test_statements_with_a_yield_in_moved_code_are_kept(pinned: str) -> None:
    assert [2, 3] == reached_exit_lines(
        f"def f():\n for i in a:\n  if b:\n   {pinned}\n  if c: d()\n"
    )


def test_a_yield_in_a_test_or_iterable_keeps_only_a_while() -> None:
    assert [2] == reached_exit_lines("def f():\n while (yield): pass\n")
    assert [] == reached_exit_lines("def f():\n if (yield): pass\n for i in (yield): pass\n")


def test_real_jumps_keep_the_statements_they_leave() -> None:
    text = "def f():\n for i in a:\n  yield\n  if b:\n   if c: break\n  while d:\n   if e: break\n"
    assert [2, 4, 5] == reached_exit_lines(text)


def test_a_return_that_skips_a_pinned_statement_is_real() -> None:
    assert [2] == reached_exit_lines("def f():\n if a: return\n if b: c()\n yield\n")
    assert [3, 5] == reached_exit_lines(
        "async def f():\n try:\n  if a: return\n except E:\n  if b: return\n else: await c\n"
    )
    assert [2, 3] == reached_exit_lines("def f():\n for i in a:\n  if (yield): return\n")
    assert [2, 3] == reached_exit_lines("def f():\n for i in a:\n  if b: return\n yield\n")


def test_a_return_that_skips_no_pinned_statement_is_a_flag() -> None:
    text = "async def f():\n if a: return 0\n b = await c\n if b: return 1\n return 2\n"
    function, exits = exits_of(text)
    assert not exits.keeps_returns
    assert [2] == reached_exit_lines(text)
    assert [False, False, True, True] == [exits.leaves([s], gast.Return) for s in function.body]
    assert [] == reached_exit_lines("async def f():\n try:\n  if a: return\n finally: await b\n")


@pytest.mark.parametrize(
    "text",
    [
        "async def f():\n if a: return\n yield\n",
        "async def f():\n yield\n if a: return\n",
        "async def f():\n async with a: return 1\n",
        "def f():\n if a: return 1\n return 2\n yield\n",
        "async def f():\n if a: return 1\n try: return 2\n finally: return 3\n",
        "async def f():\n if a: return 1\n while True:\n  break\n  await b\n",
    ],
)
def test_returns_stay_real_where_flags_are_useless_or_wrong(text: str) -> None:
    function, exits = exits_of(text)
    assert exits.keeps_returns
    assert not exits.leaves(function.body, gast.Return)


def test_a_yield_of_a_nested_function_does_not_suspend_the_outer_one() -> None:
    _, exits = exits_of("def f():\n def g(): yield\n lambda: (yield)\n")
    assert (False, False) == (exits.suspends, exits.keeps_returns)


def test_async_statements_and_comprehensions_are_kept() -> None:
    text = (
        "async def f():\n async for i in a:\n  if b: c()\n if d:\n  async with e: pass\n"
        " if g:\n  [x async for x in y]\n if h:\n  await z\n if k: l()\n"
    )
    assert [2, 4, 6, 8] == reached_exit_lines(text)


def test_a_plain_function_keeps_no_statement() -> None:
    function, exits = exits_of(
        "def f():\n for i in a:\n  if b: return\n  match c:\n   case 1: break\n"
    )
    assert frozenset() == exits.kept
    assert not any(exits.is_kept(statement) for statement in statements(function.body))
