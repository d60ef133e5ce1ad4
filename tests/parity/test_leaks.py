"""The search for leaked symbolic tensors finds them."""

from __future__ import annotations

import runtime as rt
from tests.corpus import TENSOR_PROGRAMS
from tests.parity.leaks import left_behind


def test_symbolic_tensors_left_behind_are_found() -> None:
    program = TENSOR_PROGRAMS[0]
    tensor = rt.Graph("g").add_input(rt.TensorSpec((), rt.int32), "x")
    assert [] == left_behind(program, [])
    program.function.left = {"a": [tensor]}  # type: ignore[attr-defined]
    try:
        assert [str(tensor)] == left_behind(program, [])
    finally:
        del program.function.left  # type: ignore[attr-defined]
