"""Control flow graphs: every edge that an execution follows is one of the graph."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from autograph.analysis.cfg import Cfg, cfg_of
from autograph.syntax import print_tree
from autograph.syntax.tree import parse

# Each statement on a line of its own, so that the lines of a run are the pieces of the graph.
FUNCTIONS = {
    "branches": "if a:\n  b = 1\nelif c:\n  b = 2\nelse:\n  b = 3\nb",
    "loops": "for i in range(3):\n  if i == a:\n    continue\n  if i == c:\n    break\n"
    "else:\n  i\ni = 0\nwhile i < 3:\n  i += 1\n  if i == a:\n    break\ni",
    "returns": "while a:\n  a -= 1\n  if c:\n    return 1\nreturn 2",
    "exceptions": "try:\n  if a:\n    raise KeyError\n  b = 1 // c\nexcept KeyError:\n  b = 2\n"
    "except ZeroDivisionError as e:\n  b = 3\nelse:\n  b = 4\nfinally:\n  b\nb",
    "finally_jumps": "for i in range(3):\n  try:\n    if i == a:\n      break\n    if i == c:\n"
    "      return 1\n  finally:\n    i\ni",
    "match": "match a:\n  case 1:\n    b = 1\n  case 2 if c:\n    b = 2\n  case _:\n    b = 3\nb",
    "reraise": "try:\n  try:\n    1 // a\n  finally:\n    c\nexcept ZeroDivisionError:\n  a = 1\na",
}


def lines_of_run(text: str, *args: object) -> list[int]:
    names: dict[str, Any] = {}
    exec(compile(text, "<cfg>", "exec"), names)
    code, lines = names["f"].__code__, []

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        if frame.f_code is not code:
            return None
        if event == "line":
            lines.append(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        names["f"](*args)
    finally:
        sys.settrace(before)
    return lines


def line_of(piece: Any) -> int | None:
    """Return the line of a piece that has an event of its own when it runs."""
    return getattr(getattr(piece, "pattern", piece), "lineno", None)


def lines_that_may_follow(cfg: Cfg) -> set[tuple[int | None, int | None]]:
    """Return pairs of lines with pieces that can run one after the other."""
    line = [line_of(piece) for piece in cfg.pieces]
    pairs = set()
    for start in range(len(cfg.pieces)):
        seen: set[int] = set()
        waiting = [*cfg.successors[start], *cfg.raises[start]]
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                pairs.add((line[start], line[node]))
                # What has no line only joins; pieces on one line make one event.
                if line[node] in (None, line[start]):
                    waiting += [*cfg.successors[node], *cfg.raises[node]]
    return pairs


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("args", [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (1, 2), (3, 3)])
def test_an_execution_follows_the_edges(name: str, args: tuple[int, int]) -> None:
    body = "\n".join(f"  {line}" for line in FUNCTIONS[name].splitlines())
    text = f"def f(a, c):\n{body}\n"
    cfg = cfg_of(parse(text).body[0])
    known = {line_of(piece) for piece in cfg.pieces}
    run = [line for line in lines_of_run(text, *args) if line in known]
    steps = {(a, b) for a, b in zip(run, run[1:]) if a != b}
    assert steps <= lines_that_may_follow(cfg)


def test_spans_hold_entry_head_bodies_and_successor() -> None:
    function: Any = parse("def f(a):\n for i in a: b\n c").body[0]
    cfg = cfg_of(function)
    loop, last = function.body
    span = cfg.spans[loop]
    assert [loop.iter, loop] == [cfg.pieces[span.entry], cfg.pieces[span.head]]
    assert [loop.target] == [cfg.pieces[node] for node in span.bodies]
    assert {cfg.spans[last].entry} == cfg.exits(loop)
    assert cfg.entry == span.entry


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("for x in a:\n try:\n  if x: break\n finally:\n  b\nc", [2, 7]),
        ("for x in a:\n try:\n  if x: return\n finally:\n  b\nc", [2, None]),
        ("for x in a:\n try:\n  return x\n finally:\n  b\nc", [None]),
        ("for x in a:\n try:\n  for y in x: break\n finally:\n  b\nc", [2]),
        ("for x in a:\n try:\n  with x: raise\n finally:\n  b\nc", [2]),
        ("for x in a:\n try:\n  try: return x\n  finally: d\n finally:\n  b\nc", [None]),
    ],
)
def test_a_finally_leads_to_the_exits_that_occur(body: str, lines: list[int | None]) -> None:
    text = "\n".join(f" {line}" for line in body.splitlines())
    cfg = cfg_of(parse(f"def f(a):\n{text}").body[0])
    [final] = [n for n, piece in enumerate(cfg.pieces) if piece and print_tree(piece) == "b"]
    [finish] = cfg.successors[final]
    assert lines == [line_of(cfg.pieces[n]) for n in cfg.successors[finish]]


def test_an_exception_in_a_with_may_continue_after_it() -> None:
    function: Any = parse("def f(a):\n with a:\n  b\n c").body[0]
    cfg = cfg_of(function)
    inner = cfg.spans[function.body[0].body[0]].entry
    assert cfg.spans[function.body[1]].entry in cfg.raises[inner]


def test_a_lambda_is_one_cfg_node() -> None:
    node: Any = parse("lambda x: x + 1").body[0].value
    assert [None, node.body] == cfg_of(node).pieces
