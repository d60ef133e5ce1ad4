"""Residuals: the values of a forward region that its backward region uses.

    body(%x):                            body(%x, %residuals):
      %sin = sin(%x)             ->        %sin = sin(%x)
      %mul = multiply(%sin, %sin)          %mul = multiply(%sin, %sin)
                                           %more = list_append(%residuals, %x, %sin)

Captures of the forward region are captured again, constants are recorded again, and other values
are put into a list, which the forward region returns (`graph/extra_outputs.py`). If only the length
of a list is needed, the forward region returns the length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.errors import ArgumentValueError
from runtime.graph.callee import RecursiveRegion
from runtime.graph.capture import Outer
from runtime.graph.extra_outputs import insert_after_value
from runtime.graph.graph import PLACEHOLDER, Graph
from runtime.graph.node import Node
from runtime.ops.containers.list_kernels import LENGTH, POP
from runtime.ops.convert import CONSTANT
from runtime.ops.op import Op

POLICIES = ("store", "checkpoint")

# The policy for residuals: `store` keeps them, `checkpoint` computes them again.
RESIDUALS: ContextVar[str] = ContextVar("residuals", default="store")


def checked_policy(policy: str) -> str:
    """Return the name of a policy; ArgumentValueError for any other."""
    if not isinstance(policy, str) or policy not in POLICIES:
        raise ArgumentValueError(f"residuals must be 'store' or 'checkpoint', not {policy!r}")
    return policy


class BackwardGraph(Graph):
    """A graph that uses values of its forward graph, which it takes from a list of residuals.

    Args:
        name: the name shown in texts.
        outer: the current graph, None for a self-contained graph.
        forward: the forward graph.
        stack: returns the list, a tensor of this graph or of one around it; called at most once.

    Attributes:
        residuals: the needed tensors of `forward`, in the order of the list.
        rest: the list after the residuals were popped; None if there are none.
    """

    def __init__(
        self, name: str, outer: Graph | None, forward: Graph, stack: Callable[[], SymbolicTensor]
    ) -> None:
        super().__init__(name, outer)
        self.forward_graph = forward
        self.residuals: list[SymbolicTensor] = []
        self.rest: SymbolicTensor | None = None
        self._stack = stack
        self._recomputes = RESIDUALS.get() == "checkpoint"
        self._captured: dict[int, SymbolicTensor] = {}
        self._lengths: dict[int, SymbolicTensor] = {}
        self._pop_node: Node | None = None

    def capture(self, value: Outer, name: str | None = None) -> SymbolicTensor:
        if not isinstance(value, SymbolicTensor) or value.graph is not self.forward_graph:
            return super().capture(value, name)
        captured = self._captured.get(id(value))
        if captured is None:
            captured = self._captured[id(value)] = self._from_forward(value)
        return captured

    def record(
        self,
        op: Op,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, object],
        regions: Sequence[Graph] = (),
        name: str | None = None,
    ) -> tuple[SymbolicTensor, ...]:
        if op is LENGTH and not self._recomputes:
            (value,) = inputs
            if isinstance(value, SymbolicTensor) and value.graph is self.forward_graph:
                if id(value) not in self._lengths:
                    self._lengths[id(value)] = insert_after_value(value, op)
                return (self.capture(self._lengths[id(value)]),)
        return super().record(op, inputs, attrs, regions, name)

    def pop_node(self) -> Node:
        """Return the node that pops the residuals from the list."""
        if self._pop_node is None:
            with self.recording():
                self.rest = self.record(POP, (self._stack(),), {"specs": ()})[0]
            self._pop_node = self.rest.node
        return self._pop_node

    def _from_forward(self, value: SymbolicTensor) -> SymbolicTensor:
        outer = value.graph.outer_of(value)
        if outer is not None:
            return self.capture(outer)
        node = value.node
        if node.op is CONSTANT or (self._recomputes and _is_repeatable(node)):
            return self._recompute(value)
        return self._take_residual(value)

    def _recompute(self, value: SymbolicTensor) -> SymbolicTensor:
        node = value.node
        operands = [self.capture(each) for each in node.inputs]
        with self.recording():
            return self.record(node.op, operands, node.attrs)[value.index]

    def _take_residual(self, value: SymbolicTensor) -> SymbolicTensor:
        node = self.pop_node()
        specs: Any = node.attrs["specs"]
        node.attrs = {"specs": (*specs, value.spec)}
        taken = SymbolicTensor(self, node, len(node.outputs), value.spec, value.weak)
        node.outputs = (*node.outputs, taken)
        self.residuals.append(value)
        return taken


def _is_repeatable(node: Any) -> bool:
    # A recursive call can only be made inside of its own region.
    if isinstance(node.attrs.get("callee"), RecursiveRegion):
        return False
    return node.op is not PLACEHOLDER and not node.regions and node.effect == "none"
