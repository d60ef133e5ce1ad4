"""A graph call under a tape is one tape step: the forward graph runs now, the backward graph later.

    y = f(x)                 one step, with residuals for its gradient (`forward_backward.py`)
    tape.gradient(y, x)      runs `f_gradient`, a call of a graph again, for tapes around

A gradient of that gradient depends on what `f` has handed out. If `f` has no branches and loops,
it hands out all there is, as results of the step; else the gradient is computed from the start, by
a graph that does what `f` does once more, with the values that variables had when `f` was called.

What does not fit is run op by op, and each op is a step: lists from outside, Python functions,
handlers of exceptions, functions that call themselves; and what cannot be done once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from runtime.autodiff.backward import Gradients, StepGradient
from runtime.autodiff.forward_backward import (
    Backward,
    Flags,
    ForwardBackward,
    Places,
    done_once_more,
)
from runtime.autodiff.tape_steps import TapeStep, is_differentiable
from runtime.autodiff.variable_reads import is_read_in
from runtime.core.context import current_recorder, current_watchers, set_watchers
from runtime.core.tensor import EagerTensor
from runtime.executors.numpy import run_graph
from runtime.graph.callee import called_graphs
from runtime.graph.derived_cache import DerivedOnce
from runtime.graph.function_calls import as_called, record_function_call
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.effects.variables import READ_VARIABLE, HandleSpec
from runtime.ops.gradient_rules import handed_out
from runtime.ops.op import Op, noted_by
from runtime.state.variable import Variable

Values: TypeAlias = Sequence[Any]

_BY_OPS = frozenset("try_except note_state recursion call".split())


def call_under_tapes(watchers: Sequence[Any], graph: Graph, inputs: Values) -> list[Any] | None:
    """Run a graph as one step of the tapes that are open; None where it is to be run op by op.

    Args:
        watchers: the tapes.
        graph: a finished graph.
        inputs: one array, or variable, per input of the graph.
    """
    known = _known(graph)
    told = [each for each in watchers if each.follows(None)]
    # Who is no tape, or runs loops in its own way, is told of each op.
    if not known.fits or any(getattr(each, "loops", each) is not None for each in watchers):
        known.tell_of_reads(told, inputs)
        return None
    sought = tuple([at for at in known.places if any(w.seeks(inputs[at]) for w in told)])
    if not sought:
        return _alone(graph, inputs)
    both = known.both_ways(graph, sought, len(told) > 1 or told[0].is_persistent)
    if both is None:
        return None
    outputs = _apart(_alone(both.forward, inputs), inputs)
    attrs = {"both": both, "values": [*inputs, *outputs], "of": _TapedCall(graph, inputs)}
    operands = [_tensor(inputs[at]) for at in sought]
    results = [EagerTensor.over(outputs[at]) for at in both.reached]
    for each in told:
        each.note(None, CALLED, operands, attrs, results)
    return outputs[: both.count]


class _TapedCall:
    """A call's graph, its inputs and the values of variables among these, to be done once more."""

    def __init__(self, graph: Graph, inputs: Values) -> None:
        self.graph, self.inputs = graph, inputs
        self._held = _values_held(inputs)

    def once_more(self, given: Places, dys: Values, sought: Places) -> list[Any]:
        """Return gradients, or None, by a graph that begins with what was called."""
        again = _known(self.graph).once_more(self.graph, given, sought)
        inputs = [_as_it_was(self.inputs[at], self._held[at]) for at in again.takes]
        found = iter(run_graph(again.graph, [*inputs, *(each._array for each in dys)]))
        return [handed_out(next(found)) if each else None for each in again.found]


class _CalledGraphFacts:
    """Facts of a graph that is called under tapes, which do not keep it alive.

    Attributes:
        fits: whether it can be one step.
        places: which inputs a tape may watch.
    """

    def __init__(self, graph: Graph) -> None:
        self.fits = _fits(graph)
        self.places = [at for at, each in enumerate(graph.inputs) if _may_be_sought(graph, each)]
        self._is_straight = not any(node.regions or _has_lists(node) for node in _nodes_of(graph))
        self._is_repeatable = graph.effect in ("none", "read")
        self._made: dict[tuple[Places, bool], ForwardBackward | None] = {}
        self._again: dict[tuple[Places, Places], Backward] = {}

    def tell_of_reads(self, watchers: Sequence[Any], inputs: Values) -> None:
        """Tell tapes of the variables that are read, on ways that the run does not go, too."""
        for variable in (inputs[at] for at in self.places):
            if not isinstance(variable, np.ndarray):
                noted_by(watchers, READ_VARIABLE, (variable,), {}, ())

    def both_ways(self, graph: Graph, sought: Places, keeps_all: bool) -> ForwardBackward | None:
        """Return the graph with what goes back to some of its inputs; None if there is none."""
        if keeps_all and not self._is_straight:
            if not self._is_repeatable:
                return None
            keeps_all = False
        key = sought, keeps_all
        if key not in self._made:
            self._made[key] = _made(graph, sought, keeps_all)
        return self._made[key]

    def once_more(self, graph: Graph, given: Places, sought: Places) -> Backward:
        """Return the graph that computes the graph once more, and its gradients then."""
        key = given, sought
        if key not in self._again:
            self._again[key] = done_once_more(graph, given, sought)
        return self._again[key]


