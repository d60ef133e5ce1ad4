# ruff: noqa: C416, C417
"""Datasets in staged code: a graph iterates over the same elements as Python."""

from __future__ import annotations

from functools import reduce

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import BranchMismatch, StagedIterationError, StagingError
from runtime.data import Dataset

VALUES = [[3, -1, 2, 5], [7], [0, 4]]
INTS = rt.TensorSpec([None], rt.int32)


def rows(v):
    return Dataset.from_tensor_slices(v)


def plain(result):
    if isinstance(result, list | tuple):
        return [plain(each) for each in result]
    return result.numpy().tolist() if isinstance(result, rt.Tensor) else result


def outcome(function, values):
    try:
        return plain(function(values))
    except Exception as error:
        return type(error).__name__, str(error).splitlines()[0]


def agree(function, values=VALUES, unsized=True):
    """Check that a function has the same outcome eagerly and staged, for each of some vectors."""
    staged = [ag.function(function)]
    staged += [ag.function(function, input_signature=[INTS])] if unsized else []
    for each in values:
        expected = outcome(function, rt.constant(each, rt.int32))
        assert [expected] * len(staged) == [outcome(f, rt.constant(each, rt.int32)) for f in staged]


# -- loops -----------------------------------------------------------------------------------------


def test_a_loop_with_jumps():
    def f(v):
        total = 0
        for x in rows(v):
            if x < 0:
                continue
            if x > 4:
                break
            total += x
        else:
            total += 100
        return total

    agree(f)
    assert 1 == len(graph_of(f).get_nodes_by_op("while_loop"))


def graph_of(function):
    return ag.function(function).get_concrete_function(INTS).graph


def test_an_inner_loop_restarts_its_dataset():
    def f(v):
        pairs = []
        for x in rows(v):
            for y in rows(v).take(x):
                if y == 2:
                    break
                pairs.append(x * 10 + y)
        return pairs

    agree(f)


