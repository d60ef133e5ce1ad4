"""A graph call under a tape is one tape step: the forward graph runs now, the backward graph later.

    y = f(x)                 one step, with residuals for its gradient (`forward_backward.py`)
    tape.gradient(y, x)      runs `f_gradient`, a call of a graph again, for tapes around

A gradient of that gradient needs more values of `f`. If `f` has no branches and loops, the step
returns all its values; otherwise the gradient is computed by a graph that runs `f` again, with the
values that variables had at the call.

Other graphs run op by op, and each op is a step: graphs with lists from outside, Python functions,
exception handlers or recursion, and those that cannot run again.
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
from runtime.graph.derived_cache import DerivedCache
from runtime.graph.function_calls import as_called_graph, record_function_call
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.effects.variables import READ_VARIABLE, HandleSpec
from runtime.ops.gradient_rules import result_tensor
from runtime.ops.op import Op, record_on_tapes
from runtime.state.variable import Variable

Values: TypeAlias = Sequence[Any]

_BY_OPS = frozenset("try_except note_state recursion call".split())


def call_under_tapes(watchers: Sequence[Any], graph: Graph, inputs: Values) -> list[Any] | None:
    """Run a graph as one step of the open tapes; None if it must run op by op.

    Args:
        watchers: the tapes.
        graph: a finished graph.
        inputs: one array or variable per input of the graph.
    """
    known = _known(graph)
    told = [each for each in watchers if each.records_in(None)]
    # Watchers that are not tapes, and tapes with their own way of running loops, record each op.
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
    """A call's graph, its inputs, and the variables' values at the call, to run it again."""

    def __init__(self, graph: Graph, inputs: Values) -> None:
        self.graph, self.inputs = graph, inputs
        self._held = _values_held(inputs)

    def once_more(self, given: Places, dys: Values, sought: Places) -> list[Any]:
        """Return gradients, or None, from a graph that first runs the called graph again."""
        again = _known(self.graph).once_more(self.graph, given, sought)
        inputs = [_as_it_was(self.inputs[at], self._held[at]) for at in again.takes]
        found = iter(run_graph(again.graph, [*inputs, *(each._array for each in dys)]))
        return [result_tensor(next(found)) if each else None for each in again.found]


class _CalledGraphFacts:
    """Facts about a graph that is called under tapes; they do not keep it alive.

    Attributes:
        fits: whether a call can be one step.
        places: the inputs that a tape may watch.
    """

    def __init__(self, graph: Graph) -> None:
        self.fits = _fits(graph)
        self.places = [at for at, each in enumerate(graph.inputs) if _may_be_sought(graph, each)]
        self._is_straight = not any(node.regions or _has_lists(node) for node in _nodes_of(graph))
        self._is_repeatable = graph.effect in ("none", "read")
        self._made: dict[tuple[Places, bool], ForwardBackward | None] = {}
        self._again: dict[tuple[Places, Places], Backward] = {}

    def tell_of_reads(self, watchers: Sequence[Any], inputs: Values) -> None:
        """Notify tapes of the variables that the graph reads on any path."""
        for variable in (inputs[at] for at in self.places):
            if not isinstance(variable, np.ndarray):
                record_on_tapes(watchers, READ_VARIABLE, (variable,), {}, ())

    def both_ways(self, graph: Graph, sought: Places, keeps_all: bool) -> ForwardBackward | None:
        """Return the forward and backward graphs for some inputs; None if there are none."""
        if keeps_all and not self._is_straight:
            if not self._is_repeatable:
                return None
            keeps_all = False
        key = sought, keeps_all
        if key not in self._made:
            self._made[key] = _made(graph, sought, keeps_all)
        return self._made[key]

    def once_more(self, graph: Graph, given: Places, sought: Places) -> Backward:
        """Return the backward graph that first runs the graph again."""
        key = given, sought
        if key not in self._again:
            self._again[key] = done_once_more(graph, given, sought)
        return self._again[key]


_known = DerivedCache(_CalledGraphFacts)


def _fits(graph: Graph) -> bool:
    if graph.outer is not None or graph.runs_by_fetches:
        return False
    if any(each.dtype.is_variant for each in (*graph.inputs, *graph.outputs)):
        return False
    return not any(node.op.name in _BY_OPS or node.op.kernel_runs_ops for node in _nodes_of(graph))


def _nodes_of(graph: Graph) -> Iterator[Node]:
    yield from graph.walk()
    for called in called_graphs(graph):
        yield from called.graph.walk()


def _has_lists(node: Node) -> bool:
    return any(each.dtype.is_variant for each in node.outputs)


def _may_be_sought(graph: Graph, given: Any) -> bool:
    """Return whether gradients may flow to an input; for a variable, only if the graph reads it."""
    if not is_differentiable(given.dtype):
        return False
    return not isinstance(given.spec, HandleSpec) or is_read_in(graph, given)


def _made(graph: Graph, sought: Places, keeps_all: bool) -> ForwardBackward | None:
    try:
        return ForwardBackward(graph, sought, keeps_all)
    except Exception:
        # The error of the rule is raised when a gradient is computed.
        return None


def _alone(graph: Graph, inputs: Values) -> list[Any]:
    """Run a graph without notifying tapes, with its captures as they are."""
    watchers = current_watchers()
    set_watchers(())
    try:
        return run_graph(graph, inputs[: len(graph.parameters)])
    finally:
        set_watchers(watchers)


def _apart(outputs: list[Any], inputs: Values) -> list[Any]:
    """Return arrays that are distinct objects, also from the inputs, since tapes compare ids."""
    seen = set(map(id, inputs))
    for at, each in enumerate(outputs):
        if id(each) in seen:
            outputs[at] = each = each.view()
        seen.add(id(each))
    return outputs


def _values_held(inputs: Values) -> list[Any]:
    """Return the values of variables among inputs; None for unset variables and other inputs."""
    return [vars(each).get("_array") if isinstance(each, Variable) else None for each in inputs]


def _as_it_was(given: Any, held: Any) -> Any:
    """Return an input as it was at the call: a variable may have been assigned since.

    Tapes see the stand-in for the variable as a value that was read from the variable.
    """
    if held is None or vars(given).get("_array") is held:
        return given
    stand_in = Variable.standing_in(given, bool)
    vars(stand_in).update(_array=held, trainable=False)
    record_on_tapes(current_watchers(), READ_VARIABLE, (given,), {}, (stand_in,))
    return stand_in


def _tensor(value: Any) -> Any:
    return EagerTensor.over(value) if isinstance(value, np.ndarray) else value


# -- backward --------------------------------------------------------------------------------------


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
    """Return whether a tape that knows the step's results will record its gradient."""
    if current_recorder() is not None:
        return False
    told = [each for each in current_watchers() if each.records_in(None)]
    return any(each.watches(result) for each in told for result in step.outputs)


def _once_more(step: TapeStep, dy_of: Mapping[int, Any], wanted: Flags) -> Gradients:
    sought = [at for at, matters in zip(step.attrs["both"].sought, wanted) if matters]
    call: _TapedCall = step.attrs["of"]
    found = iter(call.once_more(tuple(dy_of), list(dy_of.values()), tuple(sought)))
    return [next(found) if matters else None for matters in wanted]


def _called(graph: Graph, operands: Values) -> Sequence[Any]:
    """Call a graph: as a node if a graph is recording."""
    if current_recorder() is not None:
        return record_function_call(as_called_graph(graph), operands)
    arrays = [e._array if isinstance(e, EagerTensor) else e for e in operands]
    return [result_tensor(each) for each in run_graph(graph, arrays)]


def _infer(*specs: Any, **attrs: Any) -> Any:
    return attrs["both"].forward.outputs


# It is not in the registry, since no graph contains it.
CALLED = Op("called_graph", None, _infer, StepGradient(_gradients), n_outputs=None)
