"""The statements on Python values, held against the statements of Python itself."""

from __future__ import annotations

import itertools

import pytest

from autograph.backends.protocol import Backends
from autograph.backends.python import PythonBackend
from autograph.operators.control_flow import ControlFlow
from autograph.operators.state import State

NO_STATE = (tuple, lambda values: None, ())


class Truthy:
    """Counts how often it is asked for its truth."""

    def __init__(self, truth: bool) -> None:
        self.truth, self.asked = truth, 0

    def __bool__(self) -> bool:
        self.asked += 1
        return self.truth


@pytest.fixture(params=["straight", "through the backend"])
def statements(request) -> ControlFlow:
    """The operators' own Python road, and the reference backend on the same values."""
    backends = [PythonBackend()] if request.param == "through the backend" else []
    return ControlFlow(Backends(backends))


@pytest.mark.parametrize("test", [True, False, 1, 0, "", "a", None, [], [0], 0.0, -0.5])
def test_if_runs_the_branch_python_runs(statements, test):
    seen = []
    statements.if_stmt(test, lambda: seen.append("then"), lambda: seen.append("else"), *NO_STATE, 0)
    assert ["then" if test else "else"] == seen


def test_if_asks_for_the_truth_once(statements):
    test = Truthy(True)
    statements.if_stmt(test, lambda: None, lambda: None, *NO_STATE, 0)
    assert 1 == test.asked


def test_while_tests_once_more_than_it_runs(statements):
    tests, runs = [], []
    numbers = iter([3, 2, 1, 0])

    def test():
        tests.append(1)
        return next(numbers)

    statements.while_stmt(test, lambda: runs.append(1), *NO_STATE, {})
    assert (4, 3) == (len(tests), len(runs))


def test_while_asks_each_test_for_its_truth_once(statements):
    made = []

    def test():
        made.append(Truthy(len(made) < 2))
        return made[-1]

    statements.while_stmt(test, lambda: None, *NO_STATE, {})
    assert [1, 1, 1] == [each.asked for each in made]


def test_for_takes_every_item_of_any_iterable(statements):
    seen = []
    statements.for_stmt((c for c in "abc"), None, seen.append, *NO_STATE, {})
    assert ["a", "b", "c"] == seen


def test_for_takes_no_item_after_the_exit(statements):
    numbers, seen = itertools.count(), []
    statements.for_stmt(numbers, lambda: len(seen) < 3, seen.append, *NO_STATE, {})
    assert ([0, 1, 2], 3) == (seen, next(numbers))


def test_an_exception_in_a_body_passes_unchanged(statements):
    error = KeyError("k")

    def body(_):
        raise error

    with pytest.raises(KeyError) as caught:
        statements.for_stmt([1], None, body, *NO_STATE, {})
    assert caught.value is error


def test_state_knows_its_outputs():
    state = State(lambda: (1, 2, 3), lambda values: None, ("a", "b", "c"), 2)
    assert ("a", "b") == state.outputs