def test_a_loop_with_a_break_takes_no_further_element():
    def f(v):
        total = 0
        for x in rows(v).map(lambda x: 12 // x):
            total += x
            if total > 5:
                break
        return total

    agree(f, [[2, 0], [6, 3, 0], [0]])


def test_any_and_all_stop_at_the_first_decisive_element():
    def f(v):
        quotients = rows(v).map(lambda x: 12 // x)
        return any(x > 5 for x in quotients), all(x < 6 for x in quotients)

    agree(f, [[2, 0], [12, 6, 2, 0], [3]])


def test_an_unused_element_that_fails_still_raises():
    def f(v):
        for _ in rows(v).map(lambda x: 12 // x):
            pass
        return 1

    agree(f, [[2, 0], [2]])


def test_structures_and_short_batches():
    def f(v):
        found = []
        for batch in Dataset.from_tensor_slices({"x": v, "y": (v, v)}).batch(2):
            found.append((batch["x"], rt.shape(batch["y"][1])[0]))
        return found

    agree(f)


def test_dataset_steps_with_tensor_arguments():
    def f(v):
        n = v[0]
        dataset = rows(v).skip(n - n).take(n).repeat(2).enumerate(n).batch(rt.maximum(n, 1))
        return [(rt.cast(at, rt.int32), x) for at, x in dataset], list(Dataset.range(n, 9, 2))

    agree(f)


def test_a_dataset_created_in_a_branch():
    def f(v):
        dataset = rows(v).map(lambda x: x + 1)
        other = rows(v)
        if v[0] > 2:
            other = rows(v * 2)
        return sum(dataset), sum(other)

    agree(f)

    def g(v):
        dataset = rows(v)
        if v[0] > 2:
            dataset = dataset.skip(1)
        return sum(dataset)

    with pytest.raises(BranchMismatch, match=r"from_tensor_slices.skip\(1\) vs .* from_tensor_sli"):
        ag.function(g)(rt.constant([1]))


# -- iterators -------------------------------------------------------------------------------------


def test_a_loop_after_next_takes_the_remaining_elements():
    def f(v):
        elements = iter(rows(v))
        first = next(elements)
        total = next(elements, -7)
        for x in elements:
            if x == 2:
                break
            total += x
        return first, total, [x for x in elements], next(elements, -8)

    agree(f)


def test_next_at_the_end_is_pythons_error():
    def f(v):
        elements = iter(rows(v))
        try:
            next(elements)
            return next(elements)
        except StopIteration:
            return rt.constant(-1)

    agree(f)


def test_next_in_loops_and_branches():
    def f(v):
        elements, total = iter(rows(v).repeat()), 0
        while total < 20:
            total += 1 + abs(next(elements))
            if total % 2 == 0:
                total += abs(next(elements))
        return total, next(elements)

    agree(f)


def test_iteration_continues_after_a_caught_element_error():
    def f(v):
        elements, total = iter(rows(v).map(lambda x: 12 // x)), 0
        for _ in rt.range(3):
            try:
                total += next(elements, 1)
            except ZeroDivisionError:
                total += 100
        return total

    agree(f, [[2, 0, 3], [0, 0], [1]])


def test_an_exception_does_not_rewind_an_iterator():
    def f(v):
        elements, total = iter(rows(v)), 0
        try:
            for x in elements:
                total += 12 // x
        except ZeroDivisionError:
            total += 100
        return total, next(elements, -1), [x for x in elements]

    agree(f, [[0, 2, 4], [3, 0, 5, 6], [1, 2, 0], [1, 2], []])


def test_a_loop_in_a_try_in_a_loop():
    def f(v):
        elements, total = iter(rows(v)), 0
        for _ in rt.range(3):
            try:
                for x in elements:
                    total += 12 // x
            except ZeroDivisionError:
                total += 100
        return total

    agree(f, [[0, 2, 0, 0, 3], [0, 0], [1, 2], []])


# -- builtins --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "f",
    [
        lambda v: [(rt.cast(at, rt.int32), x) for at, x in enumerate(rows(v), 2)],
        lambda v: [x * y for x, y in zip(rows(v), rows(v).skip(1))],
        lambda v: [x * y for x, y in zip(rows(v), v * 2)],
        lambda v: list(map(lambda x: -x if x > 2 else x, rows(v))),
        lambda v: list(map(lambda x, y: x - y, rows(v), rows(v).skip(1))),
        lambda v: [x for x in filter(lambda x: x > 2, rows(v))],
        lambda v: [(at, x) for at, x in enumerate(filter(lambda x: x > 2, rows(v)))],
        lambda v: (sum(rows(v)), max(rows(v)), min(rows(v).skip(1), default=9)),
        lambda v: (sorted(rows(v)), list(rows(v)), [*rows(v), 1]),
        lambda v: (v[0] in rows(v), 3 in rows(v), -7 not in rows(v)),
        lambda v: reduce(lambda x, y: x * y + 1, rows(v), 1),
        lambda v: (any(rows(v).map(lambda x: x > 4)), all(x > 0 for x in rows(v))),
        lambda v: (isinstance(rows(v), Dataset), rows(v) is None, bool(rows(v)), not rows(v)),
    ],
)
def test_builtins_iterate_over_a_dataset(f):
    agree(f)


def test_a_dataset_is_unpacked():
    def f(v):
        first, *others = rows(v)
        (only,) = rows(v).take(1)
        return first, others, only

    agree(f)


def test_len_of_a_dataset_is_known_or_raises():
    agree(lambda v: len(rows(v)))
    agree(lambda v: len(rows(v).batch(2).skip(1)))
    filtered = ag.function(lambda v: len(rows(v).filter(lambda x: x > 1)), input_signature=[INTS])
    with pytest.raises(TypeError, match="the length of the dataset is unknown"):
        filtered(rt.constant([1]))


@pytest.mark.parametrize(
    "f, message",
    [
        (lambda v: tuple(rows(v)), "make a list of it"),
        (lambda v: set(rows(v)), "keep a list"),
        (lambda v: list(zip(rows(v), ["a"])), "make a dataset of that, too"),
        (lambda v: list(zip(iter(rows(v)), v)), "use the methods of the dataset, such as zip"),
    ],
)
def test_unsupported_dataset_operations_are_refused_with_a_reason(f, message):
    with pytest.raises(StagingError, match=message):
        plain(ag.function(f)(rt.constant([1, 2])))


@pytest.mark.parametrize("f", [lambda v: next(rows(v)), lambda v: list(reversed(rows(v)))])
def test_next_and_reversed_of_a_dataset_raise_type_error(f):
    for called in (f, ag.function(f)):
        with pytest.raises(TypeError, match="'Dataset' object is not (an iterator|reversible)"):
            called(rt.constant([1, 2]))


def test_an_iterator_in_its_own_loop_is_refused():
    def f(v):
        elements = iter(rows(v))
        for x in elements:
            x = x + next(elements)
        return x

    with pytest.raises(StagedIterationError, match="a `for` iterates over it"):
        ag.function(f)(rt.constant([1, 2]))


def test_user_objects_and_generators_over_datasets():
    class Reader:
        def __init__(self, dataset):
            self.dataset = dataset

        def __iter__(self):
            return iter(self.dataset)

    agree(lambda v: [x + 1 for x in Reader(rows(v))])

    def each(dataset):
        for x in dataset:
            yield x + 1

    def asked(dataset):
        for x in dataset:
            _ = yield x + 1

    agree(lambda v: list(each(rows(v))))
    agree(lambda v: next(each(rows(v))))
    agree(lambda v: next(asked(rows(v))))


def test_a_dataset_that_is_none_on_one_path():
    def f(v):
        dataset = None
        if v[0] > 2:
            dataset = rows(v)
        return -1 if dataset is None else sum(dataset)

    agree(f)
