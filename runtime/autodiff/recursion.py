"""Gradients of recursive functions are recursive functions.

    f(%n, %x):                         f_gradient(%residuals, %dy):
      ... f(%m, %x) ...        ->        %rest, ... = list_pop(%residuals)
      return %y, %residuals                   ... f_gradient(%kept_inside, %dy_inside) ...

Each recursion level returns a list of its residuals, which contains the lists of the deeper levels.
The backward function gets all values from that list, so it captures nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

from runtime.autodiff.backward import (
    NODE_RULES,
    Gradients,
    GradientSums,
    backpropagate,
    fitted,
    gradient_input,
    gradient_spec,
    recording_graph,
    zeros_for,
)
from runtime.autodiff.residuals import BackwardGraph
from runtime.autodiff.tape_steps import is_differentiable, steps_in
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.core.variant import VARIANT
from runtime.errors import UnimplementedError
from runtime.graph.callee import RecursiveRegion
from runtime.graph.capture import outermost
from runtime.graph.extra_outputs import add_list_output, add_output
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.graph.recursion import record_call, record_recursion

# By the name of a recursive function, the backward function that the gradients of its calls call.
_BACKWARD_CALLEES: ContextVar[dict[str, RecursiveRegion] | None] = ContextVar(
    "backward_callees", default=None
)


class _ClosedBackwardGraph(BackwardGraph):
    """A backward region that takes the forward region's captured tensors from the list, too."""

    def _from_forward(self, value: SymbolicTensor) -> SymbolicTensor:
        if value.graph.outer_of(value) is not None:
            outer = outermost(value)
            # A variable is captured, since it is not a value that a list could hold.
            return self._take_residual(value) if isinstance(outer, Tensor) else self.capture(outer)
        return super()._from_forward(value)


def recursion_gradient(node: Node, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    """Return the gradients of the operands of a `recursion`.

    Raises:
        UnimplementedError: the gradient uses a variable from outside of the function.
    """
    graph = recording_graph()
    (region,) = node.regions
    results = list(region.outputs)
    residuals = add_output(node, VARIANT)
    for call in _calls_of(region):
        _add_residual_output(call)
    back = _backward_region(graph, region, results, "none")
    if back.effect != "none":
        # The recursive calls must declare the effect, which is only known now: a user's gradient
        # may read a variable.
        back = _backward_region(graph, region, results, back.effect)
    if back.captures:
        raise UnimplementedError(
            f"the gradient of '{region.name}', which calls itself, uses {back.captures[0].inner} "
            "from outside: give what it needs of it to the function as an argument, as in "
            "f(x, v.read_value())",
            node.origin,
        )
    add_list_output(region, back.residuals, node.origin)
    seeded = [at for at, each in enumerate(results) if _is_differentiable(each)]
    seeds = [zeros_for(node.outputs[at]) if dys[at] is None else dys[at] for at in seeded]
    first = [fitted(dy, results[at]) for at, dy in zip(seeded, seeds, strict=True)]
    gradients = iter(record_recursion(back, [graph.capture(residuals), *first]))
    return [next(gradients) if _is_differentiable(each) else None for each in region.inputs]


def _backward_region(
    graph: Graph, region: Graph, results: Sequence[SymbolicTensor], effect: str
) -> BackwardGraph:
    """Return the backward region of a recursive region."""
    back = _ClosedBackwardGraph(f"{region.name}_gradient", graph, region, lambda: parameter)
    back.is_called = True
    parameter = back.add_input(VARIANT, "residuals")
    seeded = {
        at: gradient_input(back, each)
        for at, each in enumerate(results)
        if _is_differentiable(each)
    }
    sought = [each for each in region.inputs if _is_differentiable(each)]
    specs = (VARIANT, *(each.spec for each in back.parameters[1:]))
    callee = RecursiveRegion(back.name, specs, tuple(map(gradient_spec, sought)), effect)
    token = _BACKWARD_CALLEES.set({**(_BACKWARD_CALLEES.get() or {}), region.name: callee})
    try:
        with back.recording():
            back.pop_node()
            seeds = GradientSums()
            for at, dy in seeded.items():
                seeds.add(results[at], dy)
            sums = backpropagate(steps_in(region), seeds, sought)
            outputs = [sums.or_zeros(each) for each in sought]
        back.set_outputs(outputs)
    finally:
        _BACKWARD_CALLEES.reset(token)
    return back


def call_gradient(node: Node, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    """Return the gradients of the operands of a `call`, inside of the backward region.

    Raises:
        UnimplementedError: the backward region is not being recorded: a tape inside of the function
            asks for the gradient.
    """
    callee: Any = node.attrs["callee"]
    backward_callee = (_BACKWARD_CALLEES.get() or {}).get(callee.name)
    if backward_callee is None:
        raise UnimplementedError(
            f"a gradient is asked for inside of '{callee.name}', which calls itself: ask for it "
            "outside",
            node.origin,
        )
    seeded = [
        zeros_for(output) if dy is None else fitted(dy, output)
        for output, dy in zip(node.outputs[:-1], dys[:-1], strict=True)
        if _is_differentiable(output)
    ]
    found = iter(
        record_call(backward_callee, [recording_graph().capture(node.outputs[-1]), *seeded], ())
    )
    return [next(found) if _is_differentiable(each) else None for each in node.inputs]


def _calls_of(region: Graph) -> list[Node]:
    def is_call(node: Node) -> bool:
        callee = node.attrs.get("callee")
        return isinstance(callee, RecursiveRegion) and callee.name == region.name

    return [node for node in region.walk() if is_call(node)]


def _add_residual_output(call: Node) -> None:
    callee: Any = call.attrs["callee"]
    more = RecursiveRegion(callee.name, callee.inputs, (*callee.outputs, VARIANT), callee.effect)
    call.attrs = {**call.attrs, "callee": more}
    add_output(call, VARIANT)


def _is_differentiable(value: Any) -> bool:
    return is_differentiable(value.dtype)


_RULES: dict[str, Callable[[Node, Gradients, Sequence[bool]], Gradients]] = {
    "recursion": recursion_gradient,
    "call": call_gradient,
}
NODE_RULES.update(_RULES)
