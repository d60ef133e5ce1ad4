"""Specs: equality, compatibility and joins."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError


def test_repr_and_defaults() -> None:
    assert repr(rt.TensorSpec((2, None), "int32", "x")) == (
        "TensorSpec(shape=(2, None), dtype=rt.int32, name='x')"
    )
    assert repr(rt.TensorSpec(None)) == "TensorSpec(shape=<unknown>, dtype=rt.float32, name=None)"


def test_equality_and_hash_go_by_value() -> None:
    a, b = rt.TensorSpec([2], rt.int32), rt.TensorSpec((2,), np.int32)
    assert a == b and hash(a) == hash(b) and a != rt.TensorSpec([2], rt.int64)
    assert (
        a != rt.TensorSpec([2], rt.int32, "x") and a == rt.TensorSpec([2], "int32", "x").unnamed()
    )
    assert pickle.loads(pickle.dumps(a)) == a


def test_compatibility_with_tensors_arrays_and_specs() -> None:
    spec = rt.TensorSpec((None, 2), rt.float32)
    assert spec.is_compatible_with(rt.ones([3, 2]))
    assert spec.is_compatible_with(np.ones((3, 2), np.float32))
    assert not spec.is_compatible_with(rt.ones([3, 2], rt.float64))
    assert not spec.is_compatible_with(rt.ones([2]))
    assert spec.contains(rt.TensorSpec((5, 2))) and not rt.TensorSpec((5, 2)).contains(spec)


def test_join_widens_the_shape_and_refuses_other_dtypes() -> None:
    joined = rt.TensorSpec((2, 3), name="x").join(rt.TensorSpec((2, 4), name="x"))
    assert joined == rt.TensorSpec((2, None), name="x")
    with pytest.raises(DTypeError, match="float32 and int32"):
        rt.TensorSpec(()).join(rt.TensorSpec((), rt.int32))


def test_specs_are_frozen_leaves() -> None:
    spec = rt.TensorSpec(())
    with pytest.raises(AttributeError):
        spec.name = "y"  # type: ignore[misc]
    assert not rt.nest.is_nested(spec)
    assert rt.TensorSpec.from_tensor(rt.constant([1, 2])) == rt.TensorSpec((2,), rt.int32)
