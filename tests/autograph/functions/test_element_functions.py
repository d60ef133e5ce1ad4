# ruff: noqa: C416
"""Functions passed to datasets: converted, traced once, with warnings of trace-time effects."""

from __future__ import annotations

import itertools

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ContainerMutationError, ConversionError, TraceEffectWarning
from runtime.data import Dataset
from runtime.errors import OutOfScopeError


def shown(dataset):
    return [int(each) for each in dataset]


def test_a_function_is_converted_also_where_functions_run_eagerly():
    def collatz(n):
        steps = 0
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    assert [0, 0, 1, 7] == shown(Dataset.range(4).map(collatz))
    ag.run_functions_eagerly(True)
    try:
        assert [0, 0, 1, 7] == shown(Dataset.range(4).map(collatz))
        assert [0, 0, 1, 7] == shown(Dataset.range(4).map(ag.function(collatz)).map(lambda n: n))
    finally:
        ag.run_functions_eagerly(False)


def test_methods_functions_and_operations():
    class Scale:
        factor = 3

        def __call__(self, n):
            return self.by(n)

        def by(self, n):
            return n * self.factor if n > 1 else n

    for function in (Scale(), Scale().by, ag.function(Scale().by), ag.convert(Scale().by)):
        assert [0, 1, 6] == shown(Dataset.range(3).map(function))
    assert [0, 1, 4] == shown(Dataset.range(3).map(rt.square))


def test_an_element_function_is_traced_once(capsys):
    def tripled(n):
        print("tracing", n.dtype.name)
        return 3 * n

    dataset = Dataset.range(3).map(tripled)
    assert [0, 3, 6] * 2 == shown(dataset) + shown(dataset)
    assert "tracing int64\n" == capsys.readouterr().out


class Counter:
    total = 0


@pytest.mark.parametrize("staged", [False, True])
def test_no_symbolic_tensor_leaks_into_existing_objects(staged):
    kept, counter = [], Counter()

    def keeps(n):
        kept.append(n)
        return n

    def counts(n):
        counter.total = counter.total + n
        return n

    for function, name in ((keeps, r"kept\[0\]"), (counts, "counter.total")):

        def mapped(function=function):
            return Dataset.range(2).map(function)

        with pytest.raises(ContainerMutationError, match=f"'{name}' is changed by a function of"):
            ag.function(mapped)() if staged else mapped()
    assert ([], 0) == (kept, counter.total)


mapped_so_far = 0
mapped_last = ""


@pytest.mark.parametrize("staged", [False, True])
def test_effects_of_the_trace_happen_once_and_are_warned_of(staged):
    global mapped_so_far, mapped_last
    mapped_so_far, mapped_last = 0, ""
    log, numbers, counter, counts, count = [], itertools.count(), Counter(), {"calls": 0}, 0

    def logs(n):
        log.append("traced")
        return n

    def draws(n):
        return n + 0 * next(numbers)

    def sets_an_attribute(n):
        counter.total += 1
        return n

    def sets_an_item(n):
        counts["calls"] += 1
        return n

    def rebinds(n):
        nonlocal count
        count += 1
        return n

    def rebinds_a_global(n):
        global mapped_so_far
        mapped_so_far += 1
        return n

    def assigns_a_global(n):
        global mapped_last
        mapped_last = "n"
        return n

    functions = {
        rebinds_a_global: "test_element_functions.mapped_so_far",
        assigns_a_global: "test_element_functions.mapped_last",
        logs: r"log\[0\]",
        draws: "numbers",
        sets_an_attribute: "counter.total",
        sets_an_item: r"counts\['calls'\]",
        rebinds: "count",
    }
    for function, name in functions.items():

        def mapped(function=function):
            return Dataset.range(3).map(function)

        with pytest.warns(TraceEffectWarning, match=f"'{name}' is changed by a function of"):
            dataset = ag.function(mapped)() if staged else mapped()
        assert [0, 1, 2] * 2 == shown(dataset) + shown(dataset)
    assert (["traced"], 1, 1, 1) == (log, counter.total, counts["calls"], count)
    assert (1, 1, "n") == (next(numbers), mapped_so_far, mapped_last)


def test_local_lists_of_an_element_function_may_grow():
    def spread(n):
        parts = [n]
        for k in range(2):
            parts.append(n + k)
        return rt.reduce_sum(parts)

    assert [1, 4, 7] == shown(Dataset.range(3).map(spread))


