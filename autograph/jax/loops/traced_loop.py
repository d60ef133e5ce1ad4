"""The trace of a loop: the forms of the carried values are a fixpoint.

The variables that an iteration changes are carried. Their forms are those before the loop; if an
iteration leaves another form, the loop is traced again with the join of both, as JAX does it for
weak types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp
from jax.tree_util import tree_leaves

from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Undefined, UndefinedReturnValue
from autograph.errors import LoopMismatch, UnknownLengthError
from autograph.jax.aliases import check_aliases, mutable_parts
from autograph.jax.forms import is_array
from autograph.jax.growing_lists import (
    Appender,
    PreallocatedList,
    StackedList,
    check_item,
    grown_list,
    is_grown_from,
    rows_in,
)
from autograph.jax.heap import Contents, HeapObject
from autograph.jax.location import STACKS, nested
from autograph.jax.loops.carried_values import CarriedValue, RetraceLoop
from autograph.jax.loops.loop_aliases import LoopAliases
from autograph.jax.loops.loop_lists import OF_ROWS, LoopLists, stacked_list
from autograph.jax.loops.loop_results import bounded_results, loop_results
from autograph.jax.loops.loop_variables import NO_VALUE, LoopVariables
from autograph.jax.optional_values import derive, partly_bound
from autograph.jax.pytrees import is_placeholder
from autograph.jax.raised_errors import on_this_path, uncertain
from autograph.operators.state import State

Run = Callable[[], object]
# The most traces of one loop: each joins a form, or finds a container that is changed.
_MOST_TRACES = 12
_NO_ITERATION = "has no value if the loop has no iteration: give it one before the loop"


class TracedLoop:
    """One loop.

    Args:
        state: its variables.
        functions: its parts, which are looked for changes.
        bound: the most iterations, if it is known.
        runs: whether it has at least one iteration in any case.
        runs_all: whether each iteration of the bound runs.
        adds_flags: whether variables may be None before or after an iteration.
        is_once: whether it is another statement: its results need no form from before.
    """

    def __init__(
        self,
        state: State,
        functions: Sequence[Callable[..., object] | None],
        bound: int | None,
        runs: bool,
        runs_all: bool,
        adds_flags: bool = True,
        is_once: bool = False,
    ) -> None:
        self._runs, self._is_once = runs, is_once
        self.variables = LoopVariables(state, functions, adds_flags)
        self._lists = LoopLists(self.variables, bound, runs_all, is_once)
        self._aliases = LoopAliases(self.variables, self._lists)
        # Returns, after the loop, whether it had an iteration; None without an answer.
        self.has_run: Callable[[], Any] | None = None
        # The values and the changed contents at the end of the latest traced iteration.
        self._last: tuple[Sequence[object], dict[int, Contents]] = (), {}

    def trace(self, record: Callable[[TracedLoop], tuple[Any, Any]]) -> None:
        """Record the loop, and leave its results in the state.

        Args:
            record: calls a loop of JAX with `carry`, `enter` and `leave`; it returns the carried
                values and the stacked items of growing lists.
        """
        code = getattr(self.variables.functions[0], "__code__", self.variables.functions[0])
        lists = [place.owner for place in self.variables.heap.objects]
        grown = {
            each.growth: each.growth.most
            for each in lists
            if isinstance(each, PreallocatedList) and each.growth is not None
        }
        is_open = self.variables.heap.opened()
        with nested(code, self.variables.where), _within(self.variables), is_open:
            for _ in range(_MOST_TRACES):
                for variable in self.variables.all_carried_values.values():
                    if variable.is_rebound and variable.structure is None:
                        variable.flatten()
                self._aliases.record(self._aliases.copies(None), self._aliases.outer)
                try:
                    with uncertain():
                        carry, stacked = record(self)
                    appended = {growth: growth.most - most for growth, most in grown.items()}
                    break
                except RetraceLoop:
                    continue
                except UnknownLengthError as error:
                    self._lists.give_room(error)
                finally:
                    STACKS.pairs = self._aliases.outer
                    self.variables.heap.restore()
                    self.variables.state.set(self.variables.before)
                    for growth, most in grown.items():
                        growth.most = most
            else:
                raise LoopMismatch(
                    "the variables of this loop have another form after each iteration",
                    self.variables.where,
                )
        for growth, more in appended.items():
            if more and self._lists.bound is None:
                raise LoopMismatch(self._lists.without_bound(growth.name), self.variables.where)
            growth.most += more * (self._lists.bound or 0)
            growth.is_exact &= not more or self._lists.runs_all
        self._finish(carry, stacked)

    def carry(self) -> list[Any]:
        """Return the values that are carried into the first iteration."""
        self._lists.empty_rooms()
        carried_values = self.variables.all_carried_values.values()
        found = [value for each in carried_values for value in each.initial()]
        return [*found, *self._lists.values()]

    def enter(self, carry: Sequence[Any]) -> None:
        """Put carried values into the variables and containers."""
        values = iter(carry)
        entered: list[object] = []
        for at, variable in enumerate(self.variables.carried_values):
            value = variable.built(values)
            if variable.is_made:
                value = variable.start
            if at in self._lists.growing:
                value = self._lists.fresh(at)
            entered.append(value)
        for at, variable in enumerate(self.variables.carried_values):
            entered[at] = self.variables.entered_bound(variable, entered[at], entered)
        contents = self.variables.contents(values, entered)
        for at, held in contents.items():
            self.variables.heap.objects[at].write(held)
        for room in self._lists.rooms.values():
            self._lists.fill(room, values)
        self.variables.entered = tuple(entered)
        self.variables.state.set(self.variables.entered)
        self._aliases.put(entered, contents)

    def leave(self) -> tuple[list[Any], list[Any]]:
        """Return the carried values of an iteration, and its items for growing lists.

        Raises:
            RetraceLoop: the loop has to be traced again, with other forms.
            LoopMismatch: a value has no form that holds it before and after an iteration.
        """
        check_aliases()
        ends = self.variables.state.get()
        self._find_changes()
        carried: list[Any] = []
        again = False
        for at, (variable, end) in enumerate(zip(self.variables.carried_values, ends)):
            if at in self._lists.growing:
                if end is not self.variables.entered[at]:
                    self._lists.added(at, end)
                continue
            if end is not variable.start and self._lists.grows_here(end):
                self._lists.refuse_version(variable.name, end)
            if self._is_once and not isinstance(variable.start, (list, *OF_ROWS)):
                carried += variable.initial()
                continue
            if is_grown_from(variable.start, end) and not self._lists.is_outer_tuple(
                variable.start
            ):
                if self._lists.is_outer(variable.start):
                    raise self._lists.needs_room(variable.name, variable.start)
                self._lists.growing[at] = None  # The next trace shows whether it is an addition.
                again = True
                continue
            if isinstance(variable.start, PreallocatedList) and _is_longer(end, variable.start):
                raise self._lists.needs_room(variable.name, variable.start)
            origin = grown_list(variable.start, end)
            if isinstance(origin, Appender):
                raise self._lists.needs_room(variable.name, origin)
            if is_placeholder(variable.start) and not variable.is_made and variable.flag is None:
                is_result = isinstance(variable.start, UndefinedReturnValue)
                if not is_placeholder(end) and (
                    is_result or self._runs or self._is_last(variable, end)
                ):
                    variable.make(end)
                    again = True
                elif (
                    not is_result
                    and end is not self.variables.entered[at]
                    and variable.flags is None
                ):
                    try:
                        variable.make_flagged(end, self.variables.flags_of(variable, end))
                    except RetraceLoop:
                        again = True
                continue
            if variable.is_made and is_placeholder(end):
                self.variables.refuse_missing(variable)
            try:
                carried += self.variables.outgoing(variable, end, ends)
            except RetraceLoop:
                again = True
        for (at, key), part in self.variables.parts.items():
            try:
                place = self.variables.heap.objects[at]
                if is_placeholder(part.start) and part.flag is None:
                    self.variables.refuse_key(place, key)
                carried += self.variables.outgoing(part, place.read()[key], ends)
            except RetraceLoop:
                again = True
        self._last = ends, self.variables.heap.changes()
        again = self._aliases.record(self._aliases.copies(ends), STACKS.pairs) or again
        if again or self._lists.rooms_changed():
            raise RetraceLoop
        carried += self._lists.values()
        stacked = [
            list(ends[at].items)  # type: ignore[attr-defined]
            for at, growth in self._lists.growing.items()
            if growth is None
        ]
        for at, growth in self._lists.growing.items():
            for item in ends[at].items if growth is None else ():  # type: ignore[attr-defined]
                check_item(self.variables.carried_values[at].name, item, self.variables.where)
        return carried, stacked

    def _is_last(self, variable: CarriedValue, end: Any) -> bool:
        """Return whether a variable has the value of the last iteration, if the loop has one."""
        if variable.flags != [] or self.has_run is None or mutable_parts(end):
            return False
        return all(map(is_array, tree_leaves(end)))

    def _find_changes(self) -> None:
        """Make parts of the containers that an iteration has changed in place."""
        found = False
        for at, now in self.variables.heap.changes().items():
            place = self.variables.heap.objects[at]
            if isinstance(place.owner, Appender):
                raise self._lists.needs_room(place.name, place.owner)
            if now.keys() != place.before.keys() or _has_more_rows(place, now):
                found = self._lists.grows(place, now) or found
                continue
            for key, value in now.items():
                is_part = self.variables.is_part(at, key)
                if value is not place.before[key] and not is_part and not self._is_once:
                    self.variables.add_part(at, key, value)
                    found = True
        if found:
            raise RetraceLoop

    def _finish(self, carry: Any, stacked: Any) -> None:
        values = iter(carry)
        ends, changes = self._last
        results: list[object] = []
        lists = iter(stacked)
        for at, variable in enumerate(self.variables.carried_values):
            value = variable.built(values)
            if variable.is_optional and variable.is_given and self._runs:
                value = value.value
            if at in self._lists.growing:
                value = None  # below
            elif is_placeholder(variable.start) and not variable.is_made and variable.flag is None:
                value = self._unbound(variable)
            if self._is_once and at not in self._lists.growing:
                value = ends[at]
            results.append(value)
        self._note_run(results)
        for at, variable in enumerate(self.variables.carried_values):
            if variable.flag is not None:
                results[at] = self.variables.entered_bound(variable, results[at], results)
        contents = self.variables.contents(values, results)
        contents.update(changes if self._is_once else {})
        for at, held in contents.items():
            self.variables.heap.objects[at].write(held)
        for room in self._lists.rooms.values():
            self._lists.fill(room, values)
        for at, growth in self._lists.growing.items():
            if growth is None:
                results[at] = stacked_list(self.variables.before[at], next(lists))
            else:
                room = self._lists.rooms[at]
                room.growth = None
                is_known = growth.is_exact and self._lists.runs_all and room.buffer is not None
                is_known = is_known and not isinstance(self.variables.before[at], PreallocatedList)
                results[at] = StackedList(room.buffer) if is_known else room
        self.variables.state.set(tuple(results))
        self._aliases.put(results, contents)

    def _note_run(self, results: list[Any]) -> None:
        """Let variables of the last iteration have values if the loop had one.

        A `break` and a `return` say so: their flags are false before the first iteration.
        """
        made = [
            at
            for at, variable in enumerate(self.variables.carried_values)
            if variable.is_made and type(variable.start) is Undefined and not self._runs
        ]
        if not made or self.has_run is None:
            return
        has_run = self.has_run()
        for variable, result in zip(self.variables.carried_values, results):
            if variable.start is False and isinstance(result, jax.Array):
                derive(result, "implies", has_run)
        for at in made:
            name, where = self.variables.carried_values[at].name, self.variables.where
            results[at] = partly_bound(name, _NO_ITERATION, where, has_run, results[at])

    def _unbound(self, variable: CarriedValue) -> object:
        if isinstance(variable.start, UndefinedReturnValue):
            return variable.start
        end = self._last[0][self.variables.carried_values.index(variable)]
        why = NO_VALUE if isinstance(end, PossiblyUnbound) else _NO_ITERATION
        return partly_bound(variable.name, why, self.variables.where)

    def unbounded(self, carry: Sequence[Any]) -> list[Any]:
        """Return the results of a loop that has no reverse gradient."""
        return loop_results(carry, self.variables.where)

    def bounded(self, carry: Sequence[Any], goes_on: Any, most: int) -> list[Any]:
        """Return the results of a loop that its bound ends if a scalar bool holds."""
        is_over = on_this_path(jnp.logical_not(goes_on))
        return bounded_results(carry, is_over, most, self.variables.where)


@contextmanager
def _within(variables: LoopVariables) -> Iterator[None]:
    STACKS.loops.append(variables)
    try:
        yield
    finally:
        STACKS.loops.pop()


def _has_more_rows(place: HeapObject, now: Mapping[Any, Any]) -> bool:
    """Return whether an iteration has appended to a list that contains its items as rows."""
    if not isinstance(place.owner, OF_ROWS):
        return False
    key = "stacked" if isinstance(place.owner, StackedList) else "buffer"
    return rows_in(now[key]) != rows_in(place.before[key])


def _is_longer(end: Any, start: PreallocatedList) -> bool:
    """Return whether a list has more capacity than the one that an addition extended."""
    return isinstance(end, PreallocatedList) and rows_in(end.buffer) != rows_in(start.buffer)


def with_room(run: Run, functions: Sequence[Run], state: State) -> None:
    """Record a statement on whose paths a list has several lengths, as a loop of one iteration.

    Args:
        run: records the statement.
        functions: the parts of the statement.
    """
    loop = TracedLoop(state, functions, 1, True, True, is_once=True)

    def record(_: TracedLoop) -> tuple[Any, Any]:
        loop.enter(loop.carry())
        run()
        return loop.leave()

    loop.trace(record)
