"""`and`, `or`, `not`, chained comparison and `a if c else b` against Python's own."""

from __future__ import annotations

import itertools

import pytest

from autograph.backends.protocol import Backends
from autograph.backends.python import PythonBackend
from autograph.operators.control_flow import ConditionalOperators
from autograph.operators.logical import COMPARISONS, LogicalOperators

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


@pytest.mark.parametrize("a", VALUES, ids=repr)
def test_and_or_return_pythons_object_after_the_same_evaluations(backends, a):
    logical = LogicalOperators(backends)
    for b, c in itertools.product(VALUES, repeat=2):
        values = (a, b, c)
        for operator, expected in ((logical.and_, a and b and c), (logical.or_, a or b or c)):
            evaluated: list[object] = []
            assert operator(*operands(values, evaluated)) is expected
            stop = next(k for k in range(3) if values[k] is expected)
            assert all(x is y for x, y in zip(evaluated, values))
            assert len(evaluated) >= stop + 1 and evaluated[-1] is expected


@pytest.mark.parametrize("first", VALUES, ids=repr)
def test_and_rest_and_or_rest_continue_from_a_value(backends, first):
    logical = LogicalOperators(backends)
    for b, c in itertools.product(VALUES, repeat=2):
        for operator, expected in (
            (logical.and_rest, first and b and c),
            (logical.or_rest, first or b or c),
        ):
            evaluated: list[object] = []
            assert operator(first, *operands([b, c], evaluated)) is expected
            asked = [first, *evaluated]
            assert asked[-1] is expected
            assert all(x is y for x, y in zip(evaluated, [b, c]))


def test_compare_rest_continues_from_a_result(backends):
    logical = LogicalOperators(backends)
    for value, b, c in itertools.product([0, 1, "", "a"], range(3), range(3)):
        evaluated: list[object] = []
        (right,) = operands([c], evaluated)
        assert (value and b < c) == logical.compare_rest(value, b, "<", right)
        assert ([c] if value else []) == evaluated
    assert 7 == logical.compare_rest(7, 1)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_not_returns_pythons_truth(backends, value):
    assert (not value) is LogicalOperators(backends).not_(value)


def test_chained_comparison_evaluates_the_middle_once_and_stops_at_a_failure(backends):
    logical = LogicalOperators(backends)
    for a, b, c in itertools.product(range(3), repeat=3):
        evaluated: list[object] = []
        middle, right = operands([b, c], evaluated)
        assert (a < b <= c) == logical.compare(a, "<", middle, "<=", right)
        assert ([b, c] if a < b else [b]) == evaluated


class Owned:
    """A value of a backend."""


class Noting:
    """A backend that returns the operations asked of it, and evaluates nothing."""

    name = "noting"

    def owned_types(self):
        return (Owned,)

    def recorder(self):
        return self

    def logical_and(self, value, rest, truth):
        assert truth is value
        return "and", value, rest

    def logical_or(self, value, rest, truth):
        assert truth is value
        return "or", value, rest

    def logical_not(self, value):
        return "not", value


@pytest.mark.parametrize(("word", "goes_on"), [("and", 1), ("or", 0)])
def test_the_first_backend_value_takes_the_remaining_operands(word, goes_on):
    logical, owned, evaluated = LogicalOperators(Backends([Noting()])), Owned(), []
    thunks = [*operands([goes_on], evaluated), lambda: owned, *operands([goes_on, 7], evaluated)]
    said, value, rest = getattr(logical, f"{word}_")(*thunks)
    assert (word, owned, [goes_on]) == (said, value, evaluated)
    assert 7 == rest() and [goes_on, goes_on, 7] == evaluated
    rest_of_two = getattr(logical, f"{word}_rest")(owned, lambda: owned, lambda: 1 / 0)[2]
    assert (word, owned) == rest_of_two()[:2]
    assert ("not", owned) == logical.not_(owned)


def test_a_backend_comparison_takes_the_rest_as_one_operand():
    logical, owned = LogicalOperators(Backends([Noting()])), Owned()
    word, value, rest = logical.compare_rest(owned, 1, "<", lambda: 2, "<", lambda: 3)
    assert ("and", owned) == (word, value)
    assert rest() is True


@pytest.mark.parametrize("symbol", sorted(COMPARISONS))
def test_every_comparison_is_python_s(symbol):
    left, right = (1, [1, 2]) if symbol.endswith("in") else (1, 2)
    assert eval(f"left {symbol} right") == COMPARISONS[symbol](left, right)


@pytest.mark.parametrize("test", VALUES, ids=repr)
def test_if_exp_evaluates_one_side(backends, test):
    evaluated: list[object] = []
    then, orelse = operands(["then", "else"], evaluated)
    expected = "then" if test else "else"
    assert expected == ConditionalOperators(backends).if_exp(test, then, orelse, "test")
    assert [expected] == evaluated
