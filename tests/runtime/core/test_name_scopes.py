"""Name scopes: prefixes of the names of variables."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import DTypeError


class Inner(rt.Module):
    def __init__(self) -> None:
        super().__init__(name="inner")
        with self.name_scope:
            self.weight = rt.Variable(1.0, name="weight")

    @rt.Module.with_name_scope
    def later(self) -> rt.Variable:
        return rt.Variable(1.0)


class Outer(rt.Module):
    def __init__(self) -> None:
        super().__init__(name="outer")
        with self.name_scope:
            self.inner = Inner()


def test_scopes_nest() -> None:
    with tf.name_scope("a") as scope:
        first = tf.Variable(1.0, name="v")
        with tf.name_scope("b"):
            second = tf.Variable(1.0)
        with tf.name_scope("c/"), tf.name_scope("d"):
            third = tf.Variable(1.0, name="v")
        with tf.name_scope(""):
            fourth = tf.Variable(1.0, name="v")
    names = [each.name for each in (first, second, third, fourth, tf.Variable(1.0, name="v"))]
    assert ("a/", ["a/v:0", "a/b/Variable:0", "c/d/v:0", "v:0", "v:0"]) == (scope, names)


def test_a_scope_ends_with_an_error_and_may_be_entered_again() -> None:
    scope = rt.name_scope("a")
    for _ in range(2):
        with pytest.raises(ValueError), scope, scope:
            raise ValueError
        assert "v:0" == rt.Variable(1.0, name="v").name
    with pytest.raises(DTypeError, match="the name of a scope must be a string, not int"):
        rt.name_scope(3)  # type: ignore[arg-type]


def test_modules_have_the_scope_of_their_creation() -> None:
    inner = Outer().inner
    assert ("outer/inner/weight:0", "outer/inner/") == (inner.weight.name, inner.name_scope.name)
    assert "outer/inner/Variable:0" == inner.later().name
    assert "inner/weight:0" == Inner().weight.name


def test_weights_of_layers_have_paths_and_no_scopes() -> None:
    with rt.name_scope("around"):
        layer = rt.nn.layers.Dense(1, name="dense")
        layer.build((None, 2))
    assert ["dense/kernel", "dense/bias"] == [each.path for each in layer.weights]
    assert ["kernel", "bias"] == [each.name for each in layer.weights]


def test_a_variable_of_a_first_call_is_in_its_scope() -> None:
    class Counter(rt.Module):
        count: Any = None

        @ag.function
        @rt.Module.with_name_scope
        def __call__(self) -> Any:
            if self.count is None:
                self.count = rt.Variable(0, name="count")
            return self.count.assign_add(1)

    counter = Counter(name="counter")
    assert [1, 2] == [int(counter()), int(counter())]
    assert "counter/count:0" == counter.count.name
