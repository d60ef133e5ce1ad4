"""Qualified names of expressions, and the expressions of names."""

from __future__ import annotations

import gast
import pytest

from autograph.syntax import parse, parse_expression, print_tree, qualname, same_tree

NAMES = ["x", "x.y", "x.y.z", "d['k']", "l[0]", "l[-1]", "a.b[0].c['d']", "d[b'k']", "d[None]",
         "d[True]", "d[1.5]", "d[-1.5]"]  # fmt: skip
OTHERS = ["f()", "f().x", "x[i]", "x[0:1]", "x[:, 0]", "x[i].y", "1", "'a'.b", "(x, y)", "x + y",
          "x[...]", "x[-i]", "x[~1]", "x[-True]", "x[0, 1]", "x[1j]", "x[-b'']"]  # fmt: skip


@pytest.mark.parametrize("text", NAMES)
def test_names_print_as_written_and_go_back_to_the_same_tree(text: str) -> None:
    node = parse_expression(text)
    qn = qualname.of(node)
    assert qn is not None
    assert str(qn) == text
    assert same_tree(qn.ast(), node)
    assert qn == qualname.named(text)
    assert hash(qn) == hash(qualname.named(text))


@pytest.mark.parametrize("text", OTHERS)
def test_expressions_that_change_their_place_have_no_name(text: str) -> None:
    assert qualname.of(parse_expression(text)) is None
    with pytest.raises(ValueError, match="is not a qualified name"):
        qualname.named(text)


def test_stores_and_loads_have_the_same_name() -> None:
    assign = parse("x.y[0] = x.y[0]").body[0]
    assert qualname.of(assign.targets[0]) == qualname.of(assign.value)


def test_keys_of_different_types_are_different_names() -> None:
    keys = {qualname.named(t) for t in ("d[1]", "d[True]", "d[1.0]", "d['1']", "d[b'1']")}
    assert len(keys) == 5


def test_parts() -> None:
    qn = qualname.named("a.b[0]")
    assert (str(qn.parent), str(qn.root), qn.root.name) == ("a.b", "a", "a")
    assert [str(p) for p in qn.prefixes] == ["a", "a.b"]
    assert (qn.is_simple, qn.is_item, qn.is_attribute) == (False, True, False)
    assert qn.parent is not None and qn.parent.is_attribute
    simple = qualname.named("a")
    assert (simple.parent, simple.root, simple.prefixes) == (None, simple, ())
    assert simple.is_simple and not simple.is_item and not simple.is_attribute
    assert simple.attribute("b").item(0) == qn


def test_only_the_last_step_has_the_context() -> None:
    node = qualname.named("a.b[0]").ast(gast.Store())
    assert isinstance(node.ctx, gast.Store)
    assert isinstance(node.value.ctx, gast.Load)
    assert isinstance(node.value.value.ctx, gast.Load)
    assert print_tree(node) == "a.b[0]"


def test_names_sort_by_their_text_and_show_it() -> None:
    names = [qualname.named(t) for t in ("b", "a[1]", "a['x']", "a.b", "a")]
    assert [str(n) for n in sorted(names)] == ["a", "a.b", "a['x']", "a[1]", "b"]
    assert repr(names[3]) == "<QN a.b>"
