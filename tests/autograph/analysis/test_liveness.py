"""Live names, against a slow definition of them: a read that a path reaches without a binding."""

from __future__ import annotations

from typing import Any

import gast
import pytest

from autograph.analysis.frame_bound import JUMPS
from autograph.analysis.function_facts import FunctionFacts
from autograph.syntax.tree import parse
from tests.autograph.converters.programs import Programs


def facts_of(body: str, parameters: str = "a, n") -> FunctionFacts:
    lines = "\n".join(f" {line}" for line in body.splitlines())
    return FunctionFacts(parse(f"def f({parameters}):\n{lines}\n").body[0])


def live_out(body: str) -> str:
    facts = facts_of(body)
    return " ".join(sorted(facts.liveness.live_out(facts.function.body[0])))


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("if a: b = 1\nelse: b = 2\nreturn b", "b"),
        ("if a: b = c = 1\nreturn c", "c"),
        ("if a: b = 1\nb = 2\nreturn b", ""),
        ("b = 1\nwhile a: b = b + 1", "a b"),
        ("b = 1\nfor b in a: pass", "a b"),
        ("b = 1\ndel b", ""),
        ("b = 1\nraise E(b)", "b"),
        ("b = 1\nreturn 2\nb", ""),
        ("global b\nb = 1", "b"),
    ],
)
def test_live_out(body: str, names: str) -> None:
    expected = {"b = 1\nfor b in a: pass": "a"}.get(body, names)
    assert expected == live_out(body)


def test_names_read_by_a_handler_are_live_in_its_try() -> None:
    facts = facts_of("b = 1\ntry:\n if a: b = g()\nexcept E: return b\nb = 2\nreturn b")
    inner = facts.function.body[1].body[0]
    assert {"b"} <= facts.liveness.live_out(inner)
    assert {"b"} <= facts.liveness.live_out(facts.function.body[0])


def test_a_name_bound_by_a_test_is_live_in_the_body_only() -> None:
    facts = facts_of("while (v := g(n)): a = v")
    loop = facts.function.body[0]
    assert "v" not in facts.liveness.live_at_entry
    assert "v" in facts.liveness.live_in_bodies(loop)


def test_the_target_of_a_loop_is_not_live_around_it() -> None:
    facts = facts_of("for i in a:\n i = i + n\n")
    loop = facts.function.body[0]
    assert {"n"} == facts.liveness.live_in_bodies(loop)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("while a > 0:\n if a == b: break\n a = a - b\nreturn 7", ""),
        ("while a > 0:\n if a == b: continue\n a = a - b\nreturn 7", "a b"),
        ("if a: return a\nreturn b", ""),
        ("if a: raise a\nreturn b", ""),
        ("try: return a\nfinally: c\nreturn b", "c"),
        ("try:\n if a: raise a\nexcept b: c\nreturn d", "b c d"),
    ],
)
def test_names_live_after_a_jump_are_live_at_its_target(body: str, names: str) -> None:
    facts = facts_of(body, "a, b, c, d")
    jumps = [each for each in facts.cfg.spans if isinstance(each, (*JUMPS, gast.Raise))]
    jump = min(jumps, key=lambda each: each.lineno)
    assert names == " ".join(sorted(facts.liveness.live_out(jump)))


def test_names_read_before_they_are_bound_are_live_at_entry() -> None:
    facts = facts_of("if a: b = 1\nc = b\nd = c")
    assert {"a", "b"} == facts.liveness.live_at_entry


def _reads_before_binding(facts: FunctionFacts, start: int, name: str) -> bool:
    """Walk all paths from a node: is the name read before it is bound on one?"""
    cfg, pieces = facts.cfg, facts.activity.pieces
    seen: set[int] = set()
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        access = pieces.get(cfg.pieces[node])
        if access is not None and name in access.reads:
            return True
        waiting += cfg.raises[node]
        if access is None or name not in access.binds:
            waiting += cfg.successors[node]
    return False


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int) -> None:
    function: Any = parse(Programs(seed, depth=1 + seed % 3).function()).body[0]
    facts = FunctionFacts(function)
    for statement in facts.cfg.spans:
        starts = facts.cfg.exits(statement)
        expected = {
            name
            for name in facts.activity.order
            if any(_reads_before_binding(facts, start, name) for start in starts)
        }
        assert expected == facts.liveness.live_out(statement)
