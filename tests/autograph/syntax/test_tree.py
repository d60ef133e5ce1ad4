"""Trees: conversion both ways, copies, comparison, positions."""

from __future__ import annotations

import ast
import sys

import gast
import pytest

from autograph.syntax import (
    children,
    constant_node,
    copy_tree,
    fill_positions,
    name_node,
    parse,
    parse_expression,
    print_tree,
    same_tree,
    split_docstring,
    to_ast,
    to_ast_node,
    to_gast,
    walk,
)

SOURCE = '''
@decorator(1)
def f(a, /, b: int = 1, *c, d, e=2, **g) -> int:
    """doc"""
    try:
        x = [i for i in range(b) if i]
    except (A, B) as error:
        raise C from error
    with open(a) as h, k:
        global z
        z = x[0, 1:2]
        y_: int = 0
    match a:
        case {"k": [1, *r], **s} if r:
            pass
        case P(q=t) | [1, t]:
            return f"{a!r:>{b}}"
    return lambda u, *v: (u, not v, -u, u if v else 1, (w := 1))

class D(E, metaclass=F):
    async def m(self):
        async for i in self:
            await i
        async with self as j:
            yield j
'''
NEWER = "def f[T: int, *Ts, **P](x: T): pass\ntype A[T] = list[T]\nclass B[T]: pass\n"


def sources() -> list[str]:
    return [SOURCE, *([NEWER] if sys.version_info >= (3, 12) else [])]


def positions(tree: ast.AST) -> list[tuple[object, ...]]:
    names = ("lineno", "col_offset", "end_lineno", "end_col_offset")
    return [tuple(getattr(n, name, None) for name in names) for n in ast.walk(tree)]


@pytest.mark.parametrize("source", sources())
def test_gast_and_back_is_the_same_tree_with_the_same_positions(source: str) -> None:
    tree = ast.parse(source)
    again = to_ast_node(to_gast(tree))
    assert ast.dump(tree, include_attributes=True) == ast.dump(again, include_attributes=True)


@pytest.mark.parametrize("source", sources())
def test_our_gast_is_the_gast_of_gast(source: str) -> None:
    tree = ast.parse(source)
    ours, theirs = to_gast(tree), gast.ast_to_gast(tree)
    assert gast.dump(ours) == gast.dump(theirs)
    assert positions(ours) == positions(theirs)


@pytest.mark.parametrize("source", sources())
def test_a_converted_back_tree_compiles_to_the_same_code(source: str) -> None:
    again = compile(to_ast(parse(source)), "<test>", "exec")
    assert again == compile(source, "<test>", "exec")


def test_type_comments_survive() -> None:
    source = (
        "x = 1 # type: int\nfor y in x: # type: int\n  pass\ndef f(a): # type: (int) -> int\n  pass"
    )
    tree = ast.parse(source, type_comments=True)
    assert ast.dump(tree) == ast.dump(to_ast_node(to_gast(tree)))
    assert "type_comment='int'" in ast.dump(tree)


def test_a_sum_of_many_terms_converts() -> None:
    tree = parse("+".join(["x"] * 600))
    assert eval(compile(print_tree(tree.body[0]), "<test>", "eval"), {"x": 1}) == 600
    assert same_tree(tree, to_gast(to_ast_node(tree)))


def test_a_node_python_has_no_syntax_for_is_named() -> None:
    class ForUntil(gast.stmt):
        _fields = ()

    with pytest.raises(TypeError, match="no ast node is called ForUntil"):
        to_ast_node(ForUntil())


def test_hand_written_nodes_may_omit_optional_fields() -> None:
    args = gast.arguments([name_node("x", gast.Param())], [], None, [], [], None, [])
    function = gast.FunctionDef("f", args, [gast.Return(name_node("x"))], [])
    namespace: dict[str, object] = {}
    exec(compile(to_ast(function), "<test>", "exec"), namespace)
    assert namespace["f"](3) == 3  # type: ignore[operator]


def test_to_ast_takes_expressions_statements_and_lists() -> None:
    assert isinstance(to_ast(parse_expression("x")).body[0], ast.Expr)
    assert isinstance(to_ast(parse("x = 1").body[0]).body[0], ast.Assign)
    assert len(to_ast(parse("x = 1; y = 2").body).body) == 2
    assert isinstance(to_ast(parse("x")), ast.Module)


