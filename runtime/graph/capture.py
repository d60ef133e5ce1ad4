"""Captures: outer values that a graph uses, each of which becomes an input."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.errors import OutOfScopeError

if TYPE_CHECKING:
    from runtime.graph.graph import Graph


@runtime_checkable
class StateHandle(Protocol):
    """A variable, or another object with state, that a graph may capture."""

    @property
    def handle_spec(self) -> TensorSpec:
        """The spec of the input that captures it."""

    @property
    def handle_name(self) -> str:
        """The name of the input that captures it."""


Outer: TypeAlias = "Tensor | StateHandle"


class Capture(NamedTuple):
    """A value from outside (`outer`) and the graph input for it (`inner`).

    >>> import autograph.runtime as rt
    >>> outer, inner = (rt.Graph(name) for name in ("outer", "inner"))
    >>> x, y = (each.add_input(rt.TensorSpec((), rt.int32), "x") for each in (outer, inner))
    >>> Capture(x, y).inner is y
    True
    """

    outer: Outer
    inner: SymbolicTensor


def check_in_scope(value: SymbolicTensor, graph: Graph) -> None:
    """Raise OutOfScopeError unless `value` belongs to a graph that encloses `graph`.

    The values of a forward region are in scope in its backward region (`forward_graph`).
    """
    enclosing: Graph | None = graph
    while enclosing is not None:
        if value.graph in (enclosing, enclosing.forward_graph):
            return
        enclosing = enclosing.outer
    raise OutOfScopeError(
        f"{value} belongs to '{value.graph.name}', which '{graph.name}' is not part of; "
        "return it from the branch, loop or function that computes it",
        value.node.origin,
    )


def input_of(value: Outer) -> tuple[TensorSpec, str, bool]:
    """Return spec, name and weakness of an input that captures `value`."""
    if isinstance(value, SymbolicTensor):
        return value.spec, value.node.name, value.weak
    if isinstance(value, Tensor):
        return value.spec, "capture", False
    return value.handle_spec, value.handle_name, False


def align_captures(outer: Graph, regions: Sequence[Graph]) -> tuple[SymbolicTensor, ...]:
    """Give `regions` the same captures in the same order, and finish them.

    Return the captured tensors of `outer`, the operands of the node. The graph around captures a
    region's outer values only here, so a discarded region leaves no trace in it.
    """
    values = _outer_values(regions)
    operands = tuple(outer.capture(value) for value in values)
    for region in regions:
        inner = [region.capture(value) for value in values]
        region.finish(list(map(Capture, operands, inner)))
    return operands


def _outer_values(regions: Iterable[Graph]) -> list[Outer]:
    seen = {id(capture.outer): capture.outer for region in regions for capture in region.captures}
    return list(seen.values())


def outermost(value: Outer) -> Outer:
    """Return the value that an input captures, through all regions around."""
    while isinstance(value, SymbolicTensor):
        outer = value.graph.outer_of(value)
        if outer is None:
            break
        value = outer
    return value


def enclosing_graphs(graph: Graph) -> list[Graph]:
    """Return a graph and the graphs around it, the outermost last."""
    found = [graph]
    while found[-1].outer is not None:
        found.append(found[-1].outer)
    return found


def may_run_together(one: Graph | None, other: Graph | None) -> bool:
    """Return whether one run may execute both graphs: they are not alternative branches.

    None stands for eager execution.
    """
    if one is None or other is None:
        return True
    around_one, around_other = enclosing_graphs(one), enclosing_graphs(other)
    if around_one[-1] is not around_other[-1]:
        return True
    return any(one is each for each in around_other) or any(other is each for each in around_one)


class TensorAlias(SymbolicTensor):
    """Another tensor object for a node's output, marked by its subclass.

    Graphs compare tensors by identity, so an op records the output itself in its place.
    """

    __slots__ = ()


def output_of(tensor: Any) -> Any:
    """Return the output of an alias; any other value unchanged."""
    return tensor.node.outputs[tensor.index] if isinstance(tensor, TensorAlias) else tensor


# -- variables that only a graph refers to --------------------------------------------------------


def has_unowned_variables(graph: Graph) -> bool:
    """Return whether only the graph refers to a Variable created while `graph` was recorded.

    Each call of the function would create such a variable, but tracing creates it only once. The
    check drops the graph's references for a moment, and restores those to variables that are still
    alive.
    """
    if not graph.created_variables:
        return False
    made = {id(reference()) for reference in graph.created_variables}
    kept = [
        capture if id(capture.outer) not in made else _weakly(capture) for capture in graph.captures
    ]
    graph.captures, graph._captures_by_id, graph._outer_of = [], {}, {}
    gc.collect()
    restored = [capture if isinstance(capture, Capture) else _strongly(capture) for capture in kept]
    graph.captures = [capture for capture in restored if capture is not None]
    graph._captures_by_id = {id(capture.outer): capture for capture in graph.captures}
    inputs = (*graph.captures, *graph._handle_captures.values())
    graph._outer_of = {id(capture.inner): capture.outer for capture in inputs}
    return len(graph.captures) < len(kept)


def _weakly(capture: Capture) -> tuple[weakref.ref[Any], Any]:
    return weakref.ref(capture.outer), capture.inner


def _strongly(capture: Any) -> Capture | None:
    reference, inner = capture
    outer = reference()
    return None if outer is None else Capture(outer, inner)
