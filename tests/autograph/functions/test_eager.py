"""The switch that runs Functions as plain Python."""

from __future__ import annotations

import pytest

import runtime as rt
from autograph.functions.decorator import function
from autograph.functions.eager import functions_run_eagerly, run_functions_eagerly


@pytest.fixture
def eagerly():
    run_functions_eagerly(True)
    yield
    run_functions_eagerly(False)


def test_functions_do_not_run_eagerly_by_default():
    assert not functions_run_eagerly()


def test_the_python_function_runs_at_every_call(eagerly):
    seen = []

    @function
    def f(x, n):
        seen.append((int(x), type(n)))
        return n

    assert functions_run_eagerly()
    assert [f(rt.constant(k), k) for k in (1, 2)] == [1, 2]
    assert seen == [(1, int), (2, int)]
    assert f.experimental_get_tracing_count() == 0


def test_switched_back_it_traces_again():
    seen = []
    f = function(lambda x: seen.append(1) or x)
    run_functions_eagerly(True)
    run_functions_eagerly(False)
    f(rt.constant(1)), f(rt.constant(2))
    assert len(seen) == 1
