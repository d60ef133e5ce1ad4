"""Finds the places that code writes on paths which a trace has not taken.

if flag: counts["n"] += 1       traced without the flag; other calls change the count

Their values become part of the trace key: with another value, a call may take another path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import replace
from types import CellType, FunctionType, MemberDescriptorType

from autograph.backends.graph.objects.object_contents import (
    ClassVariables,
    StoredAttributes,
    users_classes,
)
from autograph.backends.graph.source.library_boundary import is_library_class, is_library_file
from autograph.backends.graph.state.object_paths import WatchedObject, function_inside
from autograph.backends.graph.state.reachability import Reach
from autograph.functions.effect_analysis.resolved_names import UNKNOWN, uses_in
from autograph.functions.effect_analysis.state_uses import in_calls
from autograph.functions.effect_analysis.written_names import changed_names
from autograph.functions.side_effects.state_changes import StateChange, buffers_in, of_one_place
from autograph.functions.side_effects.trace_time_effects import TraceTimeEffects
from autograph.functions.state.kinds import LISTS, is_distinguishable
from autograph.functions.state.places import ABSENT, ORDER, WHOLE, StatePlace, place_of
from autograph.operators.user_classes import functions_of, is_a, mro_of, own_attributes

_NUMBERS = (int, float)


def untaken_places(
    reach: Reach,
    trace_time_effects: TraceTimeEffects,
    changes: Iterable[StateChange],
) -> list[StatePlace]:
    """Return the places that code writes, without those that the trace has written.

    Args:
        reach: the objects that the code can reach.
        trace_time_effects: finds changes that no code reads, which do not count.
        changes: the changes of the trace.
    """
    # An `__init__` names all attributes of its object, but reads none from before.
    functions = [each for each in _may_run(reach) if each.__name__ != "__init__"]
    return list(_UntakenPaths(reach, trace_time_effects, functions, list(changes)).places())


def _may_run(reach: Reach) -> list[FunctionType]:
    """Return the functions that have run, and the functions named in their code."""
    methods: dict[str, list[FunctionType]] = {}
    for each in reach:
        if type(each.value) is ClassVariables and not is_library_class(each.value.owner):
            for function in functions_of(each.value.owner):
                methods.setdefault(function.__name__, []).append(function)
    once = reach.run_once | reach.run_in_scopes
    found = {id(each): each for each in reach.functions if id(each) not in once}
    waiting = list(found.values())
    while waiting:
        named = list[FunctionType]()
        for use in in_calls(uses_in(waiting)):
            if use.kind == "attribute" and use.value is UNKNOWN:
                named += methods.get(use.name, ())
            elif isinstance(called := function_inside(use.value) or use.value, FunctionType):
                named.append(called)
        new = {
            id(e): e
            for e in named
            if not (id(e) in found or id(e) in reach.run_once or _is_library(e))
        }
        found |= new
        waiting = list(new.values())
    return list(found.values())


def _is_library(function: FunctionType) -> bool:
    return is_library_file(function.__code__.co_filename)


class _UntakenPaths:
    """The search for the places that code writes on untaken paths."""

    def __init__(
        self,
        reach: Reach,
        trace_time_effects: TraceTimeEffects,
        functions: list[FunctionType],
        changes: list[StateChange],
    ) -> None:
        self._reach = reach
        self._functions, self._trace_time_effects = functions, trace_time_effects
        code = trace_time_effects.code_of(functions)
        self._code = code.of_calls()
        names = changed_names(functions)
        self._names = names if self._code is code else names & self._code.changed_names()
        self._known = {(id(change.each.value), change.key) for change in changes}
        self._changed = {id(change.each.value) for change in changes}
        # The items of a list in a written place are part of the key of that place.
        self._known |= {(id(change.old), WHOLE) for change in of_one_place(changes)}
        self._by_items = {id(c.each.value) for c in of_one_place(changes)}
        self._new_attributes = [c for c in changes if c.old is ABSENT and type(c.key) is str]

    def places(self) -> Iterator[StatePlace]:
        for buffer in buffers_in(self._reach):
            if (id(buffer.value), WHOLE) not in self._known and self._code.changes_buffer(buffer):
                yield place_of(buffer, WHOLE)
        writes_any = self._names or self._code.changes_some_items
        for each in self._reach:
            for key in self._keys(each) if writes_any or type(each.value) is ContextVar else ():
                if (id(each.value), key) not in self._known and self._is_looked_at(each, key):
                    yield replace(place_of(each, key), is_known=not self._is_hidden(each, key))

    def _keys(self, each: WatchedObject) -> list[object]:
        if type(each.value) is ContextVar:
            return [*each.contents]  # code sets it by methods, under any name
        if not is_a(each.value, (*LISTS, set, dict)):
            known_here = (*each.contents, *_class_attributes(each.value, self._names))
            keys = (key for key in dict.fromkeys(known_here) if _name_of(each, key) in self._names)
            return [key for key in keys if self._code.assigns(each, key)]
        last = each.name.rpartition(".")[2]
        if last not in self._names and not self._code.changes_items(each):
            return []
        # Items that the trace has changed are places of their own; ORDER stands for the set of
        # keys.
        return [*each.contents, ORDER] if id(each.value) in self._by_items else [WHOLE]

    def _is_looked_at(self, each: WatchedObject, key: object) -> bool:
        if key is ORDER:
            return True
        if key is WHOLE:
            if is_a(each.value, (dict,)) and self._is_tally(each, ABSENT):
                return False
            items = each.contents.values()
            return all(map(is_distinguishable, items)) and not self._is_tally(each, key)
        value = each.contents.get(key, ABSENT)
        if id(value) in self._changed:
            return False  # its contents are in the key
        return is_distinguishable(value) and not self._is_tally(each, key)

    def _is_hidden(self, each: WatchedObject, key: object) -> bool:
        """Return whether the trace gave an object an attribute that hides a number of its class.

        The number is an input, as the attribute is in later calls: their results have one dtype.
        """
        if type(each.value) is not ClassVariables or type(each.contents.get(key)) not in _NUMBERS:
            return False
        owners = [change.each.value for change in self._new_attributes if change.key == key]
        owners = [o.owner if type(o) is StoredAttributes else o for o in owners]
        return any(each.value.owner in mro_of(type(owner)) for owner in owners)

    def _is_tally(self, each: WatchedObject, key: object) -> bool:
        return self._trace_time_effects.has(each, key, self._functions)


def _class_attributes(value: object, names: Iterable[str]) -> list[str]:
    """Return the class attributes that an assignment to an object's attribute would hide.

    Properties and other data descriptors are left out: assignments call them.
    """
    if not users_classes(value):
        return []
    found: dict[str, object] = {}
    for each in map(own_attributes, reversed(mro_of(type(value)))):
        found |= {name: each[name] for name in names if name in each}
    return [name for name in names if name in found and not _takes_assignments(found[name])]


def _takes_assignments(attribute: object) -> bool:
    """Return whether a class attribute handles assignments itself."""
    if type(attribute) is MemberDescriptorType:
        return False  # a slot, which is a place
    attributes = [own_attributes(each) for each in mro_of(type(attribute))]
    return any("__set__" in own or "__delete__" in own for own in attributes)


def _name_of(each: WatchedObject, key: object) -> object:
    """Return the name of a variable or attribute in code."""
    return each.name.rpartition(".")[2] if type(each.value) is CellType else key
