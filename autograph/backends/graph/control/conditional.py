"""Staging of conditionals: `if`, `a if c else b`, and the lazy operands of `and` and `or`.

Both branches are traced, each from the same state into a graph of its own. The values that the
branches leave in a variable are joined, and become an output of the `cond` node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import (
    record_results,
    refresh_members,
    unchanged_members,
)
from autograph.backends.graph.aliases.allocation_numbers import number_shared, refuse_lost_changes
from autograph.backends.graph.aliases.lost_updates import record_branch_insertions
from autograph.backends.graph.aliases.proxies import flush_changes, rebase_proxies
from autograph.backends.graph.aliases.selected_ref import record_choice
from autograph.backends.graph.objects.object_lifetimes import joining_paths, tracing_path
from autograph.backends.graph.state import change_detection as watch
from autograph.backends.graph.state.alias_state import (
    AliasMember,
    alias_snapshot,
    invalidated_now,
    record_changed_in_branch,
    recorded_copies,
    roll_back_aliases,
    tracing_other_branch,
)
from autograph.backends.graph.state.key_order import Orders, changed_key_orders, join_key_orders
from autograph.backends.graph.state.state_slots import InitialSlots, StateEntry, StateSlots
from autograph.backends.graph.tracing.regions import (
    UnreachableEnd,
    new_region,
    run_body,
    values_at_end,
)
from autograph.backends.graph.tracing.trace_call_stack import is_in_recursion
from autograph.backends.graph.tracing.value_tensors import (
    from_outputs,
    recording_results,
    tensor_count,
    to_tensors,
)
from autograph.backends.graph.values.branch_facts import learn
from autograph.backends.graph.values.container_snapshot import (
    contains_alternatives,
    unchanged,
    with_contents,
)
from autograph.backends.graph.values.join import join
from autograph.backends.graph.values.join_errors import VALUE, branch_mismatch
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.truth import UnjoinableValue, truth
from autograph.backends.graph.values.value_spec import UNREACHED, JoinError, ValueSpec
from autograph.errors import ConditionError, StagingError
from autograph.operators.state import State, state_of
from runtime.graph.control_flow import record_cond
from runtime.graph.graph import Graph

Body = Callable[[], None]
# The endings of texts for choices that the user has not written as conditional expressions.
_DESCRIBED = ("one of several objects", "a value that may be None")


def staged_if(
    pred: rt.Tensor,
    body: Body,
    orelse: Body,
    state: State,
    functions: Sequence[Callable[..., object]] = (),
    roots: Iterable[tuple[str, object]] = (),
) -> None:
    """Record `if pred: body() else: orelse()`; `state` then holds the joined outcome.

    `functions` are the user's functions that the bodies call, if the bodies are not the user's own;
    `roots` are the arguments of these functions, by name.
    """
    flush_changes()
    slots = StateSlots(state, state.nouts)
    reached = functions or (body, orelse)
    watched = watch.watch(*reached, elsewhere=slots.elsewhere, roots=(*slots.roots, *roots))
    slots = slots.with_aliases(watched.aliases)
    try:
        _stage(pred, body, orelse, slots, watched)
    except BaseException:
        slots.restore()
        watch.restore(watched)
        raise
    finally:
        watched.close()


def _stage(
    pred: rt.Tensor, body: Body, orelse: Body, slots: StateSlots, watched: list[watch.WatchedObject]
) -> None:
    invalidated, before = invalidated_now(), alias_snapshot()
    seeds = [_refined(slots.initial, pred, taken) for taken in (True, False)]
    then = _trace("then", body, slots, seeds[0], watched, (pred, True))
    with tracing_other_branch(invalidated):
        orelse_ = _trace("else", orelse, slots, seeds[1], watched, (pred, False))
    is_led = slots.pass_through(slots.entries)
    found = [each for b in (then, orelse_) for each in (b.left if is_led else b.changes)]
    entries = slots.new(watch.entries_of(found))
    if slots.pass_through(entries) or (is_led and any(entry.is_whole for entry in entries)):
        # A branch replaces the object of the place `o.d.n`: trace again, with all places as slots.
        roll_back_aliases(before)
        return _stage(pred, body, orelse, slots.with_entries(entries), watched)
    if entries:
        count, known = len(slots.names), len(slots.entries)
        slots = slots.with_entries(entries)
        new = slots.entries[known:]
        then, orelse_ = (_with_entries(branch, new, count) for branch in (then, orelse_))
        seeds = [InitialSlots([*seed, *slots.initial[count:]]) for seed in seeds]
    number_shared(slots, then.values, orelse_.values)
    for branch in (then, orelse_):
        if branch.reached:
            refuse_lost_changes(branch.graph, branch.values)
    results, made, copied = _join_branches(pred, (then, orelse_), slots, seeds)
    slots.write_results(results)
    refresh_members([*then.unchanged_members, *orelse_.unchanged_members, *copied])
    join_key_orders([branch.orders for branch in (then, orelse_) if branch.reached])
    record_results(made, paths=(then.graph, orelse_.graph))
    for _, result, values in made:
        for value, branch in zip(values, (then, orelse_)):
            record_branch_insertions(result, value, branch.graph)
    rebase_proxies()
    for name, result, branches in made:
        record_choice(result, branches, pred, staged_choice, name)
    if not (then.reached or orelse_.reached) and is_in_recursion():
        raise UnreachableEnd


class _BranchResults(NamedTuple):
    """The results of a traced branch.

    Attributes:
        graph: the region of the branch.
        reached: whether the end of the branch is reachable.
        values: the final values of the slots.
        changes: the changed containers that no slot references, with their contents.
        left: all containers that the branch has changed, with their contents.
        orders: the dicts whose keys the branch leaves in another order.
        old: the identities of containers from before the branch.
        unchanged_members: alias members that have not changed since the branch copied them.
    """

    graph: Graph
    reached: bool
    values: tuple[object, ...]
    changes: list[tuple[watch.WatchedObject, watch.Contents]]
    left: list[tuple[watch.WatchedObject, watch.Contents]]
    orders: Orders
    old: frozenset[int]
    unchanged_members: Sequence[AliasMember]


def _trace(
    name: str,
    run: Body,
    slots: StateSlots,
    seed: Sequence[object],
    watched: list[watch.WatchedObject],
    fact: tuple[rt.Tensor, bool],
) -> _BranchResults:
    region = new_region(name)
    region.is_branch = True
    learn(region, *fact)
    before = alias_snapshot()
    slots.write(seed)
    # Computed before the branch is traced: objects that are watched later may be created in it.
    old = watch.watched_ids(watched)
    with region.recording(), tracing_path(old):
        reached = run_body(run)
    values, orders = values_at_end(reached, slots.read(old)), changed_key_orders(watched)
    alike = unchanged_members(before, old)
    left = watch.changed(watched) if reached else []
    record_changed_in_branch(each.value for each, _ in left)
    slots.restore()
    changes = watch.changed([each for each, _ in left])
    watch.restore(watched)
    rebase_proxies()
    return _BranchResults(region, reached, values, changes, left, orders, old, alike)


def _with_entries(
    branch: _BranchResults, entries: Sequence[StateEntry], count: int
) -> _BranchResults:
    """Return a branch that also has the final values of new entries."""
    if not branch.reached:
        return branch._replace(values=(UNREACHED,) * (count + len(entries)))
    with watch.applying(branch.left):
        held_now = [with_contents(entry.read(), branch.old) for entry in entries]
    return branch._replace(values=(*branch.values[:count], *held_now))


def _refined(values: Sequence[object], pred: rt.Tensor, taken: bool) -> InitialSlots:
    """Return `values` with the condition replaced by its known value in a branch.

    In `if not flag:` the flag is False in the branch and True in the other one. So a flag that
    guards the rest of a body becomes a constant in it. A condition that is a tensor of the user's
    stays a tensor, with its shape and dtype.
    """
    node = getattr(pred, "node", None)
    known = {id(pred): taken} if getattr(pred, "weak", True) else {}
    if node is not None and node.op.name == "logical_not" and node.inputs[0].weak:
        known[id(node.inputs[0])] = not taken
    return InitialSlots([known.get(id(value), value) for value in values])


def _join_branches(
    pred: rt.Tensor,
    branches: tuple[_BranchResults, _BranchResults],
    slots: StateSlots,
    seeds: Sequence[Sequence[object]],
) -> tuple[list[object], list[tuple[str, object, Sequence[object]]], list[AliasMember]]:
    """Record the node; return the value of each slot, and the new values with their originals.

    The last result is the list of old containers that a branch has copied into list handles.
    """
    columns = list(zip(slots.names, *(branch.values for branch in branches), *seeds))
    left = [
        branch.left if any(map(contains_alternatives, branch.values)) else () for branch in branches
    ]
    with joining_paths(branches[0].old):
        specs = [
            None
            if _is_untouched(main, a) and _is_untouched(other, b)
            else join_branch_values(name, main, other, left)
            for name, main, other, a, b in columns
        ]
    count = len(recorded_copies())
    for branch, changes in zip(branches, left):
        with recording_results(), branch.graph.recording(), watch.applying(changes):
            pairs = zip(specs, branch.values)
            branch.graph.set_outputs(
                [t for p, v in pairs if p is not None for t in to_tensors(p, v)]
            )
    then, orelse = (branch.graph for branch in branches)
    outputs = iter(record_cond(pred, then, orelse, _return_flags(columns, specs)))
    results = [
        old if spec is None else from_outputs(spec, outputs, name)
        for spec, old, name in zip(specs, slots.initial, slots.names)
    ]
    made: list[tuple[str, object, Sequence[object]]] = [
        (name, result, (main, other))
        for spec, result, (name, main, other, _, _) in zip(specs, results, columns)
        if spec is not None
    ]
    copied = [part for alias_set in recorded_copies()[count:] for part in alias_set.members]
    return results, made, [part for part in copied if id(part.value) in branches[0].old]


def _return_flags(
    columns: Sequence[tuple[str, object, object, object, object]], specs: Sequence[ValueSpec | None]
) -> list[tuple[int, str]]:
    """Return the flags of a `return` that both branches set, with the output that follows each."""
    found, outputs = [], 0
    for (name, main, other, *_), spec in zip(columns, specs):
        if main is True and other is True and name.startswith("do_return"):
            found.append((outputs, "return"))
        outputs += 0 if spec is None else tensor_count(spec)
    return found


def _is_untouched(value: object, seed: object) -> bool:
    return value is UNREACHED or unchanged(value, seed)


def join_branch_values(
    name: str, main: object, other: object, left: Sequence[watch.Changes] = ((), ())
) -> ValueSpec:
    """Return the spec of a variable that one branch leaves as `main` and the other as `other`.

    Args:
        name: the variable.
        main, other: its values.
        left: for each branch, the objects that it has changed, with their contents at its end.

    Raises:
        StagingError: if the values have no join; it names the variable and the remedy.
    """
    specs = []
    try:
        for value, changes in zip((main, other), left):
            with watch.applying(changes):
                specs.append(spec_of(value))
        return join(*specs)
    except JoinError as error:
        raise branch_mismatch(name, error) from None


def choice_of_regions(
    pred: rt.Tensor, then: tuple[Graph, object], orelse: tuple[Graph, object], name: str
) -> object:
    """Record the choice between the values of two traced regions, and return it.

    If the values have no join, the result is only the truth of the chosen value.
    """
    try:
        spec = join_branch_values(name, then[1], orelse[1])
    except StagingError as error:
        for graph, value in (then, orelse):
            with graph.recording():
                graph.set_outputs([_truth_or(error, value)])
        return UnjoinableValue(record_cond(pred, then[0], orelse[0])[0], error)
    for graph, value in (then, orelse):
        with graph.recording():
            graph.set_outputs(to_tensors(spec, value))
    return from_outputs(spec, record_cond(pred, then[0], orelse[0]), name)


def _truth_or(error: StagingError, value: object) -> rt.Tensor:
    """Return whether a value is true; raise `error` if the value has no truth."""
    try:
        return truth(value)
    except ConditionError:
        raise error from None


def staged_choice(
    pred: rt.Tensor,
    then: Callable[[], object],
    orelse: Callable[[], object],
    text: str,
    roots: Iterable[tuple[str, object]] = (),
) -> object:
    """Record `then() if pred else orelse()` and return its value.

    `roots` are objects, by name, that the branches may change without mentioning them.
    """
    flush_changes()
    values: list[object] = [None]

    def put(new: tuple[object, ...]) -> None:
        values[0] = new[0]

    def run_then() -> None:
        values[0] = then()

    def run_orelse() -> None:
        values[0] = orelse()

    what = f"this `{text}`" if text in ("and", "or") else f"`... if {text} else ...`"
    what = text if text.endswith(_DESCRIBED) else what
    state = State(lambda: (values[0],), put, (f"{VALUE}{what}",), 1)
    slots = StateSlots(state, 1)
    watched = watch.watch(then, orelse, roots=roots)
    try:
        _stage(pred, run_then, run_orelse, slots, watched)
    except BaseException:
        watch.restore(watched)
        raise
    return values[0]


# A statement without variables.
NO_STATE = state_of(lambda: (), lambda _: None, (), 0)


def do_nothing() -> None:
    """Do nothing, as the branch of a conditional without an `else`."""
