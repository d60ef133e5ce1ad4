"""Values of variables in the handlers of a `try`: those of the moment when the exception is raised.

A `note_state` node precedes each node that may raise, if a variable has changed since the last one.
The joined spec of a variable is known only after all snapshots. So the values are converted to it
later, in a region that the node then gets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, NamedTuple

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import record_results
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.state_slots import StateSlots
from autograph.backends.graph.tracing.regions import parameter_name
from autograph.backends.graph.tracing.value_tensors import (
    carried_leaves,
    from_tensors,
    tensor_count,
    to_tensors,
)
from autograph.backends.graph.values.container_identity import is_numbered
from autograph.backends.graph.values.container_snapshot import ItemsValue, unchanged
from autograph.backends.graph.values.join import join
from autograph.backends.graph.values.join_errors import attempt_mismatch
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.value_spec import (
    UNREACHED,
    ContainerSpec,
    JoinError,
    OneOfSpec,
    OptionalSpec,
    SameObjectSpec,
    ValueSpec,
    with_number,
)
from autograph.backends.undefined import Undefined
from autograph.errors import StagingError
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.graph.try_region import TryGraph
from runtime.ops.effects.try_ops import NOTE, NotedVariables


class UnjoinableVariable(Undefined):
    """A variable whose values at several raising nodes cannot be joined; reading it is an error."""

    __slots__ = ("error",)

    def __init__(self, name: str, error: JoinError) -> None:
        super().__init__(name)
        self.error = error

    def read(self) -> object:
        """Raise BranchMismatch."""
        raise attempt_mismatch(self.name, self.error)


def refuse_unjoinable(values: Sequence[object]) -> None:
    """Raise the JoinError of the first value that is an `UnjoinableVariable`."""
    for value in values:
        if isinstance(value, UnjoinableVariable):
            raise value.error


class _Column(NamedTuple):
    """A variable in one snapshot.

    Attributes:
        spec: the spec of its value.
        tensors: the tensors that carry the value.
        contents: the spec of a container by contents, for variables with different objects in
            different snapshots; `spec` itself for other values.
        inside: the tensors that carry the contents.
    """

    spec: ValueSpec
    tensors: list[rt.Tensor]
    contents: ValueSpec
    inside: list[rt.Tensor]

    @staticmethod
    def of(value: object) -> _Column:
        spec = spec_of(value)
        contents, tensors = _by_contents(spec), to_tensors(spec, value)
        inside = tensors if contents == spec else to_tensors(contents, value)
        return _Column(spec, tensors, contents, inside)


class _Snapshot(NamedTuple):
    node: Node
    graph: Graph
    noted: NotedVariables
    columns: dict[int, _Column]
    tensors: list[rt.Tensor]
    values: dict[int, object]


class VariableSnapshots:
    """The snapshots of the variables in one `try`.

    Args:
        region: its body.
        slots: its variables.
        flags: positions of flags of jumps, which an exception resets.

    Attributes:
        columns: the variables in the snapshots, by position, with the joined specs of their values.
        busy: whether a snapshot is being recorded.
    """

    def __init__(self, region: TryGraph, slots: StateSlots, flags: frozenset[int]) -> None:
        self._region, self._slots, self._flags = region, slots, flags
        self._snapshots: list[_Snapshot] = []
        self._last: dict[int, dict[int, object]] = {}
        self.columns: dict[int, ValueSpec | JoinError] = {}
        self.busy, self._has_snapshot = False, False
        self._never_as_before = set[int]()

    def take(self, graph: Graph, values: Sequence[object]) -> None:
        """Record a snapshot of the changed variables, unless the last one has the same values."""
        initial = self._slots.initial
        for at, (now, before) in enumerate(zip(values, initial)):
            if at not in self._flags and not unchanged(now, before):
                # A variable changed before the first node that may raise never reaches a handler
                # unchanged.
                if at not in self.columns and not self._has_snapshot:
                    self._never_as_before.add(at)
                self.columns.setdefault(at, spec_of(before) if self._has_snapshot else UNREACHED)
        self._has_snapshot = True
        chosen = {at: values[at] for at in sorted(self.columns)}
        if not chosen or self._is_last(graph, chosen):
            return
        self.busy = True
        try:
            self._record(graph, chosen)
        finally:
            self.busy = False
        # A run may skip a snapshot in an inner region: the next one must not rely on it.
        self._last = {id(graph): chosen}

    def forget(self) -> None:
        """Forget the last snapshot: the next one is recorded even if nothing has changed."""
        self._last = {}

    def _is_last(self, graph: Graph, chosen: dict[int, object]) -> bool:
        last = self._last.get(id(graph))
        if last is None or last.keys() != chosen.keys():
            return False
        return all(unchanged(now, last[at]) for at, now in chosen.items())

    def _record(self, graph: Graph, chosen: dict[int, object]) -> None:
        noted = NotedVariables(tuple(self._slots.names[at] for at in chosen))
        with graph.recording():
            columns = {at: _Column.of(value) for at, value in chosen.items()}
            tensors = [t for each in columns.values() for t in (*each.tensors, *each.inside)]
            graph.record(NOTE, [self._region.record_handle, *tensors], {"noted": noted})
        self._snapshots.append(_Snapshot(graph.nodes[-1], graph, noted, columns, tensors, chosen))

    # -- after all snapshots -------------------------------------------------------------------

    def join(self) -> None:
        """Join the specs of each variable over all snapshots."""
        for at, spec in self.columns.items():
            specs = [spec, *(n.columns[at].spec for n in self._snapshots if at in n.columns)]
            try:
                self.columns[at] = reduce(join, specs)  # type: ignore[arg-type]
            except JoinError as error:
                self.columns[at] = error

    def seeds(self, region: Graph) -> list[object]:
        """Give the region of a handler its parameters; return the variables' values there."""
        seeds, made = list(self._slots.initial), []
        for at, spec in sorted(self.columns.items()):
            name = self._slots.names[at]
            if isinstance(spec, JoinError):
                if isinstance(seeds[at], ItemsValue):
                    raise attempt_mismatch(name, spec)  # A list cannot be without items.
                seeds[at] = UnjoinableVariable(name, spec)
                continue
            leaves = list(carried_leaves(spec))
            tensors = [
                region.add_input(leaf.tensor_spec, parameter_name(name), leaf.weak)
                for leaf in leaves
            ]
            seeds[at] = from_tensors(spec, iter(tensors), name)
            found = [snapshot.values[at] for snapshot in self._snapshots if at in snapshot.values]
            made.append((name, seeds[at], [self._before(at), *found]))
        record_results(made)
        return seeds

    def finished(self) -> list[rt.Tensor]:
        """Convert the values of all snapshots to the joined specs; return the initial values."""
        places, count = dict[int, range](), 0
        for at, spec in self._joined():
            places[at] = range(count, count + tensor_count(spec))
            count = places[at].stop
        for snapshot in self._snapshots:
            self._finish(snapshot, places)
        return [t for at, spec in self._joined() for t in to_tensors(spec, self._before(at))]

    def _before(self, at: int) -> object:
        """Return a variable's value before the statement; `UNREACHED` if no handler can read it."""
        return UNREACHED if at in self._never_as_before else self._slots.initial[at]

    def _joined(self) -> list[tuple[int, ValueSpec]]:
        columns = sorted(self.columns.items())
        return [(at, spec) for at, spec in columns if not isinstance(spec, JoinError)]

    def _finish(self, snapshot: _Snapshot, places: dict[int, range]) -> None:
        joined = [(at, spec) for at, spec in self._joined() if at in snapshot.columns]
        snapshot.noted.places[:] = [place for at, _ in joined for place in places[at]]
        used = {at: _carried_for(snapshot.columns[at], spec) for at, spec in joined}
        inner = dict(zip(map(id, snapshot.tensors), snapshot.node.inputs[1:]))
        operands = [inner[id(t)] for _, tensors in used.values() for t in tensors]
        snapshot.node.inputs = (snapshot.node.inputs[0], *operands)
        if all(used[at][0] == spec for at, spec in joined):
            return
        region = Graph("noted", outer=snapshot.graph)
        # The region only converts noted values; an outer `try` has nothing to note in it.
        region.try_scopes = ()
        values: dict[int, Any] = {}
        for at, (spec, _) in used.items():
            leaves = list(carried_leaves(spec))
            tensors = [region.add_input(leaf.tensor_spec, "value", leaf.weak) for leaf in leaves]
            values[at] = from_tensors(spec, iter(tensors), self._slots.names[at])
        with region.recording():
            region.set_outputs([t for at, spec in joined for t in to_tensors(spec, values[at])])
        if region.captures:
            # The regions around it are finished, so the new region cannot use values of them.
            names = " and ".join(f"'{self._slots.names[at].removesuffix('[:]')}'" for at in used)
            raise StagingError(
                f"{names} holds objects from before this `try` and others where something in it "
                "raises, which one list cannot in a graph: do that before the `try`, or after it",
                user_location(),
            )
        region.finish([])
        snapshot.node.regions = (region,)


def _carried_for(column: _Column, joined: ValueSpec) -> tuple[ValueSpec, list[rt.Tensor]]:
    """Return the spec and tensors that carry a variable to where its spec is `joined`."""
    kept = joined.value if isinstance(joined, OptionalSpec) else joined
    if column.spec == joined or isinstance(kept, (OneOfSpec, SameObjectSpec)):
        return column.spec, column.tensors  # objects stay themselves
    return column.contents, column.inside


def _by_contents(spec: ValueSpec) -> ValueSpec:
    """Return a spec that carries the contents of containers, old ones included."""
    if isinstance(spec, SameObjectSpec) and spec.contents is not None:
        contents = _by_contents(spec.contents)
        return with_number(contents) if is_numbered(spec.value) else contents
    if isinstance(spec, ContainerSpec):
        return replace(spec, children=tuple(map(_by_contents, spec.children)))
    if isinstance(spec, OptionalSpec):
        return OptionalSpec(_by_contents(spec.value), spec.absent)
    return spec
