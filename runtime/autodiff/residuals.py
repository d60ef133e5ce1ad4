"""Backward regions, and the values of the forward region that they use.

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
from runtime.graph.callee import Callee
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
        raise ArgumentValueError(f"residuals is 'store' or 'checkpoint', not {policy!r}")
    return policy


class FollowingGraph(Graph):
    """A backward region that takes the values of `forward` from a list.

    Args:
        name: the name shown in texts.
        outer: the current graph, None for a self-contained backward graph.
        forward: the forward region.
        stack: returns the list, as a tensor of this region or of one around it; called at most
            once.

    Attributes:
        residuals: the needed tensors of `forward`, in the order of the list.
        rest: the list without them, None while nothing is needed.
    """

    def __init__(
        self, name: str, outer: Graph | None, forward: Graph, stack: Callable[[], SymbolicTensor]
    ) -> None:
        super().__init__(name, outer)
        self.forward_graph = forward
        self.residuals: list[SymbolicTensor] = []
        self.rest: SymbolicTensor | None = None
        self._stack = stack
        self._again = RESIDUALS.get() == "checkpoint"
        self._known: dict[int, SymbolicTensor] = {}
        self._lengths: dict[int, SymbolicTensor] = {}
        self._popped: Node | None = None

    def capture(self, value: Outer, name: str | None = None) -> SymbolicTensor:
        if not isinstance(value, SymbolicTensor) or value.graph is not self.forward_graph:
            return super().capture(value, name)
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = self._from_forward(value)
        return known

    def record(
        self,
        op: Op,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, object],
        regions: Sequence[Graph] = (),
        name: str | None = None,
    ) -> tuple[SymbolicTensor, ...]:
        if op is LENGTH and not self._again:
            (value,) = inputs
            if isinstance(value, SymbolicTensor) and value.graph is self.forward_graph:
                if id(value) not in self._lengths:
                    self._lengths[id(value)] = insert_after_value(value, op)
                return (self.capture(self._lengths[id(value)]),)
        return super().record(op, inputs, attrs, regions, name)

    def popped(self) -> Node:
        """Return the node that pops the residuals from the list."""
        if self._popped is None:
            with self.recording():
                self.rest = self.record(POP, (self._stack(),), {"specs": ()})[0]
            self._popped = self.rest.node
        return self._popped

    def _from_forward(self, value: SymbolicTensor) -> SymbolicTensor:
        outer = value.graph.outer_of(value)
        if outer is not None:
            return self.capture(outer)
        node = value.node
        if node.op is CONSTANT or (self._again and _is_repeatable(node)):
            return self._computed_again(value)
        return self._taken(value)

    def _computed_again(self, value: SymbolicTensor) -> SymbolicTensor:
        node = value.node
        operands = [self.capture(each) for each in node.inputs]
        with self.recording():
            return self.record(node.op, operands, node.attrs)[value.index]

    def _taken(self, value: SymbolicTensor) -> SymbolicTensor:
        node = self.popped()
        specs: Any = node.attrs["specs"]
        node.attrs = {"specs": (*specs, value.spec)}
        taken = SymbolicTensor(self, node, len(node.outputs), value.spec, value.weak)
        node.outputs = (*node.outputs, taken)
        self.residuals.append(value)
        return taken


def _is_repeatable(node: Any) -> bool:
    # A recursive call can only be made inside of its own region.
    if isinstance(node.attrs.get("callee"), Callee):
        return False
    return node.op is not PLACEHOLDER and not node.regions and node.effect == "none"
