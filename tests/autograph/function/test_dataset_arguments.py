# ruff: noqa: C416
"""Datasets that functions are given, know, return and leave somewhere."""

from __future__ import annotations

import pytest

import autograph as ag
import runtime as rt
from runtime import nest
from runtime.data import Dataset


def rows(v):
    return Dataset.from_tensor_slices(v)


def plain(result):
    if isinstance(result, list | tuple):
        return [plain(each) for each in result]
    return result.numpy().tolist() if isinstance(result, rt.Tensor) else result


def test_as_an_argument_it_counts_by_its_plan_and_its_tensors():
    @ag.function
    def total(dataset):
        found = 0
        for x in dataset:
            found += x
        return found

    doubled = rows([4, 5]).map(lambda x: 2 * x)
    given = [rows([1, 2, 3]), rows([4, 5, 6]), rows([4, 5]), doubled, doubled]
    assert [6, 15, 9, 18, 18] == [int(total(each)) for each in given]
    assert 3 == total.experimental_get_tracing_count()
    ranges = [Dataset.range(3), Dataset.range(4)]
    assert [3, 6] == [int(total(each)) for each in ranges]
    assert 4 == total.experimental_get_tracing_count()


def test_a_closure_a_default_and_an_attribute():
    class Held:
        dataset = rows([3, 4]).batch(2)

    outer = rows([1, 2]).enumerate()

    @ag.function
    def f(default=rows([5])):  # noqa: B008
        return [x for _, x in outer], sum(default), [rt.reduce_sum(x) for x in Held.dataset]

    assert [[1, 2], 5, [7]] == plain(f())


def test_what_is_returned_is_a_dataset():
    @ag.function
    def f(v):
        return {"rows": rows(v).map(lambda x: x + rt.reduce_sum(v))}

    found = f(rt.constant([1, 2]))["rows"]
    assert isinstance(found, Dataset)
    assert [4, 5] == nest.map_structure(int, list(found))
    assert [4, 5] == plain(ag.function(lambda: list(found))())


def test_one_that_is_left_in_an_attribute_is_there_after_the_call():
    class Reader:
        def __init__(self, dataset):
            self.dataset = dataset

        def read(self, count):
            taken = [x for x in self.dataset.take(count)]
            self.dataset = self.dataset.skip(count).map(lambda x: x + rt.cast(count, rt.int32))
            return taken

    eager, staged = (Reader(rows([1, 2, 3, 4])) for _ in range(2))
    read = ag.function(staged.read)
    for count in map(rt.constant, (1, 2, 0)):
        assert plain(eager.read(count)) == plain(read(count))
    assert plain(list(eager.dataset)) == plain(list(staged.dataset)) == [7]


def test_a_concrete_function_takes_one_of_the_same_form():
    concrete = ag.function(lambda dataset: sum(dataset)).get_concrete_function(Dataset.range(3))
    assert 6 == int(concrete(Dataset.range(4)))
    with pytest.raises(ValueError, match="not of the form it was traced with"):
        concrete(Dataset.range(4).skip(1))


def test_each_run_begins_anew():
    dataset = Dataset.range(3)

    @ag.function
    def f(limit):
        return [x for x in dataset if x < limit]

    for _ in range(2):
        assert [0, 1] == plain(f(rt.constant(2, rt.int64)))
    assert 1 == f.experimental_get_tracing_count()