def test_missing_positions_are_inherited() -> None:
    tree = parse("def f():\n    return x\n")
    tree.body[0].body[0].value = gast.Call(name_node("g"), [], [])
    module = to_ast(tree)
    call = module.body[0].body[0].value  # type: ignore[attr-defined]
    assert (call.lineno, call.col_offset, call.end_lineno, call.end_col_offset) == (2, 4, 2, 12)
    assert (call.func.lineno, call.func.end_col_offset) == (2, 12)
    compile(module, "<test>", "exec")


def test_a_missing_end_is_the_start() -> None:
    node = name_node("x")
    node.lineno, node.col_offset = 7, 3
    fill_positions(node)
    assert (node.end_lineno, node.end_col_offset) == (7, 3)


def test_none_as_position_counts_as_missing() -> None:
    node = name_node("x")
    node.lineno = node.col_offset = node.end_lineno = node.end_col_offset = None
    assert fill_positions(node).lineno == 1


def test_copies_are_deep_and_keep_positions() -> None:
    tree = parse(SOURCE)
    copy = copy_tree(tree)
    assert same_tree(tree, copy)
    assert positions(tree) == positions(copy)
    carried = {id(n) for n in ast.walk(tree) if n._fields or n._attributes}
    assert carried.isdisjoint(id(n) for n in ast.walk(copy))
    copy.body[0].body.pop()
    assert not same_tree(tree, copy)


def test_copies_of_ast_trees_and_lists() -> None:
    body = ast.parse("x = 1; y = [x]").body
    copy = copy_tree(body)
    assert [ast.dump(n) for n in body] == [ast.dump(n) for n in copy]
    assert body[0] is not copy[0]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("x+1", "(x + 1)", True),
        ("x+1", "x+1.0", False),
        ("1", "True", False),
        ("'a'", "b'a'", False),
        ("'a'", "u'a'", False),
        ("0.0", "-0.0", False),
        ("f(x)", "f(x, y)", False),
        ("x.y", "x.z", False),
        ("x < y", "x > y", False),
        ("1e999 - 1e999", "1e999-1e999", True),
    ],
)
def test_sameness(a: str, b: str, same: bool) -> None:
    assert same_tree(parse(a), parse(b)) is same
    assert same_tree(ast.parse(a), ast.parse(b)) is same


def test_sameness_of_constants_without_literals() -> None:
    nan, zero = gast.Constant(float("nan"), None), gast.Constant(0.0, None)
    assert same_tree(nan, gast.Constant(float("nan"), None))
    assert not same_tree(zero, gast.Constant(-0.0, None))


def test_ast_and_gast_are_not_the_same() -> None:
    assert not same_tree(ast.parse("x"), parse("x"))


def test_walk_is_preorder() -> None:
    tree = parse("a = b(c, d)\ne = [f, g.h]")
    names = [n.id for n in walk(tree) if isinstance(n, gast.Name)]
    assert names == ["a", "b", "c", "d", "e", "f", "g"]
    assert next(iter(walk(tree))) is tree
    carrying = {id(n) for n in ast.walk(tree) if n._fields or n._attributes}
    assert {id(n) for n in walk(tree)} == carrying
    assert list(walk([])) == []


def test_children_look_through_lists_and_skip_none() -> None:
    assert [type(c).__name__ for c in children(parse_expression("{**a, b: c}"))] == ["Name"] * 3


def test_the_docstring_is_split_off_only_when_there_is_one() -> None:
    assert [len(part) for part in split_docstring(parse("'doc'\nx\ny").body)] == [1, 2]
    assert [len(part) for part in split_docstring(parse("x\n'doc'").body)] == [0, 2]
    assert [len(part) for part in split_docstring(parse("b'doc'").body)] == [0, 1]
    assert split_docstring([]) == ([], [])


def test_constants_from_values() -> None:
    assert print_tree(constant_node(("a", ("b", 1), None))) == "('a', ('b', 1), None)"
    assert print_tree(constant_node(())) == "()"
