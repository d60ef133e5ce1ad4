"""Datasets of user generators."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.data import Dataset
from runtime.errors import ArgumentValueError, DTypeError, ShapeError

INT, FLOAT = rt.TensorSpec((), rt.int32), rt.TensorSpec((), rt.float32)


def values(dataset: Dataset) -> list[Any]:
    return [rt.nest.map_structure(lambda t: np.asarray(t.numpy()).tolist(), x) for x in dataset]


def generated_values(*elements: Any, signature: Any = INT) -> list[Any]:
    return values(Dataset.from_generator(lambda: elements, output_signature=signature))


def test_structures_and_the_old_signature_arguments() -> None:
    def pairs():
        yield 1, {"a": [1.0, 2.0]}
        yield 2, {"a": []}

    signature = (INT, {"a": rt.TensorSpec((None,), rt.float32)})
    expected = [(1, {"a": [1.0, 2.0]}), (2, {"a": []})]
    assert expected == values(Dataset.from_generator(pairs, output_signature=signature))
    older = Dataset.from_generator(pairs, (rt.int32, {"a": rt.float32}), ((), {"a": (None,)}))
    assert expected == values(older)
    assert signature == older.element_spec
    assert -2 == int(older.cardinality())
    assert ["x"] == [each.numpy().decode() for each in Dataset.from_generator(lambda: ["x"], str)]


def test_values_are_converted_to_the_signature() -> None:
    assert [1.0, 2.5] == generated_values(np.float64(1), np.array(2.5), signature=FLOAT)
    assert [True] == generated_values(True, signature=rt.TensorSpec((), rt.bool))


@pytest.mark.parametrize(
    "element, signature, error, message",
    [
        (1.5, INT, DTypeError, "from_generator: "),
        (np.array(1.5), INT, DTypeError, "gives float64, where int32 is expected"),
        ([1, 2], rt.TensorSpec((3,), rt.int32), ShapeError, r"shape \(2,\), where \(3,\)"),
        ((1, 2, 3), (INT, INT), ArgumentValueError, r"must yield elements of .*, not \(1, 2, 3\)"),
        (1, (INT, INT), ArgumentValueError, "must yield elements of .*, not 1"),
        ({"b": 1}, {"a": INT}, ArgumentValueError, "must yield elements of"),
        (None, INT, TypeError, "None"),
    ],
)
def test_an_element_that_does_not_match_the_signature_is_refused(
    element: Any, signature: Any, error: Any, message: str
) -> None:
    with pytest.raises(error, match=message):
        generated_values(element, signature=signature)


def test_an_exception_of_the_generator_propagates() -> None:
    class OwnError(Exception):
        pass

    raised = OwnError("here")

    def failing():
        yield 1
        raise raised

    dataset = Dataset.from_generator(failing, output_signature=INT)
    elements = iter(dataset)
    assert 1 == int(next(elements))
    with pytest.raises(OwnError) as caught:
        next(elements)
    assert raised is caught.value
    with pytest.raises(StopIteration):
        next(elements)

    @ag.function
    def total(dataset):
        result = 0
        for x in dataset:
            result += x
        return result

    with pytest.raises(OwnError) as caught:
        total(dataset)
    assert raised is caught.value
    assert 1 == int(total(dataset.take(1)))


def test_the_generator_is_called_per_iterator_and_consumed_lazily() -> None:
    calls: list[Any] = []

    def counting(start):
        calls.append(type(start))
        while True:
            yield start
            start += 1
            calls.append(int(start))

    dataset = Dataset.from_generator(counting, args=(5,), output_signature=INT)
    assert [] == calls
    assert [5, 6] == values(dataset.take(2))
    assert [np.int32, 6] == calls
    assert [5, 6, 7] == values(dataset.take(3))


def test_a_dropped_generator_is_closed() -> None:
    closed: list[bool] = []

    def watched():
        try:
            yield from range(9)
        finally:
            closed.append(True)

    elements = iter(Dataset.from_generator(watched, output_signature=INT).prefetch(2))
    next(elements)
    assert [] == closed
    del elements
    gc.collect()
    assert [True] == closed


def test_a_generator_dataset_is_resumed_by_skipping() -> None:
    dataset = Dataset.from_generator(lambda: range(6), output_signature=INT).batch(2)
    one, other = iter(dataset), iter(dataset)
    next(one)
    other.restore(one.save())
    assert [[2, 3], [4, 5]] == [each.numpy().tolist() for each in other]


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({}, "give the specs of the elements as output_signature"),
        ({"output_signature": [INT]}, "must be TensorSpecs in tuples and dicts"),
        ({"output_signature": 3}, "not 3"),
        ({"output_signature": INT, "output_types": "int32"}, "leave out output_types"),
        ({"output_types": (rt.int32, rt.int32), "output_shapes": ((),)}, "must have the structure"),
    ],
)
def test_an_invalid_signature_is_refused(arguments: Any, message: str) -> None:
    with pytest.raises((ArgumentValueError, DTypeError), match=message):
        Dataset.from_generator(lambda: [1], **arguments)
    with pytest.raises(DTypeError, match="takes a function, not 3"):
        Dataset.from_generator(3, output_signature=INT)


def test_a_generator_runs_eagerly_inside_of_a_graph() -> None:
    def squares():
        for n in rt.range(3):
            yield n * n

    dataset = Dataset.from_generator(squares, output_signature=INT)
    total = ag.function(lambda: sum(dataset))
    assert 5 == int(total())
