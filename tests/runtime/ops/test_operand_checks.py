"""Operands are checked by inference before a kernel runs, each kind once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import TensorSpec
from runtime.errors import DTypeError, OutOfMemoryError, ShapeError
from runtime.executors.interpreter import run
from runtime.ops import op as operands
from runtime.ops.op import REGISTRY, Op, apply, run_kernel


class Counting:
    """An inference that counts how often it is asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, x: TensorSpec, **attrs: Any) -> TensorSpec:
        self.times += 1
        if x.shape.rank != 1:
            raise ShapeError("takes vectors")
        return x


def counted() -> tuple[Op, Counting]:
    asked = Counting()
    return Op(f"counted_{id(asked)}", lambda x, **attrs: x, asked), asked


def test_each_kind_of_operands_is_checked_once() -> None:
    op, asked = counted()
    for _ in range(3):
        run_kernel(op, [np.zeros(2, np.float32)], {"axis": (0, 1)})
    assert 1 == asked.times
    run_kernel(op, [np.zeros(2, np.float64)], {"axis": (0, 1)})
    run_kernel(op, [np.zeros(3, np.float32)], {"axis": (0, 1)})
    run_kernel(op, [np.zeros(2, np.float32)], {"axis": (0, 2)})
    assert 4 == asked.times


def test_invalid_operands_are_refused_each_time() -> None:
    op, asked = counted()
    for times in (1, 2):
        with pytest.raises(ShapeError, match="takes vectors"):
            run_kernel(op, [np.zeros((2, 2))], {})
        assert times == asked.times


def test_attributes_that_hold_a_function_are_not_kept() -> None:
    op, asked = counted()
    before = len(operands._fitting)
    for _ in range(2):
        run_kernel(op, [np.zeros(2)], {"function": lambda: 1})
    assert (2, before) == (asked.times, len(operands._fitting))


def test_the_number_of_remembered_kinds_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operands, "_MOST", 4)
    op, asked = counted()
    for size in range(20):
        run_kernel(op, [np.zeros(size)], {})
    assert 20 == asked.times
    assert len(operands._fitting) <= 4


def test_operands_of_several_dtypes_are_refused_eagerly_too() -> None:
    pair = [rt.constant([1.0]), rt.constant([1])]
    with pytest.raises(DTypeError, match="do not mix"):
        apply(REGISTRY["add"], pair)


def test_invalid_runtime_shapes_are_refused_by_the_run() -> None:
    graph = rt.Graph("test")
    x = graph.add_input(rt.TensorSpec(None, "float32"), "x")
    with graph.recording():
        y = rt.nn.softmax(x)
    graph.set_outputs([y])
    with pytest.raises(ShapeError, match="softmax: needs rank 1 or more"):
        run(graph, [np.array(1.0, np.float32)])


def test_a_too_large_result_raises_our_memory_error() -> None:
    with pytest.raises(OutOfMemoryError, match="rt.zeros: the result is larger than the memory"):
        rt.zeros([2**40, 2**20])
    with pytest.raises(MemoryError):
        rt.range(2**62)
