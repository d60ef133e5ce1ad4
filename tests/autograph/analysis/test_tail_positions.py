"""Tail positions: after them a function does nothing that anybody could see."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.tail_positions import TailPositions
from autograph.syntax.tree import parse

LOOP = "for v in it:\n  if v > n: {}\n"


def tails_of(body: str, name: str = "f") -> TailPositions:
    lines = "\n".join(f" {line}" for line in body.splitlines())
    return TailPositions(FunctionFacts(parse(f"def {name}(it, n, log):\n{lines}\n").body[0]))


def operands(body: str, ways: Collection[str], line: int = 2) -> str | None:
    found = tails_of(body).operands(line, ways, {"it"})
    return None if found is None else " ".join(sorted(found))


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (LOOP.format("return v"), ""),
        (LOOP.format("break") + "return v, n", ""),
        (LOOP.format("break") + "return v * 2 + n", "n v"),
        (LOOP.format("break") + "m = v\nm += 1\nreturn m", "m"),
        (LOOP.format("break") + "if v is None: return n\nreturn v", ""),
        (LOOP.format("break") + "if v: return n\nreturn v", "v"),
        (LOOP.format("break") + "it.close()\nlog.append(v)", ""),
        (LOOP.format("break") + "del it\nlog.append(v)", ""),
        (LOOP.format("break") + "else:\n  log.append(1)\nreturn v", ""),
        (LOOP.format("log.append(v); return v"), ""),
        (LOOP.format("break") + "log.append(v)", None),
        (LOOP.format("break") + "return log[0]", None),
        (LOOP.format("break") + "return other", None),
        (LOOP.format("break") + "return n in log", None),
        (LOOP.format("break") + "self.v = v", None),
        (LOOP.format("break") + "n.close()\nlog.append(v)", None),
        ("for v in it:\n  try:\n    return v\n  finally: log.append(1)", ""),
        ("while n:\n  for v in it: break", None),
    ],
)
def test_tail_positions_after_a_loop_with_a_jump(body: str, names: str | None) -> None:
    line = 3 if body.startswith("while") else 2
    assert names == operands(body, ["jump"], line)


def test_a_name_rebound_by_a_nested_function_is_not_an_operand() -> None:
    inner = "def g():\n  nonlocal n\n  n = 1\n"
    assert operands(inner + LOOP.format("break") + "return n", ["jump"], 5) is None
    assert operands(inner + LOOP.format("break") + "return log", ["jump"], 5) == ""


def test_tail_positions_after_yields() -> None:
    body = "for v in it:\n  yield v\nlog.append(1)"
    assert operands(body, ["yield"]) == ""
    assert operands(body, ["end"]) is None
    assert operands(f"try:\n  for v in it: yield v\nfinally: {body[-13:]}", ["yield"], 3) is None
    assert operands("yield from it", ["yield", "end"]) == ""
    assert operands("yield from it\nyield 1", ["end"]) is None


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("return first(it)", ""),
        ("x = first(it); return x", ""),
        ("return first(it), n + 1", "n"),
        ("return 3 in it", ""),
        ("return any(v > g(v) for v in it)", ""),
        ("return g(first(it))", None),
        ("return first(it) + 1", None),
        ("log.append(first(it))", None),
        ("self.x = first(it)", None),
        ("x = first(it)\nlog.append(x)", None),
    ],
)
def test_tail_positions_after_a_call(body: str, names: str | None) -> None:
    assert names == operands(body, ["call"])


def test_jumps_that_leave_a_loop() -> None:
    for jump, is_left in (("break", True), ("return", True), ("continue", False), ("n = 1", False)):
        assert is_left == tails_of(LOOP.format(jump)).is_left(2)
