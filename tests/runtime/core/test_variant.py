"""Variants: tensors that hold an object, wherever tensors go."""

from __future__ import annotations

import copy
import pickle
import sys

import numpy as np
import pytest

import runtime as rt
from runtime.core.array_value import ArrayValue
from runtime.core.tensor import EagerTensor
from runtime.core.variant import VARIANT, boxed, unboxed
from runtime.errors import DTypeError
from runtime.ops.containers.lists import list_items, list_of


def test_any_object_is_held_as_it_is() -> None:
    for value in ([1, 2], (3,), "text", np.arange(3), None):
        array = boxed(value)
        assert unboxed(array) is value and unboxed(array.copy()) is value
        assert () == array.shape and EagerTensor(array).numpy() is value
        assert VARIANT == rt.TensorSpec.of_array(array)


def test_the_dtype_has_a_name_and_no_limits() -> None:
    assert rt.variant is rt.as_dtype("variant") is rt.as_dtype(rt.variant.np_dtype)
    assert rt.variant.is_variant and not rt.variant.is_string and not rt.string.is_variant
    assert pickle.loads(pickle.dumps(rt.variant)) is copy.deepcopy(rt.variant) is rt.variant
    with pytest.raises(DTypeError):
        rt.variant.max


def test_other_structured_arrays_are_no_tensors() -> None:
    record = np.zeros(2, [("a", np.int32)])
    with pytest.raises(DTypeError, match="has no tensor dtype"):
        rt.constant(record)
    with pytest.raises(DTypeError):
        rt.as_dtype(record.dtype)


def test_an_eager_variant_prints_its_object(capsys: pytest.CaptureFixture[str]) -> None:
    tensor = list_of(1, 2)
    assert "rt.Tensor([1, 2], shape=(), dtype=variant)" == str(tensor)
    assert "<rt.Tensor: shape=(), dtype=variant, numpy=[1, 2]>" == repr(tensor)
    rt.print("list:", tensor, output_stream=sys.stdout)
    assert "list: [1, 2]\n" == capsys.readouterr().out


def test_long_lists_are_shown_in_part() -> None:
    assert str(list_of(*range(20)).numpy()).endswith("14, 15, ... 4 more]")


def test_a_variant_is_no_number() -> None:
    tensor = list_of(1)
    for refused in (
        lambda: tensor + 1,
        lambda: tensor == tensor,
        lambda: rt.cast(tensor, rt.int32),
        lambda: rt.cast(1, rt.variant),
        lambda: bool(tensor),
        lambda: rt.constant(1, rt.variant),
        lambda: rt.stack([tensor, 1]),
    ):
        with pytest.raises(DTypeError, match="variant"):
            refused()


def test_ops_that_move_tensors_move_variants() -> None:
    one, two = list_of(1), list_of(2)
    assert rt.identity(one).numpy() is one.numpy()
    assert rt.where(False, one, two).numpy() is two.numpy()
    assert rt.stack([one, two])[1].numpy() is two.numpy()
    assert "2 variants" in str(rt.stack([one, two]))
    restored = pickle.loads(pickle.dumps(one))
    assert [1] == [item.item() for (item,) in list_items(restored)]


def test_an_attribute_that_is_a_variant_is_equal_to_itself_only() -> None:
    first, second = list_of(1)._array, list_of(1)._array
    assert ArrayValue(first) == ArrayValue(first.copy()) != ArrayValue(second)
    assert hash(ArrayValue(first)) == hash(ArrayValue(first))
