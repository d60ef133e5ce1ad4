"""Forward graphs that also return residuals, and backward graphs that use them.

    f(%x):                        f(%x):                       f_gradient(%dy, %x, %sin):
      %sin = sin(%x)       ->       %sin = sin(%x)        and    ...
      %y = multiply(%sin, %sin)     %y = multiply(%sin, %sin)    return %dx
      return %y                     return %y, %sin

Both are made once for all calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from runtime.autodiff import dependence
from runtime.autodiff.backward import GradientSums, backpropagate
from runtime.autodiff.residuals import RESIDUALS, BackwardGraph
from runtime.autodiff.tape_steps import TapeStep, is_differentiable, steps_in
from runtime.core.context import current_watchers, set_watchers
from runtime.core.tensor import SymbolicTensor
from runtime.errors import GraphError
from runtime.executors.compile_options import copy_compile_options
from runtime.graph.graph import Graph
from runtime.graph.inlining import copied
from runtime.ops.effects.variables import HandleSpec

Places = tuple[int, ...]
Flags = tuple[bool, ...]

# Up to this number of results, the forward graph also returns the residuals of single gradients.
_FEW = 8


class Backward(NamedTuple):
    """A backward graph.

    Attributes:
        graph: takes a gradient for each result, then values of the forward graph; if it recomputes
            these, the gradients come last.
        takes: the positions of these values in the list of the forward graph's inputs and outputs.
        found: for each sought input, whether the graph returns a gradient.
    """

    graph: Graph
    takes: Places
    found: Flags

    def of(self, wanted: Flags) -> Backward:
        """Return a backward graph that returns only the wanted gradients."""
        if all(keeps or not has for has, keeps in zip(self.found, wanted)):
            return self
        graph = copied(self.graph)
        copy_compile_options(self.graph, graph)
        kept = [keeps for has, keeps in zip(self.found, wanted) if has]
        graph.outputs = [each for each, keeps in zip(graph.outputs, kept) if keeps]
        found = tuple(has and keeps for has, keeps in zip(self.found, wanted))
        return Backward(graph, self.takes, found)


class _ResidualBackwardGraph(BackwardGraph):
    """A backward graph that takes values of the forward graph as inputs."""

    def __init__(self, forward: Graph) -> None:
        super().__init__(f"{forward.name}_gradient", None, forward, self._no_list)
        self.used_values: list[SymbolicTensor] = []

    def _no_list(self) -> SymbolicTensor:
        raise GraphError(f"'{self.name}' takes residuals as inputs, not as a list")

    def _take_residual(self, value: SymbolicTensor) -> SymbolicTensor:
        self.used_values.append(value)
        return self.add_input(value.spec, value.node.name, value.weak)


class ForwardBackward:
    """A forward graph, and its backward graphs for some of its inputs.

    Args:
        graph: a finished graph that is not a region; it is copied.
        sought: the inputs whose gradients may be needed.
        keeps_all: whether all values are returned, so that gradients of gradients have their
            residuals too. Such a graph has no regions.

    Attributes:
        forward: the forward graph: the results, then the residuals.
        count: the number of results.
        reached: the outputs from which gradients flow to the sought inputs.
        keeps_all: as the argument.

    Raises:
        Exception: a gradient rule refuses the graph.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.float32), "x")
        >>> with graph.recording():
        ...     graph.set_outputs([rt.sin(x) * 2.0])
        >>> both = ForwardBackward(graph, (0,), False)
        >>> [node.name for node in both.back((0,), (True,)).graph]
        ['constant', 'multiply', 'cos', 'multiply_1']
    """

    def __init__(self, graph: Graph, sought: Places, keeps_all: bool) -> None:
        self.forward = forward = copied(graph, flat=True)
        copy_compile_options(graph, forward)
        self.sought, self.count = sought, len(graph.outputs)
        self.keeps_all = keeps_all
        self._sources = [forward.inputs[at] for at in sought]
        self._has_regions = any(node.regions for node in forward.nodes)
        self._dependences = dependence.of_region(forward) if self._has_regions else []
        self._backs: dict[tuple[Places, Flags], Backward] = {}
        active = self._active()
        self._reached_outputs: Places = _places_in(active, forward.outputs)
        if keeps_all:
            self._add_outputs(each for node in forward.nodes for each in node.outputs)
        else:
            self._add_residual_outputs()
        self.reached = _places_in(active, forward.outputs) if keeps_all else self._reached_outputs

    def back(self, given: Places, wanted: Flags) -> Backward | None:
        """Return the backward graph for some outputs; None if a value that it needs is missing.

        Args:
            given: the outputs with gradients; all of them are in `reached`.
            wanted: for each sought input, whether its gradient is needed.
        """
        known = self._backs.get((given, wanted))
        if known is None:
            everything = (True,) * len(self.sought)
            whole = self._backs.get((given, everything)) or self._make_if_complete(given)
            if whole is None:
                return None
            self._backs[given, everything] = whole
            known = self._backs[given, wanted] = whole.of(wanted)
        return known

    def for_all_results(self, given: Places, wanted: Flags) -> tuple[Places, Backward]:
        """Return all results and their backward graph, for zero gradients of results not `given`.

        Gradients that only these would contribute to are left out.
        """
        reached = 0
        for at in given:
            reached |= self._dependences[at] if self._dependences else -1
        matters = [each and bool(reached >> at & 1) for at, each in zip(self.sought, wanted)]
        back = self.back(self._reached_outputs, tuple(matters))
        assert back is not None, "the backward graph of all results is made first"
        return self._reached_outputs, back

    def _active(self) -> set[int]:
        """Return the identities of the values that depend on the sought inputs."""
        active = set(map(id, self._sources))
        for node in self.forward.nodes:
            if any(id(each) in active for each in node.inputs):
                active.update(id(each) for each in node.outputs if is_differentiable(each.dtype))
        return active

    def _add_residual_outputs(self) -> None:
        """Return the residuals of all results' gradient, and of each single result's."""
        parts = [self._reached_outputs]
        if 1 < len(self._reached_outputs) <= _FEW and not self._has_regions:
            parts += [(at,) for at in self._reached_outputs]
        made = [self._make(each) for each in parts]
        self._add_outputs(value for back, _ in made for value in back.used_values)
        everything = (True,) * len(self.sought)
        for part, (back, found) in zip(parts, made):
            self._backs[part, everything] = self._finish(back, found)

    def _make_if_complete(self, given: Places) -> Backward | None:
        # A new backward graph of a loop would need more residuals from the loop.
        if self._has_regions:
            return None
        back, found = self._make(given)
        known = self._places()
        return self._finish(back, found) if all(id(e) in known for e in back.used_values) else None

    def _add_outputs(self, values: Iterable[SymbolicTensor]) -> None:
        known = self._places()
        more = {id(each): each for each in values if id(each) not in known}
        self.forward.outputs = [*self.forward.outputs, *more.values()]

    def _places(self) -> dict[int, int]:
        """Return the first positions of values among inputs and outputs, by identity."""
        everything = [*self.forward.inputs, *self.forward.outputs]
        return {id(each): at for at, each in reversed(list(enumerate(everything)))}

    def _make(self, given: Places) -> tuple[_ResidualBackwardGraph, Flags]:
        back = _ResidualBackwardGraph(self.forward)
        copy_compile_options(self.forward, back)
        targets = [self.forward.outputs[at] for at in given]
        found = _record_gradients(back, steps_in(self.forward), targets, self._sources)
        for node in back.walk():
            # The line of the call that the graph is made for does not apply to other calls.
            node.origin = None
        return back, found

    def _finish(self, back: _ResidualBackwardGraph, found: Flags) -> Backward:
        places = self._places()
        return Backward(back, tuple(places[id(each)] for each in back.used_values), found)


def recomputing_backward(graph: Graph, given: Places, sought: Places) -> Backward:
    """Return a backward graph that recomputes the forward graph first.

    Args:
        graph: a finished graph that is not a region; it is copied.
        given: the outputs whose gradients it takes, after its other inputs: the parameters of
            `graph`, and its captured variables.
        sought: the inputs whose gradients it returns.
    """
    whole = copied(graph, flat=True, variables_as_parameters=True)
    copy_compile_options(graph, whole)
    whole.name = f"{graph.name}_gradient"
    own = len(graph.parameters)
    captures = range(own, len(graph.inputs))
    variables = [at for at in captures if isinstance(graph.inputs[at].spec, HandleSpec)]
    takes = (*range(own), *variables)
    place = {
        at: n for n, at in enumerate((*takes, *(at for at in captures if at not in variables)))
    }
    sources, steps = [whole.inputs[place[at]] for at in sought], steps_in(whole)
    found = _record_gradients(whole, steps, [whole.outputs[at] for at in given], sources)
    return Backward(whole, takes, found)


def _record_gradients(
    graph: Graph, steps: list[TapeStep], targets: Sequence[Any], sources: Sequence[Any]
) -> Flags:
    """Record the gradients over steps as outputs of a graph, and return which of them exist."""
    with _without_tapes(), graph.recording():
        seeds = GradientSums()
        for each in targets:
            seeds.add(each, graph.add_input(each.spec.unnamed(), "gradient"))
        sums = backpropagate(steps, seeds, sources)
        found = [sums.of(each) for each in sources]
        graph.set_outputs([each for each in found if each is not None])
    return tuple(each is not None for each in found)


def _places_in(known: set[int], values: Sequence[SymbolicTensor]) -> Places:
    return tuple(at for at, each in enumerate(values) if id(each) in known)


@contextmanager
def _without_tapes() -> Iterator[None]:
    """Return a context manager without tapes, in which loops store their residuals."""
    watchers, token = current_watchers(), RESIDUALS.set("store")
    set_watchers(())
    try:
        yield
    finally:
        set_watchers(watchers)
        RESIDUALS.reset(token)
