"""Recursive functions that call themselves at most once: two loops over a stack of arguments.

    down    trace the function up to the call, which leaves its arguments for the next level
    up      trace the function again at each level, the last one first, with the result of the
            level below

XLA drops what either loop does not need. A function that may call itself twice, as in a tree, is
refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.executors.interpreter import MAX_DEPTH
from runtime.executors.jax.core_rules import core_rule
from runtime.executors.jax.forms import (
    column_of,
    fit,
    form_of,
    in_column,
    join,
    same_form,
    written,
    zeros,
)
from runtime.executors.jax.lowering import blank
from runtime.executors.jax.rules.library import jax, jnp, lax
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.run import Run, traced_status
from runtime.executors.jax.values import Absent, FixedList, traced
from runtime.graph.graph import Graph

_ROUNDS = 8


class _Calls:
    """The calls of a recursive function while one of its levels is traced.

    Attributes:
        results: the results of the level below; None on the way down.
    """

    def __init__(self, results: Sequence[Any] | None) -> None:
        self.results = results


# A call leaves among the variables of a run whether it is made, and its arguments.


def _key(name: str, what: str) -> str:
    return f"{what} of {name}"


@core_rule("recursion")
def _recursion(run: Run, node: Any, *inputs: Any) -> Any:
    region = node.regions[0]
    if node.effect == "write":
        raise Unsupported("no recursion that assigns variables")
    if _most_calls(region, node.attrs["name"]) > 1:
        raise Unsupported("no recursion of a function that calls itself twice")
    own = len(region.parameters)
    levels = _Levels(run, region, node.attrs["name"], list(inputs[own:]))
    return levels.results(inputs[:own])


@core_rule("call")
def _call(run: Run, node: Any, *inputs: Any) -> Any:
    name = node.attrs["callee"].name
    calls = run.calls.get(name)
    if calls is None:
        raise Unsupported("no call of a recursive function around this one")
    if calls.results is not None:
        return list(calls.results)
    first = run.variables[_key(name, "arguments")]
    run.variables[_key(name, "call")] = jnp.asarray(True)
    run.variables[_key(name, "arguments")] = traced(tuple(inputs[: len(first)]))
    return [_placeholder(each.spec) for each in node.outputs]


def _placeholder(spec: Any) -> Any:
    """Return a value for the result of a call that is not made yet."""
    return FixedList(()) if spec.dtype.is_variant else blank(spec)


def _most_calls(graph: Graph, name: str) -> int:
    """Return how often a path through a graph may call a function; 2 for more."""
    most = 0
    for node in graph.nodes:
        callee: Any = node.attrs.get("callee")
        if node.op.name == "call" and callee.name == name:
            most += 1
        elif node.regions:
            inside = [_most_calls(region, name) for region in node.regions]
            is_loop = node.op.name in ("while_loop", "recursion")
            most += 2 * sum(inside) if is_loop else max(inside)
    return min(most, 2)


class _Levels:
    """The levels of a recursion.

    Args:
        run: the state before it.
        region: the function.
        name: the name by which its calls name it.
        captured: the values of its captures.
    """

    def __init__(self, run: Run, region: Graph, name: str, captured: Sequence[Any]) -> None:
        self.run, self.region, self.name, self.captured = run, region, name, captured

    def results(self, arguments: Sequence[Any]) -> list[Any]:
        """Return the results for the arguments of the first level."""
        arguments = self._stable(traced(tuple(arguments)))
        form, room = form_of(arguments), self.run.room
        stack = zeros(jax.tree_util.tree_map(lambda each: column_of(each, room), form))

        def goes_down(state: Any) -> Any:
            return state[0] & (state[3] < room) & (state[3] < MAX_DEPTH)

        def down(state: Any) -> Any:
            _, here, stack, depth = state
            made, below = self._down(here)
            stack = jax.tree_util.tree_map(lambda each, new: written(each, depth, new), stack, here)
            return made, fit(below, form), stack, depth + 1

        made, _, stack, depth = lax.while_loop(
            goes_down, down, (jnp.asarray(True), arguments, stack, jnp.int32(0))
        )
        self.run.outgrow(made & (depth < MAX_DEPTH))
        self.run.fail(made)
        return self._up(stack, depth)

    def _stable(self, arguments: Any) -> Any:
        """Return the arguments of the first level in the form of all levels."""
        for _ in range(_ROUNDS):
            below = form_of(jax.eval_shape(lambda arguments=arguments: self._down(arguments)[1]))
            joined = join([form_of(arguments), below])
            if same_form(joined, form_of(arguments)):
                return arguments
            arguments = fit(arguments, joined)
        raise Unsupported("no form for arguments of a recursion that change their shapes")

    def _down(self, arguments: Any) -> tuple[Any, Any]:
        """Return whether a level calls itself, and the arguments of the call."""
        inside = self.run.inside(self.run.variables)
        inside.calls = {**self.run.calls, self.name: _Calls(None)}
        inside.variables[_key(self.name, "call")] = jnp.asarray(False)
        inside.variables[_key(self.name, "arguments")] = arguments
        inside.results(self.region, [*arguments, *self.captured])
        # Errors are those of the way up, on which all values are right.
        left = inside.variables
        return left[_key(self.name, "call")], left[_key(self.name, "arguments")]

    def _level(self, arguments: Any, below: Any) -> tuple[Any, Any]:
        """Return the results of a level and its status."""
        inside = self.run.inside(self.run.variables)
        inside.calls = {**self.run.calls, self.name: _Calls(below)}
        results = tuple(inside.results(self.region, [*arguments, *self.captured]))
        for each in results:
            if isinstance(each, Absent):
                raise Unsupported(each.reason)
        return traced(results), traced_status(inside.status)

    def _up(self, stack: Any, depth: Any) -> list[Any]:
        """Return the results of the first level."""
        results = self._first_results(in_column(stack, 0))
        form = form_of(results)

        def goes_up(state: Any) -> Any:
            return (state[0] > 0) & (state[2] == 0)

        def up(state: Any) -> Any:
            level, below, status = state
            arguments = in_column(stack, level - 1)
            found, failed = self._level(arguments, below)
            return level - 1, fit(found, form), status | failed

        start = (depth, results, traced_status(self.run.status))
        _, results, self.run.status = lax.while_loop(goes_up, up, start)
        return list(results)

    def _first_results(self, arguments: Any) -> Any:
        """Return values in the form of the results, for the level that does not call itself."""
        results = traced(tuple(_placeholder(each.spec) for each in self.region.outputs))
        for _ in range(_ROUNDS):
            found = form_of(
                jax.eval_shape(lambda results=results: self._level(arguments, results)[0])
            )
            joined = join([form_of(results), found])
            if same_form(joined, form_of(results)):
                return results
            results = fit(results, joined)
        raise Unsupported("no form for results of a recursion that change their shapes")
