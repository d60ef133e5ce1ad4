"""Gradients of calls of self-contained graphs are calls of other graphs.

    %y = f(%x)               ->      %y, %kept = f(%x)
                                     %dx = f_gradient(%dy, %x, %kept)

The backward graph takes the arguments of the call, and a list of the residuals, which a copy of the
called graph returns: other calls of the graph stay unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.autodiff import dependence
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
from runtime.core.tensor import SymbolicTensor
from runtime.core.variant import VARIANT
from runtime.errors import GraphError
from runtime.graph.callee import called_graph
from runtime.graph.extra_outputs import add_list_output, add_output
from runtime.graph.function_calls import as_called_graph, record_function_call
from runtime.graph.graph import Graph
from runtime.graph.inlining import copied
from runtime.graph.node import Node


class _CalledBack(FollowingGraph):
    """The backward graph of a called graph; `operands` are the arguments for its parameters."""

    def __init__(self, node: Node, forward: Graph, recorder: Graph) -> None:
        super().__init__(f"{forward.name}_gradient", None, forward, self._list)
        self._call, self._recorder = node, recorder
        self._places = {id(each): at for at, each in enumerate(forward.inputs)}
        self.operands: list[SymbolicTensor] = []

    def given(self, operand: SymbolicTensor, like: SymbolicTensor, name: str) -> SymbolicTensor:
        """Add a parameter for `operand`, with the spec of `like`, and return it."""
        self.operands.append(self._recorder.capture(operand))
        spec = VARIANT if like.dtype.is_variant else like.spec
        return self.add_input(spec, name, like.weak)

    def _list(self) -> SymbolicTensor:
        kept = add_output(self._call, VARIANT)
        return self.given(kept, kept, "residuals")

    def _from_forward(self, value: SymbolicTensor) -> SymbolicTensor:
        place = self._places.get(id(value))
        if place is None:
            return super()._from_forward(value)
        return self.given(self._call.inputs[place], value, value.node.name)


def function_call_gradient(node: Node, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    """Return the gradients of the operands of a `function_call`."""
    recorder, called = current_recorder(), called_graph(node.attrs)
    if not isinstance(recorder, Graph) or called is None:
        raise GraphError("a gradient through a graph can only be asked for while it is recorded")
    places = _places(called.graph, dys, wanted)
    if not places:
        return [None] * len(node.inputs)
    forward = copied(called.graph)
    back = _CalledBack(node, forward, recorder)
    seeds = GradientSums()
    for output, dy in zip(forward.outputs, dys, strict=True):
        if dy is not None and is_differentiable(output.dtype):
            seeds.add(output, back.given(fitted(dy, output), output, "gradient"))
    sources = [forward.inputs[at] for at in places]
    with back.recording():
        sums = backpropagate(steps_in(forward), seeds, sources)
        found = [sums.of(each) for each in sources]
        pairs = zip(sources, found, strict=True)
        outputs = [zeros_for(of) if dx is None else fitted(dx, of) for of, dx in pairs]
    back.set_outputs(outputs)
    if back.residuals or back.rest is not None:
        add_list_output(forward, back.residuals)
        node.attrs = {**node.attrs, "callee": as_called_graph(forward)}
    gradients = iter(record_function_call(as_called_graph(back), back.operands))
    return [
        fitted(next(gradients), each) if at in places else None
        for at, each in enumerate(node.inputs)
    ]


def _places(graph: Graph, dys: Gradients, wanted: Sequence[bool]) -> list[int]:
    """Return the positions of the operands that need a gradient and have one."""
    reached = 0
    for bits, dy in zip(dependence.of_region(graph), dys, strict=True):
        reached |= 0 if dy is None else bits
    return [at for at, matters in enumerate(wanted) if matters and reached >> at & 1]


NODE_RULES["function_call"] = function_call_gradient
