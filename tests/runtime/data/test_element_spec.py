"""Element specs of datasets."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import SignatureError
from runtime.data import Dataset, DatasetSpec
from runtime.data.element_spec import Element
from runtime.errors import ArgumentValueError, DTypeError


def test_none_is_a_part_of_an_element() -> None:
    pairs = Dataset.from_tensor_slices(([1, 2, 3], None))
    assert [(1, None), (2, None), (3, None)] == list(pairs.as_numpy_iterator())
    assert "(TensorSpec(shape=(), dtype=rt.int32, name=None), NoneTensorSpec())" == str(
        pairs.element_spec
    )
    batches = pairs.map(lambda x, y: {"x": x + 1, "y": y}).batch(2).repeat(2)
    assert [2, 3] == next(iter(batches))["x"].numpy().tolist()
    assert [None] * 4 == [batch["y"] for batch in batches]
    assert 1 == len(list(Dataset.from_tensors((1, None))))
    assert Element((rt.TensorSpec(()), None)) != Element((rt.TensorSpec(()),))


def test_a_loop_of_a_graph_sees_that_a_part_is_none() -> None:
    @ag.function
    def total(pairs: Any) -> Any:
        found = 0
        for x, y in pairs:
            if y is None:
                found += x
        return found

    assert 3 == int(total(Dataset.from_tensor_slices(([1, 2], None))))


def test_none_is_no_element_and_no_tensor() -> None:
    with pytest.raises(DTypeError, match="returns None where"):
        Dataset.range(2).map(lambda x: None)
    with pytest.raises(DTypeError, match="of one structure"):
        Dataset.range(2).map(lambda x: (x, None)).concatenate(Dataset.range(2).map(lambda x: (x,)))
    with pytest.raises(ArgumentValueError, match="no tensor is given"):
        Dataset.from_tensor_slices((None,))


def test_a_filter_function_returns_one_bool() -> None:
    with pytest.raises(
        DTypeError, match=r"filter: the function must return one bool, not \(bool\)"
    ):
        Dataset.range(3).filter(lambda x: [x > 1])


def test_range_takes_one_to_three_numbers() -> None:
    with pytest.raises(ValueError, match="range takes 1 to 3 numbers, not 0"):
        Dataset.range()


def test_a_dataset_spec_in_a_signature_accepts_matching_datasets() -> None:
    spec = DatasetSpec(rt.TensorSpec((), rt.int64))

    @ag.function(input_signature=[spec])
    def total(numbers: Any) -> Any:
        found = rt.constant(0, rt.int64)
        for number in numbers:
            found += number
        return found

    assert 6 == int(total(Dataset.range(4)))
    assert 12 == int(total(Dataset.range(4).map(lambda n: 2 * n)))
    with pytest.raises(SignatureError, match="'numbers' was expected to be a Dataset of"):
        total(Dataset.from_tensor_slices([1.0]))
    with pytest.raises(SignatureError, match="'numbers' was expected to be a Dataset but is 3"):
        total(3)
    concrete = ag.function(lambda numbers: numbers.cardinality()).get_concrete_function(spec)
    assert 5 == int(concrete(Dataset.range(5)))


def test_specs_of_datasets_are_compared_by_their_elements() -> None:
    spec = DatasetSpec(rt.TensorSpec((), rt.int64))
    assert spec == DatasetSpec.from_value(Dataset.range(3)) and 1 == len({spec, spec})
    assert spec != DatasetSpec(rt.TensorSpec((), rt.int32)) and spec != 3
    with pytest.raises(DTypeError, match="from_value takes a dataset"):
        DatasetSpec.from_value(3)
