"""Statements: branches, loops and calls as `lax.cond`, `lax.switch` and `lax.while_loop`.

Each region is traced once, to a function of its own (`Traced`). All branches, and all iterations,
then agree on one form for each result and loop variable. Variables and the status are results and
loop variables, too, if a region changes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.executors.jax.lists.growth import growths
from runtime.executors.jax.lists.operations import length_of
from runtime.executors.jax.lowering import Refused
from runtime.executors.jax.rules.jax_modules import jax, jnp, lax
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.run_state import RunState, traced_status
from runtime.executors.jax.value_rules import core_rule
from runtime.executors.jax.values.bounds import Counter, counters
from runtime.executors.jax.values.forms import (
    as_dynamic_list,
    fit,
    form_of,
    is_list,
    join,
    same_form,
    with_room,
)
from runtime.executors.jax.values.pytrees import (
    DynamicLengthList,
    Padded,
    UnsupportedValue,
    count,
    is_known,
    traced,
)
from runtime.graph.callee import called_graph
from runtime.graph.derived_cache import DerivedCache
from runtime.graph.graph import Graph
from runtime.passes.constants import constant_of
from runtime.passes.prune import prune

# The number of rounds after which the form of loop variables must be found, and the one from which
# on arrays that grow get the capacity of lists.
_ROUNDS, _GROWS = 12, 3
# The number of iterations up to which a loop is unrolled that cannot be a loop of JAX's.
_UNROLLED = 128


class Traced:
    """A function of values that is traced once, and can then be called with traced values.

    Args:
        function: takes and returns values.
        examples: arguments of the forms of later ones.

    Attributes:
        form: the form of the result.
    """

    def __init__(self, function: Callable[..., Any], *examples: Any) -> None:
        leaves, tree = jax.tree_util.tree_flatten(examples)

        def flat(*given: Any) -> Any:
            result = traced(function(*jax.tree_util.tree_unflatten(tree, given)))
            found, self._tree = jax.tree_util.tree_flatten(result)
            return found

        self._jaxpr = jax.make_jaxpr(flat)(*leaves)
        shapes = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in self._jaxpr.out_avals]
        self.form = jax.tree_util.tree_unflatten(self._tree, shapes)

    def __call__(self, *arguments: Any) -> Any:
        leaves = jax.tree_util.tree_leaves(arguments)
        found = jax.core.eval_jaxpr(self._jaxpr.jaxpr, self._jaxpr.consts, *leaves)
        # A constant result is a number of Python's there.
        arrays = [jnp.asarray(x, like.dtype) for x, like in zip(found, self._jaxpr.out_avals)]
        return jax.tree_util.tree_unflatten(self._tree, arrays)


class StateChanges(NamedTuple):
    """The state that a region has changed.

    Attributes:
        variables: the new values of variables, by key.
        status: the status after it; None if it cannot fail.
    """

    variables: dict[Any, Any]
    status: Any


def effects_of(run: RunState, before: RunState) -> StateChanges:
    """Return the state that a region has changed since its start."""
    changed = {
        key: value
        for key, value in run.variables.items()
        if key in before.variables and value is not before.variables[key]
    }
    return StateChanges(changed, None if run.status is None else traced_status(run.status))


def apply_effects(run: RunState, effects: StateChanges) -> None:
    """Make the changes of a region those of the graph around it."""
    run.variables.update(effects.variables)
    if effects.status is not None:
        run.status = effects.status if run.status is None else run.status | effects.status


def scalar_test(value: Any) -> Any:
    """Return the value of a test; Unsupported if it is not one value."""
    if isinstance(value, UnsupportedValue):
        raise Unsupported(value.reason)
    if isinstance(value, Padded) or value.ndim:
        raise Unsupported("no test of several values")
    return value if value.dtype.kind == "b" or is_known(value) else value != 0


# -- branches --------------------------------------------------------------------------------------


@core_rule("cond")
def _cond(run: RunState, node: Any, test: Any, *captured: Any) -> Any:
    test = scalar_test(test)
    then, orelse = node.regions
    if is_known(test):
        return run.results(then if test else orelse, captured)
    return _chosen(run, [then, orelse], captured, lambda *paths: lax.cond(test, *paths))


@core_rule("switch_case")
def _switch(run: RunState, node: Any, index: Any, *captured: Any) -> Any:
    if isinstance(index, UnsupportedValue):
        raise Unsupported(index.reason)
    if isinstance(index, Padded) or index.ndim:
        raise Unsupported("no choice by several values")
    last = len(node.regions) - 1
    if is_known(index):
        at = int(index)
        return run.results(node.regions[at if 0 <= at <= last else last], captured)
    at = jnp.where((index < 0) | (index > last), last, index).astype("int32")
    return _chosen(run, node.regions, captured, lambda *paths: lax.switch(at, paths))


class _TracedBranch:
    """A branch that is traced.

    Attributes:
        traced: a function of nothing that returns the results and the effects.
        kept: for each result, the value outside that it is, or its known value; else None.
    """

    def __init__(self, run: RunState, region: Graph, captured: Sequence[Any]) -> None:
        outside = set(map(id, captured))

        def body() -> Any:
            inside = run.inside(run.variables)
            found = inside.results(region, captured)
            self.kept = [each if id(each) in outside or is_known(each) else None for each in found]
            return found, effects_of(inside, run)

        self.traced = Traced(body)


def _chosen(
    run: RunState, regions: Sequence[Graph], captured: Sequence[Any], choose: Any
) -> list[Any]:
    """Trace the branches, and return the results of the one that a run chooses."""
    paths = [_TracedBranch(run, region, captured) for region in regions]
    same = [_same_value(values) for values in zip(*(path.kept for path in paths))]
    keys = {key for path in paths for key in path.traced.form[1].variables}
    can_fail = any(path.traced.form[1].status is not None for path in paths)

    def completed(found: tuple[Any, StateChanges]) -> Any:
        """Return the results of a branch, or their form, with the state that any branch changes."""
        results, effects = found
        left = [value for value, kept in zip(results, same) if kept is None]
        values = {key: effects.variables.get(key, run.variables[key]) for key in keys}
        status = traced_status(None) if can_fail and effects.status is None else effects.status
        return left, values, status

    form = join([form_of(completed(path.traced.form)) for path in paths])
    found = choose(*[lambda path=path: fit(completed(path.traced()), form) for path in paths])
    left, values, status = found
    apply_effects(run, StateChanges(values, status))
    rest = iter(left)
    return [next(rest) if kept is None else kept for kept in same]


def _same_value(values: Sequence[Any]) -> Any:
    """Return the value that all branches leave; None if there is none."""
    first = values[0]
    if all(each is first for each in values):
        return first
    if not all(map(is_known, values)):
        return None
    same = all(each.dtype == first.dtype and each.shape == first.shape for each in values)
    return first if same and all((each == first).all() for each in values) else None


# -- loops -----------------------------------------------------------------------------------------


class _Carry(NamedTuple):
    """The values that go from one iteration to the next.

    Attributes:
        state: the loop variables.
        variables: the values of the variables that an iteration changes, by key.
        status: the status; None if no iteration can fail.
        count: the number of iterations, if it has a limit.
        goes_on: the value of the test, if it is computed at the end of an iteration.
    """

    state: tuple[Any, ...]
    variables: dict[Any, Any]
    status: Any
    count: Any
    goes_on: Any


@core_rule("while_loop")
def _while(run: RunState, node: Any, *inputs: Any) -> Any:
    loop = _JaxLoop(node, inputs)
    inside = run.inside(run.variables, run.status)
    try:
        results = loop.rolled(inside)
    except (Refused, Unsupported) as refusal:
        inside = run.inside(run.variables, run.status)
        results = loop.unrolled(inside)
        if results is None:
            raise refusal
    run.variables, run.status = inside.variables, inside.status
    return results


class _JaxLoop:
    """A loop at the values of its operands."""

    def __init__(self, node: Any, inputs: Sequence[Any]) -> None:
        own = node.attrs["variables"]
        self.test, self.body = node.regions
        self.first, self.captured = list(inputs[:own]), list(inputs[own:])
        self.limit = node.attrs["maximum_iterations"]

    def tested(self, run: RunState, state: Sequence[Any]) -> Any:
        """Trace the test, and return its value."""
        return scalar_test(run.results(self.test, [*state, *self.captured])[0])

    def unrolled(self, run: RunState) -> Any:
        """Trace each iteration of a loop of a known number of them; None if it is not known."""
        state, iterations = self.first, 0
        while self.limit is None or iterations < self.limit:
            test = self.tested(run, state)
            if not is_known(test) or iterations > _UNROLLED:
                return None
            if not test:
                break
            state = run.results(self.body, [*state, *self.captured])
            iterations += 1
        return state

    def rolled(self, run: RunState) -> Any:
        """Trace one iteration as the body of `lax.while_loop`."""
        grown = self._give_room(run)
        status = None if run.status is None else traced_status(run.status)
        limit = None if self.limit is None else count(0)
        carry = _Carry(traced(tuple(self.first)), {}, status, limit, None)
        carry, iteration = self._stable(run, carry)
        test, changes = self._test(run, carry)
        if changes:
            carry, iteration = self._stable(run, self._entered(run, carry))
        form = form_of(carry)

        def goes_on(carry: _Carry) -> Any:
            found = test(carry) if carry.goes_on is None else carry.goes_on
            for waits in run.waiting(carry.variables):
                found = found & ~waits
            if carry.status is not None:
                found = found & (carry.status == 0)
            return found if limit is None else found & (carry.count < self.limit)

        end = lax.while_loop(goes_on, lambda carry: fit(iteration(carry), form), carry)
        run.variables.update(end.variables)
        run.status = run.status if end.status is None else end.status
        for at, size in grown.items():
            if isinstance(end.state[at], DynamicLengthList):  # A list of texts is none.
                run.note_size(end.state[at].length, size)
        return list(end.state)

    def _give_room(self, run: RunState) -> dict[int, Any]:
        """Give growing lists the capacity for all iterations; return the lengths that are known."""
        iterations, is_exact = self._most_iterations(run)
        found = {}
        for growth in growths(self.body):
            first = self.first[growth.at]
            begin = run.known_size(length_of(first)) if is_list(first) else None
            has_room = iterations is not None and begin is not None
            is_known = is_exact and growth.least == growth.most and not run.levels
            run.grows(growth.nodes, has_room)
            # With capacity for all that may be appended, a run that appends little would be slow.
            if has_room and (is_known or run.is_file):
                self.first[growth.at] = as_dynamic_list(first, begin + growth.most * iterations)
                if is_known:
                    found[growth.at] = begin + growth.most * iterations
        return found

    def _most_iterations(self, run: RunState) -> tuple[Any, bool]:
        """Return the largest number of iterations, and whether it is the number of all runs.

        It is an int or a symbol, None if only a run knows it.
        """
        for counter, limit in self._counters():
            first = run.bounds.of(self.first[counter.at])
            size = None if limit is None else run.known_size(limit)
            if first is None or first[0] != first[1] or size is None:
                continue
            iterations = -(-(size - first[0] + counter.is_reached) // counter.step)
            is_only = self.test.outputs[0].node.op.name in ("less", "less_equal")
            if isinstance(iterations, int):
                return max(iterations, 0), is_only and self.limit is None
            if iterations >= 0:
                return iterations, is_only and self.limit is None
        return None, False

    def _counters(self) -> Iterator[tuple[Counter, Any]]:
        """Yield the loop variables that count iterations, with the values of their limits."""
        own = len(self.first)
        captured = dict(zip(map(id, self.test.inputs[own:]), self.captured))
        for counter in counters(self.test, self.body):
            limit = constant_of(counter.limit)
            yield counter, captured.get(id(counter.limit)) if limit is None else limit

    def _inside(self, run: RunState, carry: _Carry) -> RunState:
        made = run.inside({**run.variables, **carry.variables}, carry.status)
        made.repeats = True
        return made

    def _entered(self, run: RunState, carry: _Carry) -> _Carry:
        """Return the values before the first iteration, with that of the test."""
        inside = self._inside(run, carry)
        goes_on = traced(self.tested(inside, carry.state))
        effects = effects_of(inside, run)
        return carry._replace(variables=effects.variables, status=effects.status, goes_on=goes_on)

    def _test(self, run: RunState, carry: _Carry) -> tuple[Traced, bool]:
        """Return the test as a function, and whether it may fail or changes variables."""
        changes = False

        def test(carry: _Carry) -> Any:
            nonlocal changes
            inside = self._inside(run, carry)
            before = dict(inside.variables)
            found = self.tested(inside, carry.state)
            changes = inside.status is not carry.status or any(
                value is not inside.variables[key] for key, value in before.items()
            )
            return found

        return Traced(test, carry), changes

    def _iteration(self, run: RunState, carry: _Carry) -> _Carry:
        """Trace an iteration."""
        inside = self._inside(run, carry)
        self._note_counters(run, carry.state)
        state = inside.results(self.body, [*carry.state, *self.captured])
        goes_on = None
        if carry.goes_on is not None:
            goes_on = self.tested(inside, state)
        effects = effects_of(inside, run)
        number = None if carry.count is None else carry.count + 1
        return _Carry(tuple(state), effects.variables, effects.status, number, goes_on)

    def _note_counters(self, run: RunState, state: Sequence[Any]) -> None:
        """Note the bounds of the loop variables that count iterations."""
        for counter, limit in self._counters():
            first, value = run.bounds.of(self.first[counter.at]), state[counter.at]
            if first is None or getattr(value, "dtype", np.dtype(bool)).kind not in "iu":
                continue
            counter.note(run.bounds, value, first[0], run.bounds.of(limit))
            size = None if limit is None else run.known_size(limit)
            if size is not None and first[0] >= 0 and not counter.is_reached:
                run.bounds.note_below(value, size)

    def _stable(self, run: RunState, carry: _Carry) -> tuple[_Carry, Traced]:
        """Return the values before the loop in the form of all iterations, and an iteration."""
        for number in range(_ROUNDS):
            iteration = Traced(lambda carry: self._iteration(run, carry), carry)
            before, after = form_of(carry), iteration.form
            keys = {*before.variables, *after.variables}
            first = {key: carry.variables.get(key, run.variables[key]) for key in keys}
            can_fail = before.status is not None or after.status is not None
            status = traced_status(carry.status) if can_fail else None
            carry = carry._replace(variables=first, status=status)
            widened = form_of(carry)
            after = after._replace(
                variables={key: after.variables.get(key, widened.variables[key]) for key in keys},
                status=widened.status,
            )
            joined = join([widened, after])
            if number >= _GROWS:
                joined = joined._replace(state=_with_room(joined.state, before.state, run.room))
            if same_form(joined, before):
                return carry, iteration
            carry = fit(carry, joined)
        raise Unsupported("no form for loop variables that change their shapes")


def _with_room(forms: Sequence[Any], before: Sequence[Any], room: int) -> tuple[Any, ...]:
    """Return forms with the capacity of lists where they have grown."""
    return tuple(
        form if same_form(form, old) else with_room(form, room) for form, old in zip(forms, before)
    )


# -- calls -----------------------------------------------------------------------------------------


@core_rule("function_call")
def _call(run: RunState, node: Any, *inputs: Any) -> Any:
    called = called_graph(node.attrs)
    assert called is not None
    graph = _pruned(called.graph)
    own = len(graph.parameters)
    by_outer = dict(zip((id(each.outer) for each in called.graph.captures), inputs[own:]))
    captured = [by_outer[id(each.outer)] for each in graph.captures]
    return run.results(graph, [*inputs[:own], *captured])


_pruned = DerivedCache(prune)


@core_rule("given_gradient")
def _custom_gradient(run: RunState, node: Any, *inputs: Any) -> Any:
    return inputs[: len(node.outputs)]
