"""Forward graphs that also return residuals, and backward graphs that use them.

    f(%x):                        f(%x):                       f_gradient(%dy, %x, %sin):
      %sin = sin(%x)       ->       %sin = sin(%x)        and    ...
      %y = multiply(%sin, %sin)     %y = multiply(%sin, %sin)    return %dx
      return %y                     return %y, %sin

Both are made once for all calls, and run as any graph is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from runtime.autodiff import dependence
from runtime.autodiff.backward import GradientSums, backpropagate
from runtime.autodiff.residuals import RESIDUALS, FollowingGraph
from runtime.autodiff.tape_steps import TapeStep, is_differentiable, steps_in
from runtime.core.context import current_watchers, set_watchers
from runtime.core.tensor import SymbolicTensor
from runtime.errors import GraphError
from runtime.executors.compile_options import hand_on
from runtime.graph.graph import Graph
from runtime.graph.inlining import copied
from runtime.ops.effects.variables import HandleSpec

Places = tuple[int, ...]
Flags = tuple[bool, ...]

# Of so many results each is gone back from by itself, too, to know all that this needs.
_FEW = 8


class Backward(NamedTuple):
    """A graph that goes back.

    Attributes:
        graph: takes a gradient for each result, then values of the graph that goes forward; one
            that goes forward by itself takes the gradients last.
        takes: which values: places among all inputs of that graph, followed by all its outputs.
        found: for each input that is sought, whether the graph gives a gradient.
    """

    graph: Graph
    takes: Places
    found: Flags

    def of(self, wanted: Flags) -> Backward:
        """Return a graph that gives the gradients that are wanted only."""
        if all(keeps or not has for has, keeps in zip(self.found, wanted)):
            return self
        graph = copied(self.graph)
        hand_on(self.graph, graph)
        kept = [keeps for has, keeps in zip(self.found, wanted) if has]
        graph.outputs = [each for each, keeps in zip(graph.outputs, kept) if keeps]
        found = tuple(has and keeps for has, keeps in zip(self.found, wanted))
        return Backward(graph, self.takes, found)


class _GoesBack(FollowingGraph):
    """Gets each value of the other graph as an input of its own."""

    def __init__(self, forward: Graph) -> None:
        super().__init__(f"{forward.name}_gradient", None, forward, self._no_list)
        self.taken: list[SymbolicTensor] = []

    def _no_list(self) -> SymbolicTensor:
        raise GraphError(f"'{self.name}' is given what it needs, and has no list of it")

    def _taken(self, value: SymbolicTensor) -> SymbolicTensor:
        self.taken.append(value)
        return self.add_input(value.spec, value.node.name, value.weak)


class ForwardBackward:
    """A graph, and what goes back over it to some of its inputs.

    Args:
        graph: a finished graph that is no region; it is copied.
        sought: which of its inputs gradients may be asked for.
        keeps_all: whether all that is computed is handed out, so that a gradient of the gradient
            has what it needs, too. Such a graph has no regions.

    Attributes:
        forward: the graph that goes forward: the results, then what else is handed out.
        count: how many results there are.
        reached: which of its outputs depend on what is sought, as far as gradients go.
        keeps_all: as it was given.

    Raises:
        Exception: what a rule for a gradient has to say against it.

    Example:
        >>> import runtime as rt
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
        hand_on(graph, forward)
        self.sought, self.count = sought, len(graph.outputs)
        self.keeps_all = keeps_all
        self._sources = [forward.inputs[at] for at in sought]
        self._has_regions = any(node.regions for node in forward.nodes)
        self._rows = dependence.of_region(forward) if self._has_regions else []
        self._backs: dict[tuple[Places, Flags], Backward] = {}
        active = self._active()
        self._own: Places = _places_in(active, forward.outputs)
        if keeps_all:
            self._hand_out(each for node in forward.nodes for each in node.outputs)
        else:
            self._prepare()
        self.reached = _places_in(active, forward.outputs) if keeps_all else self._own

    def back(self, given: Places, wanted: Flags) -> Backward | None:
        """Return the gradient from some outputs; None where that needs a value not handed out.

        Args:
            given: of which outputs there are gradients; all of them are `reached`.
            wanted: for each input that is sought, whether it matters.
        """
        known = self._backs.get((given, wanted))
        if known is None:
            everything = (True,) * len(self.sought)
            whole = self._backs.get((given, everything)) or self._one_more(given)
            if whole is None:
                return None
            self._backs[given, everything] = whole
            known = self._backs[given, wanted] = whole.of(wanted)
        return known

    def from_all(self, given: Places, wanted: Flags) -> tuple[Places, Backward]:
        """Return all results, and what goes back from them: others than `given` are given zeros.

        A gradient that only these would lead to is none.
        """
        reached = 0
        for at in given:
            reached |= self._rows[at] if self._rows else -1
        matters = [each and bool(reached >> at & 1) for at, each in zip(self.sought, wanted)]
        back = self.back(self._own, tuple(matters))
        assert back is not None, "what goes back from all results is there from the start"
        return self._own, back

    def _active(self) -> set[int]:
        """Return the identities of the values that depend on what is sought."""
        active = set(map(id, self._sources))
        for node in self.forward.nodes:
            if any(id(each) in active for each in node.inputs):
                active.update(id(each) for each in node.outputs if is_differentiable(each.dtype))
        return active

    def _prepare(self) -> None:
        """Let all be handed out that going back needs: from all results, and from each."""
        parts = [self._own]
        if 1 < len(self._own) <= _FEW and not self._has_regions:
            parts += [(at,) for at in self._own]
        made = [self._made(each) for each in parts]
        self._hand_out(value for back, _ in made for value in back.taken)
        everything = (True,) * len(self.sought)
        for part, (back, found) in zip(parts, made):
            self._backs[part, everything] = self._finished(back, found)

    def _one_more(self, given: Places) -> Backward | None:
        # Going back over a loop once more would let the loop hand out more.
        if self._has_regions:
            return None
        back, found = self._made(given)
        known = self._places()
        return self._finished(back, found) if all(id(e) in known for e in back.taken) else None

    def _hand_out(self, values: Iterable[SymbolicTensor]) -> None:
        known = self._places()
        more = {id(each): each for each in values if id(each) not in known}
        self.forward.outputs = [*self.forward.outputs, *more.values()]

    def _places(self) -> dict[int, int]:
        """Return the positions of values in inputs and outputs, by identity; first ones count."""
        everything = [*self.forward.inputs, *self.forward.outputs]
        return {id(each): at for at, each in reversed(list(enumerate(everything)))}

    def _made(self, given: Places) -> tuple[_GoesBack, Flags]:
        back = _GoesBack(self.forward)
        hand_on(self.forward, back)
        targets = [self.forward.outputs[at] for at in given]
        found = _gone_back(back, steps_in(self.forward), targets, self._sources)
        for node in back.walk():
            node.origin = None  # That of the call it is made for says nothing of other calls.
        return back, found

    def _finished(self, back: _GoesBack, found: Flags) -> Backward:
        places = self._places()
        return Backward(back, tuple(places[id(each)] for each in back.taken), found)


