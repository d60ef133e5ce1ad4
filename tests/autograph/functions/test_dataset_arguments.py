# ruff: noqa: C416
"""Datasets as arguments, closure variables, results and state of Functions."""

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


def test_a_dataset_argument_is_keyed_by_its_element_spec():
    @ag.function
    def total(dataset):
        found = 0
        for x in dataset:
            found += x
        return found

    doubled = rows([4, 5]).map(lambda x: 2 * x)
    given = [rows([1, 2, 3]), rows([4, 5, 6]), rows([4, 5]), doubled, doubled]
    assert [6, 15, 9, 18, 18] == [int(total(each)) for each in given]
    assert 1 == total.experimental_get_tracing_count()
    ranges = [Dataset.range(3), Dataset.range(4).skip(1), Dataset.range(9).filter(lambda x: x > 7)]
    assert [3, 6, 8] == [int(total(each)) for each in ranges]
    assert 2 == total.experimental_get_tracing_count()
    report = ag.explain_retrace(total)
    assert "total(dataset: Dataset of int64[])" == report.traces[1].call
    assert "Dataset of int32[]" == report.traces[1].changes[0].old


def test_steps_on_an_argument_and_its_length():
    @ag.function
    def f(dataset, size):
        count = len(dataset)
        rows = [x for x in dataset.map(lambda x: x * 10).batch(size)]
        return count, dataset.cardinality(), rows

    for n in (5, 0, 2):
        count, size, found = f(Dataset.range(n), rt.constant(2))
        assert (n, n) == (int(count), int(size))
        assert [[10 * at for at in range(k, min(k + 2, n))] for k in range(0, n, 2)] == plain(found)
    for endless, words in [(Dataset.range(3).repeat(), "is infinite"), (limited(), "is unknown")]:
        with pytest.raises(TypeError, match=words):
            ag.function(lambda dataset: len(dataset))(endless)


def limited():
    return Dataset.range(3).filter(lambda x: x > 1)


def test_a_dataset_passed_twice_is_one_object():
    @ag.function
    def f(a, b):
        return a is b, [x + y for x, y in zip(a, b)]

    one = Dataset.range(2)
    assert [True, [0, 2]] == plain(f(one, one))
    assert [False, [0, 2]] == plain(f(one, Dataset.range(2)))


def test_a_closure_a_default_and_an_attribute():
    class Held:
        dataset = rows([3, 4]).batch(2)

    outer = rows([1, 2]).enumerate()

    @ag.function
    def f(default=rows([5])):  # noqa: B008
        return [x for _, x in outer], sum(default), [rt.reduce_sum(x) for x in Held.dataset]

    assert [[1, 2], 5, [7]] == plain(f())


def test_a_returned_dataset_is_a_dataset():
    @ag.function
    def f(v):
        return {"rows": rows(v).map(lambda x: x + rt.reduce_sum(v))}

    found = f(rt.constant([1, 2]))["rows"]
    assert isinstance(found, Dataset)
    assert [4, 5] == nest.map_structure(int, list(found))
    assert [4, 5] == plain(ag.function(lambda: list(found))())


def test_a_dataset_assigned_to_an_attribute_is_there_after_the_call():
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


def test_a_concrete_function_takes_datasets_of_the_same_spec():
    concrete = ag.function(lambda dataset: sum(dataset)).get_concrete_function(Dataset.range(3))
    assert 6 == int(concrete(Dataset.range(4)))
    assert 6 == int(concrete(Dataset.range(4).skip(1)))
    refused = rt.errors.InvalidArgumentError
    with pytest.raises(refused, match="'dataset' was expected to be a Dataset of .*int64"):
        concrete(rows([1]))
    with pytest.raises(refused, match="'dataset' was expected to be a Dataset but is 1"):
        concrete(1)


def test_each_run_restarts_the_dataset():
    dataset = Dataset.range(3)

    @ag.function
    def f(limit):
        return [x for x in dataset if x < limit]

    for _ in range(2):
        assert [0, 1] == plain(f(rt.constant(2, rt.int64)))
    assert 1 == f.experimental_get_tracing_count()
