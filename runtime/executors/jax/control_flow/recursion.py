"""Recursive functions as a loop over a stack of unfinished calls.

    top of the stack    run the function, with the results of the calls that it has made before
      it calls itself   put the arguments of the new call on the stack
      it returns        its results are those of one more call of the level below

So a call that makes n calls runs n + 1 times. What it computes after a call that has no result yet
does not count: errors are ignored, and loops end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.executors.interpreter import MAX_DEPTH
from runtime.executors.jax.lowering import blank
from runtime.executors.jax.rules.jax_modules import jax, jnp, lax
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.run_state import RunState, traced_status
from runtime.executors.jax.value_rules import core_rule
from runtime.executors.jax.values.forms import (
    column_of,
    fit,
    form_of,
    in_column,
    join,
    same_form,
    written,
    zeros,
)
from runtime.executors.jax.values.pytrees import FixedList, UnsupportedValue, count, traced
from runtime.graph.graph import Graph

_ROUNDS = 8
_NESTED = (
    "no lists in lists of a depth that only a run knows, which the gradient of a recursion keeps: "
    "write a loop over a list of the calls that are left"
)
# The largest capacity of the stack, and the number of calls that one call makes in a loop.
_DEEPEST, _MOST_CALLS = 1 << (MAX_DEPTH - 1).bit_length(), 256


class RecursionFrame(NamedTuple):
    """An unfinished call, while the function is traced.

    Attributes:
        known: the number of calls that it has made before.
        results: columns with the results of these calls.
        key: the key, among the variables of a run, of what this run of the function has done: the
            number of its calls, whether one has no result, and the arguments of this one.
    """

    known: Any
    results: Any
    key: str


class _Done(NamedTuple):
    calls: Any
    waits: Any
    arguments: Any


@core_rule("recursion")
def _recursion(run: RunState, node: Any, *inputs: Any) -> Any:
    region, name = node.regions[0], node.attrs["name"]
    if node.effect == "write":
        raise Unsupported("no recursion that assigns variables")
    own, most = len(region.parameters), _most_calls(region, name)
    calls = most if most is not None else min(run.room, _MOST_CALLS)
    recursion = _Recursion(run, region, name, list(inputs[own:]), calls)
    return recursion.results(traced(tuple(inputs[:own])))


@core_rule("call")
def _call(run: RunState, node: Any, *inputs: Any) -> Any:
    level = run.levels.get(node.attrs["callee"].name)
    if level is None:
        raise Unsupported("no call of a recursive function from one inside of it")
    done: _Done = run.variables[level.key]
    now, own = done.calls == level.known, traced(tuple(inputs[: len(done.arguments)]))
    form = join([form_of(done.arguments), form_of(own)])
    arguments = jax.tree_util.tree_map(
        lambda new, old: jnp.where(now, new, old), fit(own, form), fit(done.arguments, form)
    )
    run.variables[level.key] = _Done(done.calls + 1, done.waits | now, arguments)
    return list(in_column(level.results, done.calls))


def _placeholder(spec: Any) -> Any:
    """Return a value for the result of a call that has none yet."""
    return FixedList(()) if spec.dtype.is_variant else blank(spec)


def _most_calls(graph: Graph, name: str) -> int | None:
    """Return how often a path through a graph may call a function; None if there is no limit."""
    most = 0
    for node in graph.nodes:
        callee: Any = node.attrs.get("callee")
        if node.op.name == "call" and callee.name == name:
            most += 1
        elif node.regions:
            inside = [_most_calls(region, name) for region in node.regions]
            if None in inside or (any(inside) and node.op.name in ("while_loop", "recursion")):
                return None
            most += max(each or 0 for each in inside)
    return most


class _RecursionStack(NamedTuple):
    """The stack of a recursion.

    Attributes:
        depth: the number of unfinished calls.
        arguments: columns with their arguments.
        known: a column with the numbers of their calls that have results.
        results: columns with columns of these results.
        last: the results of the call that was finished last.
        status: the status of finished calls.
    """

    depth: Any
    arguments: Any
    known: Any
    results: Any
    last: Any
    status: Any


class _Recursion:
    """A recursion at the values of its captures.

    Args:
        run: the state before it.
        region: the function.
        name: the name by which its calls name it.
        captured: the values of its captures.
        calls: the number of calls that one call may make.
    """

    def __init__(
        self, run: RunState, region: Graph, name: str, captured: Sequence[Any], calls: int
    ) -> None:
        self.run, self.region, self.name = run, region, name
        self.captured, self.calls = captured, max(calls, 1)

    def results(self, arguments: Any) -> list[Any]:
        """Return the results for the arguments of the first call."""
        arguments, last = self._stable(arguments)
        room, self._form = min(self.run.room, _DEEPEST), form_of(arguments)
        of_call = jax.tree_util.tree_map(lambda each: column_of(each, self.calls), form_of(last))
        state = _RecursionStack(
            count(1),
            written(zeros(column_of(self._form, room)), 0, arguments),
            jnp.zeros(room, np.int32),
            zeros(column_of(of_call, room)),
            last,
            traced_status(self.run.status),
        )
        end = lax.while_loop(
            lambda state: (state.depth > 0) & (state.status == 0), self._iteration, state
        )
        self.run.status = end.status
        return list(end.last)

    def _iteration(self, state: _RecursionStack) -> _RecursionStack:
        """Run the call on top of the stack."""
        room, top = state.known.shape[0], state.depth - 1
        known = state.known[top]
        found, done, failed = self._run_once(
            in_column(state.arguments, top), known, in_column(state.results, top)
        )
        inside = self.run.inside({})
        inside.outgrow(done.waits & (state.depth >= room))
        inside.fail(done.waits & (state.depth >= MAX_DEPTH))
        below = jnp.where(done.waits | (top == 0), room, top - 1)
        has_more = ~done.waits & (top > 0)
        place = state.known[jnp.maximum(top - 1, 0)]
        is_full = has_more & (place >= self.calls)
        (inside.fail if self.calls == _MOST_CALLS else inside.outgrow)(is_full)
        above = jnp.where(done.waits, state.depth, room)
        return _RecursionStack(
            jnp.where(done.waits, state.depth + 1, top),
            written(state.arguments, above, fit(done.arguments, self._form)),
            written(written(state.known, above, 0), below, place + 1),
            written(state.results, (below, place), found),
            jax.tree_util.tree_map(
                lambda new, old: jnp.where(done.waits, old, new), found, state.last
            ),
            state.status | jnp.where(done.waits, 0, failed) | traced_status(inside.status),
        )

    def _run_once(self, arguments: Any, known: Any, results: Any) -> tuple[Any, _Done, Any]:
        """Return the results of a call, its effects, and its status."""
        inside = self.run.inside(self.run.variables)
        key = f"calls of {self.name}"
        inside.levels = {**self.run.levels, self.name: RecursionFrame(known, results, key)}
        inside.variables[key] = _Done(count(0), jnp.zeros((), bool), arguments)
        found = tuple(inside.results(self.region, [*arguments, *self.captured]))
        for each in found:
            if isinstance(each, UnsupportedValue):
                raise Unsupported(each.reason)
        return traced(found), inside.variables[key], traced_status(inside.status)

    def _stable(self, arguments: Any) -> tuple[Any, Any]:
        """Return the first arguments in the form of all calls, and zeros like the results."""
        last = traced(tuple(_placeholder(each.spec) for each in self.region.outputs))
        for _ in range(_ROUNDS):

            def once(arguments: Any = arguments, last: Any = last) -> Any:
                results = jax.tree_util.tree_map(lambda each: each[None], last)
                found, done, _ = self._run_once(arguments, count(0), results)
                return found, done.arguments

            found, below = form_of(jax.eval_shape(once))
            forms = join([form_of(arguments), below]), join([form_of(last), found])
            if same_form(forms, (form_of(arguments), form_of(last))):
                return arguments, last
            arguments, last = fit(arguments, forms[0]), fit(last, forms[1])
        if any(each.dtype.is_variant for each in self.region.outputs):
            raise Unsupported(_NESTED)
        raise Unsupported("no form for values of a recursion that change their shapes")