def done_once_more(graph: Graph, given: Places, sought: Places) -> Backward:
    """Return a graph that computes another one again, then gradients.

    Args:
        graph: a finished graph that is no region; it is copied.
        given: of which outputs it takes gradients, after the inputs that it takes: the parameters
            of `graph`, and the variables that this uses of what is outside.
        sought: to which inputs gradients go.
    """
    whole = copied(graph, flat=True, is_given_handles=True)
    hand_on(graph, whole)
    whole.name = f"{graph.name}_gradient"
    own = len(graph.parameters)
    held = range(own, len(graph.inputs))
    handles = [at for at in held if isinstance(graph.inputs[at].spec, HandleSpec)]
    takes = (*range(own), *handles)
    place = {at: n for n, at in enumerate((*takes, *(at for at in held if at not in handles)))}
    sources, steps = [whole.inputs[place[at]] for at in sought], steps_in(whole)
    found = _gone_back(whole, steps, [whole.outputs[at] for at in given], sources)
    return Backward(whole, takes, found)


def _gone_back(
    graph: Graph, steps: list[TapeStep], targets: Sequence[Any], sources: Sequence[Any]
) -> Flags:
    """Record in a graph what goes back over steps, as its outputs, and return which there are."""
    with _by_itself(), graph.recording():
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
def _by_itself() -> Iterator[None]:
    """Let nobody be told of what is recorded, and let loops keep what their gradients need."""
    watchers, token = current_watchers(), RESIDUALS.set("store")
    set_watchers(())
    try:
        yield
    finally:
        set_watchers(watchers)
        RESIDUALS.reset(token)
