"""TensorArray, eagerly and in graphs: elements, errors, static shapes."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from autograph.compat import tensorflow as tf
from runtime import nest
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    InvalidArgumentError,
    OutOfRangeError,
    ShapeError,
)
from runtime.executors import run
from runtime.graph.verify import verify

INT = rt.TensorSpec((), rt.int32)


def ints(size: Any = None, **options: Any) -> rt.TensorArray:
    return rt.TensorArray(rt.int32, size, **options)


def shown(array: rt.TensorArray) -> Any:
    return array.stack().numpy().tolist()


# -- elements --------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(-9, 9)), max_size=12))
def test_writes_are_those_of_a_list_that_grows(writes: list[tuple[int, int]]) -> None:
    array, expected = ints(dynamic_size=True, element_shape=()), []
    for index, value in writes:
        expected += [0] * (index + 1 - len(expected))
        expected[index] = value
        assert array.write(index, value) is array
    assert expected == shown(array) and len(expected) == array.size().numpy()
    assert expected == [array.read(index).numpy() for index in range(len(expected))]
    assert expected[::-1] == array.gather(range(len(expected))[::-1]).numpy().tolist()


def test_unwritten_elements_are_zero_once_the_shape_is_known() -> None:
    array = ints(3)
    with pytest.raises(InvalidArgumentError, match="element 0 was never written, and its shape"):
        array.stack()
    array.write(1, [4, 5])
    assert [[0, 0], [4, 5], [0, 0]] == shown(array)
    words = rt.TensorArray(rt.string, 2, element_shape=()).write(1, "b")
    assert [b"", b"b"] == shown(words)


def test_many_elements_at_once() -> None:
    assert [[1, 2], [3, 4]] == shown(ints(2).unstack([[1, 2], [3, 4]]))
    assert [0, 7, 0, 8] == shown(ints(4).scatter([1, 3], [7, 8]))
    parts = ints(2, infer_shape=False).split([1, 2, 3], [1, 2])
    assert [1, 2, 3] == parts.concat().numpy().tolist() and [2, 3] == parts.read(1).numpy().tolist()
    with pytest.raises(
        InvalidArgumentError, match="item 0 has shape .1,. and item 1 has shape .2,"
    ):
        parts.stack()
    assert [1, 2, 3, 4] == ints(2).split([1, 2, 3, 4], [2, 2]).concat().numpy().tolist()


def test_the_size_of_an_array_that_does_not_grow_is_fixed() -> None:
    for change in (
        lambda array: array.write(2, 1),
        lambda array: array.write(-1, 1),
        lambda array: array.scatter([0, 5], [1, 2]),
        lambda array: array.read(2),
        lambda array: array.read(-1),
        lambda array: array.gather([-1]),
    ):
        with pytest.raises(OutOfRangeError, match="element -?[0-9] of a TensorArray of size 2 was"):
            change(ints(2).unstack([8, 9]))
    for change in (lambda array: array.unstack([1]), lambda array: array.split([1], [1, 0, 0])):
        with pytest.raises(InvalidArgumentError, match="values for a TensorArray of size 2"):
            change(ints(2))
    assert [1, 2, 3] == shown(ints(1, dynamic_size=True).unstack([1, 2, 3]))


@pytest.mark.parametrize("clears", [None, False, True])
def test_an_element_keeps_its_value_when_it_is_read(clears: bool | None) -> None:
    array = ints(2, clear_after_read=clears).unstack([5, 6])
    assert [5, 5, 6] == [array.read(at).numpy() for at in (0, 0, 1)]
    assert [5, 6] == shown(array)
    assert 9 == array.write(0, 9).read(0).numpy()


@pytest.mark.parametrize("lengths", [[1, 2, 1], [3, 1, 0], [0, 0, 4]])
def test_parts_of_different_lengths_are_elements(lengths: list[int]) -> None:
    parts = np.split(np.arange(4), np.cumsum(lengths)[:-1])
    array = ints(3).split([0, 1, 2, 3], lengths)
    assert [part.tolist() for part in parts] == [array.read(at).numpy().tolist() for at in range(3)]
    assert [0, 1, 2, 3] == array.concat().numpy().tolist()
    with pytest.raises(ArgumentValueError, match="cannot be stacked"):
        array.stack()


def test_shapes_agree_unless_they_may_differ() -> None:
    array = ints(3).write(0, [1, 2])
    with pytest.raises(ShapeError, match=r"shape \(3,\) does not fit elements of shape \(2,\)"):
        array.write(1, [1, 2, 3])
    with pytest.raises(ShapeError, match=r"does not fit elements of shape \(1,\)"):
        ints(2, element_shape=(1,)).split([1, 2, 3], [1, 2])
    loose = ints(2, infer_shape=False, element_shape=(None,)).write(0, [1]).write(1, [2, 3])
    assert [1, 2, 3] == loose.concat().numpy().tolist() and (None,) == loose.element_shape
    with pytest.raises(ShapeError, match=r"shape \(\) does not fit elements of shape \(None,\)"):
        loose.write(0, 1)


def test_arguments_of_wrong_kinds() -> None:
    with pytest.raises(DTypeError, match="is not int32: write rt.cast"):
        ints(1).write(0, rt.constant(1.5))
    with pytest.raises(
        DTypeError, match="an index of a TensorArray must be an integer, not float32"
    ):
        ints(1).write(0.0, 1)
    with pytest.raises(ShapeError):
        ints(1).write([0], 1)
    with pytest.raises(ShapeError, match="must be a vector"):
        ints(1).gather(0)
    with pytest.raises(DTypeError, match="indices and lengths must be integers"):
        ints(1).scatter([0.5], [1])
    with pytest.raises(InvalidArgumentError, match="2 indices for 1 values"):
        ints(3).scatter([0, 1], [1])
    with pytest.raises(ValueError, match="needs a size"):
        ints()
    with pytest.raises(InvalidArgumentError, match="the size of a TensorArray must be at least 0"):
        ints(-1)
    with pytest.raises(InvalidArgumentError, match="a TensorArray was expected"):
        ints(handle=rt.zeros((), rt.variant)).size()


def test_attributes_of_a_tensor_array() -> None:
    array = ints(2, dynamic_size=True, element_shape=(None, 3))
    assert (rt.int32, True, (None, 3)) == (array.dtype, array.dynamic_size, array.element_shape)
    assert (5, 3) == array.write(0, np.zeros((5, 3), np.int32)).element_shape
    assert array.flow is array.handle and array.identity() is array
    assert "<rt.TensorArray: dtype=int32, size=2>" == repr(array)
    array.close()
    assert 0 == array.size().numpy() and tf.TensorArray is rt.TensorArray


def test_copies_are_independent() -> None:
    array = ints(2).unstack([1, 2])
    for again in (copy.copy(array), copy.deepcopy(array), pickle.loads(pickle.dumps(array))):
        again.write(0, 9)
        assert [9, 2] == shown(again) and [1, 2] == shown(array)
    shared = ints(handle=array.handle)
    array.write(1, 7)
    assert [1, 2] == shown(shared)


def test_a_tensor_array_is_a_structure_of_its_handle() -> None:
    array = ints(2).unstack([1, 2])
    (handle,) = nest.flatten({"a": array})
    assert handle is array.handle and [1, 2] == shown(nest.unflatten(array, [handle]))
    other = nest.unflatten(array, [ints(1).unstack([7]).handle])
    assert [7] == shown(other) and [1, 2] == shown(array)
    nest.assert_same_structure(array, ints(5))
    for other in (
        ints(2, element_shape=()),
        rt.TensorArray(rt.int64, 2),
        ints(0, dynamic_size=True),
        [array],
    ):
        with pytest.raises((TypeError, ValueError), match="TensorArray of int32"):
            nest.assert_same_structure(array, other)


# -- graphs ----------------------------------------------------------------------------------------


def test_a_tensor_array_is_a_loop_variable() -> None:
    graph = rt.Graph("squares")
    count = graph.add_input(INT, "count")
    with graph.recording():
        _, array = rt.while_loop(
            lambda i, array: i < count,
            lambda i, array: (i + 1, array.write(i, i * i)),
            (rt.constant(0), ints(0, dynamic_size=True)),
        )
        graph_outputs = [array.stack(), array.size()]
    graph.set_outputs(graph_outputs)
    verify(graph)
    assert (None,) == graph_outputs[0].shape
    stacked, size = run(graph, [np.array(4, np.int32)])
    assert [0, 1, 4, 9] == stacked.tolist() and 4 == size


def test_an_eager_array_continues_in_a_graph() -> None:
    array, graph = ints(3).write(0, [1, 2]), rt.Graph("goes_on")
    with graph.recording():
        inside = copy.copy(array).write(1, [3, 4])
        graph.set_outputs([inside.stack()])
        assert (2,) == inside.element_shape
    verify(graph)
    assert [[1, 2], [3, 4], [0, 0]] == run(graph, [])[0].tolist()
    assert [[1, 2], [0, 0], [0, 0]] == shown(array)


def test_errors_carry_the_users_line() -> None:
    graph = rt.Graph("late")
    index = graph.add_input(INT, "index")
    with graph.recording():
        graph.set_outputs([ints(2, element_shape=()).write(index, 1).stack()])
    with pytest.raises(OutOfRangeError, match="test_tensor_array.py:"):
        run(graph, [np.array(2, np.int32)])


# -- what is known of shapes -----------------------------------------------------------------------


class Known:
    """The knowledge of the elements after each statement, in a graph that is being recorded."""

    def __init__(self, inferred: bool = True) -> None:
        self.graph = rt.Graph("known")
        self.inferred = inferred
        self.flag = self.graph.add_input(rt.TensorSpec((), rt.bool), "flag")
        self.rows = self.graph.add_input(rt.TensorSpec((None, 2), rt.int32), "rows")
        self.some = self.graph.add_input(rt.TensorSpec((None,), rt.int32), "some")
        self.any = self.graph.add_input(rt.TensorSpec(None, rt.int32), "any")

    def array(self) -> rt.TensorArray:
        return ints(0, dynamic_size=True, infer_shape=self.inferred)

    def loop(self, body: Any, start: rt.TensorArray) -> rt.TensorArray:
        result = rt.while_loop(lambda a: self.flag, lambda a: (body(a),), (start,))
        array: rt.TensorArray = result[0] if isinstance(result, (list, tuple)) else result
        return array

    def branch(self, then: Any, start: rt.TensorArray) -> rt.TensorArray:
        kept = copy.copy(start)
        made: rt.TensorArray = rt.cond(self.flag, lambda: then(copy.copy(start)), lambda: kept)
        return made


PAIR = [1, 2]
TRIPLE = [1, 2, 3]

CASES: dict[str, tuple[Any, Any, Any]] = {
    "nothing": (lambda k: k.array(), None, None),
    "a write": (lambda k: k.array().write(0, PAIR), (2,), (2,)),
    "two writes, the better known counts": (
        lambda k: k.array().write(0, PAIR).write(1, k.some), (2,), (None,),
    ),
    "a write nothing is known of": (lambda k: k.array().write(0, k.any), None, None),
    "a loop": (lambda k: k.loop(lambda a: a.write(0, PAIR), k.array()), (2,), (2,)),
    "a loop after a write": (
        lambda k: k.loop(lambda a: a.write(0, a.read(0)), k.array().write(0, PAIR)), (2,), None,
    ),
    "a loop after a write in a branch": (
        lambda k: k.loop(
            lambda a: a.write(0, TRIPLE), k.branch(lambda a: a.write(0, PAIR), k.array())
        ),
        (None,),
        (None,),
    ),
    "a branch": (lambda k: k.branch(lambda a: a.write(0, PAIR), k.array()), (2,), (2,)),
    "a write after a branch": (
        lambda k: k.branch(lambda a: a.write(0, TRIPLE), k.array()).write(0, PAIR), (2,), (None,),
    ),
    "a write nearly nothing is known of after a branch": (
        lambda k: k.branch(lambda a: a.write(0, TRIPLE), k.array()).write(0, k.some),
        (None,),
        (None,),
    ),
    "a write nothing is known of after two branches": (
        lambda k: k.branch(
            lambda a: a.write(0, TRIPLE), k.branch(lambda a: a.write(0, PAIR), k.array())
        ).write(0, k.any),
        None,
        None,
    ),
    "a write after rows": (
        lambda k: k.array().unstack([PAIR, PAIR]).write(0, k.some), (2,), (None,),
    ),
    "a branch after a write": (
        lambda k: k.branch(lambda a: a.write(0, k.some), k.array().write(0, PAIR)), (2,), (None,),
    ),
    "rows": (lambda k: k.array().unstack(k.rows), (2,), (2,)),
    "rows, perhaps none": (lambda k: k.array().scatter([], k.rows).write(0, TRIPLE), (3,), (None,)),
    "no rows": (
        lambda k: k.array().write(0, k.some).scatter([], k.rows), (None,), (None,),
    ),
    "parts": (lambda k: k.array().split(k.rows, [1, 1]), (None, 2), (None, 2)),
    "a loop in a loop": (
        lambda k: k.loop(lambda a: k.loop(lambda b: b.write(0, PAIR), a), k.array()), (2,), (2,),
    ),
    "a loop around a branch": (
        lambda k: k.loop(lambda a: k.branch(lambda b: b.write(0, k.some), a), k.array()),
        (None,),
        (None,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("inferred", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_static_element_shapes_in_a_graph(name: str, inferred: bool) -> None:
    make, one_shape, any_shapes = CASES[name]
    known = Known(inferred)
    with known.graph.recording():
        array = make(known)
        found = array.element_shape
        stacked = array.stack()
    expected = one_shape if inferred else any_shapes
    assert rt.TensorShape(expected) == found
    assert rt.TensorShape([None]).concatenate(rt.TensorShape(expected)) == stacked.shape
    known.graph.set_outputs([stacked])
    verify(known.graph)


def test_static_element_shapes_of_read_and_captured_arrays() -> None:
    known = Known()
    with known.graph.recording():
        array = ints(1, clear_after_read=True).write(0, PAIR)
        array.read(0)
        assert (2,) == array.element_shape
        inside: list[rt.TensorShape] = []
        rt.cond(known.flag, lambda: inside.append(array.element_shape), lambda: None)
        assert [(2,)] == inside
