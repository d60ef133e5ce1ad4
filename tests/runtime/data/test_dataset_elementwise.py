"""Methods that iterate over elements one by one."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.data import Dataset, Options
from runtime.errors import ArgumentValueError, DTypeError, InvalidArgumentError, OpError


def shown(dataset: Any) -> list[Any]:
    return [each.numpy().tolist() for each in dataset]


def test_reduce_with_states_of_any_kind() -> None:
    dataset = Dataset.range(1, 5)
    assert 10 == int(dataset.reduce(rt.constant(0, rt.int64), lambda s, n: s + n))
    assert rt.int64 == dataset.reduce(0, lambda s, n: s + n).dtype
    count, largest = dataset.reduce((0, rt.constant(0, rt.int64)), larger)
    assert (4, 4) == (int(count), int(largest))
    joined = dataset.reduce(rt.zeros([0], rt.int64), lambda s, n: rt.concat([s, [n]], 0))
    assert [1, 2, 3, 4] == joined.numpy().tolist()
    assert 7 == int(Dataset.range(0).reduce(7, lambda s, n: s + 1))
    pairs = Dataset.zip(dataset, dataset)
    assert 30 == int(pairs.reduce(0, lambda s, pair: s + pair[0] * pair[1]))


def larger(state, n):
    count, largest = state
    if n > largest:
        largest = n
    return count + 1, largest


def test_reduce_in_a_function() -> None:
    @ag.function
    def reduced(dataset, start):
        total = dataset.reduce(start, lambda s, n: s + n if n > 1 else s)
        rows = dataset.reduce(rt.zeros([0], rt.int64), lambda s, n: rt.concat([s, [n]], 0))
        return total, rows

    total, rows = reduced(Dataset.range(4), rt.constant(10, rt.int64))
    assert 15 == int(total)
    assert [0, 1, 2, 3] == rows.numpy().tolist()


def test_a_state_that_changes_its_kind_is_refused() -> None:
    with pytest.raises(DTypeError, match="reduce: the state is int64 and the function returns flo"):
        Dataset.range(3).reduce(rt.constant(0, rt.int64), lambda s, n: rt.cast(n, rt.float32))
    with pytest.raises(ArgumentValueError, match="reduce: the function must return a state of"):
        Dataset.range(3).reduce(0, lambda s, n: (s, s))
    with pytest.raises(
        DTypeError, match="scan: the function must return a tuple of the next state"
    ):
        Dataset.range(3).scan(0, lambda s, n: s)


def test_scan_and_take_while_in_a_function() -> None:
    @ag.function
    def f(n):
        numbers = Dataset.range(n).scan(0, lambda s, x: (s + x, {"sum": s + x}))
        total = rt.constant(0, rt.int64)
        for each in numbers.take_while(lambda each: each["sum"] < 9):
            if each["sum"] == 3:
                continue
            total += each["sum"]
        return total

    assert 0 + 1 + 6 == int(f(rt.constant(9, rt.int64)))


def test_shard() -> None:
    assert [1, 4, 7] == shown(Dataset.range(10).shard(3, 1))
    assert 3 == len(Dataset.range(10).shard(3, 1))
    assert [[1, 5], [9]] == shown(Dataset.range(10).filter(lambda n: n >= 0).shard(4, 1).batch(2))
    for wrong in ((3, 3), (3, -1), (0, 0)):
        with pytest.raises(ArgumentValueError, match="shard: "):
            Dataset.range(3).shard(*wrong)


def test_a_single_element() -> None:
    assert 3 == int(Dataset.from_tensors(3).get_single_element())
    with pytest.raises(InvalidArgumentError, match="the dataset is empty"):
        Dataset.range(0).get_single_element()
    with pytest.raises(InvalidArgumentError, match="more than one element"):
        Dataset.range(2).get_single_element()
    single = ag.function(lambda d: d.get_single_element())
    assert 0 == int(single(Dataset.range(1)))
    with pytest.raises(InvalidArgumentError, match="more than one element"):
        single(Dataset.range(2))


def test_errors_are_left_out() -> None:
    quotients = Dataset.from_tensor_slices([1, 0, 2, 0]).map(lambda x: 10 // x)
    assert [10, 5] == shown(quotients.ignore_errors())
    assert [[10, 5]] == shown(quotients.ignore_errors().batch(9))
    with pytest.warns(UserWarning, match="an element is left out"):
        shown(quotients.ignore_errors(log_warning=True))


def _failing_generator() -> Any:
    yield 1
    raise ValueError("broken")


def _failing_at_one(x: Any) -> Any:
    if x == 1:
        raise ValueError("one")
    return x


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        (
            lambda: Dataset.from_generator(
                _failing_generator, output_signature=rt.TensorSpec((), rt.int32)
            ),
            [1],
        ),
        (
            lambda: Dataset.range(3).map(lambda x: rt.py_function(_failing_at_one, [x], rt.int64)),
            [0, 2],
        ),
        (
            lambda: Dataset.range(3).map(
                lambda x: rt.numpy_function(_failing_at_one, [x], rt.int64)
            ),
            [0, 2],
        ),
        (
            lambda: (
                Dataset.range(3)
                .map(lambda x: rt.py_function(_failing_at_one, [x], rt.int64))
                .interleave(Dataset.from_tensors)
            ),
            [0, 2],
        ),
    ],
)
def test_errors_of_python_code_are_left_out(dataset: Any, expected: list[int]) -> None:
    with pytest.raises(ValueError, match=r"broken|one"):
        shown(dataset())
    assert expected == shown(dataset().ignore_errors())


def test_apply_prefetch_and_options() -> None:
    assert [1, 2] == shown(Dataset.range(3).apply(lambda d: d.skip(1)).prefetch(-1))
    with pytest.raises(DTypeError, match="apply: the function returns 3, not a dataset"):
        Dataset.range(3).apply(lambda d: 3)
    with pytest.raises(ArgumentValueError, match="prefetch"):
        Dataset.range(3).prefetch(-5)
    options = Options()
    options.deterministic = False
    options.autotune.enabled = True
    dataset = Dataset.range(3).with_options(options).map(lambda n: n)
    options.deterministic = True
    assert (False, True) == (
        dataset.options().deterministic,
        dataset.options().autotune.enabled,
    )
    assert [0, 1, 2] == shown(dataset)
    with pytest.raises(OpError, match="options of a dataset have no 'fast'"):
        options.fast = True
    with pytest.raises(AttributeError):
        options.fast
    with pytest.raises(DTypeError, match=r"with_options takes rt.data.Options, not 3"):
        dataset.with_options(3)


def test_random_numbers() -> None:
    numbers = Dataset.random(seed=4).take(5)
    assert shown(numbers) == shown(numbers) == shown(Dataset.random(seed=4).take(5))
    assert all(0 <= number < 2**32 for number in shown(numbers))
    others = Dataset.random(seed=4, rerandomize_each_iteration=True).take(5)
    assert shown(others) != shown(others)
    assert -1 == int(Dataset.random().cardinality())


@pytest.mark.parametrize("wrong", [2.0, None, "2", True, rt.constant([2]), rt.constant(2.0)])
def test_a_count_that_is_no_integer_is_refused(wrong: Any) -> None:
    dataset = Dataset.range(3)
    steps = [dataset.batch, dataset.take, dataset.skip, dataset.shuffle, dataset.enumerate]
    for step in [*steps, lambda n: dataset.shard(n, 0)]:
        with pytest.raises(DTypeError):
            step(wrong)


def test_numbers_may_be_tensors() -> None:
    three = rt.constant(3)
    assert [[0, 1, 2], [3, 4]] == shown(Dataset.range(5).batch(three))
    assert rt.TensorSpec((3,), rt.int64) == Dataset.range(5).batch(three, True).element_spec
    assert [0, 1, 2] == sorted(shown(Dataset.range(5).take(three).shuffle(three, three)))


def test_a_list_that_a_function_returns_is_a_tuple_of_components() -> None:
    def both(x: Any) -> Any:
        return rt.py_function(lambda v: (v, float(v)), [x], [rt.int64, rt.float32])

    pairs = rt.data.Dataset.range(2).map(both)
    assert list(pairs.as_numpy_iterator()) == [(0, 0.0), (1, 1.0)]
    halves = rt.data.Dataset.from_tensor_slices([[1, 2], [3, 4]]).map(lambda x: rt.split(x, 2))
    assert isinstance(halves.element_spec, tuple)
    nested = rt.data.Dataset.range(2).map(lambda x: (x, [x, x]))
    assert nested.element_spec[1].shape == (2,)
    sums = rt.data.Dataset.range(3).scan(rt.constant(0, rt.int64), lambda s, x: [s + x, s])
    assert list(sums.as_numpy_iterator()) == [0, 0, 1]
