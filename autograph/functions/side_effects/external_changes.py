"""Undoes the changes of state that a trace makes, and turns them into writes of each call.

    self.total = self.total + x     ->   an input for self.total, an output for its new value

After a trace, finished or failed, no place outside of the function contains a tensor of its graph.
"""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from autograph.backends.graph.arrays.staged_array import root_of
from autograph.backends.graph.objects.object_contents import (
    ClassVariables,
    Globals,
    put_contents,
    users_classes,
)
from autograph.backends.graph.objects.opaque_state import ContentsSnapshot, is_buffer, opaque
from autograph.backends.graph.state.change_detection import changed
from autograph.backends.graph.state.object_paths import WatchedObject, entry_name
from autograph.backends.graph.state.reachability import DEEPEST, Reach
from autograph.backends.graph.values.container_identity import NEW, Identities
from autograph.backends.graph.values.container_snapshot import is_mutable
from autograph.errors import ContainerMutationError, StagingError, TraceEffectWarning
from autograph.functions.concrete_functions.call_effects import (
    OuterContainer,
    PreservedContainers,
    Write,
)
from autograph.functions.effect_analysis.reached_objects import reach_into
from autograph.functions.effect_analysis.state_uses import only_logged
from autograph.functions.results.object_templates import (
    Maker,
    ObjectTemplates,
    holds_symbolic,
    holds_tensor,
    leads_to,
)
from autograph.functions.results.result_structure import OwnObject
from autograph.functions.side_effects.leaks import (
    refuse_aliased_items,
    refuse_leaked,
    restore_leaked,
)
from autograph.functions.side_effects.one_time_values import OneTimeValues
from autograph.functions.side_effects.state_changes import (
    StateChange,
    buffers_in,
    changed_buffers,
    changes_of_contents,
    changes_of_list,
    is_reordered,
    moving,
    of_one_place,
    with_keys,
)
from autograph.functions.side_effects.trace_rollback import TraceSnapshot
from autograph.functions.side_effects.trace_time_effects import TraceTimeEffects
from autograph.functions.side_effects.untaken_paths import untaken_places
from autograph.functions.state.keys import lifts_elements
from autograph.functions.state.kinds import LISTS, NUMBERS_AND_TEXTS, is_of_python
from autograph.functions.state.list_inputs import check_left, check_uses
from autograph.functions.state.places import ABSENT, ORDER, WHOLE, StatePlace, place_of, put
from autograph.operators.user_classes import is_a, is_of_package
from runtime import nest
from runtime.core.context import Origin
from runtime.core.source_names import warn_at


