"""The region of a `try` body, which starts at the first node that may raise.

Nodes before that are recorded in the graph around it, as if there were no `try`: most `try`
statements catch nothing at run time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.core.variant import VARIANT
from runtime.graph.capture import Outer, align_captures
from runtime.graph.graph import Graph, TryScope
from runtime.graph.region_ops import TRY
from runtime.ops.op import Op


class TryGraph(Graph):
    """The region of a `try` body, which records into the graph around it until `begin`.

    Args:
        outer: the graph around it.
        scope: notified of the nodes in it, and in its regions, that may raise.

    Attributes:
        has_begun: whether it records nodes itself.
        record_handle: the input for the record of one execution (`runtime.ops.effects.try_ops`).
    """

    def __init__(self, name: str, outer: Graph, scope: TryScope) -> None:
        super().__init__(name, outer)
        self.has_begun = False
        self._scope = scope
        self.try_scopes = (*outer.try_scopes, scope)
        self.record_handle = self.add_input(VARIANT, "record")

    def begin(self) -> None:
        """Record nodes here from now on."""
        self.has_begun = True

    def capture(self, value: Outer, name: str | None = None) -> SymbolicTensor:
        if self.has_begun or value is self.record_handle:
            return super().capture(value, name)
        assert self.outer is not None
        return self.outer.capture(value, name)

    def record(
        self,
        op: Op,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, object],
        regions: Sequence[Graph] = (),
        name: str | None = None,
    ) -> tuple[SymbolicTensor, ...]:
        self._notify(op, inputs, attrs, (self._scope,))
        if self.has_begun:
            self._notify(op, inputs, attrs, self.try_scopes[:-1])
            return self._record_node(op, inputs, attrs, regions, name)
        assert self.outer is not None
        for region in regions:
            region.outer = self.outer
        return self.outer.record(op, inputs, attrs, regions, name)

    def add_created_variable(self, variable: object) -> None:
        if self.has_begun:
            return super().add_created_variable(variable)
        assert self.outer is not None
        return self.outer.add_created_variable(variable)


def record_try(
    body: TryGraph,
    handlers: Sequence[Graph],
    kinds: Sequence[tuple[type[BaseException], ...]],
    initial: Sequence[Tensor],
) -> tuple[SymbolicTensor, ...]:
    """Record that `body` runs, and a handler if it raises one of the handler's kinds.

    Args:
        body: a region from the record of an execution to the results.
        handlers: regions from the exception and the noted values, as many as `initial`.
        kinds: the exception classes that each handler catches, in order.
        initial: the values for the handlers if `body` has noted none.
    """
    outer = body.outer
    assert outer is not None
    captured = align_captures(outer, (body, *handlers))
    attrs = {"kinds": tuple(kinds), "noted": len(initial)}
    regions = (body, *handlers)
    outputs = outer.record(TRY, (*initial, *captured), attrs, regions)
    for position, output in enumerate(outputs):
        output.weak = all(region.outputs[position].weak for region in regions)
    return outputs
