"""Positions of synthetic code lie within the function, each operator on one line."""

from __future__ import annotations

import ast
import dis

from autograph.lowering.synthetic_code import fix_positions

SOURCE = """


def f(x):
    y = x
    return ag__.word(x,
                     y)
"""


def tree() -> ast.FunctionDef:
    found = ast.parse(SOURCE).body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


def lines(definition: ast.stmt) -> set[int | None]:
    module = ast.Module([definition], [])
    code = compile(module, "f.py", "exec").co_consts[0]
    return {line for _, line in dis.findlinestarts(code)}


def test_correct_positions_are_unchanged() -> None:
    before = ast.dump(tree(), include_attributes=True)
    assert before == ast.dump(fix_positions(tree()), include_attributes=True)


def test_a_synthetic_node_takes_the_position_around_it() -> None:
    definition = tree()
    assign = definition.body[0]
    assert isinstance(assign, ast.Assign)
    assign.value = ast.parse("ag__.ld(x)", mode="eval").body
    assert {1, 5, 6, 7} <= lines(definition)
    assert {5, 6, 7} <= lines(fix_positions(definition))
    assert 1 not in lines(definition)


def test_a_synthetic_operator_over_several_lines_is_on_the_first() -> None:
    definition = tree()
    block = definition.body[1]
    word = ast.Call(ast.Attribute(ast.Name("ag__", ast.Load()), "word", ast.Load()), [], [])
    for node in ast.walk(word):
        ast.copy_location(node, block)
    definition.body = [ast.copy_location(ast.Expr(word), block)]
    assert 7 in lines(definition)
    assert 7 not in lines(fix_positions(definition))


def test_a_user_attribute_over_several_lines_is_unchanged() -> None:
    definition = ast.parse("def f(o):\n    return (o\n            .x\n            .y)").body[0]
    before = ast.dump(definition, include_attributes=True)
    assert before == ast.dump(fix_positions(definition), include_attributes=True)
