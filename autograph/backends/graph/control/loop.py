"""Staging of loops: the body is traced until the value spec of each variable is a fixpoint.

A variable starts with the spec of its value before the loop (a Python number as a weak tensor,
since a body that assigns it will change it). That spec is joined with the spec after one iteration:
dtypes of literals adapt, shapes widen, a variable first bound in the body becomes a possibly
unbound one. Most loops reach the fixpoint in the first trace.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import (
    alias_error,
    alias_of_next_iteration,
    container_pairs,
    record_loop,
)
from autograph.backends.graph.aliases.allocation_numbers import number_shared, refuse_lost_changes
from autograph.backends.graph.aliases.invalidation import invalidate_after_loop
from autograph.backends.graph.aliases.item_containers import carried_by_value
from autograph.backends.graph.aliases.list_provenance import record_initial_handles
from autograph.backends.graph.aliases.lost_updates import IterationStart, lost_in_iteration
from autograph.backends.graph.aliases.proxies import flush_changes, rebase_proxies
from autograph.backends.graph.aliases.read_before_write import (
    refuse_stale_loop_reads,
    stale_in_next_iteration,
    watched_type_count,
)
from autograph.backends.graph.aliases.stale_reads import checked_result
from autograph.backends.graph.control.linked_structures import with_following_objects
from autograph.backends.graph.objects.object_lifetimes import joining_paths, tracing_iteration
from autograph.backends.graph.objects.opaque_state import OpaqueObject
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state import change_detection as watch
from autograph.backends.graph.state.alias_state import (
    AliasSnapshot,
    alias_snapshot,
    roll_back_aliases,
)
from autograph.backends.graph.state.fixpoint_cache import (
    StatementFacts,
    caching_statements,
    facts_of,
)
from autograph.backends.graph.state.key_order import changed_key_orders, record_reordered
from autograph.backends.graph.state.speculation import speculating
from autograph.backends.graph.state.state_slots import StateEntry, StateSlots
from autograph.backends.graph.tracing.regions import (
    new_region,
    parameter_name,
    run_body,
    values_at_end,
)
from autograph.backends.graph.tracing.value_tensors import (
    all_to_tensors,
    carried_leaves,
    from_tensors,
    recording_results,
    tensor_count,
    to_tensors,
)
from autograph.backends.graph.values.container_snapshot import (
    contains_alternatives,
    unchanged,
    without_contents,
)
from autograph.backends.graph.values.join import by_value_if_created, join, widen
from autograph.backends.graph.values.join_errors import endless_growth, loop_mismatch
from autograph.backends.graph.values.leaf_spec import TracedSpec
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.value_spec import UNREACHED, ItemsSpec, JoinError, ValueSpec
from autograph.errors import ContainerMutationError, LoopMismatch
from autograph.operators.state import State
from runtime.core.context import current_recorder
from runtime.graph.control_flow import record_while
from runtime.graph.graph import Graph

Opts = Mapping[str, object]
Hidden = Sequence[rt.Tensor]

# Dtypes and shapes can widen only a few times: more traces of a body mean endless growth.
_MOST_ROUNDS = 24
# A variable that has other objects after so many traces walks over objects that lead to each other.
_FIRST_WALK = 3


class LoopParts(NamedTuple):
    """A loop before it is traced.

    Attributes:
        hidden: loop variables that the user does not see (an index), before the first iteration.
        test: `test(hidden)` -> scalar bool tensor: whether another iteration runs.
        body: `body(hidden)` runs one iteration and returns the next `hidden`.
        functions: the user's functions that `test` and `body` call; their containers are watched.
        first: the result of the test before the loop, if the test has been evaluated.
        at_end: `at_end(hidden)` receives the hidden variables after the loop.
        target: the text of the target that the hidden variable is assigned to, or "".
    """

    hidden: Hidden
    test: Callable[[Hidden], rt.Tensor]
    body: Callable[[Hidden], Hidden]
    functions: tuple[Callable[..., object] | None, ...]
    first: rt.Tensor | None = None
    at_end: Callable[[Hidden], object] = lambda hidden: None
    target: str = ""


def staged_loop(parts: LoopParts, state: State, opts: Opts) -> None:
    """Record the loop; `state` then holds the values of the variables after it.

    Raises:
        LoopMismatch: if a variable changes dtype or structure from one iteration to the next.
        ContainerMutationError: if the body changes a container that has another name in Python,
            which the graph would leave unchanged.
    """
    flush_changes()
    slots = StateSlots(state, len(state.names))
    watched = watch.watch(*parts.functions, elsewhere=slots.elsewhere, roots=slots.roots)
    slots = slots.with_aliases(watched.aliases)
    try:
        _StagedLoop(parts, slots, opts, watched, facts_of(parts.functions, slots.names)).stage()
    except BaseException:
        slots.restore()
        watch.restore(watched)
        raise
    finally:
        watched.close()


def staged_endless_loop(
    test: Callable[[], object], body: Callable[[], None], state: State, opts: Opts
) -> bool:
    """Record a `while True` that an exception alone ends; return whether that is possible.

    It is not if no iteration so far may raise an exception in a run, or if the body can reach an
    iterator or the like, which a failed trace of it would leave changed.
    """
    recorder: Any = current_recorder()
    may_raise = any(node.effect not in ("none", "read") for node in recorder.nodes)
    if not may_raise or any(type(each.value) is OpaqueObject for each in watch.watch(body)):
        return False

    def run(hidden: Hidden) -> Hidden:
        body()
        return []

    def always(hidden: Hidden) -> rt.Tensor:
        return rt.constant(True)

    with speculating() as tried:
        staged_loop(LoopParts([], always, run, (body, test), rt.constant(True)), state, opts)
    return tried.succeeded


class _TracedBody(NamedTuple):
    """One trace of a loop's body.

    Attributes:
        region: its region, without the loop variables as results.
        ends: the values of the variables at its end; `UNREACHED` where it does not end.
        found: the places of state that it writes and that are no variables of the loop yet.
        began: the values of the variables when the iteration begins.
        aliases: a snapshot of the alias state before the trace.
        watched: the identities of the watched objects.
        type_count: the number of watched types when the trace began.
        error: the error for an alias that the graph would not follow; None if there is none.
        changes: the changes of objects that a joined value reads as alternatives.
    """

    region: Graph
    ends: tuple[object, ...]
    found: list[StateEntry]
    began: IterationStart
    aliases: AliasSnapshot
    watched: frozenset[int]
    type_count: int
    error: ContainerMutationError | None
    changes: watch.Changes


class _StagedLoop:
    def __init__(
        self,
        parts: LoopParts,
        slots: StateSlots,
        opts: Opts,
        watched: list[watch.WatchedObject],
        found: StatementFacts,
    ) -> None:
        self.parts, self.slots, self.opts, self.watched = parts, slots, opts, watched
        self.found = found
        self.exits: Mapping[str, str] = opts.get("exits") or {}  # type: ignore[assignment]

    def stage(self) -> None:
        specs, traced = self._fixpoint()
        test = self._test(specs)
        if test is None:
            # The test writes variables or has effects, so it must run exactly once per iteration.
            again = _testing_after(self.parts)
            return _StagedLoop(again, self.slots, self.opts, self.watched, self.found).stage()
        self._finish_body(traced, specs)
        outputs = record_while(
            test,
            traced.region,
            [*self.parts.hidden, *all_to_tensors(specs, self.slots.initial)],
            self._exit_positions(specs),
            self.opts.get("maximum_iterations"),  # type: ignore[arg-type]
        )
        visible = iter(outputs[len(self.parts.hidden) :])
        results = _rebuild_all(specs, visible, self.slots)
        self.slots.write_results(results)
        # The results are written first: if the end of the loop is an error, a handler sees them.
        self.parts.at_end(outputs[: len(self.parts.hidden)])
        rebase_proxies()
        columns = list(zip(self.slots.names, results, self.slots.initial, traced.ends))
        record_loop(columns, [each.value for each in self.watched], traced.aliases)
        left = [pair for _, result, _, end in columns for pair in container_pairs(result, end)]
        started = [
            pair for _, result, start, _ in columns for pair in container_pairs(result, start)
        ]
        invalidate_after_loop(traced.aliases, traced.region, left, started)
        refuse_stale_loop_reads(traced.watched, traced.aliases)
        return None

    def _first_specs(self) -> list[ValueSpec]:
        old = watch.watched_ids(self.watched)
        specs = [widen(spec_of(value)) for value in self.slots.read(old)]
        shapes = dict(self.opts.get("shape_invariants") or ())  # type: ignore[call-overload]
        return [_with_shape(n, p, shapes) for n, p in zip(self.slots.names, specs)]

    def _fixpoint(self) -> tuple[list[ValueSpec], _TracedBody]:
        """Return the specs and the trace of the body, once the specs are a fixpoint."""
        before, noted = self.slots, alias_snapshot()
        known = before.new(self.found.entries(self.watched))
        if not known:
            return self._fixpoint_of_body(self._first_specs())
        self.slots = before.with_entries(known)
        fixpoint = self._fixpoint_of_body(self._first_specs())
        entries, traced = self.slots.entries, fixpoint[1]
        ends, starts = traced.ends[::-1], traced.began.snapshots[::-1]
        kept = [_is_changed(*each) for each in zip(ends, starts, strict=True)][: len(entries)]
        # A list that is a place as a whole by now has no items that are places.
        if all(is_changed for at, is_changed in zip(entries[::-1], kept) if at in known):
            return fixpoint
        # Some places that an earlier trace found do not change now: stage again without them.
        roll_back_aliases(noted)
        self.slots, self.found.places = before, None
        return self._fixpoint_of_body(self._first_specs())

    def _fixpoint_of_body(self, specs: list[ValueSpec]) -> tuple[list[ValueSpec], _TracedBody]:
        for at in range(_MOST_ROUNDS):
            traced = self._trace_body(specs)
            if traced.found:
                self.found.add(traced.found)
                self.slots = self.slots.with_entries(traced.found)
                specs = self._first_specs()
                roll_back_aliases(traced.aliases)
                continue
            number_shared(self.slots, traced.ends, iteration=traced.region)
            refuse_lost_changes(traced.region, traced.ends)
            columns = zip(self.slots.names, specs, traced.ends, strict=True)
            with joining_paths(traced.watched):
                after = [_joined(traced, *each) for each in columns]
            if after == specs and traced.type_count == watched_type_count():
                if traced.error is not None:
                    raise traced.error
                self._refuse_alias_sets(specs, traced)
                return specs, traced
            growing = [n for n, a, b in zip(self.slots.names, specs, after) if a != b]
            if at >= _FIRST_WALK:
                pairs = zip(specs, after)
                after = [with_following_objects(*each, traced.watched) for each in pairs]
            specs = after
            roll_back_aliases(traced.aliases)
        raise endless_growth(growing)

    def _refuse_alias_sets(self, specs: Sequence[ValueSpec], traced: _TracedBody) -> None:
        """Refuse a body that changes a container which has an alias in the next iteration."""
        changed = {id(entry.owner) for entry in self.slots.entries}
        old = {id(each.value): id(each.value) in changed for each in self.watched}
        began, ends = traced.began, traced.ends
        columns = list(zip(self.slots.names, began.values, began.snapshots, ends))
        copied = [
            id(each.value)
            for spec, end in zip(specs, ends)
            if isinstance(spec, ItemsSpec)
            for each in carried_by_value(spec, end)
            if each is not end
        ]
        name = alias_of_next_iteration(columns, old, copied)
        if name is not None:
            raise alias_error(name, user_location())

    def _trace_body(self, specs: list[ValueSpec]) -> _TracedBody:
        aliases, body = alias_snapshot(), new_region("body")
        hidden, seeds = self._enter(body, specs)
        # The test holds when the body starts, so no exit flag is set yet.
        seeds = tuple(
            False if name in self.exits else seed for name, seed in zip(self.slots.names, seeds)
        )
        self.slots.write(seeds)
        rebase_proxies(body)
        record_initial_handles(zip(seeds, self.slots.initial))
        began = IterationStart.of(self.slots.names, self.slots.initial, seeds, body)
        type_count = watched_type_count()
        following: list[rt.Tensor] = []
        old = watch.watched_ids(self.watched)
        with body.recording(), tracing_iteration(old, body), caching_statements(self.found):
            reached = run_body(lambda: following.extend(self.parts.body(hidden)))
            body.set_outputs(following if reached else hidden)
            stale = self._stale() if reached else None
        values = values_at_end(reached, self.slots.read(old))
        error = None
        if reached:
            ends = dict(zip(self.slots.names, map(without_contents, self.slots.read(old))))
            name = lost_in_iteration(began, ends, aliases)
            error = alias_error(name, user_location()) if name is not None else None
            error = error or stale_in_next_iteration(began, ends, old, aliases) or stale
            record_reordered(changed_key_orders(self.watched))
        together = self.slots.whole_entries() if reached else []
        self.slots.restore()
        changes = watch.changed(self.watched) if reached else []
        read = changes if any(map(contains_alternatives, values)) else []
        watch.restore(self.watched)
        rebase_proxies()
        found = self.slots.new([*together, *watch.entries_of(changes)])
        return _TracedBody(body, values, found, began, aliases, old, type_count, error, read)

    def _stale(self) -> ContainerMutationError | None:
        """Return the error for a stale value that the next iteration would begin with."""
        try:
            for name, value in zip(self.slots.names, self.slots.read()):
                checked_result(value, name)
        except ContainerMutationError as error:
            return error
        return None

    def _test(self, specs: list[ValueSpec]) -> Graph | None:
        """Return the region of the test; None if it has effects or writes variables."""
        test = new_region("test")
        hidden, seeds = self._enter(test, specs)
        self.slots.write(seeds)
        rebase_proxies(test)
        # Two names may mean one place, so the values read may differ from those written.
        before, held_before = self.slots.read(), watch.current_contents(self.watched)
        with test.recording():
            test.set_outputs([self.parts.test(hidden)])
        pure = all(map(unchanged, self.slots.read(), before))
        # The functions that the test calls are watched only from their call on.
        held_before += [each.contents for each in self.watched[len(held_before) :]]
        pure = pure and watch.same_contents(held_before, watch.current_contents(self.watched))
        self.slots.restore()
        watch.restore(self.watched)
        rebase_proxies()
        return test if pure and test.effect in ("none", "read") else None

    def _enter(self, region: Graph, specs: list[ValueSpec]) -> tuple[Hidden, tuple[object, ...]]:
        """Give `region` its parameters; return the hidden ones and the variables' values."""
        hidden = [
            region.add_input(rt.TensorSpec(t.shape, t.dtype), self._hidden_name(t), _is_weak(t))
            for t in self.parts.hidden
        ]
        tensors = [
            region.add_input(leaf.tensor_spec, parameter_name(name), leaf.weak)
            for name, spec in zip(self.slots.names, specs)
            for leaf in carried_leaves(spec)
        ]
        return hidden, tuple(_rebuild_all(specs, iter(tensors), self.slots))

    def _hidden_name(self, hidden: rt.Tensor) -> str:
        """Return the name of a hidden variable in printed graphs."""
        target = self.parts.target
        if target.isidentifier() and target.strip("_"):
            return f"next_{target}" if target in self.slots.names else target
        if hidden.dtype == rt.bool:
            return "goes_on"
        return "iterator" if hidden.dtype == rt.variant else "position"

    def _finish_body(self, traced: _TracedBody, specs: list[ValueSpec]) -> None:
        body = traced.region
        hidden = list(body.outputs)
        stay = iter(body.parameters[len(hidden) :])
        carried: list[rt.Tensor] = []
        iteration = tracing_iteration(traced.watched, body)
        with recording_results(), body.recording(), iteration, watch.applying(traced.changes):
            for spec, value in zip(specs, traced.ends):
                own = [next(stay) for _ in carried_leaves(spec)]
                # A body that never ends (it raises) leaves every variable as it was.
                carried.extend(own if value is UNREACHED else to_tensors(spec, value))
            body.set_outputs([*hidden, *carried])

    def _exit_positions(self, specs: list[ValueSpec]) -> dict[int, str]:
        positions, at = {}, len(self.parts.hidden)
        for name, spec in zip(self.slots.names, specs):
            if name in self.exits:
                positions[at] = self.exits[name]
            at += tensor_count(spec)
        return positions


