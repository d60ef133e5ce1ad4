"""Composite places in lowered code; the tree lists their steps."""

from __future__ import annotations

import ast

import pytest

from autograph.lowering.composites import with_places
from autograph.lowering.constants import Constants
from autograph.lowering.synthetic_code import with_reused_names

STATEMENT = """
def f(x, o):
    def get_state():
        return (y, ag__.ldu(lambda: ag__.ld(o).a['k'], "o.a['k']"))
    def set_state(vars_):
        nonlocal y
        (y, ag__.ld(o).a['k']) = vars_
    def if_body():
        ag__.ld(o).a['k'] = 1
    def else_body():
        pass
    ag__.if_stmt(x, if_body, else_body, get_state, set_state, ('y', "o.a['k']"), 2)
"""


@pytest.fixture(name="lowered")
def _lowered():
    constants = Constants()
    tree = with_reused_names(ast.parse(STATEMENT).body[0])
    tree = with_places(tree, lambda name: f".{name}", lambda key: f"[{key}]", constants)
    return tree, constants


def test_states_read_and_assign_places(lowered):
    tree, constants = lowered
    get, put, *_ = tree.body
    read, target = get.body[0].value.elts[1].args[0].body, put.body[1].targets[0].elts[1]
    for place, ctx in ((read, ast.Load), (target, ast.Store)):
        assert "value" == place.attr and isinstance(place.ctx, ctx)
        assert "ag__.place" == ast.unparse(place.value.func)
        root, steps = place.value.args
        # Without a value it is an error where it is read, not where it is kept.
        assert "o" == ast.unparse(root)
        assert (".a", "[k]") == constants.replaced(steps.value)


def test_plain_variables_and_bodies_are_unchanged(lowered):
    tree, _ = lowered
    get, put, body, *_ = tree.body
    assert "y" == get.body[0].value.elts[0].id == put.body[1].targets[0].elts[0].id
    assert "ag__.ld(o).a['k'] = 1" == ast.unparse(body.body[0])
