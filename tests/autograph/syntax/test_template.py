"""Templates: values of holes, positions and contexts."""

from __future__ import annotations

from typing import Any

import gast
import pytest

from autograph.errors import TemplateError
from autograph.syntax import (
    Template,
    name_node,
    parse,
    parse_expression,
    print_tree,
    qualname,
    to_ast,
    walk,
)


def filled(source: str, **holes: Any) -> str:
    return print_tree(Template(source).statements(**holes))


def names(*ids: str) -> list[gast.Name]:
    return [name_node(i) for i in ids]


CASES: list[tuple[str, dict[str, Any], str]] = [
    ("$x = $y", {"x": "a", "y": "b"}, "a = b"),
    ("x = $y", {"y": parse_expression("f(1)")}, "x = f(1)"),
    ("x = $y", {"y": qualname.named("a.b[0]")}, "x = a.b[0]"),
    ("$x = 1", {"x": qualname.named("a.b")}, "a.b = 1"),
    ("x = $y", {"y": 1}, "x = 1"),
    ("x = $y", {"y": None}, "x = None"),
    ("x = $y", {"y": True}, "x = True"),
    ("x = '$y'", {"y": "it's"}, 'x = "it\'s"'),
    ("x = '$y'", {"y": qualname.named("a.b")}, "x = 'a.b'"),
    ("f('$y', $y)", {"y": "a"}, "f('a', a)"),
    ("def $f(): pass", {"f": "g"}, "def g():\n    pass"),
    ("class $c: pass", {"c": "D"}, "class D():\n    pass"),
    ("x.$a = $b.$a", {"a": "y", "b": "z"}, "x.y = z.y"),
    ("f($k=1)", {"k": "a"}, "f(a=1)"),
    ("import os as $m", {"m": "a"}, "import os as a"),
    ("try: a\nexcept E as $e: b", {"e": "c"}, "try:\n    a\nexcept E as c:\n    b"),
    ("match a:\n case $x: b", {"x": "c"}, "match a:\n    case c:\n        b"),
    ("f(*$a)", {"a": ["x", 1, parse_expression("y.z")]}, "f(x, 1, y.z)"),
    ("f(*$a)", {"a": []}, "f()"),
    ("f(*$a)", {"a": "x"}, "f(*x)"),
    ("f(b, *$a, c)", {"a": names("x", "y")}, "f(b, x, y, c)"),
    ("f(**$k)", {"k": [gast.keyword("a", parse_expression("1"))]}, "f(a=1)"),
    ("f(**$k)", {"k": []}, "f()"),
    ("f(**$k)", {"k": "d"}, "f(**d)"),
    ("(*$n,) = v", {"n": ["a", "b"]}, "(a, b) = v"),
    ("(*$n,) = v", {"n": ["a"]}, "(a,) = v"),
    ("return (*$n,)", {"n": ()}, "return ()"),
    ("(a, *$n) = v", {"n": name_node("b")}, "(a, *b) = v"),
    ("[*$n]", {"n": [1, 2]}, "[1, 2]"),
    ("def f(*$p): pass", {"p": ["a", "b"]}, "def f(a, b):\n    pass"),
    ("def f(*$p): pass", {"p": "a"}, "def f(*a):\n    pass"),
    ("def f(*$p): pass", {"p": []}, "def f():\n    pass"),
    ("def f(x, *$p, y=1): pass", {"p": names("a")}, "def f(x, a, *, y=1):\n    pass"),
    ("def f($p, q=$d): pass", {"p": "a", "d": 3}, "def f(a, q=3):\n    pass"),
    (
        "lambda *$p: $b",
        {"p": parse_expression("lambda a, /, b=1, *c, d, **e: 0").args, "b": "a"},
        "(lambda a, /, b=1, *c, d, **e: a)",
    ),
    ("@$d\ndef f(): pass", {"d": "a"}, "@a\ndef f():\n    pass"),
    ("@$d\ndef f(): pass", {"d": names("a", "b")}, "@a\n@b\ndef f():\n    pass"),
    ("@$d\ndef f(): pass", {"d": []}, "def f():\n    pass"),
    ("def f():\n nonlocal $n", {"n": ["a", "b"]}, "def f():\n    nonlocal a, b"),
    ("def f():\n nonlocal $n, c", {"n": "a"}, "def f():\n    nonlocal a, c"),
    ("def f():\n nonlocal $n\n x", {"n": []}, "def f():\n    x"),
    ("def f():\n nonlocal $n", {"n": []}, "def f():\n    pass"),
    ("global $n", {"n": [qualname.named("a")]}, "global a"),
    ("if a:\n $b\nelse:\n $c", {"b": [], "c": []}, "if a:\n    pass"),
    ("if a:\n $b", {"b": parse("x = 1; y = 2").body}, "if a:\n    x = 1\n    y = 2"),
    ("a\n$b\nc", {"b": []}, "a\nc"),
    ("$b", {"b": parse("x = 1").body[0]}, "x = 1"),
    ("$b", {"b": parse_expression("f()")}, "f()"),
    ("$b", {"b": "x"}, "x"),
    ("try:\n $b\nfinally:\n $c", {"b": [], "c": names("x")}, "try:\n    pass\nfinally:\n    x"),
    ("with $c as $v:\n $b", {"c": "a", "v": "b", "b": []}, "with a as b:\n    pass"),
    ("f'{$x}'", {"x": "a"}, "f'{a}'"),
    ("f(lambda: $x)", {"x": "a"}, "f((lambda : a))"),
    ("x[$i, 0]", {"i": gast.Slice(None, None, None)}, "x[:, 0]"),
    ("for $i in $s: $b", {"i": "a", "s": "b", "b": []}, "for a in b:\n    pass"),
    ("del $x", {"x": "a"}, "del a"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "holes", "printed"), CASES)
