"""`assert_` and `check`: at once when eager, in every run of a graph."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.core.dtypes import bool_
from runtime.core.spec import TensorSpec
from runtime.errors import DTypeError, ShapeError
from runtime.executors import run
from runtime.graph import Graph
from runtime.ops.constant import constant
from runtime.ops.effects.checks import assert_, check


def test_assert_raises_assertion_errors() -> None:
    assert_(True, "fine")
    assert_(constant(True), "fine")
    for condition in (False, np.bool_(False), constant(False)):
        with pytest.raises(AssertionError, match="^bad value$"):
            assert_(condition, "bad value")
    with pytest.raises(AssertionError) as caught:
        assert_(False)
    assert caught.value.args == ()
    with pytest.raises(AssertionError) as caught:
        assert_(False, ["x is", constant([1, 2])])
    assert str(caught.value) == "['x is', [1 2]]"


@pytest.mark.parametrize(("value", "error"), [(1, DTypeError), ([True, False], ShapeError)])
def test_assert_takes_one_bool(value: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="the condition of an assert"):
        assert_(value, "message")


def test_assertions_known_to_hold_record_no_nodes() -> None:
    graph = Graph("f")
    with graph.recording():
        assert_(True, "fine")
        check(True, ValueError, "fine")
    assert len(graph) == 0


def test_check_raises_the_given_type() -> None:
    check(constant(True), KeyError, "fine")
    for error in (UnboundLocalError, ValueError, KeyboardInterrupt):
        with pytest.raises(error, match="y was not set"):
            check(constant(False), error, "y was not set")
    graph = Graph("f")
    ok = graph.add_input(TensorSpec((), bool_), "ok")
    with graph.recording():
        check(ok, UnboundLocalError, "y was not set")
    run(graph, [np.array(True)])
    with pytest.raises(UnboundLocalError, match="y was not set"):
        run(graph, [np.array(False)])
