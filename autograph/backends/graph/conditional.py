"""Staging a choice: `if`, `a if c else b`, and the lazy side of `and` and `or`.

Both branches are traced, each from the same state into a graph of its own; what they leave in a
variable is joined, and the outcome is what the `cond` node gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import runtime as rt
from autograph.backends.graph import watch
from autograph.backends.graph.mismatch import VALUE, branch_mismatch
from autograph.backends.graph.plans import (
    UNREACHED,
    JoinError,
    Plan,
    carried_leaves,
    emit,
    join,
    plan_of,
    rebuild,
)
from autograph.backends.graph.regions import guard, new_region, outcome, run_body
from autograph.backends.graph.slots import Slots
from autograph.operators.state import State
from runtime.graph.control_flow import record_cond
from runtime.graph.graph import Graph

Body = Callable[[], None]


def staged_if(
    pred: rt.Tensor,
    body: Body,
    orelse: Body,
    state: State,
    functions: Sequence[Callable[..., object]] = (),
) -> None:
    """Record `if pred: body() else: orelse()`; `state` then holds the joined outcome.

    `functions` are the user's functions called by the bodies, where those are not the user's own.
    """
    slots = Slots(state, state.nouts)
    watched = watch.watch(*(functions or (body, orelse)), elsewhere=slots.elsewhere)
    try:
        _stage(pred, body, orelse, slots, watched)
    except BaseException:
        slots.restore()
        watch.restore(watched)
        raise


def _stage(
    pred: rt.Tensor, body: Body, orelse: Body, slots: Slots, watched: list[watch.Watched]
) -> None:
    shared = watch.shared_ids(watched)
    seeds = [slots.seeds(_refined(slots.initial, pred, taken), shared) for taken in (True, False)]
    branches = []
    for name, run, seed in zip(("then", "else"), (body, orelse), seeds):
        branches.append(_trace(name, run, slots, seed, watched))
    (then, main, first), (other, alternative, second) = branches
    entries = _entries(slots, watched, first, second)
    if entries:
        slots = slots.with_entries(entries)
        main = (*main, *_contents_of(entries, first))
        alternative = (*alternative, *_contents_of(entries, second))
        seeds = [(*seed, *slots.initial[len(seed) :]) for seed in seeds]
    values, in_place = _join_branches(pred, (then, main), (other, alternative), slots, seeds)
    slots.finish(values, in_place)


def _trace(
    name: str, run: Body, slots: Slots, seed: tuple[object, ...], watched: list[watch.Watched]
) -> tuple[Graph, tuple[object, ...], list[tuple[watch.Watched, watch.Contents]]]:
    """Trace one branch; return its graph, the values it leaves and the containers it changed."""
    region = new_region(name)
    slots.write(seed)
    with region.recording():
        reached = run_body(run)
    values = outcome(reached, slots.read())
    slots.restore()
    changes = watch.changed(watched) if reached else []
    watch.restore(watched)
    return region, values, changes


def _refined(values: Sequence[object], pred: rt.Tensor, taken: bool) -> list[object]:
    """Return `values` with the condition itself replaced by what it is known to be.

    In `if not flag:` the flag is False inside and True in the other branch: this is how a flag
    that guards the rest of a body turns into a plain constant once the rest has run.
    """
    node = getattr(pred, "node", None)
    negated = node.inputs[0] if node is not None and node.op.name == "logical_not" else None
    known = {id(pred): taken}
    if negated is not None:
        known[id(negated)] = not taken
    return [known.get(id(value), value) for value in values]


def _entries(
    slots: Slots,
    watched: list[watch.Watched],
    first: list[tuple[watch.Watched, watch.Contents]],
    second: list[tuple[watch.Watched, watch.Contents]],
) -> list[watch.Entry]:
    entries = {entry.name: entry for entry in watch.entries_of(first)}
    for entry in watch.entries_of(second):
        entries.setdefault(entry.name, entry)
    return slots.new(entries.values())


def _contents_of(
    entries: list[watch.Entry], changes: list[tuple[watch.Watched, watch.Contents]]
) -> list[object]:
    """Return what one branch left in each entry; an entry it did not touch has its old value."""
    left = {}
    for each, now in changes:
        left.update({watch.entry_name(each, key): value for key, value in now.items()})
    return [left.get(entry.name, entry.read()) for entry in entries]


def _join_branches(
    pred: rt.Tensor,
    then: tuple[Graph, tuple[object, ...]],
    orelse: tuple[Graph, tuple[object, ...]],
    slots: Slots,
    seeds: Sequence[Sequence[object]],
) -> tuple[list[object], list[bool]]:
    """Record the node; return the value of each slot, and whether it only changed in place."""
    columns = list(zip(slots.names, then[1], orelse[1], *seeds))
    untouched = [
        _untouched(main, a, old) and _untouched(other, b, old)
        for (_, main, other, a, b), old in zip(columns, slots.initial)
    ]
    in_place = [
        (main is a or main is UNREACHED) and (other is b or other is UNREACHED)
        for _, main, other, a, b in columns
    ]
    plans = [
        None if same else joined(name, main, other)
        for same, (name, main, other, _, _) in zip(untouched, columns)
    ]
    for graph, values in (then, orelse):
        with graph.recording():
            graph.set_outputs([t for p, v in zip(plans, values) if p for t in emit(p, v)])
    outputs = iter(record_cond(pred, then[0], orelse[0]))
    results = [
        old if plan is None else _rebuilt(plan, outputs, name)
        for plan, old, name in zip(plans, slots.initial, slots.names)
    ]
    return results, in_place


def _untouched(value: object, seed: object, old: object) -> bool:
    """Return whether a branch left a variable alone."""
    if value is UNREACHED:
        return True
    if value is not seed or not rt.nest.is_nested(value):
        return value is seed
    leaves, before = rt.nest.flatten(value), rt.nest.flatten(old)
    return len(leaves) == len(before) and all(a is b for a, b in zip(leaves, before))


def _rebuilt(plan: Plan, outputs: object, name: str) -> object:
    count = len(list(carried_leaves(plan)))
    tensors = [next(outputs) for _ in range(count)]  # type: ignore[call-overload]
    for tensor, leaf in zip(tensors, carried_leaves(plan)):
        tensor.weak = leaf.weak
    return rebuild(plan, iter(tensors), name, guard)


def joined(name: str, main: object, other: object) -> Plan:
    """Return the plan of a variable that one branch leaves as `main` and the other as `other`.

    Raises:
        StagingError: if no value can be both, naming the variable and the remedy.
    """
    try:
        return join(plan_of(main), plan_of(other))
    except JoinError as error:
        raise branch_mismatch(name, error) from None


def merged(
    pred: rt.Tensor, then: tuple[Graph, object], orelse: tuple[Graph, object], name: str
) -> object:
    """Record the choice between the values of two traced regions, and return it."""
    plan = joined(name, then[1], orelse[1])
    for graph, value in (then, orelse):
        with graph.recording():
            graph.set_outputs(emit(plan, value))
    return _rebuilt(plan, iter(record_cond(pred, then[0], orelse[0])), name)


def staged_choice(
    pred: rt.Tensor, then: Callable[[], object], orelse: Callable[[], object], text: str
) -> object:
    """Record `then() if pred else orelse()` and return its value."""
    values: list[object] = [None]

    def put(new: tuple[object, ...]) -> None:
        values[0] = new[0]

    def run_then() -> None:
        values[0] = then()

    def run_orelse() -> None:
        values[0] = orelse()

    state = State(lambda: (values[0],), put, (f"{VALUE}`... if {text} else ...`",), 1)
    watched = watch.watch(then, orelse)
    _stage(pred, run_then, run_orelse, Slots(state, 1), watched)
    return values[0]
