"""Wrong operands of an op: results of its kernel and its inference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import runtime as rt
from runtime.core.item_list import ItemList
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor
from runtime.core.variant import boxed
from runtime.ops import grad
from runtime.ops.containers import item_gradients, item_moves, list_gradients
from runtime.ops.data import datasets
from runtime.ops.op import REGISTRY, apply, output_specs
from tests.laws.op_samples import SAMPLES, Sample
from tests.laws.wrong_inputs.execution_modes import KNOWN, Fault
from tests.laws.wrong_inputs.mistakes import wrong_arrays
from tests.laws.wrong_inputs.verdict import Outcome, outcome_of

# Only rules of gradients and datasets make the ops of these, of operands that other ops have taken.
_OF_RULES = tuple(
    module.__name__ for module in (grad, item_gradients, item_moves, list_gradients, datasets)
)


# What these know of their operands' values is in their attributes.
_OF_VALUES = {"range", "repeat"}


def samples() -> list[Sample]:
    """Those of ops that programs call."""
    return [sample for sample in SAMPLES if not _home(sample).startswith(_OF_RULES)]


def _home(sample: Sample) -> str:
    kernel = REGISTRY[sample.op].kernel
    return getattr(kernel, "__module__", None) or ""


def wrong_operands(sample: Sample) -> Iterator[tuple[str, Sample]]:
    """Every sample like this one with one operand that is wrong."""
    for position, array in enumerate(sample.inputs):
        for words, wrong in _wrong_operand(array):
            is_known = sample.op in _OF_VALUES or _holds_sizes(sample, position)
            if is_known and wrong.shape == array.shape:
                continue
            inputs = (*sample.inputs[:position], wrong, *sample.inputs[position + 1 :])
            yield f"operand {position}: {words}", replace(sample, inputs=inputs)
    if len(sample.inputs) == 2 and sample.inputs[0].shape != sample.inputs[1].shape:
        yield "operands the other way round", replace(sample, inputs=sample.inputs[::-1])


def _holds_sizes(sample: Sample, position: int) -> bool:
    """Tell whether an operand holds the sizes of which an attribute knows some."""
    is_last = position == len(sample.inputs) - 1
    return is_last and sample.attrs.get("shape") is not None and not sample.exact


def _wrong_operand(array: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    yield "a list", boxed(ItemList([]))
    if array.dtype.kind == "V":
        yield from (("a number", np.array(2.5, np.float32)), ("a vector", np.arange(3)))
        return
    for words, wrong in wrong_arrays(array):
        yield words, wrong._array


def faults_of(sample: Sample, mistake: str) -> Iterator[Fault]:
    """Yield the faults in an op's treatment of these operands."""
    op = REGISTRY[sample.op]
    tensors = [EagerTensor(array) for array in sample.inputs]
    specs = [tensor.spec for tensor in tensors]

    def results() -> list[EagerTensor]:
        found = apply(op, tensors, **sample.attrs)
        return [found] if op.n_outputs == 1 else list(found)

    computed = outcome_of(results)
    if computed.fault and not isinstance(computed.error, op.raises):
        yield Fault(str(sample), mistake, "eager", computed.fault)
    for known, weaker in KNOWN.items():
        less = [weaker(spec) for spec in specs]
        inferred = outcome_of(lambda less=less: output_specs(op, less, sample.attrs))
        words = inferred.fault or _difference(computed, inferred)
        if words:
            yield Fault(str(sample), mistake, known, words)
    if not computed.refused and op.effects == "none":
        words = _gradient(sample, tensors)
        if words:
            yield Fault(str(sample), mistake, "gradient", words)


def _difference(computed: Outcome, inferred: Outcome) -> str:
    if computed.refused:
        return ""
    if inferred.refused:
        return f"the kernel takes it, the inference does not: {inferred.error}"[:300]
    specs = [tensor.spec for tensor in computed.value]
    if len(specs) != len(inferred.value):
        return f"{len(specs)} results, {len(inferred.value)} inferred"
    for spec, exact in zip(inferred.value, specs, strict=True):
        if not spec.contains(exact):
            return f"computed {exact}, inferred {spec}"
    return ""


def _gradient(sample: Sample, tensors: list[EagerTensor]) -> str:
    op = REGISTRY[sample.op]
    watched = [t for t in tensors if t._array.dtype.kind in "fc"]

    def made() -> list[EagerTensor | None]:
        with rt.GradientTape() as tape:
            tape.watch(watched)
            found = apply(op, tensors, **sample.attrs)
        results = [found] if op.n_outputs == 1 else list(found)
        targets = [r for r in results if r.dtype.kind in "fc"]
        return tape.gradient(targets, watched) if targets else []

    if not watched:
        return ""
    found = outcome_of(made)
    if found.refused:
        return found.fault
    for tensor, gradient in zip(watched, found.value):
        if isinstance(gradient, EagerTensor) and gradient.spec != TensorSpec.of_array(
            tensor._array
        ):
            return f"the gradient is {gradient.spec} for {tensor.spec}"
    return ""
