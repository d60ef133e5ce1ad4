"""Names that code binds, declares and mentions; the compiler's own tables are the referee."""

from __future__ import annotations

import ast
import symtable

import pytest

from autograph.syntax import all_names, bound_names, declared_names, parse, walk_scope

BODIES = {
    "a = b": ["a"],
    "a = b; b = a; a = 1": ["a", "b"],
    "a.b = c; d[e] = f": [],
    "(a, [b, *c]) = d": ["a", "b", "c"],
    "a += 1": ["a"],
    "a: int": ["a"],
    "a: (b := int) = (c := 1)": ["c", "a", "b"],
    "del a": ["a"],
    "for a, b in (c := d): e = a\nelse: f = 1": ["c", "a", "b", "e", "f"],
    "while (a := b): c = 1": ["a", "c"],
    "with a as b, c as (d, e): f = 1": ["b", "d", "e", "f"],
    "try: a = 1\nexcept B as c: d = 1\nelse: e = 1\nfinally: g = 1": ["a", "c", "d", "e", "g"],
    "import a, b.c, d.e as f": ["a", "b", "f"],
    "from a import b, c as d": ["b", "d"],
    "def f(x=(a := 1)): y = 1": ["a", "f"],
    "@(d := e)\nclass A((b := object)): x = 1": ["d", "b", "A"],
    "a = [b for b in c]": ["a"],
    "[(a := b) for b in c]": ["a"],
    "{(a := b): (c := d) for b in e if (f := b)}": ["a", "c", "f"],
    "[(lambda: (a := 1)) for b in c]": [],
    "lambda a: (b := a)": [],
    "match a:\n case [b, *c]: pass\n case {'k': d, **e}: pass\n case F(g, h=i) as j: k = 1": (
        ["b", "c", "d", "e", "g", "i", "j", "k"]
    ),
    "match a:\n case [*_]: pass\n case _: pass": [],
    "x = 1\nif a: y = 2\nelif b: z = 3": ["x", "y", "z"],
    "yield (a := 1)": ["a"],
    "f(a := 1, b=(c := 2))": ["a", "c"],
}


@pytest.mark.parametrize("body", BODIES)
def test_bound_names_in_order_of_first_binding(body: str) -> None:
    assert list(bound_names(parse(body).body)) == BODIES[body]


@pytest.mark.parametrize("body", BODIES)
def test_bound_names_of_a_function_are_its_local_variables(body: str) -> None:
    source = "def function(p, /, q, *r, s, **t):\n" + "\n".join(
        "    " + line for line in body.split("\n")
    )
    [table] = symtable.symtable(source, "<test>", "exec").get_children()
    assert isinstance(table, symtable.Function)
    ours = bound_names(parse(source).body[0])
    # From Python 3.12 on the compiler counts the names of comprehensions it inlines as well.
    inlined = {"b"} if "for b in" in body else set()
    assert set(ours) == set(table.get_locals()) - (inlined - set(ours))
    assert ours[:5] == ("p", "q", "r", "s", "t")
    assert set(ours[:5]) == set(table.get_parameters())


def test_declared_names_are_not_local() -> None:
    source = "def f(a):\n    nonlocal b\n    if a:\n        global c\n    b = c = d = 1"
    function = parse(source).body[0]
    assert bound_names(function) == ("a", "d")
    assert declared_names(function) == ("b", "c")
    assert declared_names(parse("def f():\n    global a").body) == ()


def test_a_lambda_binds_its_parameters() -> None:
    assert bound_names(parse("lambda a, *b: (c := a)").body[0].value) == ("a", "b", "c")


def test_all_names_excludes_attributes_and_keywords() -> None:
    source = """
import m.n as o
def f(a, *b: c, **d):
    global g
    try: h.i(j=k)
    except L as e: [x for x in y]
    match z:
        case {'k': p, **q}: lambda r: 's'
"""
    assert all_names(parse(source)) == set("o f a b c d g h k L e x y z p q r".split())


def test_all_names_includes_every_name_of_the_compiler() -> None:
    source = "def f(a):\n    def g(b): return a + b + c.d\n    return [g(e) for e in a]"
    seen = {n.id for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name)}
    assert seen | {"f", "g", "b"} == all_names(parse(source))


def test_walk_scope_stops_at_the_bodies_of_functions_and_classes() -> None:
    body = parse(
        "@a\ndef f(b=c, *d: e) -> g: h\nclass I(j, k=l): m\nlambda n=o: p\n[q for r in s]"
    ).body
    names = {n.id for n in walk_scope(body) if type(n).__name__ == "Name"}
    assert names == set("a c e g j l o q r s".split())
