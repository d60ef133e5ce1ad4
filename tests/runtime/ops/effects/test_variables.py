"""The ops behind variables: inferred specs, effects and results."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.core.spec import TensorSpec
from runtime.errors import DTypeError, ShapeError
from runtime.ops.effects.variables import (
    ASSIGN_ADD_VARIABLE,
    ASSIGN_SUB_VARIABLE,
    ASSIGN_VARIABLE,
    READ_VARIABLE,
    HandleSpec,
)
from runtime.ops.op import REGISTRY, Op, output_specs, run_kernel
from runtime.state.variable import Variable

WRITES = (ASSIGN_VARIABLE, ASSIGN_ADD_VARIABLE, ASSIGN_SUB_VARIABLE)


def test_effects_and_registration() -> None:
    assert READ_VARIABLE.effects == "read"
    assert [op.effects for op in WRITES] == ["write"] * 3
    assert all(REGISTRY[op.name] is op for op in (READ_VARIABLE, *WRITES))


def test_reading_forgets_that_it_was_a_handle() -> None:
    (spec,) = output_specs(READ_VARIABLE, [HandleSpec((2, None), "int32")], {})
    assert type(spec) is TensorSpec and spec == TensorSpec((2, None), "int32")


@pytest.mark.parametrize("op", WRITES)
def test_writes_check_dtype_and_shape(op: Op) -> None:
    handle = HandleSpec((2, None), "int32")
    assert output_specs(op, [handle, TensorSpec((2, 5), "int32")], {}) == ()
    assert output_specs(op, [handle, TensorSpec(None, "int32")], {}) == ()
    with pytest.raises(DTypeError, match=r"write rt\.cast\(x, rt\.int32\)"):
        op.infer(handle, TensorSpec((2, 5), "int64"))
    with pytest.raises(ShapeError, match=r"\(3, 5\) cannot go into"):
        op.infer(handle, TensorSpec((3, 5), "int32"))


def test_kernels_work_on_the_variable_itself() -> None:
    v = Variable([1.0, 2.0])
    change = np.array([10.0, 20.0], np.float32)
    for op, expected in zip(WRITES, ([10.0, 20.0], [20.0, 40.0], [10.0, 20.0])):
        assert run_kernel(op, [v, change], {}) == ()  # type: ignore[list-item]
        (found,) = run_kernel(READ_VARIABLE, [v], {})  # type: ignore[list-item]
        assert found.tolist() == expected


def test_a_scalar_that_was_added_to_is_an_array_still() -> None:
    variable = Variable(1.0)
    variable.assign_add(2.0)
    assert isinstance(variable._array, np.ndarray)
    assert [3.0] == np.ravel(variable.read_value()).tolist()
