"""Reaching definitions, and variables that may be unbound."""

from __future__ import annotations

from typing import Any

import pytest

from autograph.analysis.function_facts import FunctionFacts
from autograph.syntax.tree import parse
from tests.autograph.converters.programs import Programs


def last_of(body: str) -> tuple[FunctionFacts, Any]:
    lines = "\n".join(f" {line}" for line in body.splitlines())
    facts = FunctionFacts(parse(f"def f(a, n):\n{lines}\n").body[0])
    return facts, facts.function.body[-1]


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("b = 1\nb", [2]),
        ("b = 1\nb = 2\nb", [3]),
        ("if a: b = 1\nelse: b = 2\nb", [2, 3]),
        ("if a: b = 1\nb", [2, None]),
        ("b = 1\nwhile a: b = 2\nb", [2, 3]),
        ("for b in a: pass\nb", [2, None]),
        ("b = 1\ndel b\nb", [None]),
        ("try: b = g()\nexcept E: pass\nb", [2, None]),
        ("b = 0\ntry: b = g()\nexcept E: b = 2\nb", [3, 4]),
        ("try: g()\nexcept E as b: pass\nelse: b = 1\nb", [4, None]),
        ("with a as b: c\nb", [2]),
        ("if a: raise E\nelse: b = 1\nb", [3]),
    ],
)
def test_definitions(body: str, lines: list[int | None]) -> None:
    facts, last = last_of(body)
    found = facts.reaching_definitions.definitions(last, "b")
    numbers = {getattr(_positioned(piece), "lineno", None) for piece in found}
    assert set(lines) == numbers
    assert (None in lines) == facts.reaching_definitions.may_be_undefined(last, "b")


def _positioned(piece: Any) -> Any:
    """A `with` item has no position of its own."""
    return getattr(piece, "context_expr", piece)


def test_a_parameter_is_defined() -> None:
    facts, last = last_of("a")
    assert {"parameter"} == facts.reaching_definitions.definitions(last, "a")
    assert not facts.reaching_definitions.may_be_undefined(last, "a")


@pytest.mark.parametrize("seed", range(40))
def test_may_be_undefined_agrees_with_all_paths(seed: int) -> None:
    facts = FunctionFacts(parse(Programs(seed, depth=1 + seed % 3).function()).body[0])
    reaching = facts.reaching_definitions
    for name in facts.activity.order:
        unbound = _unbound_nodes(facts, name)
        for statement, span in facts.cfg.spans.items():
            assert (span.entry in unbound) == reaching.may_be_undefined(statement, name)


def _unbound_nodes(facts: FunctionFacts, name: str) -> set[int]:
    """Return the nodes that some path reaches with the name unbound."""
    cfg, pieces = facts.cfg, facts.activity.pieces
    waiting = [] if name in facts.activity.parameters else [cfg.entry]
    for node, piece in enumerate(cfg.pieces):
        if _unbinds(facts, piece, name) and _is_reachable(facts, node):
            waiting += [*cfg.successors[node], *cfg.raises[node]]
    found: set[int] = set()
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += cfg.raises[node]
            access = pieces.get(cfg.pieces[node])
            if access is None or name not in access.binds:
                waiting += cfg.successors[node]
    return found


def _unbinds(facts: FunctionFacts, piece: Any, name: str) -> bool:
    access = facts.activity.pieces.get(piece)
    if access is None or name not in access.binds:
        return False
    handlers = {getattr(p, "name", None) for p in facts.cfg.pieces if hasattr(p, "type")}
    return type(piece).__name__ == "Delete" or piece in handlers


def _is_reachable(facts: FunctionFacts, target: int) -> bool:
    cfg, seen, waiting = facts.cfg, set(), [facts.cfg.entry]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += [*cfg.successors[node], *cfg.raises[node]]
    return target in seen
