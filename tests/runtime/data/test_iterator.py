"""Iterators are saved and restored; a law tests this for all steps."""

from __future__ import annotations

import copy
import io
import pickle

import numpy as np
import pytest

import runtime as rt
from runtime.data import Dataset
from runtime.errors import ArgumentValueError, FailedPreconditionError, GraphError


def test_a_state_is_of_its_dataset() -> None:
    state = iter(Dataset.range(3).batch(2)).save()
    for wrong in (state, {}, None, 3):
        with pytest.raises(ArgumentValueError, match="restore: the state is of"):
            iter(Dataset.range(3)).restore(wrong)
    with pytest.raises(ArgumentValueError, match=r"it has only \['dataset'\]"):
        iter(Dataset.range(3)).restore({"dataset": "range"})


def test_an_iterator_can_be_restored_repeatedly() -> None:
    elements = iter(Dataset.range(8).shuffle(3, seed=1).repeat(2))
    [next(elements) for _ in range(5)]
    state = elements.save()
    first = [int(x) for x in elements]
    elements.restore(state)
    assert first == [int(x) for x in elements]
    assert 11 == len(first)


def test_a_restored_shuffle_continues_its_sequence_of_orders() -> None:
    dataset = Dataset.range(6).shuffle(6, seed=1)
    one = iter(dataset)
    next(one)
    state = one.save()
    later = [int(x) for x in dataset]
    again = Dataset.range(6).shuffle(6, seed=1)
    iter(again).restore(state)
    assert later == [int(x) for x in again]


def test_an_element_checked_by_has_next_is_not_lost() -> None:
    one = iter(Dataset.range(3))
    assert bool(one.has_next())
    other = iter(Dataset.range(3))
    other.restore(one.save())
    assert [0, 1, 2] == [int(x) for x in other]
    assert not bool(other.has_next())
    one.restore(other.save())
    assert [] == list(one)


def test_an_iterator_at_a_failing_element_is_not_saved() -> None:
    quotients = iter(Dataset.from_tensor_slices([0, 2]).map(lambda x: 10 // x))
    assert bool(quotients.has_next())
    with pytest.raises(FailedPreconditionError, match="the next element could not be made"):
        quotients.save()
    with pytest.raises(ZeroDivisionError):
        next(quotients)
    assert 5 == int(next(quotients))


def test_arrays_of_a_state_go_through_a_file_without_pickles() -> None:
    slow = Dataset.range(9).map(lambda n: n if n >= 0 else -n).shuffle(4, seed=2)
    one = iter(slow)
    next(one)
    state = one.save()
    buffer = state["cursor"]["items"]["buffer"]
    file = io.BytesIO()
    np.savez(file, *[array for item in buffer for array in item])
    file.seek(0)
    with np.load(file, allow_pickle=False) as held:
        state["cursor"]["items"]["buffer"] = [[held[name]] for name in held.files]
    other = iter(slow)
    other.restore(state)
    assert [int(x) for x in one] == [int(x) for x in other]


def test_an_iterator_is_a_structure_of_its_cursor() -> None:
    elements = iter(Dataset.range(3))
    (place,) = rt.nest.flatten(elements)
    assert rt.variant is place.dtype
    assert elements.element_spec == rt.TensorSpec((), rt.int64)


def test_an_iterator_is_not_copied_or_pickled() -> None:
    iterator = iter(Dataset.range(3))
    assert copy.copy(iterator) is iterator and copy.deepcopy(iterator) is iterator
    with pytest.raises(GraphError, match=r"cannot be pickled: keep iterator\.save\(\)"):
        pickle.dumps(iterator)
