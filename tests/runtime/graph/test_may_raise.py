"""Exceptions that nodes may raise."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import TensorSpec
from runtime.errors import OpError, ShapeError
from runtime.graph.may_raise import may_be, raised_by
from runtime.ops.op import REGISTRY, run_kernel
from tests.each import for_each
from tests.laws.op_samples import SAMPLES, Sample

_STRANGE = {"i": (-7, 0, 99), "u": (0, 99), "f": (float("nan"), float("inf"), -1.0), "b": (False,)}


@for_each("sample", SAMPLES, ids=str)
def test_ops_declared_total_never_raise(sample: Sample) -> None:
    specs = [TensorSpec.of_array(array) for array in sample.inputs]
    if raised_by(REGISTRY[sample.op], sample.attrs, specs):
        return
    for position, array in enumerate(sample.inputs):
        for value in _STRANGE.get(array.dtype.kind, ()):
            inputs = list(sample.inputs)
            inputs[position] = np.full_like(array, value)
            try:
                run_kernel(REGISTRY[sample.op], inputs, sample.attrs)
            except OpError as error:
                pytest.fail(f"{sample} with {value}: {error!r}")


def test_unknown_shapes_may_raise_shape_errors() -> None:
    known, unknown = TensorSpec((2,), rt.int32), TensorSpec((None,), rt.int32)
    assert () == raised_by(REGISTRY["add"], {}, [known, known])
    kinds = raised_by(REGISTRY["add"], {}, [known, unknown])
    assert may_be(kinds, (ShapeError,)) and not may_be(kinds, (ZeroDivisionError, IndexError))


def test_an_exception_class_matches_its_bases_and_subclasses() -> None:
    assert may_be((KeyError,), (LookupError,))
    assert may_be((LookupError,), (KeyError,))
    assert not may_be((KeyError,), (IndexError,))