def test_a_dataset_captures_tensors_of_the_trace():
    @ag.function
    def f(v, limit):
        total = 0
        for step in rt.range(2):
            scaled = Dataset.from_tensor_slices(v).map(lambda x: x * limit + step)
            for x in scaled.filter(lambda x: x > limit):
                total += x
        return total

    v, limit = [1, 2, 3], 2
    expected = sum(y for k in range(2) for y in (x * limit + k for x in v) if y > limit)
    assert expected == int(f(rt.constant(v), rt.constant(limit)))


def test_a_tensor_of_another_graph_is_refused():
    graph = rt.Graph("other")
    stranger = graph.add_input(rt.TensorSpec((), rt.int64), "stranger")
    with pytest.raises(OutOfScopeError, match="stranger"):
        Dataset.range(2).map(lambda n: n + stranger)


def test_an_error_names_the_line_of_the_function():
    def quotient(x):
        return 12 // x

    dataset = Dataset.from_tensor_slices([0]).map(quotient)
    for function in (lambda: list(dataset), ag.function(lambda: [x for x in dataset])):
        with pytest.raises(ZeroDivisionError) as caught:
            function()
        assert any(entry.name == "quotient" for entry in caught.traceback), caught.traceback


def test_a_generator_is_refused():
    def each(n):
        yield n

    with pytest.raises(ConversionError, match="'each' is a generator"):
        Dataset.range(2).map(each)


def test_recursion_ended_by_the_element():
    def factorial(n):
        if n < 2:
            return n * 0 + 1
        return n * factorial(n - 1)

    assert [1, 1, 2, 6, 24] == shown(Dataset.range(5).map(factorial))


def test_element_functions_that_raise_in_a_try():
    def f(v):
        total = 0
        try:
            for x in Dataset.from_tensor_slices(v).map(lambda x: 12 // x):
                total += x
        except ZeroDivisionError:
            total += 100
        return total

    for values in ([1, 2], [3, 0, 2], [0]):
        assert int(f(rt.constant(values))) == int(ag.function(f)(rt.constant(values)))


def test_variables_are_assigned_for_each_element_taken():
    made = rt.Variable(0)

    def counted(x):
        made.assign_add(1)
        return x

    def f(v, limit):
        before = made.read_value()
        for x in Dataset.from_tensor_slices(v).map(counted):
            if x > limit:
                break
        return made.read_value() - before

    given = rt.constant([1, 2, 3]), rt.constant(1)
    assert [2, 2] == [int(f(*given)), int(ag.function(f)(*given))]
    assert 4 == int(made.read_value())


def adds_to_a_list(counts, state, element):
    counts[0] += 1
    return state + counts[0]


def appends(counts, state, element):
    counts.append(1)
    return state + len(counts) - 1


def of_pairs(counts, state, element):
    counts[0] += 1
    return state[0] + counts[0], state[1] + element


def in_branches(counts, state, element):
    counts[0] += 1
    if element > 0:
        return state + counts[0]
    return state


@pytest.mark.parametrize("wrap", [lambda function: function, ag.function], ids=["eager", "traced"])
@pytest.mark.parametrize(
    ("reducing", "first", "sums"),
    [
        (adds_to_a_list, 0, [3]),
        (appends, 0, [3]),
        (of_pairs, (0, 0), [3, 3]),
        (in_branches, 0, [2]),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_reduce_traces_its_function_once(reducing, first, sums, wrap):
    counts = [0]

    @wrap
    def reduced():
        state = rt.nest.map_structure(lambda n: rt.constant(n, rt.int64), first)
        return Dataset.range(3).reduce(state, lambda s, n: reducing(counts, s, n))

    with pytest.warns(TraceEffectWarning) as told:
        found = [int(each) for each in rt.nest.flatten(reduced())]
    assert (sums, 1) == (found, max(counts[0], len(counts) - 1))
    assert 1 == len({(each.filename, each.lineno) for each in told})


def test_a_failure_of_a_reduced_function_is_at_its_line() -> None:
    @ag.function
    def reduced(k):
        ten = rt.constant(10, rt.int64)
        return Dataset.range(5).reduce(ten, lambda s, n: s // (n - k))

    with pytest.raises(rt.errors.DivisionByZeroError) as caught:
        reduced(rt.constant(3, rt.int64))
    line = reduced.python_function.__code__.co_firstlineno + 3
    assert line == caught.value.origin.line