def _joined(traced: _TracedBody, name: str, before: ValueSpec, end: object) -> ValueSpec:
    """Return the spec of a variable that is valid before and after the body.

    Raises:
        LoopMismatch: if there is none.
    """
    try:
        with watch.applying(traced.changes):
            after = widen(by_value_if_created(spec_of(end), traced.watched))
        return join(before, after)
    except JoinError as error:
        raise loop_mismatch(name, error) from None


def _testing_after(parts: LoopParts) -> LoopParts:
    """Return the same loop with its test at the end of the body, and the result loop-carried.

    The test before the first iteration is already recorded, so no test is recorded twice.
    """
    assert parts.first is not None, "only the test of a `while` can do more than compute"

    def body(hidden: Hidden) -> Hidden:
        following = list(parts.body(hidden[1:]))
        return [parts.test(following), *following]

    functions = parts.functions
    return LoopParts([parts.first, *parts.hidden], lambda hidden: hidden[0], body, functions)


def _rebuild_all(specs: Sequence[ValueSpec], tensors: object, slots: StateSlots) -> list[object]:
    columns = zip(specs, slots.names)
    return [from_tensors(spec, tensors, name) for spec, name in columns]  # type: ignore[arg-type]


def _is_changed(end: object, start: object) -> bool:
    return end is not UNREACHED and not unchanged(end, start)


def _is_weak(tensor: rt.Tensor) -> bool:
    return getattr(tensor, "weak", False)


def _with_shape(name: str, spec: ValueSpec, shapes: Mapping[str, object]) -> ValueSpec:
    if name not in shapes or not isinstance(spec, TracedSpec):
        return spec
    from_user = rt.TensorShape(shapes[name])
    if not from_user.is_compatible_with(spec.tensor_spec.shape):
        raise LoopMismatch(
            f"'{name}' has shape {spec.tensor_spec.shape} before the loop, "
            f"which does not conform to the shape invariant {from_user} given for it",
            user_location(),
        )
    return TracedSpec(rt.TensorSpec(from_user, spec.tensor_spec.dtype), spec.weak)
