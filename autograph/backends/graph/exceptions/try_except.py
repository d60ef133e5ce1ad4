"""Staging of `try`: nodes whose handlers catch exceptions of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import reduce
from typing import Any, NamedTuple

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import check_ended_path, record_results
from autograph.backends.graph.aliases.proxies import flush_changes, flush_region, rebase_proxies
from autograph.backends.graph.exceptions.caught_exception import CaughtError
from autograph.backends.graph.exceptions.exception_sources import (
    RaisingNode,
    has_other_names,
    sources_of,
)
from autograph.backends.graph.exceptions.handler_variables import (
    VariableSnapshots,
    refuse_unjoinable,
)
from autograph.backends.graph.objects.attribute_reads import HANDLED
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.source.staging_log import staging
from autograph.backends.graph.state import change_detection as watch
from autograph.backends.graph.state.alias_state import recorded_alias_sets
from autograph.backends.graph.state.fixpoint_cache import caching_statements, facts_of
from autograph.backends.graph.state.key_order import changed_key_orders, record_reordered
from autograph.backends.graph.state.state_slots import StateEntry, StateSlots
from autograph.backends.graph.tracing.regions import (
    UnreachableEnd,
    new_region,
    run_body,
    values_at_end,
)
from autograph.backends.graph.tracing.trace_call_stack import is_in_recursion
from autograph.backends.graph.tracing.trace_exceptions import may_be_caught, stage_error
from autograph.backends.graph.tracing.value_tensors import from_outputs, to_tensors
from autograph.backends.graph.values.container_snapshot import unchanged
from autograph.backends.graph.values.join import join
from autograph.backends.graph.values.join_errors import attempt_mismatch
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.value_spec import UNREACHED, JoinError
from autograph.backends.try_block import Handler, TryBlock
from autograph.errors import AutographError, StagingError
from autograph.operators.call_listeners import generator_calls
from autograph.operators.state import State
from autograph.operators.tracebacks import drop_internal_frames
from runtime.core.context import current_recorder
from runtime.core.variant import VARIANT
from runtime.diagnostics.exceptions import CaughtPlaceholder
from runtime.graph.graph import Graph
from runtime.graph.may_raise import Kinds, may_be
from runtime.graph.rollback import roll_back, save_state
from runtime.graph.try_region import TryGraph, record_try
from runtime.ops.effects.try_ops import leave_try
from runtime.ops.op import Op

Functions = Sequence[Callable[..., object] | None]
Roots = Sequence[tuple[str, object]]

# The most traces of a `try`: each may find more places that it changes.
_MOST_ROUNDS = 24


def staged_try(tried: TryBlock, state: State, roots: Roots = (), bodies: Functions = ()) -> None:
    """Execute a `try` statement, as a node if a part of it may raise at run time.

    Args:
        tried: the parts of the statement.
        state: the variables that the parts may change.
        roots: objects, by name, that the parts may change without mentioning them.
        bodies: the user's functions that the parts call, if the parts are not the user's.
    """
    parts = [tried.body, tried.orelse, tried.final, *(each.body for each in tried.handlers)]
    functions = [*parts, *bodies]
    final = tried.final
    if final is None:
        return _TryStatement(tried, state, functions, roots).run()
    inner = replace(tried, final=None)

    def guarded() -> None:
        if inner.handlers:
            _TryStatement(inner, state, functions, roots).run()
        else:
            inner.body()

    def finish() -> None:
        final()
        raise  # the handled exception

    outer = TryBlock(guarded, [Handler(None, finish)], final, flags=tried.flags)
    # The user wrote one statement, which is logged once: by the `try` with the handlers, if any.
    return _TryStatement(outer, state, functions, roots, not inner.handlers).run()


class _TracedPart(NamedTuple):
    """The results of one traced part: the body with the `else`, or a handler.

    Attributes:
        graph: the region of the part.
        reached: whether the end of the part is reachable.
        seeds: the values of the slots at its start.
        values: their values at its end.
        entries: the places that it has changed.
    """

    graph: Graph
    reached: bool
    seeds: Sequence[object]
    values: tuple[object, ...]
    entries: list[StateEntry]


class _TryStatement:
    """One `try` while it is staged; it observes the nodes recorded in its body."""

    region: TryGraph

    def __init__(
        self,
        tried: TryBlock,
        state: State,
        functions: Functions,
        roots: Roots = (),
        is_logged: bool = True,
    ) -> None:
        flush_changes()  # before the state is recorded
        self._tried, self._state, self._is_logged = tried, state, is_logged
        self._slots = StateSlots(state, len(state.names))
        self._watched = watch.watch(
            *functions, elsewhere=self._slots.elsewhere, roots=(*self._slots.roots, *roots)
        )
        self._slots = self._slots.with_aliases(self._watched.aliases)
        self._found = facts_of(functions, self._slots.names)
        # Taken before the body runs: an object that is watched later may have been made in the
        # body.
        self._old = watch.watched_ids(self._watched)
        self._classes: list[Classes] | None = None
        # The operands of the first node that may raise: the reason for staging the statement.
        self._refusing: tuple[rt.Tensor, ...] = ()

    def run(self) -> None:
        """Stage the statement.

        Raises:
            StagingError: each trace of it changes other places.
        """
        try:
            self._stage()
        finally:
            self._watched.close()

    def _stage(self) -> None:
        graphs = graphs_recording()
        marks = [save_state(graph) for graph in graphs]
        entries = self._slots.new(self._found.entries(self._watched))
        for _ in range(_MOST_ROUNDS):
            self._slots = self._slots.with_entries(entries)
            with caching_statements(self._found):
                entries = self._traced()
            if not entries:
                return
            self._found.add(entries)
            for graph, before in zip(graphs, marks):
                roll_back(graph, before)
                forget_snapshots(graph)
        raise StagingError("this `try` changes other places each time", user_location())

    # -- nodes recorded in the body ------------------------------------------------------------

    def before_node(
        self,
        graph: Graph,
        op: Op,
        inputs: Sequence[rt.Tensor],
        attrs: Mapping[str, Any],
        kinds: Kinds,
    ) -> None:
        """Begin the region at the first node that a handler may catch; snapshot the variables."""
        if self._closed or self._snapshots.busy:
            return
        if not any(may_be(kinds, classes) for classes in self._caught_classes()):
            return
        refuse_lost_cleanup()
        flush_changes()
        self._refusing = self._refusing or tuple(inputs)
        self.region.begin()
        self._sources.extend(sources_of(op, inputs, attrs, kinds, self._old))
        # A list may be changed where a node raises, but restored at the end.
        self._changes.extend(watch.entries_of(watch.changed(self._watched)))
        self._snapshots.take(graph, self._slots.read(self._old))

    def catches(self, kinds: Kinds) -> bool:
        """Return whether a handler catches all exceptions of these classes."""
        if self._closed or self._snapshots.busy:
            return False
        caught = [kind for classes in self._caught_classes() for kind in classes]
        return all(any(issubclass(kind, each) for each in caught) for kind in kinds)

    def forget_snapshots(self) -> None:
        """Forget the last snapshot: the nodes recorded since then are undone."""
        self._snapshots.forget()

    def _caught_classes(self) -> list[Classes]:
        if self._classes is None:
            self._classes = [classes_of(handler) for handler in self._tried.handlers]
        return self._classes

    # -- tracing -------------------------------------------------------------------------------

    def _traced(self) -> list[StateEntry]:
        """Trace the statement; return the changed places that are not among its slots yet."""
        outer = current_recorder()
        assert isinstance(outer, Graph)
        self.region = TryGraph("try", outer, self)
        self.region.is_branch = True
        self._closed, self._sources = False, list[RaisingNode]()
        self._changes: list[StateEntry] = []
        flags = [at for at, name in enumerate(self._slots.names) if name in self._tried.flags]
        self._snapshots = VariableSnapshots(self.region, self._slots, frozenset(flags))
        try:
            with self.region.recording():
                self._tried.body()
                flush_region()
        except UnreachableEnd:
            if not self.region.has_begun:
                raise
            return self._staged(False)
        except BaseException as error:
            if not may_be_caught(error):
                raise
            if not self.region.has_begun and not self._may_catch(error):
                self._closed = True
                self._handle(error)
                return []
            with self.region.recording():
                stage_error(error)
            return self._staged(False)
        if not self.region.has_begun:
            self._closed = True
            if self._tried.orelse is not None:
                self._tried.orelse()
            return []
        return self._staged(self._else())

    def _may_catch(self, error: BaseException) -> bool:
        """Return whether a handler may catch the run-time exception of a stand-in."""
        kinds = tuple(k for each in getattr(error, "sources", ()) for k in each.kinds)
        return isinstance(error, CaughtPlaceholder) and any(
            may_be(kinds, classes) for classes in self._caught_classes()
        )

    def _handle(self, error: BaseException) -> None:
        """Handle an exception as Python does; called while it is handled."""
        drop_internal_frames(error)
        handler = self._tried.handler_of(error)
        if handler is None:
            raise error
        handler.run(error)

    def _else(self) -> bool:
        """Trace the `else`, which no handler protects; return whether its end is reached."""
        orelse = self._tried.orelse
        if orelse is None:
            return True
        with self.region.recording():
            leave_try(self.region.record_handle)
            self._closed = True
            return run_body(orelse)  # type: ignore[arg-type]

    def _staged(self, reached: bool) -> list[StateEntry]:
        self._closed = True
        try:
            return self._with_handlers(self._part(self.region, self._slots.initial, reached))
        except BaseException:
            self._restore()
            raise

    def _with_handlers(self, body: _TracedPart) -> list[StateEntry]:
        entries = self._slots.new([*body.entries, *self._changes])
        if entries:
            return entries
        self._snapshots.join()
        chosen = [h for h in zip(self._tried.handlers, self._caught_classes()) if self._may(h[1])]
        handlers = [self._traced_handler(*each) for each in chosen]
        entries = self._slots.new([entry for each in handlers for entry in each.entries])
        if not entries:
            self._record([body, *handlers], [classes for _, classes in chosen])
            if not any(part.reached for part in (body, *handlers)) and is_in_recursion():
                raise UnreachableEnd
        return entries

    def _may(self, classes: Classes) -> bool:
        return any(may_be(source.kinds, classes) for source in self._sources)

    def _traced_handler(self, handler: Handler, classes: Classes) -> _TracedPart:
        region = new_region("except")
        caught = region.add_input(VARIANT, handler.name or "caught")
        before = len(recorded_alias_sets())
        seeds = self._snapshots.seeds(region)
        made = len(recorded_alias_sets()) - before
        sources = [each for each in self._sources if may_be(each.kinds, classes)]
        self._slots.write(seeds)
        with region.recording():
            error = _handled_exception(caught, sources)
            token = HANDLED.set((*HANDLED.get(), error))
            try:
                reached = run_body(lambda: run_handler(handler, error))
            finally:
                HANDLED.reset(token)
        check_ended_path(before, made)
        return self._part(region, seeds, reached)

    def _part(self, graph: Graph, seeds: Sequence[object], reached: bool) -> _TracedPart:
        values = values_at_end(reached, self._slots.read(self._old))
        # The changes of the body count even if its end is not reached: the handlers see them.
        changes = watch.changed(self._watched) if reached or graph is self.region else []
        if changes:
            record_reordered(changed_key_orders(self._watched))
        self._restore()
        entries = watch.entries_of(changes)
        return _TracedPart(graph, reached, seeds, values, entries)

    def _restore(self) -> None:
        watch.restore(self._watched)
        self._slots.restore()
        rebase_proxies()

    # -- recording -----------------------------------------------------------------------------

    def _record(self, parts: list[_TracedPart], classes: list[Classes]) -> None:
        slots, named = self._slots, len(self._state.names)
        outs = [*range(self._state.nouts), *range(named, len(slots.names))]
        specs = {at: self._joined(at, parts) for at in outs}
        kept = {at: spec for at, spec in specs.items() if spec is not None}
        for part in parts:
            with part.graph.recording():
                tensors = [
                    t for at, spec in kept.items() for t in to_tensors(spec, part.values[at])
                ]
                part.graph.set_outputs(tensors)
        initial = self._snapshots.finished()
        _, *handlers = (part.graph for part in parts)
        with staging("try", self._refusing, self._state) if self._is_logged else nullcontext():
            outputs = iter(record_try(self.region, handlers, classes, initial))
            values, made = list(slots.initial), []
            for at, spec in kept.items():
                values[at] = from_outputs(spec, outputs, slots.names[at])
                made.append((slots.names[at], values[at], [part.values[at] for part in parts]))
            slots.write_results(values)
        record_results(made)
        rebase_proxies()

    def _joined(self, at: int, parts: list[_TracedPart]) -> Any:
        """Return the joined spec of a slot after the parts; None if no part changes it."""
        columns = [(part.values[at], part.seeds[at]) for part in parts]
        if all(value is UNREACHED for value, _ in columns):
            return None
        if all(value is UNREACHED or unchanged(value, seed) for value, seed in columns):
            if at not in self._snapshots.columns:
                return None
        name = self._slots.names[at]
        try:
            refuse_unjoinable([value for value, _ in columns])
            return reduce(join, [spec_of(value) for value, _ in columns])
        except JoinError as error:
            raise attempt_mismatch(name, error) from None


def _handled_exception(caught: rt.Tensor, sources: list[RaisingNode]) -> BaseException:
    """Return the exception for a handler: a stand-in, unless only one exception can arrive."""
    only = sources[0] if len(sources) == 1 else None
    if only is not None and only.is_exact and only.sample is not None:
        if not has_other_names(only.copies):
            return only.sample
    return CaughtError(caught, sources)


def refuse_lost_cleanup() -> None:
    """Refuse a node that may raise while a Python generator has a `finally` or `with` to run.

    Raises:
        StagingError: there is such a generator; the next trace stages it.
    """
    calls = generator_calls()
    if calls is not None and calls.has_pending_cleanup():
        raise StagingError(
            "a generator has a `finally` or a `with` around its `yield`, which would not see an "
            "exception that is raised here when the graph runs: iterate over a list of its items",
            user_location(),
        )


def graphs_recording() -> list[Graph]:
    """Return the graphs that may receive the nodes recorded here."""
    graph = current_recorder()
    assert isinstance(graph, Graph)
    found = [graph]
    while isinstance(graph, TryGraph) and not graph.has_begun:
        assert graph.outer is not None
        graph = graph.outer
        found.append(graph)
    return found


def forget_snapshots(graph: Graph) -> None:
    """Forget the last snapshots of all `try` statements that guard a graph."""
    for scope in graph.try_scopes:
        if isinstance(scope, _TryStatement):
            scope.forget_snapshots()


# -- the handlers of a `try` while tracing: the classes they catch, and running one ----------------


Classes = tuple[type[BaseException], ...]


def run_handler(handler: Handler, caught: BaseException) -> None:
    """Trace a handler; an error about the tracing does not show the stand-in as its context."""
    try:
        raise caught
    except BaseException as raised:
        try:
            handler.run(raised)
        except AutographError as error:
            if isinstance(error.__context__, CaughtPlaceholder):
                error.__context__ = None
            raise


def classes_of(handler: Handler) -> Classes:
    """Return the classes of exceptions that a handler catches."""
    kinds: Any = BaseException if handler.kinds is None else handler.kinds()
    return kinds if isinstance(kinds, tuple) else (kinds,)
