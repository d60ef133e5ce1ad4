"""Updates of items of variables agree with TensorFlow 2.21."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import (
    DivisionByZeroError,
    DTypeError,
    InvalidArgumentError,
    OutOfBoundsError,
    ShapeError,
)


def matrix() -> rt.Variable:
    return rt.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="m")


def rows(values: Any, indices: Any) -> rt.IndexedSlices:
    return rt.IndexedSlices(values, indices)


TWICE = [[10.0, 20.0], [2.0, 4.0]]


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("scatter_add", [15.0, 28.0]),
        ("scatter_sub", [-9.0, -20.0]),
        ("scatter_mul", [60.0, 320.0]),
        ("scatter_div", [0.15, 0.05]),
        ("scatter_max", [10.0, 20.0]),
        ("scatter_min", [2.0, 4.0]),
        ("scatter_update", [2.0, 4.0]),
    ],
)
def test_rows_named_twice_are_written_twice(method: str, expected: list[float]) -> None:
    m = matrix()
    assert getattr(m, method)(rows(TWICE, [1, 1])) is m
    np.testing.assert_allclose(m.numpy(), [[1.0, 2.0], expected, [5.0, 6.0]], rtol=1e-6)


@pytest.mark.parametrize("method", ["scatter_nd_add", "scatter_nd_sub", "scatter_nd_update"])
def test_elements_and_rows_by_their_indices(method: str) -> None:
    change: dict[str, Callable[[float, float], float]] = {
        "scatter_nd_add": lambda x, y: x + y,
        "scatter_nd_sub": lambda x, y: x - y,
        "scatter_nd_update": lambda x, y: y,
    }
    m, expected = matrix(), matrix().numpy()
    getattr(m, method)([[0, 1], [2, 0]], [10.0, 20.0])
    expected[0, 1] = change[method](expected[0, 1], 10.0)
    expected[2, 0] = change[method](expected[2, 0], 20.0)
    assert expected.tolist() == m.numpy().tolist()
    getattr(m, method)([[1]], [[7.0, 8.0]])
    expected[1] = [change[method](x, y) for x, y in zip(expected[1], (7.0, 8.0))]
    assert expected.tolist() == m.numpy().tolist()


def test_the_larger_and_the_smaller_of_two_elements() -> None:
    m = matrix().scatter_nd_max([[0, 0], [0, 1]], [50.0, -50.0])
    assert [50.0, 2.0] == m.numpy()[0].tolist()
    assert [-1.0, 2.0] == m.scatter_nd_min([[0]], [[-1.0, 9.0]]).numpy()[0].tolist()


def test_a_scalar_update_is_broadcast_to_all_indexed_rows() -> None:
    assert [[3.0, 4.0], [3.0, 4.0], [6.0, 7.0]] == matrix().scatter_add(
        rows(1.0, [[0, 2], [0, 2]])
    ).scatter_sub(rows(1.0, [2])).assign_sub([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]).scatter_update(
        rows([[3.0, 4.0]], [0])
    ).numpy().tolist()


def test_integers_are_divided_towards_zero_one_after_the_other() -> None:
    v = rt.Variable([7, -7, 100])
    v.scatter_div(rows([2, 2, 7, 3], [0, 1, 2, 2]))
    assert [3, -3, 4] == v.numpy().tolist()
    v.scatter_nd_update([[0]], [-7]).scatter_div(rows(-2, [0]))
    assert 3 == v.numpy()[0]


def test_batches_of_rows() -> None:
    m = matrix().batch_scatter_update(rows([[1.0], [2.0], [3.0]], [[0], [1], [0]]))
    assert [[1.0, 2.0], [3.0, 2.0], [3.0, 6.0]] == m.numpy().tolist()
    cube = rt.Variable(np.zeros((2, 2, 3)))
    cube.batch_scatter_update(rows(np.arange(4.0).reshape(2, 2, 1), [[[0], [1]], [[2], [0]]]))
    found = cube.numpy()
    assert [1.0, 2.0, 3.0] == [found[0, 1, 1], found[1, 0, 2], found[1, 1, 0]]
    assert 6.0 == found.sum()
    assert [7.0, 2.0, 8.0] == rt.Variable([1.0, 2.0, 3.0]).batch_scatter_update(
        rows([8.0, 7.0], [2, 0])
    ).numpy().tolist()


def test_reading_rows_and_elements() -> None:
    m = matrix()
    assert [[5.0, 6.0], [1.0, 2.0]] == m.sparse_read([2, 0]).numpy().tolist()
    assert [4.0] == m.gather_nd([[1, 1]]).numpy().tolist()


# What NumPy does to an array, done to a place of a variable.
@pytest.mark.parametrize(
    ("key", "value"),
    [
        (1, [7.0, 8.0]),
        (-1, 7.0),
        (slice(1, 3), 9.0),
        (slice(None, None, -2), [[1.5, 2.5], [3.5, 4.5]]),
        ((slice(None), 1), [7.0, 8.0, 9.0]),
        ((..., 0), [7.0, 8.0, 9.0]),
        ((2, 1), 5.5),
        ((slice(None), None, slice(1)), np.ones((3, 1, 1), np.float32)),
        (slice(9, 12), 3.0),
        ((0,), [4.0, 5.0]),
    ],
)
def test_slices_are_assigned_as_numpy_does(key: Any, value: Any) -> None:
    m, expected = matrix(), matrix().numpy()
    before = m.read_value()
    assert m[key].assign(value) is m
    expected[key] = value
    assert expected.tolist() == m.numpy().tolist()
    assert matrix().numpy().tolist() == before.numpy().tolist()


def test_a_single_element_may_have_any_rank() -> None:
    v = rt.Variable([1.0, 2.0])
    v[0].assign([5.0])
    v[1:].assign([[6.0]])
    assert [5.0, 6.0] == v.numpy().tolist()


BAD = {
    "index too large": (lambda m: m.scatter_add(rows(TWICE, [0, 3])), OutOfBoundsError),
    "index negative": (lambda m: m.scatter_update(rows(TWICE, [0, -1])), OutOfBoundsError),
    "other dtype": (lambda m: m.scatter_add(rows([[1, 2]], [0])), DTypeError),
    "float indices": (lambda m: m.scatter_add(rows([[1.0, 2.0]], [0.0])), DTypeError),
    "no slices": (lambda m: m.scatter_add([[1.0, 2.0]]), DTypeError),
    "too few": (lambda m: m.scatter_add(rows([1.0, 2.0], [0, 1])), ShapeError),
    "element outside": (lambda m: m.scatter_nd_add([[0, 0], [0, 2]], [1.0, 2.0]), ShapeError),
    "long index": (lambda m: m.scatter_nd_add([[0, 0, 0]], [1.0]), ShapeError),
    "no index": (lambda m: m.scatter_nd_add(0, 1.0), ShapeError),
    "wide slice": (lambda m: m[1:].assign([1.0, 2.0, 3.0]), ShapeError),
    "tall slice": (lambda m: m[0].assign([[1.0, 2.0], [1.0, 2.0]]), ShapeError),
    "int slice": (lambda m: m[0].assign(rt.constant([1, 2])), DTypeError),
    "array": (lambda m: m[[0, 1]].assign(0.0), DTypeError),
    "mask": (lambda m: m[m > 2.0].assign(0.0), DTypeError),
    "batches": (lambda m: m.batch_scatter_update(rows(1.0, 0)), ShapeError),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_mismatched_updates_change_nothing(name: str) -> None:
    call, error = BAD[name]
    m = matrix()
    kind = InvalidArgumentError if name == "element outside" else error
    with pytest.raises(kind):
        call(m)
    assert matrix().numpy().tolist() == m.numpy().tolist()
    graph = rt.Graph("f")
    with graph.recording():
        try:
            call(m)
        except kind:
            return  # Shapes and dtypes are known already.
    with pytest.raises(kind):
        ag.function(lambda: call(m))()
    assert matrix().numpy().tolist() == m.numpy().tolist()


def test_an_error_names_the_variable() -> None:
    with pytest.raises(
        OutOfBoundsError, match=r"variable 'm': indices\[1\] = 3 is not in \[0, 3\)"
    ):
        matrix().scatter_add(rows(TWICE, [0, 3]))


@pytest.mark.parametrize(
    ("value", "how", "error"),
    [
        ([True], "scatter_add", DTypeError),
        (["a"], "scatter_max", DTypeError),
        ([1 + 1j], "scatter_min", DTypeError),
        ([4], "scatter_div", DivisionByZeroError),
        (1.0, "scatter_add", ShapeError),
    ],
)
def test_unsupported_dtypes_and_scalars_are_refused(
    value: Any, how: str, error: type[Exception]
) -> None:
    v = rt.Variable(value)
    updates = rt.zeros_like(v.read_value()) if error is DivisionByZeroError else v.read_value()
    with pytest.raises(error):
        getattr(v, how)(rows(updates, [0]))


def test_truths_and_texts_are_replaced() -> None:
    assert [False, True] == rt.Variable([True, True]).scatter_update(
        rows([False], [0])
    ).numpy().tolist()
    assert [b"a", b"z"] == rt.Variable(["a", "b"]).scatter_nd_update([[1]], ["z"]).numpy().tolist()


def test_only_slices_of_a_variable_are_assigned() -> None:
    v = rt.Variable([1.0, 2.0])
    with pytest.raises(AttributeError, match="'assign'"):
        (v[0:1] + 1.0).assign([2.0])
    with pytest.raises(AttributeError, match="'assign'"):
        v.read_value().assign([2.0, 1.0])


# -- in graphs -------------------------------------------------------------------------------------


def changed(v: rt.Variable, i: Any, x: Any) -> Any:
    v[i].assign(x)
    if x > 5.0:
        v[1:].assign(v[:-1])
    for k in rt.range(3):
        v.scatter_add(rt.IndexedSlices([1.0], [k]))
        v[k:].assign(v[k] * 2.0)
    part = v[1:3]
    part.assign([x, x])
    return part


def changed_array(a: np.ndarray, i: int, x: float) -> np.ndarray:
    a[i] = x
    if x > 5.0:
        a[1:] = a[:-1].copy()
    for k in range(3):
        a[k] += 1.0
        a[k:] = a[k] * 2.0
    part = a[1:3].copy()
    a[1:3] = x
    return part


@pytest.mark.parametrize("make", [lambda f: f, ag.function])
def test_reads_and_writes_keep_the_order_of_the_program(make: Any) -> None:
    v, array = rt.Variable([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 3.0, 4.0], np.float32)
    call = make(lambda i, x: changed(v, i, x))
    for i, x in ((0, 1.0), (3, 9.0), (1, 6.0)):
        part = changed_array(array, i, x)
        assert part.tolist() == call(rt.constant(i), rt.constant(x)).numpy().tolist()
        assert array.tolist() == v.numpy().tolist()


def test_a_failed_run_keeps_earlier_writes() -> None:
    v = rt.Variable([1.0, 2.0, 3.0])

    @ag.function
    def f(i: Any) -> Any:
        v[0].assign(7.0)
        v.scatter_update(rt.IndexedSlices([9.0, 9.0], [1, i]))
        return v.read_value()

    with pytest.raises(OutOfBoundsError):
        f(rt.constant(5))
    assert [7.0, 2.0, 3.0] == v.numpy().tolist()
    assert [7.0, 9.0, 9.0] == f(rt.constant(2)).numpy().tolist()


def test_updates_of_dynamic_shapes() -> None:
    v = rt.Variable([1.0, 2.0, 3.0], shape=rt.TensorShape(None))

    @ag.function(input_signature=[rt.TensorSpec(None), rt.TensorSpec(None, rt.int32)])
    def f(x: Any, i: Any) -> Any:
        v.scatter_add(rt.IndexedSlices(x, i))
        v[1:].assign(x)
        return v.read_value()

    assert [2.0, 1.0, 5.0] == f([1.0, 5.0], [0, 2]).numpy().tolist()
    with pytest.raises(ShapeError):
        f([1.0, 5.0], [0, 2, 1])
    assert [2.0, 1.0, 5.0] == v.numpy().tolist()
