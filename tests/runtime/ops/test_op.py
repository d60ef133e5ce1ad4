"""Declaring and applying ops: the registry's checks and the errors of kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError
from runtime.ops.infer import same
from runtime.ops.op import REGISTRY, Op, apply, define, register, run_kernel
from runtime.ops.registry import Registry


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test define ops that are gone afterwards."""
    known: Registry[Op] = Registry({})
    known.update(REGISTRY)
    monkeypatch.setattr("runtime.ops.op.REGISTRY", known)


def failing(error: Exception) -> Any:
    def kernel(*arrays: Any, **attrs: Any) -> Any:
        raise error

    return kernel


def test_a_name_is_registered_once(scratch: None) -> None:
    with pytest.raises(ValueError, match="'add' is registered twice"):
        define("add", np.add, same)
    with pytest.raises(ValueError, match="unknown effect 'magic'"):
        define("new", np.add, same, effects="magic")
    assert register(Op("new", np.add, same)).name == "new"


def test_a_kernels_numpy_error_names_the_op(scratch: None) -> None:
    op = define("picky", failing(ValueError("no good")), same)
    with pytest.raises(InvalidArgumentError, match="^apply: no good") as caught:
        apply(op, (rt.constant(1),))
    assert isinstance(caught.value.__cause__, ValueError)


def test_inference_explains_a_kernels_error_when_it_can() -> None:
    with pytest.raises(ShapeError, match=r"add: shapes \(2,\) and \(3,\) do not broadcast"):
        rt.constant([1, 2]) + rt.constant([1, 2, 3])


def test_the_same_error_eagerly_and_recorded() -> None:
    calls = (
        lambda a, b: rt.matmul(a, b),
        lambda a, b: rt.concat([a, b[0]], 0),
        lambda a, b: rt.reshape(a, [5]),
        lambda a, b: rt.sqrt(rt.cast(a, "int32")),
    )
    for call in calls:
        messages = []
        for graph in (None, rt.Graph("f")):
            with rt.recording(graph), pytest.raises(InvalidArgumentError) as caught:
                call(rt.ones([2, 3]), rt.ones([2, 3]))
            messages.append(caught.value.message)
        assert messages[0] == messages[1]


def test_errors_of_io_ops_are_the_users(scratch: None) -> None:
    op = define("outside", failing(ValueError("the user's")), same, effects="io")
    with pytest.raises(ValueError, match="^the user's$") as caught:
        run_kernel(op, [np.ones(1)], {})
    assert not isinstance(caught.value, InvalidArgumentError)


def test_kinds_are_checked_eagerly_and_by_inference() -> None:
    with pytest.raises(
        DTypeError, match="sqrt works on float, complex tensors, not on int32: write"
    ):
        rt.sqrt(4)
    with pytest.raises(DTypeError, match="not on bool"):
        rt.constant(True) + rt.constant(True)
    with pytest.raises(DTypeError, match="logical_and works on bool"):
        REGISTRY["logical_and"].infer(rt.TensorSpec(()), rt.TensorSpec(()))


def test_numpy_scalars_become_arrays_and_warnings_stay_silent(recwarn: Any) -> None:
    results = run_kernel(REGISTRY["divide"], [np.array(1.0), np.array(0.0)], {})
    assert type(results[0]) is np.ndarray and results[0] == np.inf
    assert not recwarn.list
