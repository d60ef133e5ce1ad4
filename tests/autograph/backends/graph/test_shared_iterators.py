# ruff: noqa: C416, C417
"""Iterators over datasets that outlive a call: each call of a Function takes further elements."""

from __future__ import annotations

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagedIterationError
from runtime.data import Dataset
from runtime.errors import GraphError, OutOfRangeError


def numbers(stop):
    return iter(Dataset.range(stop))


def test_each_call_takes_the_next_element_of_an_outer_iterator():
    begun = numbers(9)
    function = ag.function(lambda: next(begun))
    found = [int(each) for each in (function(), function(), next(begun), function())]
    assert [0, 1, 2, 3] == found


def test_iterator_arguments_of_one_spec_share_a_trace():
    @ag.function
    def train_step(iterator):
        x, y = next(iterator)
        return x * y

    pairs = Dataset.zip(Dataset.range(4), Dataset.range(4, 8))
    one, other = iter(pairs), iter(pairs)
    found = [int(train_step(each)) for each in (one, one, other, one, other)]
    assert [0, 5, 0, 12, 5] == found
    assert 1 == train_step.experimental_get_tracing_count()


@pytest.mark.parametrize("kind", [StopIteration, OutOfRangeError])
def test_the_end_of_an_iterator_raises_pythons_and_tensorflows_error(kind):
    taken = ag.function(lambda iterator: next(iterator))
    begun = numbers(1)
    assert 0 == int(taken(begun))
    for _ in range(2):
        with pytest.raises(kind, match="no item is left"):
            taken(begun)
    with pytest.raises(OutOfRangeError, match="no item is left"):
        ag.function(lambda: begun.get_next())()


def test_a_handler_catches_the_end_of_an_iterator():
    @ag.function
    def last_or(iterator):
        try:
            return next(iterator)
        except StopIteration:
            return rt.constant(-1, rt.int64)

    begun = numbers(1)
    assert [0, -1, -1] == [int(last_or(begun)) for _ in range(3)]


def test_a_loop_takes_only_the_elements_it_needs():
    @ag.function
    def until(iterator, stop):
        total = rt.constant(0, rt.int64)
        for x in iterator:
            if x == 1:
                continue
            total += x
            if x == stop:
                break
        return total

    begun = numbers(7)
    assert 5 == int(until(begun, rt.constant(3, rt.int64)))
    assert 4 == int(next(begun))
    assert 11 == int(until(begun, rt.constant(99, rt.int64)))
    assert 0 == int(until(begun, rt.constant(99, rt.int64)))


def test_next_in_loops_branches_and_with_a_default():
    @ag.function
    def f(iterator, n):
        total = rt.constant(0, rt.int64)
        for _ in rt.range(n):
            if total < 3:
                total += next(iterator)
        return total, next(iterator, rt.constant(-9, rt.int64))

    begun = numbers(5)
    assert [3, 3] == [int(each) for each in f(begun, 4)]
    assert [4, -9] == [int(each) for each in f(begun, 1)]


@pytest.mark.parametrize(
    "f, expected",
    [
        (lambda it: sum(it), 6),
        (lambda it: [x + 1 for x in it][2], 3),
        (lambda it: max(it), 3),
        (lambda it: sum([x * rt.cast(at, rt.int64) for at, x in enumerate(it)]), 14),
        (lambda it: sum(map(lambda x: x * 2, it)), 12),
        (lambda it: sum(filter(lambda x: x > 1, it)), 5),
        (lambda it: list(iter(it))[1], 1),
        (lambda it: rt.where(2 in it, next(it), -1), 3),
    ],
)
def test_builtins_iterate_over_an_iterator(f, expected):
    assert expected == int(ag.function(f)(numbers(4)))


def test_elements_are_taken_in_program_order():
    seen = rt.Variable(0, dtype=rt.int64)
    dataset = Dataset.range(5).map(lambda n: n * 10 + seen)

    @ag.function
    def f(iterator):
        first = next(iterator)
        seen.assign(7)
        second = next(iterator)
        seen.assign(0)
        return first, second

    assert [0, 17] == [int(each) for each in f(iter(dataset))]


def test_unsupported_iterator_operations_are_refused():
    with pytest.raises(StagedIterationError, match="use the methods of the dataset"):
        ag.function(lambda it, v: list(zip(it, v)))(numbers(2), rt.constant([1, 2]))
    with pytest.raises(TypeError, match="'Iterator' object is not reversible"):
        ag.function(lambda it: list(reversed(it)))(numbers(2))
    with pytest.raises(TypeError, match=r"object of type 'Iterator' has no len\(\)"):
        ag.function(lambda it: len(it))(numbers(2))

    @ag.do_not_convert
    def by_python(it):
        return [x for x in it]

    with pytest.raises(GraphError, match="iterated over by Python while a graph is recorded"):
        ag.function(by_python)(numbers(2))


def test_an_iterator_is_saved_and_restored_between_calls():
    taken = ag.function(lambda iterator: next(iterator))
    dataset = Dataset.range(6).shuffle(3, seed=5)
    one, other = iter(dataset), iter(dataset)
    before = [int(taken(one)) for _ in range(2)]
    other.restore(one.save())
    rest = [int(taken(one)) for _ in range(4)]
    assert rest == [int(taken(other)) for _ in range(4)]
    assert [*range(6)] == sorted(before + rest)
