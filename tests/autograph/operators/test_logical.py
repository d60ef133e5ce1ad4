"""`and`, `or`, `not`, chained comparison and `a if c else b` against Python's own."""

from __future__ import annotations

import itertools

import pytest

from autograph.backends.protocol import Backends
from autograph.backends.python import PythonBackend
from autograph.operators.conditionals import Conditionals
from autograph.operators.logical import COMPARISONS, Logical

VALUES = [True, False, 0, 2, "", "a", None, [], [1]]


@pytest.fixture(params=["straight", "through the backend"])
def backends(request) -> Backends:
    return Backends([PythonBackend()] if request.param == "through the backend" else [])


def operands(values, evaluated):
    """Return thunks that note when they are evaluated."""

    def thunk(value):
        def run():
            evaluated.append(value)
            return value

        return run

    return [thunk(value) for value in values]


@pytest.mark.parametrize("values", list(itertools.product(VALUES, repeat=3)), ids=repr)
def test_and_or_give_the_same_object_after_the_same_evaluations(backends, values):
    logical = Logical(backends)
    a, b, c = values
    for operator, expected in ((logical.and_, a and b and c), (logical.or_, a or b or c)):
        evaluated: list[object] = []
        assert operator(*operands(values, evaluated)) is expected
        stop = next(k for k in range(3) if values[k] is expected)
        assert all(x is y for x, y in zip(evaluated, values))
        assert len(evaluated) >= stop + 1 and evaluated[-1] is expected


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_not(backends, value):
    assert (not value) is Logical(backends).not_(value)


def test_chained_comparison_evaluates_the_middle_once_and_stops_at_a_failure(backends):
    logical = Logical(backends)
    for a, b, c in itertools.product(range(3), repeat=3):
        evaluated: list[object] = []
        middle, right = operands([b, c], evaluated)
        assert (a < b <= c) == logical.compare(a, "<", middle, "<=", right)
        assert ([b, c] if a < b else [b]) == evaluated


@pytest.mark.parametrize("symbol", sorted(COMPARISONS))
def test_every_comparison_is_python_s(symbol):
    left, right = (1, [1, 2]) if symbol.endswith("in") else (1, 2)
    assert eval(f"left {symbol} right") == COMPARISONS[symbol](left, right)


@pytest.mark.parametrize("test", VALUES, ids=repr)
def test_if_exp_evaluates_one_side(backends, test):
    evaluated: list[object] = []
    then, orelse = operands(["then", "else"], evaluated)
    expected = "then" if test else "else"
    assert expected == Conditionals(backends).if_exp(test, then, orelse, "test")
    assert [expected] == evaluated
