"""Recursive functions, traced as one body that calls itself.

In the first trace the spec of the result is unknown: a path ends at a call of the function itself,
and only the other paths give results. In the next trace, such calls return a value of the joined
spec of these results, and so on until a fixpoint.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NoReturn

import runtime as rt
from autograph.backends.graph.aliases.proxies import flush_region
from autograph.backends.graph.aliases.stale_reads import (
    checked_result,
    may_be_in_list,
    names_aliased_by_result,
    record_result_aliases,
    record_result_in_lists,
)
from autograph.backends.graph.objects.object_lifetimes import tracing_iteration
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state import change_detection as watch
from autograph.backends.graph.state.alias_state import alias_snapshot, roll_back_aliases
from autograph.backends.graph.state.key_order import changed_key_orders, record_reordered
from autograph.backends.graph.state.reachability import Reach
from autograph.backends.graph.state.state_slots import StateEntry, StateSlots
from autograph.backends.graph.tracing.arguments import (
    ArgumentRef,
    ArgumentsByParameter,
    ArgumentSpec,
    ArgumentSpecs,
    common_specs_with,
    joined_with,
)
from autograph.backends.graph.tracing.regions import UnreachableEnd, new_region, parameter_name
from autograph.backends.graph.tracing.trace_call_stack import ActiveCall, entering_calls
from autograph.backends.graph.tracing.value_tensors import (
    all_to_tensors,
    carried_leaves,
    from_outputs,
    from_tensors,
    tensor_count,
    tensor_specs,
    to_tensors,
)
from autograph.backends.graph.values.container_snapshot import with_contents
from autograph.backends.graph.values.join import by_value_in_iterations, join, widen
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.value_spec import UNREACHED, JoinError, UnboundSpec, ValueSpec
from autograph.errors import ContainerMutationError, StagingError
from autograph.operators.state import State
from runtime.core.context import current_recorder
from runtime.graph.callee import RecursiveRegion
from runtime.graph.capture import Outer
from runtime.graph.graph import Graph
from runtime.graph.recursion import callee_of, enclosing_region, record_call, record_recursion
from runtime.ops.effects.raising import raise_error

# The most traces in which arguments or results may nest deeper. A value that nests one level deeper
# in each trace, such as a tree of tuples, has no fixpoint.
_MOST_GROWTHS = 5
# Dtypes and shapes can widen only a few times: more traces of a body mean endless growth.
_MOST_ROUNDS = 24
TOO_DEEP = "maximum recursion depth exceeded"


class AssumptionFailed(BaseException):
    """An assumption about a recursive function failed, so its body is traced once more."""

    def __init__(self, recursive: RecursiveFunction) -> None:
        self.recursive = recursive


class RecursiveFunction:
    """A function that calls itself, from the first of its calls on.

    Args:
        call: the first call.
        specs: the common specs of the arguments of all calls so far.
        watched: the objects that the function can reach.
    """

    def __init__(self, call: ActiveCall, specs: ArgumentSpecs, watched: Reach) -> None:
        self._converted, self._arguments = call.converted, call.arguments
        self._specs, self._watched = specs, watched
        self._name = _free_name(call.converted.__name__, call.graph)
        self._old = watch.watched_ids(watched)
        self._is_endless = call.is_endless
        self._graph = call.graph
        self._again = self._anew = False
        self._growths = 0
        self._reset()

    def _reset(self) -> None:
        """Discard all assumptions about the body."""
        self._anew = False
        self._slots = StateSlots(State(tuple, lambda values: None, (), 0), 0)
        self._left: list[ValueSpec] = []  # of the places the function writes to
        self._found: list[StateEntry] = []  # more such places, known from the next round on
        self._result: ValueSpec = UNREACHED
        self._captured: tuple[Outer, ...] = ()
        self._effect = "none"
        self._has_result = False
        self._passed_on = frozenset[str]()  # parameters that are returned on some path
        self._is_put = False  # whether some path put the result into a list

    # -- the first call ------------------------------------------------------------------------

    def first_call(self) -> object:
        """Trace the body until it is known, record the first call and return its result.

        Raises:
            StagingError: the results of the function have no common form, or a value of it grows
                with every call.
            ContainerMutationError: the function changes an argument that is another container in
                each call.
            AssumptionFailed: the body of a recursive function around this one is traced again.
        """
        noted = alias_snapshot()
        for _ in range(_MOST_ROUNDS):
            try:
                body = self._traced()
            except AssumptionFailed as again:
                roll_back_aliases(noted)
                if again.recursive is not self:
                    raise
                if self._anew:
                    self._reset()
                continue
            if body is not None:
                operands = self._operands(self._arguments, self._slots.initial)
                return self._result_of(record_recursion(body, operands), self._arguments)
        raise StagingError(
            f"the dtype or structure of the result of '{self._name}' changes with every call of "
            "itself: return values of one dtype and structure from all calls",
            user_location(),
        )

    def _traced(self) -> Graph | None:
        """Trace the body once; return it if all assumptions hold, else None."""
        self._take(self._found)
        body = self._graph = self._new_body()
        self._again = False
        inputs = iter(body.parameters)
        arguments = self._arguments_from(inputs)
        before = [(name, rt.nest.flatten(value)) for name, value in arguments.values.items()]
        places = [from_tensors(p, inputs, n) for p, n in zip(self._left, self._slots.names)]
        stay = list(body.parameters[len(body.parameters) - sum(map(tensor_count, self._left)) :])
        result, left, changes = self._run(body, arguments, places)
        if self._again:
            return None
        passed_on = self._passed_on | names_aliased_by_result(result, arguments.values)
        put = self._is_put or may_be_in_list(result)
        is_news = (passed_on, put) != (self._passed_on, self._is_put)
        self._passed_on, self._is_put = passed_on, put
        self._refuse_changed(before, arguments)
        if self._find(changes):
            return None
        if not self._is_fixpoint(result, left) or is_news:
            self._note(body)
            return None
        with body.recording():
            ends = stay if result is UNREACHED else all_to_tensors(self._left, left)
            body.set_outputs([*to_tensors(self._result, result), *ends])
        return body if self._note(body) else None

    def _run(
        self, body: Graph, arguments: ArgumentsByParameter, places: Sequence[object]
    ) -> tuple[object, Sequence[object], list[tuple[watch.WatchedObject, watch.Contents]]]:
        """Run the function; return its result, the places' final values, and other changes."""
        self._slots.write(places)
        call = ActiveCall(self._converted, arguments, body, self, self._is_endless)
        try:
            with entering_calls(call), body.recording(), tracing_iteration(self._old, body):
                result = arguments.call(self._converted)
                flush_region()
                left = self._looked_at()
            return checked_result(result), left, watch.changed(self._watched)
        except UnreachableEnd:
            return UNREACHED, (), []
        finally:
            self._slots.restore()
            watch.restore(self._watched)

    def _find(self, changes: list[tuple[watch.WatchedObject, watch.Contents]]) -> bool:
        """Record the new changed places; return whether there are any."""
        record_reordered(changed_key_orders(each for each, _ in changes))
        self._found = self._slots.new(watch.entries_of(changes))
        return bool(self._found)

    def _take(self, entries: Sequence[StateEntry]) -> None:
        """Make the found places slots, with their values from before the call."""
        if entries:
            self._slots = self._slots.with_entries(entries)
            self._left = [widen(spec_of(value)) for value in self._slots.initial]
            self._found = []

    def _is_fixpoint(self, result: object, left: Sequence[object]) -> bool:
        """Join the results with the known value specs; return whether nothing is new."""
        before = self._has_result, self._result, self._left
        self._has_result = True
        self._result = self._joined("the return value", self._result, self._spec_of(result))
        if before[0]:
            self._refuse_growth("the return value", before[1], self._result)
        if result is not UNREACHED:
            self._join_places(left)
        return before == (True, self._result, self._left)

    def _note(self, body: Graph) -> bool:
        """Record the body's captures and effects; return whether nothing is new."""
        captured = tuple(each.outer for each in body.captures)
        same = len(captured) == len(self._captured) and body.effect == self._effect
        self._captured, self._effect = captured, body.effect
        return same

    def _new_body(self) -> Graph:
        body = new_region(self._name)
        body.is_called = True
        specs = [(n, k) for n, k in self._specs.items() if not isinstance(k, ArgumentRef)]
        for name, spec in (*specs, *zip(self._slots.names, self._left)):
            for leaf in carried_leaves(spec):
                body.add_input(leaf.tensor_spec, parameter_name(name), leaf.weak)
        for value in self._captured:
            body.capture(value)
        return body

    def _arguments_from(self, inputs: object) -> ArgumentsByParameter:
        values = {
            name: spec.value if isinstance(spec, ArgumentRef) else from_tensors(spec, inputs, name)  # type: ignore[arg-type]
            for name, spec in self._specs.items()
        }
        return self._arguments.with_values(values)

    def _refuse_changed(
        self, before: list[tuple[str, list[object]]], now: ArgumentsByParameter
    ) -> None:
        """Raise an error if the function has changed a container argument that differs by call."""
        for name, leaves in before:
            after = rt.nest.flatten(now.values[name])
            if len(after) != len(leaves) or any(a is not b for a, b in zip(after, leaves)):
                raise ContainerMutationError(
                    f"'{name}' is changed by '{self._name}', which calls itself "
                    f"with another {type(now.values[name]).__name__} each time: "
                    "return the values instead, or pass the same one on",
                    user_location(),
                )

    # -- calls of itself -----------------------------------------------------------------------

    def takes(self, arguments: ArgumentsByParameter) -> bool:
        """Return whether a call with these arguments is a call of the body that is being traced.

        Raises:
            AssumptionFailed: it is, but the body is being traced for narrower specs.
        """
        specs = common_specs_with(self._specs, arguments)
        if specs is None:
            return False
        if specs != self._specs:
            for name, spec in specs.items():
                self._refuse_growth(f"'{name}'", self._specs[name], spec)
            self._specs = specs
            self._start_again()
        return True

    def widen_for(self, arguments: ArgumentsByParameter) -> None:
        """Widen the body to calls with other Python numbers, if they differ in nothing else.

        Raises:
            AssumptionFailed: the body must be traced once more, for these numbers.
        """
        specs = joined_with(self._specs, arguments)
        if specs is not None:
            self._specs, self._anew = specs, True
            self._start_again()

    def call(self, arguments: ArgumentsByParameter) -> object:
        """Record a call of the function by itself; return its result.

        Raises:
            UnreachableEnd: the result is not known yet, or no path returns.
            AssumptionFailed: the call writes to new places, or changes their specs.
        """
        # A change that is undone after the call can only be found here.
        if self._find(watch.changed(self._watched)):
            self._start_again()
        if not self._has_result:
            raise UnreachableEnd
        places = self._looked_at()
        before = self._left
        self._join_places(places)
        if self._left != before:
            self._start_again()
        operands = self._operands(arguments, places)
        weak = [leaf.weak for spec in (self._result, *self._left) for leaf in carried_leaves(spec)]
        outputs = record_call(self._callee(), operands, self._captured, weak)
        return self._result_of(outputs, arguments)

    def _looked_at(self) -> list[object]:
        """Return the checked values of the places."""
        return [
            checked_result(value, name)
            for name, value in zip(self._slots.names, self._slots.read())
        ]

    def _start_again(self) -> NoReturn:
        # Recorded as well: the user's code in between may catch the exception.
        self._again = True
        raise AssumptionFailed(self)

    def _callee(self) -> RecursiveRegion:
        tensors = [tensor for spec in (self._result, *self._left) for tensor in tensor_specs(spec)]
        return callee_of(self._graph, self._captured, tensors, self._effect)

    def _operands(
        self, arguments: ArgumentsByParameter, places: Sequence[object]
    ) -> list[rt.Tensor]:
        specs = [(k, arguments.values[n]) for n, k in self._specs.items()]
        given = [t for k, v in specs if not isinstance(k, ArgumentRef) for t in to_tensors(k, v)]
        return [*given, *all_to_tensors(self._left, places)]

    def _result_of(self, outputs: Sequence[rt.Tensor], arguments: ArgumentsByParameter) -> object:
        """Put the results of a call into its places and return its value."""
        at = tensor_count(self._result)
        values: list[object] = []
        for spec, name in zip(self._left, self._slots.names):
            values.append(from_outputs(spec, outputs[at : at + tensor_count(spec)], name))
            at += tensor_count(spec)
        self._slots.write(values)
        if not isinstance(self._result, UnboundSpec):
            result = from_outputs(
                self._result, outputs[: tensor_count(self._result)], "the return value"
            )
            record_result_aliases(result, [arguments.values[name] for name in self._passed_on])
            if self._is_put:
                record_result_in_lists(result, values)
            return result
        # No path returns: the recursion goes on until there is no room left.
        raise_error(RecursionError(TOO_DEEP))
        if _outer_of(current_recorder()) is not None:
            raise UnreachableEnd
        return None  # the error is raised first: this value is unused

    # -- specs ---------------------------------------------------------------------------------

    def _spec_of(self, result: object) -> ValueSpec:
        """Return the spec of a result; containers from before the call keep their identity."""
        held_result = _held_if_old(result, {id(each.value) for each in self._watched})
        # A container that a call makes, or is given, is another one in every call.
        return by_value_in_iterations(spec_of(held_result))

    def _join_places(self, values: Sequence[object]) -> None:
        columns = zip(self._slots.names, self._left, values)
        self._left = [self._joined(f"'{n}'", spec, widen(spec_of(v))) for n, spec, v in columns]

    def _refuse_growth(self, what: str, before: ArgumentSpec, now: ArgumentSpec) -> None:
        """Raise an error if a value nests one level deeper in every round."""
        if isinstance(before, ArgumentRef) or isinstance(now, ArgumentRef):
            return
        self._growths += tensor_count(now) > tensor_count(before)
        if self._growths > _MOST_GROWTHS:
            raise StagingError(
                f"{what} of '{self._name}', which calls itself, holds more values with every "
                "call, so tracing it never ends: keep growing data in lists, and refer to its "
                "parts by index",
                user_location(),
            )

    def _joined(self, what: str, before: ValueSpec, now: ValueSpec) -> ValueSpec:
        try:
            return join(before, now)
        except JoinError as error:
            other = f" and {error.second}" if error.second else ""
            raise StagingError(
                f"{what} of '{self._name}', which calls itself, is not of one kind in all calls: "
                f"{error.first}{other}; give it one dtype and structure",
                user_location(),
            ) from None


def _held_if_old(value: object, old: Collection[int]) -> object:
    """Return a value in which the containers from before the call keep their identity."""
    children = None if id(value) in old else rt.nest.children(value)
    if children is None:
        return with_contents(value, old) if id(value) in old else value
    inside = [_held_if_old(child, old) for child in children]
    same = all(a is b for a, b in zip(children, inside))
    return value if same else rt.nest.rebuild(value, inside)


def _free_name(name: str, graph: Graph) -> str:
    """Return a name that no recursive body around `graph` has."""
    base = free = parameter_name(name)
    number = 0
    while enclosing_region(graph, free) is not None:
        number += 1
        free = f"{base}_{number}"
    return free


def _outer_of(graph: object) -> Graph | None:
    return graph.outer if isinstance(graph, Graph) else None
