"""Reads, bindings and captured names of functions agree with Python's own compiler."""

from __future__ import annotations

import symtable
from typing import Any

import pytest

from autograph.analysis.activity import Access, Activity, activity_of
from autograph.analysis.occurrences import occurrences_of
from autograph.analysis.scopes import uses_of
from autograph.syntax.qualname import named
from autograph.syntax.tree import parse


def activity(body: str, parameters: str = "") -> Activity:
    lines = "\n".join(f"  {line}" for line in body.splitlines())
    return activity_of(parse(f"def f({parameters}):\n{lines}\n").body[0])


def whole(statement: str, parameters: str = "") -> Access:
    function = parse(f"def f({parameters}): pass").body[0]
    function.body = parse(statement).body
    return activity_of(function).of(function.body)


@pytest.mark.parametrize(
    ("statement", "reads", "binds"),
    [
        ("x = y", "y", "x"),
        ("x, (y.a, *z) = w", "w y", "x z"),
        ("x += y", "x y", "x"),
        ("x[i] = y", "i x y", ""),
        ("x: T = y", "y", "x"),
        ("del x", "", "x"),
        ("import a.b, c.d as e", "", "a e"),
        ("for x in y: z", "y z", "x"),
        ("with a as b, c: d", "a c d", "b"),
        ("if (x := y): z = x", "x y", "x z"),
        ("def g(a=b): c = d", "b d", "g"),
        ("class C(B): a = b", "B b", "C"),
        ("x = lambda a, b=c: a + d", "c d", "x"),
        ("x = [a + b for a in c if a]", "b c", "x"),
        ("x = [y := a for a in c]", "c y", "y x"),
        ("try: a\nexcept E as x: b", "E a b", "x"),
        ("match a:\n case [x, *y] if z: w\n case {1: v, **u}: w", "a w z", "x y v u"),
        ("ag__.and_(lambda: a, lambda: b)", "a b", ""),
        ("ag__.ld(o).x = ag__.ld(y)", "o y", ""),
    ],
)
def test_reads_and_bindings_of_a_statement(statement: str, reads: str, binds: str) -> None:
    found = whole(statement)
    assert set(reads.split()) == found.reads
    assert tuple(binds.split()) == found.binds


@pytest.mark.parametrize(
    ("statement", "composites"),
    [
        ("o.x = 1", ["o.x"]),
        ("o.x.y += 1", ["o.x.y"]),
        ("d['k'], l[0] = 1, 2", ["d['k']", "l[0]"]),
        ("del o.x", ["o.x"]),
        ("for o.x in y: pass", ["o.x"]),
        ("ag__.ld(o).x['k'] = 1", ["o.x['k']"]),
        ("d[i] = f().x", []),
        ("f().x = 1", []),
    ],
)
def test_reads_and_bindings_of_composite_places(statement: str, composites: list[str]) -> None:
    assert tuple(map(named, composites)) == whole(statement).composites


@pytest.mark.parametrize(
    ("statement", "captured"),
    [
        ("x = lambda: a", "a"),
        ("x = lambda a: a", ""),
        ("def g():\n nonlocal t; t = a; b = a", "a t"),
        ("def g():\n global t; t = a", "a"),
        ("class C:\n x = a\n def m(self): return b", "a b"),
        ("x = (a for b in c)", "a"),
        ("x = sum(a for b in c)", ""),
        ("x = ag__.converted_call(ag__.ld(sum), ((a for b in c),), None, s)", ""),
        ("x = sum((lambda: a) for b in c)", "a"),
        ("x = [lambda: a for b in c]", "a"),
        ("x = [a for b in c]", ""),
        ("ag__.or_(lambda: a, lambda: (lambda: b))", "b"),
        ("ag__.list_append(l, lambda: a)", "a"),
    ],
)
def test_captured_names(statement: str, captured: str) -> None:
    assert set(captured.split()) == activity(statement, "a, t").captured


def test_locals_of_a_function_that_reads_its_frame_are_shared() -> None:
    assert {"x", "y"} <= activity("x = y = 1\nlocals()").captured
    assert set() == activity("locals = 1\nx = locals").captured


def test_a_mutated_list_counts_as_bound_where_it_is_local() -> None:
    for parameters, binds in (("l", ("l",)), ("", ())):
        assert binds == whole("ag__.list_append(ag__.ld(l), 1)", parameters).binds


def test_names_are_ordered_by_their_first_binding() -> None:
    found = activity("b = 1\nfor c, a in x: d = 2\nglobal g", "p, *q, r=1")
    assert ["p", "q", "r", "b", "c", "a", "d", "g"] == list(found.order)
    assert ("p", "b", "a", "zz") == found.ordered(["a", "zz", "b", "p"])


NESTED = """
def f(a, b):
    c = d = 1
    def g(x=a):
        nonlocal c
        c = x + b
        return [d for d in x if e]
    class K(a):
        k = b
        def m(self): return d, self
    return lambda y: (y, c, g)
"""


def test_free_names_agree_with_the_symbol_table() -> None:
    table = symtable.symtable(NESTED, "<program>", "exec").get_children()[0]
    function: Any = parse(NESTED).body[0]
    expected = {}
    for child in table.get_children():
        if child.get_name() in ("g", "K"):
            expected[child.get_name()] = {s.get_name() for s in child.get_symbols() if s.is_free()}
    found = {node.name: uses_of(node) for node in function.body[1:3]}
    local = set(table.get_locals()) | set(table.get_parameters())
    assert expected == {name: set(uses.names & local) for name, uses in found.items()}
    assert {"c"} == found["g"].writes


def test_an_inventory_has_kinds_and_identifiers_in_every_role() -> None:
    tree = parse(
        "import m as n\nx.y(z=1)\ndef g(p):\n global q\n match p:\n  case {'k': r, **s}: 0"
    )
    found = occurrences_of(tree)
    assert set("n x y z g p q r s m".split()) == found.identifiers
    assert found.has(type(tree.body[0])) and not found.has(type(parse("a + b").body[0].value))
