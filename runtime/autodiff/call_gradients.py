"""Gradients of calls of self-contained graphs are calls of other graphs.

    %y = f(%x)               ->      %y, %residuals = f(%x)
                                     %dx = f_gradient(%dy, %x, %residuals)

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
    recording_graph,
)
from runtime.autodiff.residuals import BackwardGraph
from runtime.autodiff.tape_steps import is_differentiable, steps_in
from runtime.core.tensor import SymbolicTensor
from runtime.core.variant import VARIANT
from runtime.graph.callee import called_graph
from runtime.graph.extra_outputs import add_list_output, add_output
from runtime.graph.function_calls import as_called_graph, record_function_call
from runtime.graph.graph import Graph
from runtime.graph.inlining import copied
from runtime.graph.node import Node


class _CalledBackwardGraph(BackwardGraph):
    """The backward graph of a called graph; `operands` are the arguments for its parameters."""

    def __init__(self, node: Node, forward: Graph, recorder: Graph) -> None:
        super().__init__(f"{forward.name}_gradient", None, forward, self._residual_list)
        self._call, self._recorder = node, recorder
        self._places = {id(each): at for at, each in enumerate(forward.inputs)}
        self.operands: list[SymbolicTensor] = []

    def add_operand(
        self, operand: SymbolicTensor, like: SymbolicTensor, name: str
    ) -> SymbolicTensor:
        """Add a parameter for `operand`, with the spec of `like`, and return it."""
        self.operands.append(self._recorder.capture(operand))
        spec = VARIANT if like.dtype.is_variant else like.spec
        return self.add_input(spec, name, like.weak)

    def _residual_list(self) -> SymbolicTensor:
        residuals = add_output(self._call, VARIANT)
        return self.add_operand(residuals, residuals, "residuals")

    def _from_forward(self, value: SymbolicTensor) -> SymbolicTensor:
        place = self._places.get(id(value))
        if place is None:
            return super()._from_forward(value)
        return self.add_operand(self._call.inputs[place], value, value.node.name)


def function_call_gradient(node: Node, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    """Return the gradients of the operands of a `function_call`."""
    recorder, called = recording_graph(), called_graph(node.attrs)
    assert called is not None
    positions = dependence.sought_operands(dependence.of_region(called.graph), dys, wanted)
    if not positions:
        return [None] * len(node.inputs)
    forward = copied(called.graph)
    back = _CalledBackwardGraph(node, forward, recorder)
    seeds = GradientSums()
    for output, dy in zip(forward.outputs, dys, strict=True):
        if dy is not None and is_differentiable(output.dtype):
            seeds.add(output, back.add_operand(fitted(dy, output), output, "gradient"))
    sources = [forward.inputs[at] for at in positions]
    with back.recording():
        sums = backpropagate(steps_in(forward), seeds, sources)
        outputs = [sums.or_zeros(each) for each in sources]
    back.set_outputs(outputs)
    if back.residuals or back.rest is not None:
        add_list_output(forward, back.residuals, node.origin)
        node.attrs = {**node.attrs, "callee": as_called_graph(forward)}
    gradients = iter(record_function_call(as_called_graph(back), back.operands))
    return [
        fitted(next(gradients), each) if at in positions else None
        for at, each in enumerate(node.inputs)
    ]


NODE_RULES["function_call"] = function_call_gradient
