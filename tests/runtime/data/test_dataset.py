"""Datasets iterated over eagerly agree with Python's iterators and NumPy."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from autograph.compat import tensorflow as tf
from runtime import nest
from runtime.data import Dataset
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    GraphError,
    OutOfRangeError,
    ShapeError,
)

Point = collections.namedtuple("Point", "x y")
INT, LONG = rt.TensorSpec((), rt.int32), rt.TensorSpec((), rt.int64)


def shown(dataset: Any) -> list[Any]:
    """The elements with plain Python values in the places of tensors."""
    return [nest.map_structure(lambda t: np.asarray(t.numpy()).tolist(), each) for each in dataset]


# -- sources ---------------------------------------------------------------------------------------


def test_rows_of_a_tensor() -> None:
    matrix = np.arange(6, dtype=np.float64).reshape(3, 2)
    assert matrix.tolist() == shown(Dataset.from_tensor_slices(matrix))
    assert [b"a", b"b"] == [row.numpy() for row in Dataset.from_tensor_slices(["a", "b"])]


@pytest.mark.parametrize(
    "tensors, elements",
    [
        (([1, 2], [3, 4]), [(1, 3), (2, 4)]),
        ({"b": [1, 2], "a": ([3, 4],)}, [{"b": 1, "a": (3,)}, {"b": 2, "a": (4,)}]),
        (Point([1], [[2, 3]]), [Point(1, [2, 3])]),
        ([[1, 2], [3, 4]], [[1, 2], [3, 4]]),
        ([rt.constant([1, 2]), rt.constant([3, 4])], [[1, 2], [3, 4]]),
        (rt.Variable([5, 6]), [5, 6]),
    ],
)
def test_rows_keep_the_structure(tensors: Any, elements: list[Any]) -> None:
    found = shown(Dataset.from_tensor_slices(tensors))
    assert elements == found
    assert list(map(type, elements)) == list(map(type, found))


def test_tensors_of_other_lengths_and_scalars_have_no_rows() -> None:
    with pytest.raises(ShapeError, match="number of rows, not 1 and 2"):
        Dataset.from_tensor_slices(([1], [1, 2]))
    with pytest.raises(ShapeError, match="a scalar has no rows; from_tensors takes it whole"):
        Dataset.from_tensor_slices(3)
    with pytest.raises(ArgumentValueError, match="no tensor is given"):
        Dataset.from_tensor_slices(())


def test_one_element_of_whole_tensors() -> None:
    assert [([1, 2], 3)] == shown(Dataset.from_tensors(([1, 2], 3)))


@given(st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([-3, -1, 1, 2]))
def test_range_agrees_with_python(start: int, stop: int, step: int) -> None:
    assert list(range(start, stop, step)) == shown(Dataset.range(start, stop, step))
    assert len(range(start, stop, step)) == len(Dataset.range(start, stop, step))


def test_the_dtype_of_numbers() -> None:
    assert LONG == Dataset.range(3).element_spec
    assert INT == Dataset.range(3, output_type=rt.int32).element_spec
    assert [rt.int32] * 2 == [each.dtype for each in Dataset.range(2, output_type=rt.int32)]
    with pytest.raises(DTypeError, match="range takes whole numbers, not float32"):
        Dataset.range(2.5)
    with pytest.raises(ArgumentValueError, match="range: the step is 0"):
        list(Dataset.range(0, 3, 0))


# -- steps -----------------------------------------------------------------------------------------


@given(st.integers(0, 7), st.integers(-2, 9))
def test_take_skip_and_repeat_agree_with_itertools(length: int, count: int) -> None:
    numbers, dataset = list(range(length)), Dataset.range(length)
    whole = length if count < 0 else count
    assert numbers[:whole] == shown(dataset.take(count))
    assert ([] if count < 0 else numbers[count:]) == shown(dataset.skip(count))
    if count >= 0:
        assert numbers * count == shown(dataset.repeat(count))
        assert len(numbers * count) == len(dataset.repeat(count))
    assert len(numbers[:whole]) == len(dataset.take(count))


@given(st.integers(0, 7), st.integers(1, 4), st.booleans())
def test_batches_are_slices(length: int, size: int, drops: bool) -> None:
    numbers = np.arange(length)
    starts = range(0, length - (size - 1 if drops else 0), size)
    batched = Dataset.range(length).batch(size, drop_remainder=drops)
    assert [numbers[at : at + size].tolist() for at in starts] == shown(batched)
    assert len(starts) == len(batched)
    assert (size if drops else None,) == tuple(batched.element_spec.shape)


def test_batches_of_structures() -> None:
    dataset = Dataset.from_tensor_slices({"x": [[1, 2], [3, 4], [5, 6]], "s": ["a", "b", "c"]})
    first, last = dataset.batch(2)
    assert [[1, 2], [3, 4]] == first["x"].numpy().tolist()
    assert [b"c"] == last["s"].numpy().tolist()
    assert rt.TensorSpec((None, 2), rt.int32) == dataset.batch(2).element_spec["x"]


def test_a_batch_is_of_elements_of_one_shape_and_not_empty() -> None:
    growing = Dataset.range(1, 4).map(lambda n: rt.range(n))
    with pytest.raises(ShapeError, match=r"batch: elements of shapes \(1,\) and \(2,\) cannot be"):
        list(growing.batch(2))
    with pytest.raises(ArgumentValueError, match="batch_size must be at least 1, not 0"):
        growing.batch(0)


def test_repeat_without_an_end() -> None:
    assert [0, 1, 0, 1, 0] == shown(Dataset.range(2).repeat().take(5))
    assert [] == shown(Dataset.range(0).repeat())
    assert [1, 1] == shown(Dataset.range(2).filter(lambda n: n > 0).repeat(2))


def test_enumerate_and_zip_agree_with_python() -> None:
    letters, numbers = Dataset.from_tensor_slices(["a", "b"]), Dataset.range(5)
    assert list(enumerate([b"a", b"b"], 3)) == shown(letters.enumerate(3))
    assert list(zip([b"a", b"b"], range(5))) == shown(Dataset.zip(letters, numbers))
    assert shown(Dataset.zip((letters, numbers))) == shown(Dataset.zip(letters, numbers))
    nested = Dataset.zip({"b": letters, "a": (numbers, numbers.skip(1))})
    assert [{"b": b"a", "a": (0, 1)}, {"b": b"b", "a": (1, 2)}] == shown(nested)
    assert {"a": (LONG, LONG), "b": letters.element_spec} == nested.element_spec
    with pytest.raises(TypeError, match="zip takes datasets, or a tuple or dict of them"):
        Dataset.zip(letters, [1, 2])


# -- functions -------------------------------------------------------------------------------------


def collatz(n):
    if n % 2 == 0:
        return n // 2
    return 3 * n + 1


def test_a_function_is_converted_and_called_for_each_element() -> None:
    assert [collatz(n) for n in range(6)] == shown(Dataset.range(6).map(collatz))
    pairs = Dataset.from_tensor_slices(([1, 2], [3, 4]))
    assert [(4, [1, 3]), (6, [2, 4])] == shown(pairs.map(lambda x, y: (x + y, [x, y])))
    assert [{"x": 3}, {"x": 4}] == shown(pairs.map(lambda x, y: {"x": y}))
    assert [7, 7] == shown(pairs.map(lambda x, y: 7))


def test_filter_selects_elements() -> None:
    def is_even(n):
        if n % 2 == 0:
            return True
        return False

    assert [0, 2, 4] == shown(Dataset.range(5).filter(is_even))
    with pytest.raises(DTypeError, match="filter: the function must return one bool, not int64"):
        Dataset.range(5).filter(lambda n: n)
    with pytest.raises(ShapeError, match=r"must return one bool, not shape \(1,\)"):
        Dataset.range(5).filter(lambda n: rt.reshape(n > 0, (1,)))


def test_map_refuses_values_that_are_no_functions_and_none_results() -> None:
    with pytest.raises(TypeError, match="map takes a function, not 3"):
        Dataset.range(5).map(3)
    with pytest.raises(TypeError, match="map: the function returns None where a tensor is needed"):
        Dataset.range(5).map(lambda n: None)


def test_a_variable_is_read_when_the_element_is_computed() -> None:
    factor = rt.Variable(2, dtype=rt.int64)
    dataset = Dataset.range(3).map(lambda n: n * factor)
    assert [0, 2, 4] == shown(dataset)
    factor.assign(5)
    assert [0, 5, 10] == shown(dataset)


def test_elements_are_computed_lazily() -> None:
    quotients = iter(Dataset.from_tensor_slices([1, 0, 2]).map(lambda x: 10 // x))
    assert 10 == int(next(quotients))
    with pytest.raises(ZeroDivisionError):
        next(quotients)
    assert 5 == int(next(quotients)), "as in Python's map, who catches it may go on"
    assert [] == list(quotients)


# -- what is known ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make, size",
    [
        (lambda: Dataset.range(4), 4),
        (lambda: Dataset.range(4).filter(lambda n: n > 0), -2),
        (lambda: Dataset.range(4).repeat(), -1),
        (lambda: Dataset.range(4).repeat().take(3), 3),
        (lambda: Dataset.range(4).repeat().skip(3), -1),
        (lambda: Dataset.range(4).filter(lambda n: n > 0).take(0), 0),
        (lambda: Dataset.range(4).map(lambda n: n).enumerate().skip(1), 3),
        (lambda: Dataset.zip(Dataset.range(4), Dataset.range(3).repeat()), 4),
        (lambda: Dataset.zip(Dataset.range(4), Dataset.range(9).filter(lambda n: n > 0)), -2),
        (lambda: Dataset.range(4).repeat().batch(2), -1),
        (lambda: Dataset.from_tensors(1), 1),
    ],
)
def test_cardinality_and_len(make: Callable[[], Dataset], size: int) -> None:
    dataset = make()
    assert size == int(dataset.cardinality())
    if size >= 0:
        assert size == len(dataset) == len(shown(dataset))
    else:
        with pytest.raises(TypeError, match="is infinite" if size == -1 else "unknown"):
            len(dataset)


def test_a_dataset_has_a_repr_and_is_true() -> None:
    dataset = Dataset.range(0).map(collatz).batch(2).take(3).repeat()
    assert (
        "<rt.data.Dataset: range.map(collatz).batch(2).take(3).repeat(), "
        "element_spec=TensorSpec(shape=(None,), dtype=rt.int64, name=None)>" == repr(dataset)
    )
    assert bool(dataset)


def test_plans_compare_by_their_steps() -> None:
    def plan(dataset: Dataset) -> object:
        return nest.form_of(dataset)

    assert plan(Dataset.range(3)) == plan(Dataset.range(4))
    assert hash(plan(Dataset.range(3))) == hash(plan(Dataset.range(4)))
    assert plan(Dataset.range(3).batch(2)) != plan(Dataset.range(3).batch(3))
    rows = [Dataset.from_tensor_slices(each) for each in ([1], [2, 3], [1.0], {"x": [1]})]
    assert [True, False, False] == [plan(rows[0]) == plan(other) for other in rows[1:]]


# -- iteration ------------------------------------------------------------------------------------


def test_each_iterator_starts_from_the_beginning() -> None:
    dataset = Dataset.range(3)
    one, other = iter(dataset), iter(dataset)
    assert [0, 1, 0, 2] == [int(next(each)) for each in (one, one, other, one)]
    assert LONG == one.element_spec
    assert iter(one) is one
    with pytest.raises(OutOfRangeError, match="no item is left"):
        one.get_next()
    with pytest.raises(StopIteration):
        next(one)
    assert 1 == int(other.get_next())


def test_arrays_in_the_places_of_tensors() -> None:
    elements = list(Dataset.from_tensor_slices({"x": [1, 2]}).as_numpy_iterator())
    assert [{"x": 1}, {"x": 2}] == elements
    assert all(isinstance(each["x"], (np.ndarray, np.generic)) for each in elements)


def test_iterating_in_python_while_recording_is_refused() -> None:
    begun = iter(Dataset.range(3))
    with rt.Graph("g").recording():
        with pytest.raises(GraphError, match="with a `for` statement of converted code"):
            iter(Dataset.range(3))
        with pytest.raises(GraphError, match="with a `for` statement of converted code"):
            iter(begun)
    assert 0 == int(next(begun))


def test_a_dataset_of_symbolic_tensors_is_not_iterated_eagerly() -> None:
    graph = rt.Graph("g")
    rows = graph.add_input(rt.TensorSpec((3,), rt.int32), "rows")
    with graph.recording():
        dataset = Dataset.from_tensor_slices(rows)
    with pytest.raises(GraphError, match="which has a value only in its graph"):
        iter(dataset)


def test_a_long_dataset_is_iterated_lazily() -> None:
    dataset = Dataset.range(10**15).map(lambda n: n + 1).repeat()
    assert [1, 2, 3] == shown(itertools.islice(dataset, 3))


def test_the_names_of_tensorflow() -> None:
    assert Dataset is tf.data.Dataset
    mapped = tf.data.Dataset.range(2).map(lambda n: n, num_parallel_calls=tf.data.AUTOTUNE)
    assert [0, 1] == shown(mapped)
    assert tf.data.UNKNOWN_CARDINALITY == int(mapped.filter(lambda n: n > 0).cardinality())


def test_values_do_not_make_a_dataset_at_once() -> None:
    for values in ((), ([1, 2],)):
        with pytest.raises(DTypeError, match="write Dataset.from_tensor_slices"):
            Dataset(*values)


def test_errors_name_an_element_as_the_function_does() -> None:
    pairs = Dataset.from_tensor_slices(([1, 2], [3, 4]))
    with pytest.raises(TypeError, match=r'Tensor\("count:0"'):
        pairs.map(lambda each, count: count.numpy())
    with pytest.raises(TypeError, match=r'Tensor\("row_0:0"'):
        Dataset.from_tensors({"a": 1, "b": 2}).map(lambda row: row["a"].numpy())
