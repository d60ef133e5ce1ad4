"""The cache of a Function: its concrete functions by trace key."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, repeat
from typing import Any

from autograph.functions.arguments.key_relations import covering_call_key, covers_call, is_open
from autograph.functions.arguments.trace_key import Key
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.concrete_functions.fast_runs import CallCounter
from autograph.functions.state.fast_guards import unchanged
from autograph.functions.state.guards import AnyGuard, Policy
from autograph.functions.state.places import StatePlace
from autograph.functions.trace_cache.stateful_calls import StatefulCalls
from autograph.functions.trace_cache.trace_history import TraceHistory
from autograph.functions.trace_cache.trace_lock import TraceLock
from autograph.operators.call_listeners import StagedGenerators
from runtime.core.context import Origin
from runtime.core.weak_tables import IdentityTable

# The most calls served by a more general trace that are remembered.
_MOST_REMEMBERED = 1024
# The most traces: a function called with a thousand Python numbers has one for each.
_MOST_TRACES = 1024
# More traces than a Function has that each call creates again.
_LATEST_COUNTERS = 4


class TraceCache:
    """Traces by key.

    A look-up takes no lock: each step is one operation on a dict. A thread that adds a trace holds
    `lock`, so that two threads never trace the same key. Once an object in the key of a trace is
    dead, no call finds the trace, and the next look-up drops it.

    Attributes:
        by_key: the trace for each key of a call so far. The fast path reads it, so it is always the
            same dict.
        by_short_key: the function that runs the trace for each short key of calls without state;
            always the same dict, too.
        stateful_calls: the traces for each short key of calls whose full key has state.
        lock: held while tracing; reentrant, since a function may call itself while it is traced.
        count: the number of traces of the function, on its own or as part of another trace.
        dropped: the number of dropped traces.
        history: the record of its traces.
        specialized_variables: for each key of arguments, the identities of the variables that
            traces are specialized for.
        guards: for each key of arguments, the guards on state that traces have read.
        policies: for each key of arguments, the guard policy of Functions that are traced inline.
        closed_lines: for each key of arguments, the lines that have created variables.
        staged_generators: for each key of arguments, the generators that traces stage.
        counters: the counters of the latest traces; `retrace_warnings` reads them after the
            Function is freed.
        by_mesh: the Function that runs on each mesh.
        stale_warnings: the guards and values that a StaleValueWarning was given for.
    """

    def __init__(self) -> None:
        self.by_key: dict[Key, ConcreteFunction] = {}
        self.by_short_key: dict[Key | None, Callable[[Sequence[Any]], Any]] = {}
        self.stateful_calls: dict[Key | None, StatefulCalls] = {}
        self.lock = TraceLock()
        self.by_mesh: IdentityTable[Any, Any] = IdentityTable()
        self.count = 0
        self.dropped = 0
        self.history = TraceHistory()
        self.specialized_variables: dict[Key, Collection[int]] = {}
        self.guards: dict[Key, tuple[AnyGuard, ...]] = {}
        self.policies: dict[Key, Policy] = {}
        self.closed_lines: dict[Key, frozenset[Origin]] = {}
        self.staged_generators: dict[Key, StagedGenerators] = {}
        self.stale_warnings: set[object] = set()
        self.counters: deque[CallCounter] = deque(maxlen=_LATEST_COUNTERS)
        self._traces: dict[Key, ConcreteFunction] = {}
        # The keys of traces that may serve calls with other keys.
        self._general: dict[Key, None] = {}
        # For each trace, the keys in `by_key` that lead to it.
        self._served: dict[Key, list[Key]] = {}
        self._calls_of_dropped = 0
        # The number of calls of each trace when `_drop_unused` last saw it, oldest first.
        self._calls_seen: dict[Key, int] = {}
        self._places: dict[Key, tuple[StatePlace, ...]] = {}
        self._watchers: dict[Key, tuple[int, object]] = {}
        # The key of each trace by its number, and the numbers of traces with a dead object.
        self._mortal: dict[int, Key] = {}
        self._dead: dict[int, object] = {}
        self._numbers = count()
        tables: tuple[dict[Any, Any], ...] = (self.by_key, self.by_short_key, self.stateful_calls)
        self._clearing = [map(dict.clear, repeat(table)) for table in tables]

    def traces(self) -> list[ConcreteFunction]:
        """Return the concrete functions, oldest first."""
        self._drop_dead()
        return list(self._traces.values())

    def count_uncached_call(self) -> None:
        """Count a call whose trace is not in the cache, since it serves that call alone."""
        self._calls_of_dropped += 1

    @property
    def calls(self) -> int:
        """The number of calls that the traces have served, dropped ones included."""
        return self._calls_of_dropped + sum(each.counter.calls for each in self.traces())

    def find(self, key: Key) -> ConcreteFunction | None:
        """Return the trace for `key`, else the narrowest one that covers it, else None."""
        self._drop_dead()
        exact = self.by_key.get(key)
        if exact is None and key in self._traces:
            exact = self.by_key[key] = self._traces[key]
        if exact is not None:
            return exact
        found: Key | None = None
        for candidate in list(self._general):
            if covers_call(candidate, key) and (found is None or covers_call(found, candidate)):
                found = candidate
        concrete = None if found is None else self._traces.get(found)
        if found is not None and concrete is not None:
            self._remember(key, found, concrete)
        return concrete

    def places(self, key: Key) -> tuple[StatePlace, ...]:
        """Return the places that the function is known to write when it is called with `key`.

        If none are known, those for a key that differs only in shapes are a first guess.
        """
        known = self._places.get(key)
        if known is None:
            like = (k for k in list(self._places) if covering_call_key(k, key) is not None)
            known = self._places.get(next(like, key), ())
        return known

    def set_places(self, key: Key, places: tuple[StatePlace, ...]) -> None:
        """Make the values of places part of the keys from now on; drop the traces without them."""
        self.forget_short_keys()
        self._forget_all(key)
        # A list that only grew on one path may be an input on another one: then it is one place.
        inputs = {each.identity for each in places if not each.grows}
        whole = (replace(each, grows=False).identity for each in places)
        places = tuple(
            each for each, path in zip(places, whole) if not (each.grows and path in inputs)
        )
        if places:
            self._places[key] = places
        else:
            self._places.pop(key, None)
        if len(self._places) > _MOST_REMEMBERED:
            alive = {each.key for each in self.traces()}
            self._places = {k: places for k, places in self._places.items() if k in alive}

    def state_keys(self, key: Key) -> list[Key]:
        """Return the part for state of the key of each trace for some arguments."""
        return [each[len(key) :] for each in list(self._traces) if each[: len(key)] == key]

    def set_guards(self, key: Key, guards: tuple[AnyGuard, ...]) -> None:
        """Make guarded values part of the keys from now on; drop the traces without them."""
        self.forget_short_keys()
        self._forget_all(key)
        if len(self.guards) >= _MOST_REMEMBERED:
            self.guards.clear()
        self.guards[key] = guards

    def set_policy(self, key: Key, policy: Policy) -> None:
        """Remember the guard policy of Functions that are traced inline."""
        self.forget_short_keys()
        if len(self.policies) >= _MOST_REMEMBERED:
            self.policies.clear()  # another trace finds it out
        self.policies[key] = policy

    def close_lines(self, key: Key, lines: frozenset[Origin]) -> None:
        """Remember the lines that created variables: later traces may not create any there."""
        if len(self.closed_lines) >= _MOST_REMEMBERED:
            self.closed_lines.clear()
        self.closed_lines[key] = lines

    def stage_generators(self, key: Key, staged: StagedGenerators) -> None:
        """Remember the generators to be staged in traces of a key."""
        if len(self.staged_generators) >= _MOST_REMEMBERED:
            self.staged_generators.clear()  # another trace finds it out
        self.staged_generators[key] = staged

    def specialize_for(self, key: Key, variables: Collection[int]) -> None:
        """Remember the variables that traces have to be specialized for."""
        self.forget_short_keys()
        if len(self.specialized_variables) >= _MOST_REMEMBERED:
            self.specialized_variables.clear()  # another trace finds it out
        self.specialized_variables[key] = variables

    def relaxed(self, key: Key) -> Key:
        """Return a key that covers `key` and the latest trace differing from it in shapes only."""
        for earlier in reversed(list(self._traces)):
            wider = covering_call_key(earlier, key)
            if wider is not None:
                return wider
        return key

    def add(self, key: Key, concrete: ConcreteFunction, objects: list[object]) -> None:
        """Add a trace, for as long as the `objects` that its key has by identity are alive."""
        while len(self._traces) >= _MOST_TRACES:
            self._drop_unused()
        number = next(self._numbers)
        self._mortal[number] = key
        self._watchers[key] = number, [self._watch(thing, number) for thing in objects]
        self._served[key] = [key]
        self._calls_seen[key] = concrete.counter.calls + 1  # the first call does not count
        self._traces[key] = concrete
        self.counters.append(concrete.counter)
        if is_open(key):
            self._general[key] = None
        self.by_key[key] = concrete
        self.forget_short_keys()

    def remember_short_key(self, short: Key, key: Key, concrete: ConcreteFunction) -> None:
        """Remember the trace for a short key, if the key of the arguments alone leads to it."""
        if self.by_key.get(key) is not concrete:
            return
        with self.lock:
            if len(self.by_short_key) >= _MOST_REMEMBERED:
                self.by_short_key.clear()
            if self.by_key.get(key) is concrete:
                self.by_short_key[short] = concrete.run_fast

    def remember_stateful_call(
        self,
        short: Key,
        key: Key,
        given: Sequence[Any],
        concrete: ConcreteFunction,
        guards: Sequence[AnyGuard] = (),
    ) -> None:
        """Remember the trace for a short key and the current state; called with `lock` held."""
        calls = self.stateful_calls.get(short)
        if calls is None:
            if len(self.stateful_calls) >= _MOST_REMEMBERED:
                self.stateful_calls.clear()
            calls = StatefulCalls(
                self.places(key), bool(self.specialized_variables.get(key)), self.lock
            )
            self.stateful_calls[short] = calls
        calls.remember(given, concrete, unchanged(guards))

    def _watch(self, thing: object, number: int) -> list[object]:
        """Return weak references whose callbacks make a trace unreachable once its object is dead.

        The callbacks are functions of C, since a Ctrl-C would be lost in a Python callback. They
        mark the trace, which the next look-up drops, and clear the dicts that lead to it.
        """
        noting = partial(self._dead.__setitem__, number)
        # `next` takes the reference as its default.
        clearing = [partial(next, each) for each in self._clearing]
        return [weakref.ref(thing, callback) for callback in (noting, *clearing)]

    def _drop_dead(self) -> None:
        for number in list(self._dead):
            self._dead.pop(number, None)
            key = self._mortal.pop(number, None)
            if key is not None:
                self.forget(key)

    def forget_short_keys(self) -> None:
        """Forget all short keys: the next calls take a full look-up."""
        self.by_short_key.clear()
        self.stateful_calls.clear()

    def has(self, key: Key) -> bool:
        """Return whether there is a trace of this very key."""
        return key in self._traces

    def forget(self, key: Key) -> None:
        """Drop the trace of `key`."""
        number, _ = self._watchers.pop(key, (None, None))
        if number is not None:
            self._mortal.pop(number, None)
        self._general.pop(key, None)
        self._calls_seen.pop(key, None)
        self.forget_short_keys()
        for known in self._served.pop(key, ()):
            self.by_key.pop(known, None)
        concrete = self._traces.pop(key, None)
        if concrete is not None:
            self.dropped += 1
            self._calls_of_dropped += concrete.counter.calls

    def _forget_all(self, key: Key) -> None:
        """Drop the traces for some arguments, for any state."""
        for known in list(self._traces):
            if known[: len(key)] == key:
                self.forget(known)

    def _drop_unused(self) -> None:
        """Drop the oldest trace that was not called since its last check."""
        for key in list(self._calls_seen):
            concrete = self._traces.get(key)
            calls = 0 if concrete is None else concrete.counter.calls
            if concrete is None or calls <= self._calls_seen.pop(key, calls):
                self.forget(key)
                return
            self._calls_seen[key] = calls

    def _remember(self, key: Key, served_by: Key, concrete: ConcreteFunction) -> None:
        if len(self.by_key) >= len(self._traces) + _MOST_REMEMBERED:
            self.by_key.clear()
            self.by_key.update(self._traces)
            self.forget_short_keys()
            self._served = {each: [each] for each in self.by_key}
        self.by_key[key] = concrete
        if served_by in self._served:
            self._served[served_by].append(key)
        else:
            self.by_key.pop(key, None)  # its object is gone by now