_known = DerivedOnce(_CalledGraphFacts)


def _fits(graph: Graph) -> bool:
    if graph.outer is not None or graph.runs_by_fetches:
        return False
    if any(each.dtype.is_variant for each in (*graph.inputs, *graph.outputs)):
        return False
    return not any(node.op.name in _BY_OPS or node.op.seen_inside for node in _nodes_of(graph))


def _nodes_of(graph: Graph) -> Iterator[Node]:
    yield from graph.walk()
    for called in called_graphs(graph):
        yield from called.graph.walk()


def _has_lists(node: Node) -> bool:
    return any(each.dtype.is_variant for each in node.outputs)


def _may_be_sought(graph: Graph, given: Any) -> bool:
    """Tell whether gradients may go to an input; to a variable only where it is read."""
    if not is_differentiable(given.dtype):
        return False
    return not isinstance(given.spec, HandleSpec) or is_read_in(graph, given)


def _made(graph: Graph, sought: Places, keeps_all: bool) -> ForwardBackward | None:
    try:
        return ForwardBackward(graph, sought, keeps_all)
    except Exception:
        # What a rule has to say against it, it says where a gradient is asked for.
        return None


def _alone(graph: Graph, inputs: Values) -> list[Any]:
    """Run a graph of which no tape is told; what it captures it knows by itself."""
    watchers = current_watchers()
    set_watchers(())
    try:
        return run_graph(graph, inputs[: len(graph.parameters)])
    finally:
        set_watchers(watchers)


def _apart(outputs: list[Any], inputs: Values) -> list[Any]:
    """Return arrays of which none is an input or another one: tapes tell values by them."""
    seen = set(map(id, inputs))
    for at, each in enumerate(outputs):
        if id(each) in seen:
            outputs[at] = each = each.view()
        seen.add(id(each))
    return outputs


def _values_held(inputs: Values) -> list[Any]:
    """Return the values of the variables among inputs; None for unset ones and for others."""
    return [vars(each).get("_array") if isinstance(each, Variable) else None for each in inputs]


def _as_it_was(given: Any, held: Any) -> Any:
    """Return an input of a call as the call found it: a variable may have been assigned since.

    What then stands in for the variable depends on it, as tapes see it, as a value that was read.
    """
    if held is None or vars(given).get("_array") is held:
        return given
    stand_in = Variable.standing_in(given, bool)
    vars(stand_in).update(_array=held, trainable=False)
    noted_by(current_watchers(), READ_VARIABLE, (given,), {}, (stand_in,))
    return stand_in


def _tensor(value: Any) -> Any:
    return EagerTensor.over(value) if isinstance(value, np.ndarray) else value


# -- going back ------------------------------------------------------------------------------------


def _gradients(step: TapeStep, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    both, values = step.attrs["both"], step.attrs["values"]
    dy_of = {at: dy for at, dy in zip(both.reached, dys, strict=True) if dy is not None}
    given, flags = tuple(dy_of), tuple(wanted)
    if not both.keeps_all and _is_watched(step):
        return _once_more(step, dy_of, flags)
    back = both.back(given, flags)
    if back is None:
        given, back = both.from_all(given, flags)
        first = len(values) - len(both.forward.outputs)
        zeros = {at: EagerTensor(np.zeros_like(values[first + at])) for at in given}
        dy_of = {**zeros, **dy_of}
    taken = [_tensor(values[at]) for at in back.takes]
    found = iter(_called(back.graph, [*(dy_of[at] for at in given), *taken]))
    return [next(found) if has else None for has in back.found]


def _is_watched(step: TapeStep) -> bool:
    """Tell whether a tape that knows the step is told of what goes back."""
    if current_recorder() is not None:
        return False
    told = [each for each in current_watchers() if each.follows(None)]
    return any(each.watches(result) for each in told for result in step.outputs)


def _once_more(step: TapeStep, dy_of: Mapping[int, Any], wanted: Flags) -> Gradients:
    sought = [at for at, matters in zip(step.attrs["both"].sought, wanted) if matters]
    call: _TapedCall = step.attrs["of"]
    found = iter(call.once_more(tuple(dy_of), list(dy_of.values()), tuple(sought)))
    return [next(found) if matters else None for matters in wanted]


def _called(graph: Graph, operands: Values) -> Sequence[Any]:
    """Call a graph, in the one that is recording if there is one."""
    if current_recorder() is not None:
        return record_function_call(as_called(graph), operands)
    arrays = [e._array if isinstance(e, EagerTensor) else e for e in operands]
    return [handed_out(each) for each in run_graph(graph, arrays)]


def _infer(*specs: Any, **attrs: Any) -> Any:
    return attrs["both"].forward.outputs


# No graph has it, so that it is not in the registry.
CALLED = Op("called_graph", None, _infer, StepGradient(_gradients), n_outputs=None)
