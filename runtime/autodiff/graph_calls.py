"""A graph call under a tape is one tape step: the forward graph runs now, the backward graph later.

    y = f(x)                 one step, with residuals for its gradient (`forward_backward.py`)
    tape.gradient(y, x)      runs `f_gradient`, a graph call too, which outer tapes record

A gradient of that gradient needs more values of `f`. If `f` has no branches and loops, the step
returns all its values; otherwise the gradient is computed by a graph that runs `f` again, with the
values that variables had at the call.

Graphs with lists as inputs or outputs, Python functions, exception handlers or recursion run op by
op, and each op is a step. So do graphs with branches or loops that cannot run again, if the tape is
persistent or several are open, and graphs through which a gradient is refused.
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
    recomputing_backward,
)
from runtime.autodiff.tape_steps import TapeStep, is_differentiable
from runtime.autodiff.variable_reads import is_read_in
from runtime.core.context import current_recorder, current_watchers, set_watchers
from runtime.core.tensor import EagerTensor
from runtime.executors.executor import run_graph
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
    facts = _facts_of(graph)
    tapes = [each for each in watchers if each.records_in(None)]
    # Watchers that are not tapes, and tapes with their own way of running loops, record each op.
    if not facts.fits or any(getattr(each, "loop_runner", each) is not None for each in watchers):
        facts.note_variable_reads(tapes, inputs)
        return None
    sought = tuple([at for at in facts.places if any(w.may_watch(inputs[at]) for w in tapes)])
    if not sought:
        return _run_without_tapes(graph, inputs)
    both = facts.forward_backward(graph, sought, len(tapes) > 1 or tapes[0].is_persistent)
    if both is None:
        return None
    outputs = _distinct_arrays(_run_without_tapes(both.forward, inputs), inputs)
    attrs = {
        "forward_backward": both,
        "values": [*inputs, *outputs],
        "call": _TapedCall(graph, inputs),
    }
    operands = [_tensor(inputs[at]) for at in sought]
    results = [EagerTensor.over(outputs[at]) for at in both.reached]
    for each in tapes:
        each.note(None, GRAPH_CALL, operands, attrs, results)
    return outputs[: both.count]


class _TapedCall:
    """A call's graph, its inputs, and the variables' values at the call, to run it again."""

    def __init__(self, graph: Graph, inputs: Values) -> None:
        self.graph, self.inputs = graph, inputs
        self._variable_values = _variable_values(inputs)

    def recomputed(self, given: Places, dys: Values, sought: Places) -> list[Any]:
        """Return gradients, or None, from a graph that first runs the called graph again."""
        again = _facts_of(self.graph).recomputed(self.graph, given, sought)
        inputs = [_with_value(self.inputs[at], self._variable_values[at]) for at in again.takes]
        found = iter(run_graph(again.graph, [*inputs, *(each._array for each in dys)]))
        return [result_tensor(next(found)) if each else None for each in again.found]


class _CalledGraphFacts:
    """Facts about a graph that is called under tapes, with its forward and backward graphs.

    Attributes:
        fits: whether a call can be one step.
        places: the positions of the inputs that a tape may watch.
    """

    def __init__(self, graph: Graph) -> None:
        self.fits = _fits(graph)
        self.places = [at for at, each in enumerate(graph.inputs) if _may_be_sought(graph, each)]
        self._is_straight = not any(node.regions or _has_lists(node) for node in _nodes_of(graph))
        self._is_repeatable = graph.effect in ("none", "read")
        self._forward_backward: dict[tuple[Places, bool], ForwardBackward | None] = {}
        self._recomputing: dict[tuple[Places, Places], Backward] = {}

    def note_variable_reads(self, watchers: Sequence[Any], inputs: Values) -> None:
        """Notify tapes of all variables that the graph may read."""
        for variable in (inputs[at] for at in self.places):
            if not isinstance(variable, np.ndarray):
                record_on_tapes(watchers, READ_VARIABLE, (variable,), {}, ())

    def forward_backward(
        self, graph: Graph, sought: Places, keeps_all: bool
    ) -> ForwardBackward | None:
        """Return the forward and backward graphs for some inputs; None if there are none."""
        if keeps_all and not self._is_straight:
            if not self._is_repeatable:
                return None
            keeps_all = False
        key = sought, keeps_all
        if key not in self._forward_backward:
            self._forward_backward[key] = _forward_backward(graph, sought, keeps_all)
        return self._forward_backward[key]

    def recomputed(self, graph: Graph, given: Places, sought: Places) -> Backward:
        """Return the backward graph that first runs the graph again."""
        key = given, sought
        if key not in self._recomputing:
            self._recomputing[key] = recomputing_backward(graph, given, sought)
        return self._recomputing[key]


_facts_of = DerivedCache(_CalledGraphFacts)


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


def _forward_backward(graph: Graph, sought: Places, keeps_all: bool) -> ForwardBackward | None:
    try:
        return ForwardBackward(graph, sought, keeps_all)
    except Exception:
        # The error of the rule is raised when a gradient is computed.
        return None


def _run_without_tapes(graph: Graph, inputs: Values) -> list[Any]:
    """Run a graph without notifying tapes, with its captures as they are."""
    watchers = current_watchers()
    set_watchers(())
    try:
        return run_graph(graph, inputs[: len(graph.parameters)])
    finally:
        set_watchers(watchers)


def _distinct_arrays(outputs: list[Any], inputs: Values) -> list[Any]:
    """Return arrays that are distinct objects, also from the inputs, since tapes compare ids."""
    seen = set(map(id, inputs))
    for at, each in enumerate(outputs):
        if id(each) in seen:
            outputs[at] = each = each.view()
        seen.add(id(each))
    return outputs


def _variable_values(inputs: Values) -> list[Any]:
    """Return the values of variables among inputs; None for unset variables and other inputs."""
    return [each.held_value() if isinstance(each, Variable) else None for each in inputs]


def _with_value(given: Any, value: Any) -> Any:
    """Return an input as it was at the call: a variable may have been assigned since.

    Tapes see the stand-in for the variable as a value that was read from the variable.
    """
    if value is None or given.held_value() is value:
        return given
    stand_in = Variable.placeholder_for(given, bool)
    vars(stand_in).update(_array=np.asarray(value), trainable=False)
    record_on_tapes(current_watchers(), READ_VARIABLE, (given,), {}, (stand_in,))
    return stand_in


def _tensor(value: Any) -> Any:
    return EagerTensor.over(value) if isinstance(value, np.ndarray) else value


# -- backward --------------------------------------------------------------------------------------


def _gradients(step: TapeStep, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    both, values = step.attrs["forward_backward"], step.attrs["values"]
    dy_of = {at: dy for at, dy in zip(both.reached, dys, strict=True) if dy is not None}
    given, flags = tuple(dy_of), tuple(wanted)
    if not both.keeps_all and _is_watched(step):
        return _recomputed(step, dy_of, flags)
    back = both.back(given, flags)
    if back is None:
        given, back = both.for_all_results(given, flags)
        first = len(values) - len(both.forward.outputs)
        zeros = {at: EagerTensor(np.zeros_like(values[first + at])) for at in given}
        dy_of = {**zeros, **dy_of}
    taken = [_tensor(values[at]) for at in back.takes]
    found = iter(_call(back.graph, [*(dy_of[at] for at in given), *taken]))
    return [next(found) if has else None for has in back.found]


def _is_watched(step: TapeStep) -> bool:
    """Return whether an open tape watches the step's results, so that it records the gradient."""
    if current_recorder() is not None:
        return False
    tapes = [each for each in current_watchers() if each.records_in(None)]
    return any(each.watches(result) for each in tapes for result in step.outputs)


def _recomputed(step: TapeStep, dy_of: Mapping[int, Any], wanted: Flags) -> Gradients:
    sought = [at for at, matters in zip(step.attrs["forward_backward"].sought, wanted) if matters]
    call: _TapedCall = step.attrs["call"]
    found = iter(call.recomputed(tuple(dy_of), list(dy_of.values()), tuple(sought)))
    return [next(found) if matters else None for matters in wanted]


def _call(graph: Graph, operands: Values) -> Sequence[Any]:
    """Call a graph: as a node if a graph is recording."""
    if current_recorder() is not None:
        return record_function_call(as_called_graph(graph), operands)
    arrays = [e._array if isinstance(e, EagerTensor) else e for e in operands]
    return [result_tensor(each) for each in run_graph(graph, arrays)]


def _infer(*specs: Any, **attrs: Any) -> Any:
    return attrs["forward_backward"].forward.outputs


# It is not in the registry, since no graph contains it.
GRAPH_CALL = Op("called_graph", None, _infer, StepGradient(_gradients), n_outputs=None)
