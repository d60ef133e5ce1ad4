"""Namespaces: values by dotted path, and errors for missing names."""

from __future__ import annotations

import pytest

from autograph.compat.namespace import MISSING, Namespace, resolve


def tree():
    made = Namespace("top")
    made.put("a.b.c", 1)
    made.put("a.d", None)
    return made


def test_values_are_found_by_path():
    assert (tree().a.b.c, tree().a.d) == (1, None)
    assert list(tree().paths()) == ["a.b.c", "a.d"]
    assert dir(tree().a) == ["b", "d"]
    assert repr(tree().a) == "<namespace top.a>"


def test_a_missing_name_is_reported_with_its_namespace():
    with pytest.raises(AttributeError, match="^top.a has no z yet$"):
        tree().a.z
    assert not hasattr(tree(), "b")


def test_resolve_finds_a_value_none_or_missing():
    assert resolve(tree(), "a.b.c") == 1
    assert resolve(tree(), "a.d") is None
    assert resolve(tree(), "a.x.c") is MISSING
    assert resolve(tree(), "a.d.c") is MISSING
