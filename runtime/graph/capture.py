"""Captures: tensors of outer graphs, each of which becomes an input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.errors import OutOfScopeError

if TYPE_CHECKING:
    from runtime.graph.graph import Graph


@runtime_checkable
class Handle(Protocol):
    """Something with state of its own (a Variable) that a graph may hold on to."""

    @property
    def handle_spec(self) -> TensorSpec:
        """The spec of the graph input that stands for it."""

    @property
    def handle_name(self) -> str:
        """A name for that input."""


Outer: TypeAlias = "Tensor | Handle"


class Capture(NamedTuple):
    """A value from outside (`outer`) and the graph input that stands for it (`inner`)."""

    outer: Outer
    inner: SymbolicTensor


def check_in_scope(value: SymbolicTensor, graph: Graph) -> None:
    """Raise OutOfScopeError unless `value` belongs to a graph that encloses `graph`.

    Where a graph around it goes back over another one, the values of that one are at hand.
    """
    enclosing: Graph | None = graph
    while enclosing is not None:
        if value.graph in (enclosing, enclosing.follows):
            return
        enclosing = enclosing.outer
    raise OutOfScopeError(
        f"{value} belongs to '{value.graph.name}', which '{graph.name}' is not part of; "
        "return it from the branch, loop or function that computes it",
        value.node.origin,
    )


def input_of(value: Outer) -> tuple[TensorSpec, str, bool]:
    """Return spec, name and weakness of the graph input that stands for `value`."""
    if isinstance(value, SymbolicTensor):
        return value.spec, value.node.name, value.weak
    if isinstance(value, Tensor):
        return value.spec, "capture", False
    return value.handle_spec, value.handle_name, False


def align(outer: Graph, regions: Sequence[Graph]) -> tuple[SymbolicTensor, ...]:
    """Give `regions` the same captured inputs in the same order; return the operands in `outer`.

    Only here does a region's capture reach the graph around it, so a region that is traced and then
    thrown away leaves nothing behind.
    """
    values = _union(regions)
    operands = tuple(outer.capture(value) for value in values)
    for region in regions:
        inner = [region.capture(value) for value in values]
        region.settle(list(map(Capture, operands, inner)))
    return operands


def _union(regions: Iterable[Graph]) -> list[Outer]:
    seen = {id(held.outer): held.outer for region in regions for held in region.captures}
    return list(seen.values())


def outermost(value: Outer) -> Outer:
    """Return the outermost value that an input of a region, or of a region in that, stands for."""
    while isinstance(value, SymbolicTensor):
        outer = value.graph.stands_for(value)
        if outer is None:
            break
        value = outer
    return value


class Alias(SymbolicTensor):
    """Another handle of an output of a node, whose class says what it means to who holds it.

    A graph knows its tensors by identity, and takes the output itself in its place.
    """

    __slots__ = ()


def output_of(tensor: Any) -> Any:
    """Return the output that an alias stands for; any other value as it is."""
    return tensor.node.outputs[tensor.index] if isinstance(tensor, Alias) else tensor