class ExternalChanges:
    """The objects that a function reaches, compared before and after its trace.

    Args:
        python_function: the user's callable.
        arguments: the names of the parameters, with their arguments.
        places: the places that it is known to write.
        of_network: as for `TraceTimeEffects`.

    Attributes:
        trace_time_effects: finds the changes that no code reads.
        one_time_values: finds the random numbers and times of Python's that the trace has used.
        unrepeatable: the names of the places that the trace changed and that no call of its graph
            can change in the same way.
        snapshot: the state when the trace began.
        identities: the identities of the containers that the trace began with.
    """

    def __init__(
        self,
        python_function: Callable[..., object],
        arguments: Sequence[tuple[str, object]],
        places: Iterable[StatePlace] = (),
        of_network: bool = False,
    ) -> None:
        self._reach = Reach([], sees_opaque=False)
        self.trace_time_effects = TraceTimeEffects(self._reach, of_network)
        self.one_time_values = OneTimeValues()
        self._places = {place.identity: place for place in places}
        self._modules: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self._left_behind: list[str] = []
        self.unrepeatable: list[str] = []
        for function in reach_into(self._reach, python_function):
            self._modules.append((function.__globals__, dict(function.__globals__)))
        # Iterators that are arguments: as in TensorFlow, their items are taken once a trace.
        self._given_iterators: dict[int, str] = {}
        for name, value in arguments:
            for leaf in nest.flatten(value):
                self._reach.add(name, leaf, DEEPEST)
                if (thing := opaque(leaf)) is not None and thing.kind.word == "iterator":
                    self._given_iterators[id(leaf)] = name
        self.snapshot = TraceSnapshot(
            self._reach, (python_function, *(value for _, value in arguments))
        )
        self._known = frozenset(id(each.value) for each in self._reach)
        containers = [each.value for each in self._reach if is_mutable(each.value)]
        self.identities = Identities(containers, self._reach)
        self._classes = frozenset(
            id(each.value.owner) for each in self._reach if type(each.value) is ClassVariables
        )

    @property
    def reach(self) -> Reach:
        """The objects that the function reached, and their contents."""
        return self._reach

    @property
    def known(self) -> frozenset[int]:
        """The identities of the objects that the function could reach."""
        return self._known

    def undo(self) -> bool:
        """Restore all state, before the trace is repeated.

        Return whether everything was restored: an iterator cannot go back.
        """
        return self.snapshot.restore()

    def parts_of(self, objects: Collection[int]) -> frozenset[int]:
        """Return the identities of the values of objects that are reached through `objects`."""
        inside = (each for each in self._reach if _origin(each) in objects)
        return frozenset(id(part) for each in inside for part in each.contents.values())

    def holds_any(self, objects: Collection[int]) -> bool:
        """Return whether the trace stored one of some objects, given by identity, in state."""
        return bool(objects) and any(
            leads_to(list(now.values()), objects) for _, now in changed(self._reach)
        )

    def check_uses(self, places: Iterable[StatePlace]) -> None:
        """Raise a StagingError if code may use dynamic items of places as only Python can.

        The same for a trace in which a library object has changed its counts.
        """
        check_uses(places, self._reach, self.trace_time_effects.code_of(self._reach.functions))
        if self.snapshot.has_changed_counts():
            raise StagingError("an object of the library counts its calls while they are traced")

    def place_of_changed(self, error: BaseException) -> StatePlace | None:
        """Return the place of an array that code can change only if its elements are an input.

        None if the error has another cause.

        Args:
            error: the exception of the trace.
        """
        array = getattr(error, "array", None) if type(error) is ContainerMutationError else None
        if array is None or not lifts_elements(array):
            return None
        found = {id(each.value): each for each in buffers_in(self._reach)}
        each = found.get(id(array)) or found.get(id(root_of(array)))  # of a view created here
        place = None if each is None else place_of(each, WHOLE)
        return None if place is None or place.identity in self._places else place

    def revert(self) -> list[StateChange]:
        """Undo the changes that calls of the graph will make, and return them.

        Variables and attributes in which no call can write a tensor get their former values back as
        well; `writes` refuses such a trace.
        """
        self._known = frozenset(id(each.value) for each in self._reach)
        changes = list(self._changes())
        self._left_behind = restore_leaked(self._reach, self._modules)
        self._left_behind += (
            self._name_of(owner)
            for owner, now in self.snapshot.changed_state()
            if holds_symbolic(now.parts, self._known)
        )
        for change in changes:
            if type(change.old) is ContentsSnapshot:
                put(change.each.value, WHOLE, change.old)
            elif change.key is WHOLE or is_a(change.each.value, (*LISTS, set)):
                put_contents(change.each.value, change.each.contents)
            else:
                put(change.each.value, change.key, change.old)
        return changes

    def writes(self, changes: Iterable[StateChange], templates: ObjectTemplates) -> list[Write]:
        """Return the writes that make the changes in each call; `templates` builds their values.

        Raises:
            LeakError: the trace has left a tensor where no call can write its value; or calls would
                replace an item of a list that has another name, too.
            StagingError: the trace has changed the kind of dynamic items (`check_left`).
        """
        changes = list(changes)
        refuse_leaked(self._left_behind)
        for change in changes:
            if change.key is WHOLE:
                refuse_aliased_items(change.each, change.new, self._reach)
                place = self._places.get(place_of(change.each, WHOLE).identity)
                if place is not None and place.element is not None:
                    check_left(place, change.new)
        return [
            Write(self._place(change), _maker(change, templates), change.grows)
            for change in changes
        ]

    def containers(
        self, changes: Iterable[StateChange], templates: ObjectTemplates
    ) -> PreservedContainers:
        """Return the containers that calls find, and put somewhere, as the same objects."""
        changes = list(changes)
        left_by = {id(c.old): place_of(c.each, c.key).value for c in of_one_place(changes)}

        has_buffers = any(map(is_buffer, templates.outer_values.values()))
        buffers = {id(b.value): b for b in buffers_in(self._reach)} if has_buffers else {}

        def finder(value: object) -> Callable[[], object] | None:
            each = self._reach.find(value) or buffers.get(id(value))
            return None if each is None else left_by.get(id(value)) or place_of(each, WHOLE).found

        outer = {**templates.outer_values, **self._numbered(templates)}
        found = ((at, finder(value)) for at, value in outer.items())
        return PreservedContainers(
            [OuterContainer(at, find) for at, find in found if find is not None],
            self.identities.outer if templates.has_numbers else (),
            sorted(templates.lookups, key=lambda each: each.order),
            frozenset(id(change.each.value) for change in changes),
        )

    def _numbered(self, templates: ObjectTemplates) -> dict[int, object]:
        """Return the containers from outside whose numbers occur in the graph, by identity."""
        used = self.identities.used if templates.has_numbers else ()
        numbers = (each for each in used if NEW < each < self.identities.first_new)
        return {id(each): each for each in map(self.identities.options.__getitem__, numbers)}

    def contents(
        self, changes: Iterable[StateChange], templates: ObjectTemplates
    ) -> list[StatePlace]:
        """Return the places in the containers whose numbers occur in the graph.

        The contents of a container in a written place are part of the key of that place.
        """
        options = self._numbered(templates)
        for change in of_one_place(changes):
            if is_a(change.old, (*LISTS, set, dict)):
                options.pop(id(change.old), None)
        found = list[StatePlace]()
        for each in filter(None, map(self._reach.find, options.values())):
            keys = (WHOLE,) if is_a(each.value, (*LISTS, set)) else each.contents
            found += [place_of(each, key) for key in keys]
        return found

    def other_names(
        self, changes: Iterable[StateChange], templates: ObjectTemplates
    ) -> list[StatePlace]:
        """Return the places of containers that calls move, or find by number, if they have several.

        A later call may find two containers there in place of one.
        """
        changes = list(changes)
        outer_values = {**templates.outer_values, **self._numbered(templates)}
        outer_values |= {id(c.old): c.old for c in of_one_place(changes) if is_mutable(c.old)}
        names: dict[int, list[tuple[WatchedObject, object]]] = {}
        grown = {id(change.each.value) for change in changes if change.key is WHOLE}
        for each in self._reach if outer_values else ():
            for key, part in each.contents.items():
                if id(part) in outer_values and id(each.value) not in grown:
                    is_item = is_a(each.value, (*LISTS, set))
                    names.setdefault(id(part), []).append((each, WHOLE if is_item else key))
        several = (places for places in names.values() if len(places) > 1)
        return [replace(place_of(*place), is_known=True) for each in several for place in each]

    def unwritten(self, changes: Iterable[StateChange]) -> list[StatePlace]:
        """Return the places that the code writes on paths which the trace has not taken."""
        return untaken_places(self._reach, self.trace_time_effects, changes)

    def own_objects(self, changes: Iterable[StateChange]) -> OwnObject:
        """Return a function that finds objects from outside among the values of a result.

        For a list, dict, set or object of a user class from outside, it returns the getter of the
        object in each call; for another value, None.
        """
        changed_ids = {id(change.each.value) for change in changes}

        def getter(value: object) -> Callable[[], object] | None:
            each = self._reach.find(value)
            if each is None:
                return None
            place = place_of(each, WHOLE)
            is_object = users_classes(value) and not nest.is_nested(value)
            if id(value) in changed_ids or is_object:
                return place.owner
            return place.found if is_a(value, (*LISTS, dict, set)) else None

        return getter

    def _place(self, change: StateChange) -> StatePlace:
        grows = change.grows and self.trace_time_effects.only_appended_to(
            change.each, self._reach.functions
        )
        if grows and self._has_other_names(change.each.value):
            grows = False
        return place_of(change.each, change.key, grows)

    def _has_other_names(self, value: object) -> bool:
        holders = (part for each in self._reach for part in each.contents.values())
        return sum(part is value for part in holders) > 1

    # -- changes -------------------------------------------------------------------------------

    def _changes(self) -> Iterator[StateChange]:
        every, found, plain = list[StateChange](), list[StateChange](), list[StateChange]()
        for each, now in changed(self._reach):
            if self._is_of_one_call(each.value):
                continue
            if is_a(each.value, LISTS):
                different = changes_of_list(each, list(now.values()))
                whole = StateChange(each, WHOLE, [*each.contents.values()], [*now.values()])
                if place_of(each, WHOLE).identity in self._places:
                    different = [whole]
                    found.append(whole)
                elif any(map(self._is_graphs, different)):
                    found += different
                elif self._is_state(whole):
                    different = [whole]
                    found.append(whole)
            elif is_a(each.value, (set,)):
                different = [StateChange(each, WHOLE, [*each.contents], [*now])]
                found += different if self._is_run(each) else filter(self._is_state, different)
            elif self._is_run(each):
                different = [StateChange(each, WHOLE, each.contents, now)]
                found += different
            else:
                different = changes_of_contents(each, now)
                found += filter(self._is_graphs, different)
                plain += filter(self._is_plain, different)
            every += different
        chosen = {id(change) for change in found}
        found += moving(found, [change for change in every if id(change) not in chosen])
        # A number or text is state, too, if its object or container contains a tensor that changes.
        holders = {part for change in found for part in _path_keys(change.each)}
        for change in plain:
            beside = not holders.isdisjoint([id(change.each.value), _path_key(change.each)])
            if (beside and type(change.each.value) is not Globals) or self._is_state(change):
                found.append(change)
        chosen = {id(change) for change in (*found, *with_keys(found, every))}
        others = [c for c in every if id(c) not in chosen and c.key is not ORDER]
        lost = [c for c in others if not (self._is_plain(c) or self._is_tally(c))]
        self.unrepeatable = [place_of(c.each, c.key).name for c in lost]
        self.unrepeatable += map(self._name_of, self._changed_as_a_whole())
        self.unrepeatable += self._changed_attributes_of_libraries()
        # In the order of the keys of each dict, so that calls insert keys in that order.
        yield from (change for change in every if id(change) in chosen)
        yield from changed_buffers(self._reach, self.snapshot.buffer_snapshot)

    def _changed_as_a_whole(self) -> Iterator[object]:
        """Yield the changed objects whose state is in no place: queues, files, a new class."""
        yield from self.snapshot.changed_classes()
        code = self.trace_time_effects.code_of(self._reach.functions)
        for owner, _ in self.snapshot.changed_state():
            is_read = not is_a(owner, (io.StringIO, io.BytesIO)) or code.reads_file(owner)
            if is_read and id(owner) not in self._given_iterators:
                yield owner

    def warn_of_taken_items(self, function: Callable[..., object]) -> None:
        """Warn of the arguments that are iterators of which the trace has taken items."""
        for owner, _ in self.snapshot.changed_state():
            if (name := self._given_iterators.get(id(owner))) is not None:
                code = getattr(inspect.unwrap(function), "__code__", None)
                place = code and Origin(code.co_filename, code.co_firstlineno, code.co_name)
                message = (
                    f"the items of '{name}', an iterator, were taken while tracing, and all calls "
                    "of this trace have the same ones: pass the items, or an iterator of a dataset"
                )
                warn_at(place, message, TraceEffectWarning)

    def _changed_attributes_of_libraries(self) -> Iterator[str]:
        """Yield the changed attributes of library objects that the code assigns and reads.

        Other changes of such objects do not count, as the weights that a layer of this library
        creates in its first call.
        """
        functions = self._reach.functions
        code = self.trace_time_effects.code_of(functions)
        for name, now, before in self._reach.unwatched:
            for key, value in now.items():
                if is_of_package(type(value), "runtime"):
                    continue
                old = before.get(key, ABSENT)
                is_atom = type(old) is type(value) and type(value) in NUMBERS_AND_TEXTS
                is_same = old is value or (is_atom and old == value)
                if not is_same and code.assigns_attribute(key) and not only_logged(key, functions):
                    yield f"{name}.{key}"

    def _name_of(self, value: object) -> str:
        """Return the place of an object that is not watched itself, as the user writes it."""
        for each in self._reach:
            for key, part in each.contents.items():
                if part is value:
                    return entry_name(each, key)
        return type(value).__name__

    def _is_run(self, each: WatchedObject) -> bool:
        """Return whether a set or dict has dynamic items."""
        place = self._places.get(place_of(each, WHOLE).identity)
        return place is not None and place.element is not None

    def _is_plain(self, change: StateChange) -> bool:
        """Return whether the old and the new values are Python values or objects from before."""
        parts = (change.old, change.new)
        if change.key is WHOLE:
            parts = (*change.old, *change.new)  # type: ignore[misc]
        return change.key is not ORDER and all(map(self._is_pythons, parts))

    def _is_pythons(self, value: object) -> bool:
        return is_of_python(value, lambda each: id(each) in self._known)

    def _is_state(self, change: StateChange) -> bool:
        """Return whether a change is one of Python values that the code reads."""
        return self._is_plain(change) and not self._is_tally(change)

    def _is_tally(self, change: StateChange) -> bool:
        return self.trace_time_effects.has(change.each, change.key, self._reach.functions)

    def _is_of_one_call(self, value: object) -> bool:
        """Return whether each call creates this class for itself."""
        if type(value) is not ClassVariables or id(value.owner) in self._classes:
            return False
        maker = value.owner.__qualname__.rpartition(".<locals>.")[0]
        return any(function.__qualname__ == maker for function in self._reach.functions)

    def _is_graphs(self, change: StateChange) -> bool:
        """Return whether calls must make a change: it has tensors, or its place is an input."""
        if change.key is ORDER:
            return is_reordered(change)
        if change.grows:
            # Appended numbers and texts may be a log of traces; a container is a new one each time.
            has_containers = any(map(is_mutable, change.new))  # type: ignore[call-overload]
            if has_containers or holds_symbolic(change.new, self._known):
                return True
            return self.trace_time_effects.is_appended_by_step(change.each, self._reach.functions)
        if place_of(change.each, change.key).identity in self._places:
            return True
        if holds_symbolic(change.new, self._known):
            return True
        return holds_tensor(change.old, self._known)