def test_filling(source: str, holes: dict[str, Any], printed: str) -> None:
    assert filled(source, **holes) == printed


def test_a_whole_function_as_converters_write_it_runs() -> None:
    template = Template("""
        def $name(*$params):

            def $get():
                return (*$state,)

            def $set(vars_):
                nonlocal $state
                (*$state,) = vars_
            $body
            return ($get, $set)
    """)
    body = parse("a = 1; b = a").body
    [function] = template.statements(
        origin=body[0], name="f", params=["b"], get="get", set="set_", state=["a", "b"], body=body
    )
    assert print_tree(function) == (
        "def f(b):\n\n    def get():\n        return (a, b)\n\n    def set_(vars_):\n"
        "        nonlocal a, b\n        (a, b) = vars_\n    a = 1\n    b = a\n"
        "    return (get, set_)"
    )
    namespace: dict[str, Any] = {}
    exec(compile(to_ast(function), "<test>", "exec"), namespace)
    get, set_ = namespace["f"](0)
    set_((3, 4))
    assert get() == (3, 4)


def test_contexts_follow_the_hole() -> None:
    target = parse("(a, [b, *c], d.e, f[0]) = v").body[0].targets[0]
    [assign] = Template("$x = $y").statements(x="z", y=target)
    assert not any(isinstance(getattr(n, "ctx", None), gast.Store) for n in walk(assign.value))
    [back] = Template("$x = 1").statements(x=assign.value)
    compile(to_ast(back), "<test>", "exec")
    stored = [n.id for n in walk(back) if isinstance(getattr(n, "ctx", None), gast.Store)
              and isinstance(n, gast.Name)]  # fmt: skip
    assert stored == ["a", "b", "c"]
    assert isinstance(target.ctx, gast.Store)
    assert isinstance(target.elts[0].ctx, gast.Store)


def test_parameters_are_parameters() -> None:
    [function] = Template("def f($a, *$b): pass").statements(a="x", b=["y"])
    assert all(isinstance(p.ctx, gast.Param) for p in function.args.args)


