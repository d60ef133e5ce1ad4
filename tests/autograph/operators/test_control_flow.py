"""Operators of statements on Python values agree with Python's statements."""

from __future__ import annotations

import itertools

import pytest

from autograph.backends.protocol import Backends
from autograph.backends.python import PythonBackend
from autograph.operators.control_flow import ControlFlowOperators
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
def statements(request) -> ControlFlowOperators:
    """The operators' own Python road, and the reference backend on the same values."""
    backends = [PythonBackend()] if request.param == "through the backend" else []
    return ControlFlowOperators(Backends(backends))


@pytest.mark.parametrize("test", [True, False, 1, 0, "", "a", None, [], [0], 0.0, -0.5])
def test_if_runs_one_branch(statements, test):
    seen = []
    statements.if_stmt(test, lambda: seen.append("then"), lambda: seen.append("else"), *NO_STATE, 0)
    assert ["then" if test else "else"] == seen


def test_if_tests_its_condition_once(statements):
    test = Truthy(True)
    statements.if_stmt(test, lambda: None, lambda: None, *NO_STATE, 0)
    assert 1 == test.asked


def test_while_tests_once_more_than_its_body_runs(statements):
    tests, runs = [], []
    numbers = iter([3, 2, 1, 0])

    def test():
        tests.append(1)
        return next(numbers)

    statements.while_stmt(test, lambda: runs.append(1), *NO_STATE, {})
    assert (4, 3) == (len(tests), len(runs))


def test_while_tests_each_condition_once(statements):
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


def test_while_rest_continues_from_the_given_test(statements):
    tests, runs = iter([True, 0]), []
    statements.while_rest(Truthy(True), lambda: next(tests), lambda: runs.append(1), *NO_STATE, {})
    assert (2, None) == (len(runs), next(tests, None))
    statements.while_rest([], lambda: 1 / 0, lambda: runs.append(1), *NO_STATE, {})
    assert 2 == len(runs)


def test_for_rest_continues_with_the_remaining_items(statements):
    items, seen = iter("abcde"), []
    assert "a" == next(items)
    statements.for_rest(1, items, lambda: len(seen) < 2, seen.append, *NO_STATE, {})
    assert (["b", "c"], "d") == (seen, next(items))
    statements.for_rest(0, items, lambda: 1 / 0, seen.append, *NO_STATE, {})
    assert "e" == next(items)


def test_for_rest_ends_with_the_items(statements):
    seen = []
    statements.for_rest(True, iter("ab"), lambda: True, seen.append, *NO_STATE, {})
    assert ["a", "b"] == seen


class Handing:
    """A backend that owns some values and notes the arguments handed to it."""

    name = "handing"

    def __init__(self):
        self.given = []

    def owned_types(self):
        return (Truthy,)

    def recorder(self):
        return self

    def while_loop(self, test, body, state, opts, first):
        self.given.append((test, body, state, opts, first))

    def for_loop(self, iterated, extra_test, body, state, opts):
        self.given.append((iterated, extra_test, body, state, opts))

    def for_rest(self, proceed, items, extra_test, body, state):
        self.given.append((proceed, items, extra_test, body, state))


STATE = (lambda: (1,), lambda values: None, ("a",))


def test_a_loop_is_handed_over_at_the_first_backend_condition():
    backend, runs, owned = Handing(), [], Truthy(True)
    tests, opts = iter([True, True, owned]), {"exits": {}}
    test, body = (lambda: next(tests)), (lambda: runs.append(1))
    ControlFlowOperators(Backends([backend])).while_stmt(test, body, *STATE, opts)
    assert [(test, body, State(*STATE, 1), opts, owned)] == backend.given
    assert (2, 0) == (len(runs), owned.asked)


def test_a_for_loop_is_handed_over_with_its_remaining_items():
    backend, seen, owned = Handing(), [], Truthy(True)
    tests = iter([True, owned])
    extra_test, body = (lambda: next(tests)), seen.append
    ControlFlowOperators(Backends([backend])).for_stmt("abcd", extra_test, body, *STATE, {})
    ((proceed, items, *rest),) = backend.given
    assert owned is proceed
    assert (["a", "b"], ["c", "d"]) == (seen, list(items))
    assert [extra_test, body, State(*STATE, 1)] == rest


def test_a_backend_iterable_is_handed_over_at_once():
    backend, owned, opts = Handing(), Truthy(True), {"iterate_names": "i"}
    ControlFlowOperators(Backends([backend])).for_stmt(owned, None, print, *STATE, opts)
    assert [(owned, None, print, State(*STATE, 1), opts)] == backend.given


def test_an_exception_in_a_body_passes_unchanged(statements):
    error = KeyError("k")

    def body(_):
        raise error

    with pytest.raises(KeyError) as caught:
        statements.for_stmt([1], None, body, *NO_STATE, {})
    assert caught.value is error


def test_state_lists_its_outputs():
    state = State(lambda: (1, 2, 3), lambda values: None, ("a", "b", "c"), 2)
    assert ("a", "b") == state.outputs