def _path_key(each: WatchedObject) -> object:
    return None if each.path is None else (id(each.path.root), each.path.keys)


def _path_keys(each: WatchedObject) -> Iterator[object]:
    """Yield the keys of an object, and of the objects on the path to it."""
    yield id(each.value)
    if each.path is not None:
        keys = each.path.keys
        # Without the empty path: a root is a module or a cell, and no object that leads to others.
        yield from ((id(each.path.root), keys[:end]) for end in range(1, len(keys) + 1))
        yield id(each.path.root)


def _maker(change: StateChange, templates: ObjectTemplates) -> Maker:
    name = place_of(change.each, change.key).name
    if change.key is WHOLE and isinstance(change.new, dict):
        return _maker_of_dict(change.new, templates, name)
    if change.new is ABSENT or type(change.new) is ContentsSnapshot:
        return lambda arrays, made: change.new
    return templates.maker(change.new, name)


def _maker_of_dict(items: dict[object, object], templates: ObjectTemplates, name: str) -> Maker:
    parts = [templates.maker(list(part), name) for part in (items.keys(), items.values())]
    return lambda arrays, made: dict(zip(*(make(arrays, made) for make in parts)))


def _origin(each: WatchedObject) -> int:
    """Return the identity of the object at the start of the path to another one."""
    return id(each.value if each.path is None else each.path.root)
