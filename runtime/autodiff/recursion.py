"""Gradients of recursive functions are recursive functions.

    f(%n, %x):                         f_gradient(%kept, %dy):
      ... f(%m, %x) ...        ->        %rest, ... = list_pop(%kept)
      return %y, %kept                   ... f_gradient(%kept_inside, %dy_inside) ...

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
    zeros_for,
)
from runtime.autodiff.residuals import FollowingGraph
from runtime.autodiff.tape_steps import is_differentiable, steps_in
from runtime.core.context import current_recorder
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.core.variant import VARIANT
from runtime.errors import GraphError, UnimplementedError
from runtime.graph.callee import Callee
from runtime.graph.capture import outermost
from runtime.graph.extra_outputs import add_list_output, add_output
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.graph.recursion import record_call, record_recursion

# By the name of a recursive function, the backward function that its calls become.
_GOING_BACK: ContextVar[dict[str, Callee] | None] = ContextVar("going_back", default=None)


class _ClosedGraph(FollowingGraph):
    """A backward region that also takes the forward region's captures from the list."""

    def _from_forward(self, value: SymbolicTensor) -> SymbolicTensor:
        if value.graph.outer_of(value) is not None:
            outer = outermost(value)
            # A variable is captured, since it is not a value that a list could hold.
            return self._taken(value) if isinstance(outer, Tensor) else self.capture(outer)
        return super()._from_forward(value)


def recursion_gradient(node: Node, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    """Return the gradients of the operands of a `recursion`."""
    graph = current_recorder()
    if not isinstance(graph, Graph):
        raise GraphError("a gradient through a graph can only be asked for while it is recorded")
    (region,) = node.regions
    results = list(region.outputs)
    kept = add_output(node, VARIANT)
    for call in _calls_of(region):
        _hand_out_more(call)
    back = _gone_back(graph, region, results, "none")
    if back.effect != "none":
        # The recursive calls must declare the effect, which is only known now: a user's rule may
        # read.
        back = _gone_back(graph, region, results, back.effect)
    if back.captures:
        raise UnimplementedError(
            f"the gradient of '{region.name}', which calls itself, uses {back.captures[0].inner} "
            "from outside: give what it needs of it to the function as an argument, as in "
            "f(x, v.read_value())",
            node.origin,
        )
    add_list_output(region, back.residuals)
    given = [at for at, each in enumerate(results) if _has(each)]
    seeds = [zeros_for(node.outputs[at]) if dys[at] is None else dys[at] for at in given]
    first = [fitted(dy, results[at]) for at, dy in zip(given, seeds, strict=True)]
    gradients = iter(record_recursion(back, [graph.capture(kept), *first]))
    return [next(gradients) if _has(each) else None for each in region.inputs]


def _gone_back(
    graph: Graph, region: Graph, results: Sequence[SymbolicTensor], effect: str
) -> FollowingGraph:
    """Return the backward region of a recursive region."""
    back = _ClosedGraph(f"{region.name}_gradient", graph, region, lambda: parameter)
    back.is_called = True
    parameter = back.add_input(VARIANT, "residuals")
    given = {at: _input_like(back, each) for at, each in enumerate(results) if _has(each)}
    sought = [each for each in region.inputs if _has(each)]
    specs = (VARIANT, *(each.spec for each in back.parameters[1:]))
    callee = Callee(back.name, specs, tuple(map(_spec_of, sought)), effect)
    token = _GOING_BACK.set({**(_GOING_BACK.get() or {}), region.name: callee})
    try:
        with back.recording():
            back.popped()
            seeds = GradientSums()
            for at, dy in given.items():
                seeds.add(results[at], dy)
            sums = backpropagate(steps_in(region), seeds, sought)
            found = [sums.of(each) for each in sought]
            pairs = zip(sought, found, strict=True)
            outputs = [zeros_for(of) if dx is None else fitted(dx, of) for of, dx in pairs]
        back.set_outputs(outputs)
    finally:
        _GOING_BACK.reset(token)
    return back


def call_gradient(node: Node, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    """Return the gradients of the operands of a `call`, inside of the backward region."""
    callee: Any = node.attrs["callee"]
    going_back = (_GOING_BACK.get() or {}).get(callee.name)
    if going_back is None:
        raise UnimplementedError(
            f"a gradient is asked for inside of '{callee.name}', which calls itself: ask for it "
            "outside",
            node.origin,
        )
    given = [
        zeros_for(output) if dy is None else fitted(dy, output)
        for output, dy in zip(node.outputs[:-1], dys[:-1], strict=True)
        if _has(output)
    ]
    found = iter(record_call(going_back, [_captured(node.outputs[-1]), *given], ()))
    return [next(found) if _has(each) else None for each in node.inputs]


def _calls_of(region: Graph) -> list[Node]:
    def is_call(node: Node) -> bool:
        callee = node.attrs.get("callee")
        return isinstance(callee, Callee) and callee.name == region.name

    return [node for node in region.walk() if is_call(node)]


def _hand_out_more(call: Node) -> None:
    callee: Any = call.attrs["callee"]
    more = Callee(callee.name, callee.inputs, (*callee.outputs, VARIANT), callee.effect)
    call.attrs = {**call.attrs, "callee": more}
    add_output(call, VARIANT)


def _captured(value: SymbolicTensor) -> Any:
    recorder: Any = current_recorder()
    return recorder.capture(value)


def _has(value: Any) -> bool:
    return is_differentiable(value.dtype)


def _spec_of(value: SymbolicTensor) -> TensorSpec:
    return VARIANT if value.dtype.is_variant else TensorSpec(value.shape, value.dtype)


def _input_like(graph: Graph, value: SymbolicTensor) -> SymbolicTensor:
    return graph.add_input(_spec_of(value), "gradient")


_RULES: dict[str, Callable[[Node, Gradients, Sequence[bool]], Gradients]] = {
    "recursion": recursion_gradient,
    "call": call_gradient,
}
NODE_RULES.update(_RULES)
