"""Finds the trace for a call by its arguments and the state, or makes it."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import copy_context
from dataclasses import replace
from typing import Any, NamedTuple

from autograph.errors import AutographError, StagingError
from autograph.functions.arguments.trace_key import Key, by_identity
from autograph.functions.arguments.variable_arguments import (
    ALL,
    IdentityMatters,
    identities_of,
    reached_variables,
    variables_in,
)
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.concrete_functions.stateful_function import (
    MissingStateInput,
    StatefulConcreteFunction,
)
from autograph.functions.side_effects.console_output import ConsoleOutput, current_console_output
from autograph.functions.side_effects.irreversible_effects import warn_of_effects
from autograph.functions.state.guards import (
    Policy,
    merged_guards,
    stronger,
    values_of,
    warn_of_stale,
)
from autograph.functions.state.keys import NOTHING_HELD, StateValues, state_values, with_more_facts
from autograph.functions.state.list_inputs import with_runs
from autograph.functions.trace_cache.cache import TraceCache
from autograph.functions.trace_cache.retrace_warnings import warn_of_retracing
from autograph.functions.trace_cache.trace_history import TraceRecord
from autograph.functions.tracing.trace import Traceable, Undo, trace
from autograph.operators.call_listeners import StagedGenerators, recording_generators
from runtime.core.context import caller_origin, restore_context
from runtime.core.garbage_collection import OldObjectsSetAside
from runtime.errors import OpError
from runtime.state.variable import Variable

# The largest number of traces of one call, each of which finds more places that it writes.
_MOST_ROUNDS = 24
# The errors after which a trace may be repeated with its generators staged.
FAILURES = (AutographError, OpError, TypeError, AttributeError)


class TraceLookup(NamedTuple):
    """The look-up for a call whose arguments alone do not lead to a trace.

    Attributes:
        traces: the existing traces.
        target: the function, to be traced if there is no trace.
        relaxes: whether a second shape makes a trace for all shapes.
        warns: whether a call that is traced may cause a warning about retracing.
        guards: the policy for changes of state that a trace has read.
    """

    traces: TraceCache
    target: Traceable
    relaxes: bool
    warns: bool = False
    guards: Policy = "off"

    def find(
        self,
        key: Key,
        values: tuple[object, ...],
        objects: list[object],
        short: Key | None = None,
        given: Sequence[Any] = (),
    ) -> tuple[ConcreteFunction, Sequence[Any]]:
        """Return the trace for a call, and the arrays of state that it takes as inputs.

        A trace may show that the function depends on more state. Then the key gets longer, and the
        search is repeated.

        Args:
            key: the key of the arguments.
            values: one per parameter.
            objects: the objects compared by identity.
            short: the short key to remember for the trace; None if there is none.
            given: the arrays that belong to the short key.

        Raises:
            StagingError: each trace writes to other places than the ones before; or a trace has to
                be repeated, and has taken items of an iterator.
            Exception: an exception of `trace`.
        """
        variables = variables_in(objects)
        output = current_console_output() or ConsoleOutput()
        with self.traces.lock:
            for _ in range(_MOST_ROUNDS):
                held = self._state_values(key)
                extra = (*self._specialized(key, variables), *self._guarded(key))
                concrete = self.traces.find((*key, *held.keys, *extra))
                if isinstance(concrete, StatefulConcreteFunction) and not concrete.is_in_place():
                    self.traces.set_places(key, held.places)
                    continue
                if concrete is not None:
                    self._on_hit(key, concrete, extra, short, given)
                if concrete is None:
                    before = copy_context()
                    try:
                        with output:
                            concrete = self._trace(key, values, objects, held, extra)
                    except BaseException as error:
                        if not isinstance(error, Exception):
                            restore_context(before)
                        raise
                if concrete is not None:
                    return concrete, held.arrays
            raise StagingError(
                f"each trace of {self.target.signature.name} writes to variables of functions or "
                "classes that it makes itself, so that it never ends: make those outside of it, or "
                "return what they write"
            )

    def _on_hit(
        self,
        key: Key,
        concrete: ConcreteFunction,
        extra: Key,
        short: Key | None,
        given: Sequence[Any],
    ) -> None:
        """Warn of stale values, and remember the short key of a call whose trace was found."""
        policy, guards = self._policy(key), self.traces.guards.get(key, ())
        if policy in ("cells", "warn"):
            guards = tuple(concrete.guards)
            name, once = self.target.signature.name, policy == "cells"
            warn_of_stale(guards, self.traces.stale_warnings, name, caller_origin(), once)
        if short is not None:
            watched = () if policy == "off" else guards
            self.traces.remember_stateful_call(short, key, given, concrete, watched)
            if policy == "retrace" and self._guarded(key) != extra[-1:]:
                self.traces.forget_short_keys()  # another thread has changed a guarded value

    def _specialized(self, key: Key, variables: list[Variable]) -> Key:
        """Return the part of a key for the variables that traces are specialized for."""
        if not variables:
            return ()
        specialized = self.traces.specialized_variables.get(key)
        if specialized is None:
            specialized = reached_variables(self.target.python_function)
            self.traces.specialize_for(key, specialized)
        return (("apart", identities_of(variables, specialized)),) if specialized else ()

    def _policy(self, key: Key) -> Policy:
        return self.traces.policies.get(key, self.guards) if self.traces.policies else self.guards

    def _guarded(self, key: Key) -> Key:
        """Return the part of a key for guarded values; empty if the policy is "off"."""
        if self._policy(key) in ("off", "cells"):
            return ()
        guards = self.traces.guards.get(key, ())
        return (("guarded", values_of(guards) if self._policy(key) == "retrace" else ()),)

    def _keep_guards(self, key: Key, known: Key, concrete: ConcreteFunction) -> Key:
        """Add the guards of a trace to those of the key; return the part of the key for them."""
        old = self.traces.guards.get(key, ())
        guards = merged_guards(old, known[1], concrete.guards)
        if {each.identity for each in guards} == {each.identity for each in old}:
            guards = old
        else:
            self.traces.set_guards(key, guards)
        return ("guarded", values_of(guards))

    def _state_values(self, key: Key) -> StateValues:
        """Return the values of the places that calls with a key are known to write."""
        places = self.traces.places(key)
        there = tuple(place for place in places if place.owner() is not None)
        if len(there) < len(places):
            self.traces.set_places(key, there)
        return state_values(there) or NOTHING_HELD

    def _trace(
        self,
        key: Key,
        values: tuple[object, ...],
        objects: list[object],
        held: StateValues,
        extra: Key,
    ) -> ConcreteFunction | None:
        """Trace the function, and add the trace; None if the key must get longer first."""
        full, own = (*key, *held.keys), len(key)
        if self.relaxes:
            full = self.traces.relaxed((*full, *extra))[: len(full)]
        longer = (
            with_runs(held.places, held.keys, self.traces.state_keys(key)) if held.places else None
        )
        if longer is not None:
            self.traces.set_places(key, longer)
            return None
        undo: list[Undo] = []
        generators = recording_generators(
            self.traces.staged_generators.get(key, StagedGenerators())
        )
        specialized = next((part[1] for part in extra if part[0] == "apart"), ())
        try:
            closed = self.traces.closed_lines.get(key, frozenset())
            with OldObjectsSetAside(), generators as called:
                # A tuple made here is among the referrers that a search for references sees.
                held.objects = (*held.objects,)
                held_now = replace(held, keys=full[own:])
                concrete = trace(
                    self.target, values, full[:own], held_now, undo.append, specialized, closed
                )
        except IdentityMatters:
            self.traces.specialize_for(key, ALL)
            if not undo[0]():
                raise _used_up(self.target.signature.name) from None
            return None
        except MissingStateInput as error:
            self.traces.set_places(key, (*held.places, error.place))
            if not undo[0]():
                raise _used_up(self.target.signature.name) from error.__cause__
            return None
        except Exception as error:
            staged = called.next_attempt(error) if isinstance(error, FAILURES) else None
            if staged is not None:
                called.close()
            if staged is not None and undo and undo[0]():
                self.traces.stage_generators(key, staged)
                return None
            if (places := with_more_facts(held)) is None:
                raise
            self.traces.set_places(key, places)
            if not undo[0]():
                raise _used_up(self.target.signature.name) from error
            return None
        is_lasting = not concrete.serves_one_call
        if isinstance(concrete, StatefulConcreteFunction) and concrete.new_places and is_lasting:
            self.traces.set_places(key, (*held.places, *concrete.new_places))
            now = self._state_values(key)
            if len(now.arrays) == len(held.arrays):
                concrete.set_state(now)
                full, held = (*full[:own], *now.keys), now
            elif concrete.has_irreversible_effects:
                # A second trace would have the effects twice, so this one serves its call alone.
                concrete.serves_one_call = True
                warn_of_effects(concrete.effects, self.target.signature.name)
            else:
                undo[0]()
                return None
        concrete.specialized_variables = specialized
        if concrete.guard_policy != "off" and self._policy(key) != concrete.guard_policy:
            self.traces.set_policy(key, stronger(concrete.guard_policy, self._policy(key)))
            extra = (*(part for part in extra if part[0] != "guarded"), *self._guarded(key))
        if self._policy(key) == "retrace":
            extra = (*extra[:-1], self._keep_guards(key, extra[-1], concrete))
        self.traces.count += 1
        record = TraceRecord(
            number=self.traces.count,
            key=key,
            values=concrete.template,
            served=full[:own],
            held=tuple(zip([place.name for place in held.places], held.keys)),
            read=tuple(concrete.guards),
            changed=concrete.unrepeatable,
            serves_one_call=concrete.serves_one_call or bool(concrete.variables_made_at),
            origin=caller_origin(),
            calls=self.traces.calls,
            dropped=self.traces.dropped,
        )
        self.traces.history.add(record)
        if concrete.serves_one_call:
            if self.warns and concrete.unrepeatable:
                self.traces.count_uncached_call()
                self._warn_of_retracing()
            return concrete
        if concrete.variables_made_at:
            # It serves this call alone: the next one finds the variables, or is refused new ones.
            self.traces.close_lines(key, closed | concrete.variables_made_at)
            return concrete
        watched = [each for each in variables_in(objects) if id(each) in specialized]
        objects = [*by_identity(objects), *held.objects, *watched]
        self.traces.add((*full, *extra), concrete, objects)
        if self.warns:
            self._warn_of_retracing()
        return concrete

    def _warn_of_retracing(self) -> None:
        warn_of_retracing(self.traces, self.target.signature, self.target.python_function)


def _used_up(name: str) -> StagingError:
    return StagingError(
        f"{name} takes items of an iterator while it is traced, and must be traced once more, "
        "when the iterator would not give them again: take them before the call, and pass them"
    )