def test_new_nodes_get_the_position_of_the_origin_and_old_ones_keep_theirs() -> None:
    user = parse("\n\nvalue = compute(x)").body[0]
    [statement] = Template("result = f($x, $fresh, '$text', 1)").statements(
        origin=user, x=user.value, fresh=parse_fresh("a + b"), text="t"
    )
    inside = {id(n) for n in walk(user.value)}
    for node in walk(statement):
        if "lineno" in node._attributes and id(node) not in inside:
            assert (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset) == (
                3, 0, 3, 18
            )  # fmt: skip
    assert (user.value.col_offset, user.value.args[0].col_offset) == (8, 16)
    compile(to_ast(statement), "<test>", "exec")


def parse_fresh(source: str) -> gast.expr:
    return Template(source).expression()


def test_without_origin_nodes_have_no_position() -> None:
    [statement] = Template("a = b").statements()
    assert not any(hasattr(n, "lineno") for n in walk(statement))


def test_expansions_share_no_nodes() -> None:
    template = Template("x = f(a)\nif $c:\n    $b")
    first = template.statements(c="p", b=parse("y = 1").body)
    second = template.statements(c="p", b=parse("y = 1").body)
    carried = {id(n) for n in walk(first) if n._fields or n._attributes}
    assert carried.isdisjoint(id(n) for n in walk(second))


def test_a_node_used_twice_is_copied() -> None:
    node = parse_expression("a.b")
    call = Template("f($x, $x, $y)").expression(x=node, y=node)
    assert call.args[0] is node
    assert call.args[1] is not node and call.args[2] is not node
    assert call.args[1] is not call.args[2]
    assert print_tree(call) == "f(a.b, a.b, a.b)"


def test_a_list_of_statements_used_twice_is_copied() -> None:
    body = parse("x = 1").body
    [statement] = Template("if c:\n    $b\nelse:\n    $b").statements(b=body)
    assert statement.body[0] is body[0]
    assert statement.orelse[0] is not body[0]


def test_expanded_nodes_have_all_optional_fields() -> None:
    [function] = Template("def $f(*$p): return $x").statements(f="f", p=["a"], x="a")
    for node in walk(function):
        assert all(hasattr(node, field) for field in node._fields), type(node)


@pytest.mark.parametrize(
    ("source", "holes", "message"),
    [
        ("$x = $y", {"x": "a"}, r"template `\$x = \$y` needs \$y"),
        ("$x = 1", {"x": "a", "z": "b"}, r"has no \$z"),
        ("$x = $y", {"z": 1}, r"needs \$x, \$y and has no \$z"),
        ("x = $y", {"y": [1]}, r"\$y of template `x = \$y` must be an expression, not \[1\]"),
        ("x = $y", {"y": "not a name"}, "must be an expression"),
        ("x = $y", {"y": object}, "must be an expression"),
        ("def $f(): pass", {"f": 1}, r"\$f .* must be an identifier, not 1"),
        ("def $f(): pass", {"f": "a.b"}, "must be an identifier"),
        ("f(*$x)", {"x": [[1]]}, "must be an expression"),
        ("x = $y", {"y": parse("a = 1").body[0]}, "must be an expression"),
    ],
)
def test_misfitting_values_are_named(source: str, holes: dict[str, Any], message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        Template(source).statements(**holes)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = = 1", "template is not Python"),
        ("x = 1 # $y", r"cannot stand there: \['y'\]"),
        ("x = 'costs $y'", r"cannot stand there: \['y'\]"),
        ("x = $origin", r"cannot be called \$origin"),
    ],
)
def test_malformed_templates_are_refused_at_construction(source: str, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        Template(source)


def test_expression_templates_must_be_one() -> None:
    with pytest.raises(TemplateError, match="is not a single expression"):
        Template("x = 1").expression()


def test_holes_and_source_can_be_seen() -> None:
    template = Template("""
        if $a:
            $b
    """)
    assert template.holes == {"a", "b"}
    assert repr(template) == "Template('if $a:\\n    $b')"


def test_holes_in_expression_templates() -> None:
    node = Template("$f(lambda: $x)").expression(f=qualname.named("ag__.ld"), x="a")
    assert print_tree(node) == "ag__.ld((lambda : a))"
