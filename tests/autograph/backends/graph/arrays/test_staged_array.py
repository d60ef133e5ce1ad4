"""NumPy arrays in traces: identity, tracked elements, staged arrays and views."""

from __future__ import annotations

import copy
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.backends.graph.arrays.array_elements import as_operand
from autograph.backends.graph.arrays.array_mutation import store
from autograph.backends.graph.arrays.staged_array import (
    KNOWN,
    StagedArray,
    as_tensor,
    elements,
    is_array,
    is_view,
    put_elements,
    root_of,
    tracking_arrays,
    view_accessors,
)
from autograph.errors import ContainerMutationError, StagingError
from runtime.graph.graph import Graph


def test_writable_numeric_arrays_are_tracked():
    array = np.zeros((2, 3))
    assert is_array(array) and not is_array(np.array(["a"])) and not is_array(np.float64(1))
    assert root_of(array.T[1:]) is array and is_view(array[0]) and not is_view(array)
    array.flags.writeable = False
    assert not is_array(array)


def test_tracked_elements_of_an_array_are_restored():
    array = np.arange(3.0)
    with tracking_arrays(), Graph("f").recording():
        before = elements(array)
        assert elements(array) is before
        array[0] = 9
        assert elements(array) is not before
        store(array, 1, rt.constant(5.0))
        assert isinstance(elements(array), rt.SymbolicTensor)
        assert [9, 1, 2] == array.tolist()
        put_elements(array, before)
        assert [0, 1, 2] == array.tolist() and as_operand(array) is array
    assert KNOWN.get() is None


def test_nested_traces_share_their_tracked_arrays():
    with tracking_arrays():
        known = KNOWN.get()
        with tracking_arrays():
            assert KNOWN.get() is known


def test_a_store_through_a_view_changes_the_array():
    array = np.zeros((2, 3))
    graph = Graph("f")
    with tracking_arrays(), graph.recording():
        row = array[1]
        store(row, 2, rt.constant(4.0))
        column = as_operand(array)[:, 2]
        column[0] = 7.0
        graph.set_outputs([as_tensor(array), as_tensor(row), as_tensor(column)])
    found = [graph.known_value(each).tolist() for each in graph.outputs]
    assert [[[0, 0, 7], [0, 0, 4]], [0, 0, 4], [7, 4]] == found


@pytest.mark.parametrize(
    "view",
    [
        lambda array: array[1:, ::2],
        lambda array: array.T,
        lambda array: array[::-1],
        lambda array: array[1][2:],
        lambda array: array.transpose(1, 0)[1],
    ],
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_lens_reads_and_writes_the_elements_of_a_view(view, order):
    array = np.array(np.arange(12.0).reshape(3, 4), order=order)
    part = view(array)
    assert root_of(part) is array
    read, write = view_accessors(part, array)
    assert part.tolist() == read(rt.constant(array)).numpy().tolist()
    new = np.full(part.shape, -1.0)
    written = write(rt.constant(array), rt.constant(new)).numpy()
    part[...] = new
    assert array.tolist() == written.tolist()


def test_a_lens_is_refused_for_another_dtype():
    array = np.zeros(4)
    with pytest.raises(ContainerMutationError, match="another dtype"):
        view_accessors(array.view(np.int64), array)


def of_a_view(n):
    table = np.zeros((2, 2))
    row = table[0]
    for i in range(n):
        row = table[i]
    row[0] = 1
    return table


def after_a_view(n):
    table = np.zeros((2, 2))
    row = table[0]
    for i in range(n):
        row = table[i]
    table[0, 0] = n
    return row + 1


def copied_by_a_library(n):
    box = SimpleNamespace(a=np.zeros(2))
    for i in range(n):
        box.a[i] = i
    return copy.deepcopy(box).a


@pytest.mark.parametrize(
    "function, error, words",
    [
        (of_a_view, ContainerMutationError, "is assigned an item"),
        (after_a_view, ContainerMutationError, "is changed later"),
        (copied_by_a_library, StagingError, "not converted"),
    ],
)
def test_unsupported_array_operations_are_refused(function, error, words):
    with pytest.raises(error, match=words):
        ag.function(function)(rt.constant(2))


def test_an_array_of_symbolic_values_is_one_object():
    def made(n):
        first = np.zeros(n)
        second = first
        first[0] = 7
        second += 1.0
        assert isinstance(first, np.ndarray) and type(first) is np.ndarray
        return first, second, first is second

    first, second, is_one = ag.function(made)(rt.constant(2))
    assert [[8, 1], [8, 1], True] == [first.numpy().tolist(), second.numpy().tolist(), bool(is_one)]


def test_operations_on_arrays_alone_return_staged_arrays():
    with tracking_arrays(), Graph("f").recording():
        array = np.zeros(2)
        store(array, 0, rt.constant(1.0))
        met = as_operand(array)
        assert isinstance(met + 1, StagedArray) and isinstance(np.ones(2) * met, StagedArray)
        assert not isinstance(met + rt.constant([1.0, 2.0]), StagedArray)
        assert not isinstance(met[0], StagedArray)


def test_gradients_go_through_stores():
    def loss(x):
        with rt.GradientTape() as tape:
            tape.watch(x)
            squares = other = np.zeros(3, np.float32)
            for i in range(3):
                squares[i] = x[i] * x[i]
            other[0] = x[2] * 3.0
            total = rt.reduce_sum(squares * other)
        return tape.gradient(total, x)

    gradients = ag.function(loss)(rt.constant([1.0, 2.0, 3.0]))
    assert [0.0, 32.0, 162.0] == gradients.numpy().tolist()
