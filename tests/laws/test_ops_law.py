"""Every op agrees with its declaration: inferred specs, recorded outputs, gradients."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor
from runtime.ops.op import EFFECTS, REGISTRY, output_specs, run_kernel
from tests.each import for_each
from tests.laws.op_samples import SAMPLES, Sample

# Ops whose inputs are no plain arrays, or that have no kernel: tried where they are at home.
ELSEWHERE = {
    "regions": {"cond", "while_loop", "switch_case", "recursion", "call", "try_except"},
    "graphs": {"function_call"},
    "exceptions": {"from_exception", "make_error"},
    "rules of the user": {"given_gradient"},
    "variables": {op for op in REGISTRY if op.endswith("_variable")},
    "effects on the world": {op for op in REGISTRY if REGISTRY[op].effects == "io"},
}


def specs_of(sample: Sample) -> list[TensorSpec]:
    return [TensorSpec.of_array(array) for array in sample.inputs]


def weakenings(specs: list[TensorSpec]) -> list[list[TensorSpec]]:
    """The same inputs known less well: every dimension, one input, or the ranks unknown."""
    dims = [spec.with_shape((None,) * len(spec.shape)) for spec in specs]
    firsts = [spec.with_shape((None, *spec.shape[1:]) if len(spec.shape) else ()) for spec in specs]
    ranks = [spec.with_shape(None) for spec in specs]
    mixed = [
        [other if k == position else spec for k, spec in enumerate(specs)]
        for position, others in itertools.product(range(len(specs)), (dims, ranks))
        for other in (others[position],)
    ]
    return [dims, firsts, ranks, *mixed]


def test_every_op_has_a_sample() -> None:
    sampled = {sample.op for sample in SAMPLES}
    excused = set().union(*ELSEWHERE.values())
    assert set(REGISTRY) - sampled - excused == set()
    assert sampled & excused == set()


@for_each("sample", SAMPLES, ids=str)
def test_the_inferred_spec_is_the_computed_one(sample: Sample) -> None:
    op = REGISTRY[sample.op]
    results = run_kernel(op, sample.inputs, sample.attrs)
    inferred = output_specs(op, specs_of(sample), sample.attrs)
    assert len(inferred) == len(results)
    for spec, array in zip(inferred, results, strict=True):
        computed = TensorSpec.of_array(array)
        assert spec == computed if sample.exact else spec.contains(computed)


@for_each("sample", SAMPLES, ids=str)
def test_inference_from_weaker_specs_contains_the_computed_spec(sample: Sample) -> None:
    op = REGISTRY[sample.op]
    computed = [TensorSpec.of_array(a) for a in run_kernel(op, sample.inputs, sample.attrs)]
    for specs in weakenings(specs_of(sample)):
        inferred = output_specs(op, specs, sample.attrs)
        assert len(inferred) == len(computed)
        for spec, exact in zip(inferred, computed, strict=True):
            assert spec.contains(exact), (specs, spec, exact)


@for_each("sample", SAMPLES, ids=str)
def test_recorded_outputs_carry_the_inferred_specs(sample: Sample) -> None:
    op, graph = REGISTRY[sample.op], rt.Graph("law")
    inputs = [graph.add_input(spec, f"x{k}") for k, spec in enumerate(specs_of(sample))]
    outputs = graph.record(op, inputs, sample.attrs)
    inferred = output_specs(op, specs_of(sample), sample.attrs)
    assert [output.spec for output in outputs] == list(inferred)
    assert not any(output.weak for output in outputs)
    assert hash(tuple(sorted(sample.attrs.items()))) is not None


@for_each("sample", SAMPLES, ids=str)
def test_kernels_do_not_change_their_inputs(sample: Sample) -> None:
    before = [array.copy() for array in sample.inputs]
    run_kernel(REGISTRY[sample.op], sample.inputs, sample.attrs)
    for old, array in zip(before, sample.inputs, strict=True):
        np.testing.assert_array_equal(old, array)


@for_each("sample", SAMPLES, ids=str)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_kernels_return_arrays_for_results_with_axes(sample: Sample) -> None:
    op = REGISTRY[sample.op]
    given = op.kernel(*sample.inputs, **sample.attrs)
    results = [given] if op.n_outputs == 1 else given
    for result, spec in zip(results, output_specs(op, specs_of(sample), sample.attrs), strict=True):
        if spec.shape.rank and op.effects in ("none", "read", "random"):
            assert type(result) is np.ndarray


def test_effects_and_names_are_valid() -> None:
    for name, op in REGISTRY.items():
        assert op.name == name == name.lower()
        assert op.effects in EFFECTS
        assert isinstance(op.tensorflow_name, str)


DIFFERENTIABLE = [
    sample
    for sample in SAMPLES
    if REGISTRY[sample.op].grad is not None
    and sample.smooth
    and sample.op != "stop_gradient"
    and any(array.dtype.kind == "f" for array in sample.inputs)
    and output_specs(REGISTRY[sample.op], specs_of(sample), sample.attrs)[0].dtype.kind == "f"
]


@for_each("sample", DIFFERENTIABLE, ids=str)
def test_declared_gradients_agree_with_finite_differences(sample: Sample) -> None:
    op = REGISTRY[sample.op]
    arrays = [a.astype(np.float64) if a.dtype.kind == "f" else a for a in sample.inputs]
    outputs = [EagerTensor(array) for array in run_kernel(op, arrays, sample.attrs)]
    weights = [np.cos(np.arange(1, 1 + t._array.size)).reshape(t._array.shape) for t in outputs]
    inputs = [EagerTensor(array) for array in arrays]
    found = op.grad([EagerTensor(w) for w in weights], outputs, inputs, **sample.attrs)
    assert len(found) == len(inputs)
    for position, (array, gradient) in enumerate(zip(arrays, found, strict=True)):
        if array.dtype.kind != "f":
            assert gradient is None
            continue
        expected = numeric_gradient(sample, arrays, weights, position)
        if sample.op == "cholesky":
            # It reads one half of a symmetric matrix; the gradient is of the whole, evenly.
            expected = (expected + expected.swapaxes(-1, -2)) / 2
        computed = np.zeros_like(array) if gradient is None else gradient.numpy()
        assert computed.shape == expected.shape
        np.testing.assert_allclose(computed, expected, rtol=1e-5, atol=1e-6)


def numeric_gradient(
    sample: Sample, arrays: list[np.ndarray], weights: list[np.ndarray], position: int
) -> np.ndarray:
    """The slope of the weighted sum of outputs, by central differences."""

    def total(changed: np.ndarray) -> float:
        inputs = [*arrays[:position], changed, *arrays[position + 1 :]]
        results = run_kernel(REGISTRY[sample.op], inputs, sample.attrs)
        return sum(float(np.sum(r * w)) for r, w in zip(results, weights, strict=True))

    gradient, step = np.zeros_like(arrays[position]), 1e-6
    for place in np.ndindex(*gradient.shape):
        bump = np.zeros_like(gradient)
        bump[place] = step
        up, down = total(arrays[position] + bump), total(arrays[position] - bump)
        gradient[place] = (up - down) / (2 * step)
    return gradient
