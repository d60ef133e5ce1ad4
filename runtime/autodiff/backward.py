"""Reverse-mode differentiation: propagates gradients from results to operands.

    y = x * x        dx = dy * x + dy * x

Each op has its own rule (`Op.grad`), written in ops, so the gradient may itself be recorded and
differentiated. Reverse accumulation, as in Baydin et al., "Automatic differentiation in machine
learning: a survey" (2018), section 3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from runtime.autodiff.tape_steps import TapeStep, gives_constants, is_differentiable
from runtime.core.context import caller_origin, current_recorder
from runtime.core.lazy_imports import lazy_import
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.core.variant import VARIANT
from runtime.errors import GraphError, UnimplementedError
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.arrays.creation import zeros, zeros_like
from runtime.ops.arrays.shape import ensure_shape
from runtime.ops.containers.item_gradients import add_gradients, no_gradients
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.gradient_rules import GradientOfUsedOutputs, GradientPerInput

Gradients: TypeAlias = "Sequence[Any]"
# From a node, the gradients of its results, and the flags of the inputs that need a gradient, to
# the gradients of its inputs.
NodeRule: TypeAlias = "Callable[[Node, Gradients, Sequence[bool]], Gradients]"

# The gradients of nodes with regions or calls; `control_flow`, `recursion`, `call_gradients` and
# `try_except` add theirs.
NODE_RULES: dict[str, NodeRule] = {
    "py_function": lazy_import("runtime.autodiff.python_functions:python_function_gradient"),
}


class StepGradient:
    """A gradient rule that takes the whole tape step, for a step that consists of several ops."""

    def __init__(self, rule: Callable[[TapeStep, Gradients, Sequence[bool]], Gradients]) -> None:
        self._rule = rule

    def __call__(self, step: TapeStep, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
        return self._rule(step, dys, wanted)


class GradientSums:
    """The sums of the gradients found so far, by the identity of their tensors."""

    def __init__(self) -> None:
        self._found: dict[int, Any] = {}

    def add(self, value: object, gradient: Any) -> None:
        """Add a gradient to a value's gradient so far; None adds nothing."""
        if gradient is None:
            return
        known = self._found.get(id(value))
        self._found[id(value)] = gradient if known is None else sum_gradients(known, gradient)

    def of(self, value: object) -> Any:
        """Return the gradient of a value, None if there is none."""
        return self._found.get(id(value))

    def or_zeros(self, value: Any) -> Any:
        """Return the gradient of a value, which has the value's shape; zeros if there is none."""
        found = self.of(value)
        return zeros_for(value) if found is None else fitted(found, value)


def sum_gradients(one: Any, other: Any) -> Any:
    """Return the sum of two gradients of the same value."""
    return add_gradients(one, other) if one.dtype.is_variant else add(one, other)


def zeros_for(value: Any) -> Any:
    """Return the zero gradient of a value that nothing depends on.

    Args:
        value: a tensor, a variable, or the placeholder of a variable.
    """
    if value.dtype.is_variant:
        return no_gradients()
    if value.shape.is_fully_defined():
        return zeros(value.shape, value.dtype)
    return zeros_like(value if isinstance(value, Tensor) else value.read_value())


def fitted(gradient: Any, value: Any) -> Any:
    """Return a gradient with its value's shape, checked at run time if it is not known."""
    if value.dtype.is_variant or value.shape.contains(gradient.shape):
        return gradient
    return ensure_shape(gradient, value.shape)


def recording_graph() -> Graph:
    """Return the current graph; GraphError if no graph is recording."""
    recorder = current_recorder()
    if not isinstance(recorder, Graph):
        raise GraphError("a gradient through a graph can only be asked for while it is recorded")
    return recorder


def gradient_input(graph: Graph, like: SymbolicTensor) -> SymbolicTensor:
    """Add an input to a backward graph for the gradient of a value, and return it."""
    return graph.add_input(gradient_spec(like), "gradient")


def gradient_spec(value: SymbolicTensor) -> TensorSpec:
    """Return the spec of the gradient of a value; that of a list is a table of gradients."""
    return VARIANT if value.dtype.is_variant else TensorSpec(value.shape, value.dtype)


def seeds_of(outputs: Sequence[SymbolicTensor], dys: Gradients) -> GradientSums:
    """Return the gradients of a region's outputs as sums, to backpropagate through the region."""
    seeds = GradientSums()
    for output, dy in zip(outputs, dys, strict=False):
        if is_differentiable(output.dtype):
            seeds.add(output, dy)
    return seeds


def backpropagate(
    steps: Iterable[TapeStep], seeds: GradientSums, sources: Sequence[object]
) -> GradientSums:
    """Propagate gradients backward over steps; return all gradients found.

    Args:
        steps: the steps in the order of execution.
        seeds: the gradients of the targets, to which all others are added.
        sources: the values whose gradients are sought, by their identities. Steps that do not
            depend on them are skipped.
    """
    recorder, origin = current_recorder(), caller_origin()
    if isinstance(recorder, Graph) and origin is not None:
        recorder.gradient_lines.add((origin.filename, origin.line))
    active = set(map(id, sources))
    relevant = []
    for step in steps:
        if not active.isdisjoint(map(id, step.sources)):
            relevant.append(step)
            pairs = zip(step.outputs, step.results, strict=True)
            active.update(id(each) for output, each in pairs if is_differentiable(output.dtype))
    for step in reversed(relevant):
        dys = [seeds.of(each) for each in step.results]
        if all(dy is None for dy in dys):
            continue
        wanted = [id(each) in active for each in step.sources]
        found = gradients_of(step, dys, wanted)
        for value, gradient, is_wanted in zip(step.sources, found, wanted, strict=True):
            if is_wanted:
                seeds.add(value, gradient)
    return seeds


def gradients_of(step: TapeStep, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    """Return a gradient, or None, for each input of a step.

    Args:
        dys: the gradient of each output, or None.
        wanted: the inputs whose gradients are needed; the others may be None.

    Raises:
        UnimplementedError: the op has no gradient.
    """
    rule = NODE_RULES.get(step.op.name)
    if rule is not None and step.node is not None:
        return rule(step.node, dys, wanted)
    grad = step.op.grad
    if grad is None:
        if not gives_constants(step.op):
            raise UnimplementedError(
                f"a gradient would go through {step.op.name}, which has none: compute that with "
                "other ops, or put rt.stop_gradient(...) around it",
                step.node.origin if step.node is not None else None,
            )
        return [None] * len(step.inputs)
    if isinstance(grad, StepGradient):
        return grad(step, dys, wanted)
    if isinstance(grad, GradientOfUsedOutputs):
        return grad(dys, step.outputs, step.inputs, **step.attrs)
    given = [
        zeros_for(y) if dy is None and is_differentiable(y.dtype) else dy
        for y, dy in zip(step.outputs, dys, strict=True)
    ]
    if isinstance(grad, GradientPerInput):
        return grad.of_inputs(wanted, given, step.outputs, step.inputs, **step.attrs)
    found: Gradients = grad(given, step.outputs, step.inputs, **step.attrs)
    return found
