"""Calls of a Function inside of a trace, recorded as a call of its own graph where possible.

@ag.function                      graph outer(%x: float32) {
def outer(x):                       %inner = function_call(%x) {callee=inner} : float32
    return inner(inner(x))    ->    %inner_1 = function_call(%inner) {callee=inner} : float32
                                    return %inner_1
                                  }

The inner function is traced once for each kind of arguments; its traces are in the cache that eager
calls use. If its own graph might behave otherwise than the Python function in this call, the Python
function is traced inline instead, as part of the surrounding trace.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import partial

from autograph.backends.graph.objects.attribute_reads import HANDLED
from autograph.backends.graph.source.staging_log import is_logged
from autograph.backends.graph.state.alias_state import alias_state
from autograph.backends.graph.state.speculation import is_speculating
from autograph.backends.graph.tracing.trace_call_stack import active_calls
from autograph.functions.arguments.plain_arguments import PlainArguments, plain_arguments
from autograph.functions.arguments.trace_key import Key, by_identity
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.concrete_functions.stateful_function import StatefulConcreteFunction
from autograph.functions.effect_analysis.written_names import writes_outside
from autograph.functions.side_effects.trace_time_effects import are_trace_time_effects
from autograph.functions.state.environment_guards import is_visible
from autograph.functions.trace_cache.cache import TraceCache
from autograph.functions.trace_cache.trace_history import TraceRecord
from autograph.functions.tracing.active_traces import (
    innermost,
    is_in_region,
    isolated,
    may_never_end,
    traced_functions,
)
from autograph.functions.tracing.trace import Traceable, Undo, trace
from autograph.operators.call_listeners import notify_call
from runtime.core.context import caller_origin, current_recorder
from runtime.core.replica import current_replica
from runtime.core.weak_tables import IdentityTable
from runtime.graph.graph import Graph
from runtime.ops.random.graph_seeds import draws_by_seeds

# The largest share of Python's stack in use at which a function gets a nested trace.
_MOST_STACK = 0.4
_MOST_REMEMBERED = 1024


@dataclass(frozen=True, eq=False)
class RecordedResult:
    """The result of a call that was recorded as a node.

    Attributes:
        value: the result.
    """

    value: object


@dataclass(eq=False, repr=False)
class _TraceFacts:
    """Facts that the nested traces of one function have shown.

    Attributes:
        writes_state: whether one of them writes state outside of the function.
        inlined: the keys of calls that must be traced inline.
    """

    writes_state: bool = False
    inlined: set[Key] = field(default_factory=set)


_KNOWN: IdentityTable[TraceCache, _TraceFacts] = IdentityTable()


def recorded_call(
    target: Traceable, traces: TraceCache, values: tuple[object, ...], relaxes: bool
) -> RecordedResult | None:
    """Record a call of the function's graph; None if the call must be traced inline.

    Args:
        target: the function.
        traces: its traces.
        values: one per parameter.
        relaxes: whether a second shape makes a trace for all shapes.
    """
    if not _may_record():
        return None
    arguments = plain_arguments(values, target.signature.unread)
    if arguments is None or (arguments.has_containers and _has_aliases()):
        return None
    concrete = _NestedCall(target, traces, values, arguments, relaxes).found()
    if concrete is None:
        return None
    concrete.counter.calls += 1
    notify_call(target.python_function)
    if concrete.environment is not None:
        concrete.environment.notify_listeners()
    return RecordedResult(concrete.recorded(arguments.operands))


def _may_record() -> bool:
    """Return whether a call may be a node here.

    It may not while a listener follows each line, inside a staged `try` (its handler may see an
    exception of the function), while an exception is handled, or in a speculative trace.
    """
    recorder = current_recorder()
    if not isinstance(recorder, Graph) or active_calls() is None or innermost() is None:
        return False
    if current_replica() is not None:  # a trace may be good for one replica only
        return False
    if HANDLED.get() or sys.exc_info()[1] is not None:
        return False
    return not (recorder.try_scopes or is_logged() or is_speculating())


def _has_aliases() -> bool:
    """Return whether a container of the trace may be an alias of another one in some run."""
    aliases = alias_state()
    if aliases is None or is_in_region(current_recorder()):
        return True
    lists = (
        aliases.alias_sets,
        aliases.copied,
        aliases.proxies,
        aliases.shared,
        aliases.selected,
        aliases.duplicates,
    )
    more = (
        aliases.invalidated,
        aliases.stale,
        aliases.popped,
        aliases.iterated_lists,
        aliases.body_containers,
    )
    return any(map(bool, (*lists, *more)))


@dataclass(frozen=True, eq=False)
class _NestedCall:
    """The search for the trace that one call may use."""

    target: Traceable
    traces: TraceCache
    values: tuple[object, ...]
    arguments: PlainArguments
    relaxes: bool

    def found(self) -> ConcreteFunction | None:
        """Return the trace to call, made if need be; None if the call must be traced inline."""
        known = self._known()
        if known.writes_state or self.arguments.key in known.inlined:
            return None
        concrete = self.traces.find(self.arguments.key)
        if concrete is not None:
            return concrete if self._may_call(concrete) else None
        if self.traces.places(self.arguments.key) or not self._may_trace():
            return None
        if self.arguments.key in self.traces.closed_lines:
            return None
        if not self.traces.lock.take():
            return None  # another thread traces the function, and waits for this trace
        try:
            concrete = self.traces.find(self.arguments.key)
            if concrete is not None:
                return concrete if self._may_call(concrete) else None
            return isolated(self._traced)
        finally:
            self.traces.lock.release()

    def _known(self) -> _TraceFacts:
        known = _KNOWN.get(self.traces)
        if known is None:
            known = _KNOWN.get_or_put(self.traces, _TraceFacts())
        return known

    def _may_call(self, concrete: ConcreteFunction) -> bool:
        """Return whether a trace made now would be the same as an existing one."""
        if not is_pure(concrete) or concrete.environment is None:
            return False
        if draws_by_seeds(concrete.graph):
            return False  # each call has streams of its own
        if concrete.python_changes and not are_trace_time_effects(
            concrete.python_changes, traced_functions()
        ):
            return False
        is_exact = concrete.key == self.arguments.key
        outputs = concrete.graph.outputs
        if not is_exact and not all(each.shape.is_fully_defined() for each in outputs):
            return False
        return concrete.environment.are_unchanged(self.target.python_function, self.values)

    def _may_trace(self) -> bool:
        function = self.target.python_function
        if self.relaxes and self.traces.relaxed(self.arguments.key) != self.arguments.key:
            return False
        if (
            may_never_end(function)
            or _share_of_stack_used() > _MOST_STACK
            or writes_outside(function)
        ):
            return False
        return is_visible(function, self.values)

    def _traced(self) -> ConcreteFunction | None:
        """Trace the function on its own; None if its graph may not be called here."""
        undo: list[Undo] = []
        key = self.arguments.key
        try:
            concrete = trace(self.target, self.values, key, on_begin=undo.append)
        except Exception:
            # The inline trace raises it again, if it is raised there.
            self._discard(undo, writes_state=False)
            return None
        is_alike = is_pure(concrete) and not draws_by_seeds(concrete.graph)
        if not is_alike or not self._has_only_tallies(concrete):
            self._discard(undo, isinstance(concrete, StatefulConcreteFunction))
            return None
        if (around := innermost()) is not None:
            if concrete.python_changes:
                around.undo_callbacks.append(partial(_undo_trace, self.traces, key))
            around.undo_callbacks.extend(concrete.undo_callbacks)
        concrete.undo_callbacks = ()
        self.traces.count += 1
        self._note(concrete)
        self.traces.add(key, concrete, by_identity(self.arguments.objects))
        return concrete

    def _note(self, concrete: ConcreteFunction) -> None:
        """Add the trace to the history of the function."""
        record = TraceRecord(
            number=self.traces.count,
            key=self.arguments.key,
            values=concrete.template,
            served=self.arguments.key,
            held=(),
            read=(),
            origin=caller_origin(),
            calls=self.traces.calls,
            dropped=self.traces.dropped,
            is_inner=True,
        )
        self.traces.history.add(record)

    def _has_only_tallies(self, concrete: ConcreteFunction) -> bool:
        """Return whether no code reads the Python state that the trace has changed."""
        if not concrete.python_changes:
            return True
        # A staged branch or loop turns changes of Python state into state of the graph.
        if is_in_region(current_recorder()):
            return False
        return are_trace_time_effects(concrete.python_changes, traced_functions())

    def _discard(self, undo: list[Undo], writes_state: bool) -> None:
        for each in undo:
            each()
        known = self._known()
        known.writes_state |= writes_state
        if len(known.inlined) >= _MOST_REMEMBERED:
            known.inlined.clear()
        known.inlined.add(self.arguments.key)


def is_pure(concrete: ConcreteFunction) -> bool:
    """Return whether calls of a concrete function may be nodes.

    It writes no state, has no guards, returns a plain result, and its environment can be compared.
    """
    if isinstance(concrete, StatefulConcreteFunction) or concrete.must_be_inlined:
        return False
    if concrete.guard_policy != "off":
        return False
    return concrete.structure.is_plain() and concrete.environment is not None


def _undo_trace(traces: TraceCache, key: Key) -> None:
    with traces.lock:
        if traces.has(key):
            traces.forget(key)
            traces.count -= 1


def _share_of_stack_used() -> float:
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back  # type: ignore[assignment]
    return depth / sys.getrecursionlimit()
