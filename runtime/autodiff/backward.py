"""Reverse-mode differentiation: propagates gradients from results to operands.

    y = x * x        dx = dy * x + dy * x

Each op has its own rule (`Op.grad`), written in ops, so it may itself be recorded, and gone over
backwards again. Reverse accumulation, as in Baydin et al., "Automatic differentiation in machine
learning: a survey" (2018), section 3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from runtime.autodiff.tape_steps import TapeStep, gives_constants, is_differentiable
from runtime.core.context import caller_origin, current_recorder
from runtime.core.lazy_imports import lazy_import
from runtime.core.tensor import Tensor
from runtime.errors import UnimplementedError
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.arrays.creation import zeros, zeros_like
from runtime.ops.arrays.shape import ensure_shape
from runtime.ops.containers.item_gradients import join_gradients, no_gradients
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.gradient_rules import OfUsed, PerInput

Gradients: TypeAlias = "Sequence[Any]"
# From a node, the gradients of its results and which inputs matter to gradients of its inputs.
NodeRule: TypeAlias = "Callable[[Node, Gradients, Sequence[bool]], Gradients]"

# Gradients of nodes that are more than an op: `control_flow`, `recursion`, `call_gradients` and
# `try_except` add theirs.
NODE_RULES: dict[str, NodeRule] = {
    "py_function": lazy_import("runtime.autodiff.python_functions:python_function_gradient"),
}


class StepGradient:
    """The gradient of a tape step of several ops, computed from the whole step."""

    def __init__(self, rule: Callable[[TapeStep, Gradients, Sequence[bool]], Gradients]) -> None:
        self._rule = rule

    def __call__(self, step: TapeStep, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
        return self._rule(step, dys, wanted)


class GradientSums:
    """The gradients found so far, summed, by the identity of their tensors."""

    def __init__(self) -> None:
        self._found: dict[int, Any] = {}

    def add(self, value: object, gradient: Any) -> None:
        """Add a gradient to a value's gradient so far; None adds nothing."""
        if gradient is None:
            return
        known = self._found.get(id(value))
        self._found[id(value)] = gradient if known is None else joined(known, gradient)

    def of(self, value: object) -> Any:
        """Return the gradient of a value, None if nothing led to it."""
        return self._found.get(id(value))


def joined(one: Any, other: Any) -> Any:
    """Return the sum of two gradients of one value."""
    return join_gradients(one, other) if one.dtype.is_variant else add(one, other)


def zeros_for(value: Any) -> Any:
    """Return the gradient of a value nothing depends on: zeros of the value's shape.

    Args:
        value: a tensor, or a variable or what stands for one.
    """
    if value.dtype.is_variant:
        return no_gradients()
    if value.shape.is_fully_defined():
        return zeros(value.shape, value.dtype)
    return zeros_like(value if isinstance(value, Tensor) else value.read_value())


def fitted(gradient: Any, value: Any) -> Any:
    """Return a gradient with all that is known of the shape of what it is the gradient of."""
    if value.dtype.is_variant or value.shape.contains(gradient.shape):
        return gradient
    return ensure_shape(gradient, value.shape)


def backpropagate(
    steps: Iterable[TapeStep], seeds: GradientSums, sources: Sequence[object]
) -> GradientSums:
    """Go over steps backwards and return the gradients, those of the sources among them.

    Args:
        steps: in the order in which they were done.
        seeds: gradients of the results to begin with; added to.
        sources: what is asked for, as steps know it. Steps that do not depend on it are passed
            over.
    """
    recorder, origin = current_recorder(), caller_origin()
    if isinstance(recorder, Graph) and origin is not None:
        recorder.gone_back_at.add((origin.filename, origin.line))
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
    """Return a gradient or None for each input of a step.

    Args:
        dys: for each output its gradient, or None.
        wanted: which inputs matter; gradients of others may be left out.
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
    if isinstance(grad, OfUsed):
        return grad(dys, step.outputs, step.inputs, **step.attrs)
    given = [
        zeros_for(y) if dy is None and is_differentiable(y.dtype) else dy
        for y, dy in zip(step.outputs, dys, strict=True)
    ]
    if isinstance(grad, PerInput):
        return grad.some(wanted, given, step.outputs, step.inputs, **step.attrs)
    found: Gradients = grad(given, step.outputs, step.inputs, **step.attrs)
    return found
