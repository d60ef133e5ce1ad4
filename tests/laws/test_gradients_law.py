"""Gradient rules can be recorded without knowing shapes, and have gradients of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor
from runtime.errors import UnimplementedError
from runtime.executors import run
from runtime.ops.op import REGISTRY, apply, run_kernel
from tests.each import for_each
from tests.laws.op_samples import Sample
from tests.laws.test_ops_law import DIFFERENTIABLE
from tests.suite_length import sample as every

# Steps: what they give does not change with what they are given, so that no rule gives anything.
FLAT = {"ceil", "floor", "floordiv", "round", "truncatediv"}
# The slope of these by their first operand is a series without a derivative of its own, and a
# gradient through it is refused.
ONCE = {"igamma", "igammac"}


def arrays_of(sample: Sample) -> list[np.ndarray]:
    return [a.astype(np.float64) if a.dtype.kind == "f" else a for a in sample.inputs]


def weights_for(array: Any, offset: float) -> np.ndarray:
    return np.cos(offset + np.arange(array.size)).reshape(array.shape)


def seeds_of(sample: Sample) -> list[Any]:
    """A gradient for each output that may have one."""
    results = run_kernel(REGISTRY[sample.op], arrays_of(sample), sample.attrs)
    return [weights_for(r, 1.0) if r.dtype.kind == "f" else None for r in results]


def gradients(sample: Sample, inputs: list[Any], seeds: list[Any]) -> list[Any]:
    """Return the rule's gradient for each input, None for those without one."""
    op = REGISTRY[sample.op]
    outputs = apply(op, inputs, **sample.attrs)
    outputs = [outputs] if op.n_outputs == 1 else list(outputs)
    assert op.grad is not None
    return list(op.grad(seeds, outputs, inputs, **sample.attrs))


@for_each("known", ["dims", "rank", "nothing"])
@for_each("sample", DIFFERENTIABLE, ids=str)
def test_recorded_gradients_are_the_computed_ones(sample: Sample, known: str) -> None:
    arrays, seeds = arrays_of(sample), seeds_of(sample)
    given = [seed for seed in seeds if seed is not None]
    expected = gradients(
        sample,
        [EagerTensor(array) for array in arrays],
        [None if seed is None else EagerTensor(seed) for seed in seeds],
    )

    def weakened(array: np.ndarray) -> TensorSpec:
        shapes = {"dims": array.shape, "rank": (None,) * array.ndim, "nothing": None}
        return TensorSpec(shapes[known], TensorSpec.of_array(array).dtype)

    graph = rt.Graph("law")
    operands = [graph.add_input(weakened(array), f"x{k}") for k, array in enumerate(arrays)]
    recorded = iter([graph.add_input(weakened(seed), f"dy{k}") for k, seed in enumerate(given)])
    with graph.recording():
        found = gradients(sample, operands, [None if s is None else next(recorded) for s in seeds])
    assert [gradient is None for gradient in expected] == [gradient is None for gradient in found]
    graph.set_outputs([gradient for gradient in found if gradient is not None])
    values = run(graph, [*arrays, *given])
    computed = [gradient.numpy() for gradient in expected if gradient is not None]
    for value, wanted in zip(values, computed, strict=True):
        np.testing.assert_allclose(np.asarray(value), wanted, rtol=1e-12, atol=1e-12)


@for_each("sample", every([s for s in DIFFERENTIABLE if s.op not in FLAT | ONCE], 4), ids=str)
def test_gradients_of_gradients_agree_with_finite_differences(sample: Sample) -> None:
    arrays, seeds = arrays_of(sample), seeds_of(sample)
    places = [k for k, array in enumerate(arrays) if array.dtype.kind == "f"]
    points = [arrays[k] for k in places] + [seed for seed in seeds if seed is not None]

    def total(values: list[Any]) -> Any:
        operands: list[Any] = [EagerTensor(array) for array in arrays]
        for k, value in zip(places, values):
            operands[k] = value
        dys = iter(values[len(places) :])
        found = gradients(sample, operands, [None if s is None else next(dys) for s in seeds])
        pieces = [
            rt.reduce_sum(gradient * weights_for(gradient.numpy(), 2.0))
            for gradient in found
            if gradient is not None
        ]
        return rt.add_n(pieces)

    variables = [EagerTensor(point) for point in points]
    with rt.GradientTape() as tape:
        for variable in variables:
            tape.watch(variable)
        result = total(variables)
    computed = tape.gradient(result, variables, unconnected_gradients="zero")
    for position, point in enumerate(points):
        gradient, step = np.zeros_like(point), 1e-6
        for place in np.ndindex(*point.shape):
            ends = []
            for sign in (1, -1):
                moved = [EagerTensor(each) for each in points]
                bumped = point.copy()
                bumped[place] += sign * step
                moved[position] = EagerTensor(bumped)
                ends.append(float(total(moved).numpy()))
            gradient[place] = (ends[0] - ends[1]) / (2 * step)
        if sample.op == "cholesky" and position == 0:
            gradient = (gradient + gradient.swapaxes(-1, -2)) / 2
        np.testing.assert_allclose(computed[position].numpy(), gradient, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("sample", [s for s in DIFFERENTIABLE if s.op in ONCE], ids=str)
def test_gradients_that_have_none_are_refused(sample: Sample) -> None:
    operands: list[Any] = [EagerTensor(array) for array in arrays_of(sample)]
    with rt.GradientTape() as tape:
        tape.watch(operands[0])
        gradient = gradients(sample, operands, [EagerTensor(seed) for seed in seeds_of(sample)])[0]
    with pytest.raises(UnimplementedError, match="which has none"):
        tape.gradient(gradient, operands[0])
