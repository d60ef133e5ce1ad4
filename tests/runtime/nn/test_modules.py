"""Modules: variables and modules in attributes, in TensorFlow's order."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt


class Leaf(rt.Module):
    def __init__(self, start: float, trainable: bool = True) -> None:
        self.v = rt.Variable(start, trainable)


class Tree(rt.Module):
    def __init__(self) -> None:
        super().__init__(name="tree")
        self.z = rt.Variable(1.0, name="z")
        self.a = {"y": [Leaf(2.0)], "x": (Leaf(3.0, trainable=False),)}
        self.b = rt.Variable(4.0, name="b")
        self.again = self.z


def values(variables: Any) -> list[float]:
    return [float(each) for each in variables]


# tf.Module of TensorFlow 2.21 with the same attributes gives these values in this order.
def test_variables_are_ordered_by_attribute_names_outer_first() -> None:
    assert [1.0, 4.0, 3.0, 2.0] == values(Tree().variables)


def test_trainable_variables_are_separate() -> None:
    assert [1.0, 4.0, 2.0] == values(Tree().trainable_variables)
    assert [3.0] == values(Tree().non_trainable_variables)


def test_submodules_are_found_in_containers_and_cycles() -> None:
    tree = Tree()
    tree.a["x"][0].parent = tree
    assert ["leaf", "leaf"] == [each.name for each in tree.submodules]


def test_a_name_is_checked_and_has_a_default() -> None:
    assert ("tree", "leaf") == (Tree().name, Leaf(1.0).name)
    with pytest.raises(rt.errors.ArgumentValueError, match="is not a valid name for a module"):
        rt.Module(name="a b")


def test_a_module_is_used_and_changed_in_a_graph() -> None:
    tree = Tree()

    @ag.function
    def step(x: Any) -> Any:
        for _ in rt.range(3):
            for each in tree.trainable_variables:
                each.assign_add(x)
        return tree.b + 0.0

    assert 7.0 == float(step(rt.constant(1.0)))
    assert [4.0, 7.0, 3.0, 5.0] == values(tree.variables)
