"""Conditionals: `if` and the operators that choose become `lax.cond`.

    if x > 0:                  lax.cond(x > 0, lambda: x * 2, lambda: x)
        x = x * 2

Both paths are traced, the values that they leave in variables and containers are joined, and the
branches of `lax.cond` evaluate the jaxprs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.tree_util import tree_unflatten

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.backends.undefined import Undefined
from autograph.errors import ConditionError
from autograph.jax.aliases import (
    Named,
    ReadableContainers,
    aliases_of,
    check_aliases,
    mutable_parts,
    record_aliases,
)
from autograph.jax.conditionals.joins import EXPRESSION, Join, Joined
from autograph.jax.conditionals.paths import PathOutput, PathValue, TracedPath, known_end
from autograph.jax.heap import Heap
from autograph.jax.internals import drop_if_unused
from autograph.jax.location import STACKS, location, nested
from autograph.jax.optional_values import is_possibly_bound, learn, partly_bound
from autograph.jax.raised_errors import Raised, catching_try, check, message_of
from autograph.operators.state import State

Run = Callable[[], object]


def truth(value: Any, what: str) -> Any:
    """Return a condition as one bool.

    Raises:
        ConditionError: it is an array of several values.
    """
    if np.size(value) != 1:
        raise ConditionError(
            f"{what} is an array of shape {np.shape(value)}, not one truth value: use jnp.all or "
            "jnp.any, or jnp.where for a choice of elements",
            location(),
        )
    array = jnp.asarray(value)
    if array.ndim:
        array = array.reshape(())
    return array if array.dtype == bool else array != 0


def staged_cond(
    test: Any,
    body: Run,
    orelse: Run,
    state: State,
    what: str,
    truths: tuple[tuple[object, bool], ...] = (),
    parts: Sequence[Any] = (),
    is_over: bool = True,
    tested: object = None,
) -> None:
    """Record a conditional, and leave the joined values in the state.

    Args:
        test: a scalar bool.
        what: the statement, for errors: "this `if`".
        truths: values that are bools with the truth that they have where the test holds.
        parts: the user's functions that the paths call, if the paths are not the user's.
        is_over: whether the statement calls these functions no more.
        tested: the bool of the program that `test` is; None if it is `test` itself.
    """
    where = location()
    tested = test if tested is None else tested
    parts = parts or (_users_part(body), _users_part(orelse))
    check_aliases(parts)
    heap = Heap(parts, dict(zip(state.names, state.get())))
    with nested(getattr(parts[0], "__code__", body), where):
        paths = [
            TracedPath(body, state, heap, lambda: test, (tested, True)),
            TracedPath(orelse, state, heap, lambda: jnp.logical_not(test), (tested, False)),
        ]
    if any(path.error is not None for path in paths):
        return _after_raise(test, tested, paths, state, heap, where)
    is_flag = isinstance(tested, jax.Array) and (tested.ndim, tested.dtype) == (0, jnp.bool_)
    flag = tested if is_flag else test
    join = Join(what, where, state.outputs, flag, heap)
    values = [
        join.variable(name, *ends)
        for name, *ends in zip(state.names, *(path.variables for path in paths))
    ]
    contents = {
        at: join.contents(heap, at, [path.contents.get(at) for path in paths])
        for at in sorted({at for path in paths for at in path.contents})
    }
    has_effects = any(path.jaxpr.effects for path in paths)
    results = iter(())
    if join.forms or has_effects:
        branches = [join.branch(path, side) for side, path in enumerate(paths)]
        # `not` costs nothing: the branches change objects.
        operand = next((value for value, holds in truths if not holds), None)
        if operand is not None:
            drop_if_unused(test)
            test, branches = operand, branches[::-1]
        results = iter(lax.cond(test, *branches))
    made = ConditionalResults(list(results), paths, heap, where)
    join.derive(made.results, paths)
    for at, held in contents.items():
        place = heap.objects[at]
        before = {key: known_end(value) for key, value in place.before.items()}
        sides = [path.contents.get(at, before) for path in paths]
        missing = known_end(Undefined(place.name))
        place.write(
            {
                key: made.joined_value(
                    place.part(key), value, [side.get(key, missing) for side in sides]
                )
                for key, value in held.items()
            }
        )
    variables = zip(state.names, values, *(path.variables for path in paths))
    state.set(tuple(made.joined_value(name, value, ends) for name, value, *ends in variables))
    made.record_aliases(is_over)
    return None


def _users_part(run: Run) -> Run:
    """Return the function of the user's code that a path runs."""
    return next(
        (
            cell.cell_contents
            for cell in getattr(run, "__closure__", None) or ()
            if run.__module__ == __name__ and callable(cell.cell_contents)
        ),
        run,
    )


def _after_raise(
    test: Any,
    tested: object,
    paths: list[TracedPath],
    state: State,
    heap: Heap,
    where: SourceLocation | None,
) -> None:
    """Record a check for the path that raises, and go on with the other one."""
    one, other = (
        None if path.error is None else Raised(path.error, _entered(path, state, heap, where))
        for path in paths
    )
    found = (catching_try(each.error) for each in (one, other) if each is not None)
    tried = next((each for each in found if each is not None), None)
    if one is not None and other is not None:
        if tried is not None:
            tried.meet(test, one, other)
        check(test, *message_of(other.error))
        raise one.error
    side, raised = (0, one) if one is not None else (1, other)
    assert raised is not None
    if tried is not None:
        tried.meet(test if side == 0 else jnp.logical_not(test), raised)
    else:
        check(jnp.logical_not(test) if side == 0 else test, *message_of(raised.error))
    _entered(paths[1 - side], state, heap, where)()
    learn(tested, side == 1)


def _entered(
    path: TracedPath, state: State, heap: Heap, where: SourceLocation | None
) -> Callable[[], None]:
    """Return a function that goes on at the end of a path, as the only one."""

    def enter() -> None:
        made = ConditionalResults(path.results(), [path], heap, where)
        if path.error is not None:
            arguments, attributes = (made.only("", end) for end in path.raised)
            path.error.args = arguments  # type: ignore[assignment]
            vars(path.error).update(attributes)  # type: ignore[call-overload]
        for at, held in path.contents.items():
            place = heap.objects[at]
            place.write({key: made.only(place.part(key), end) for key, end in held.items()})
        variables = zip(state.names, path.variables)
        state.set(tuple(made.only(name, end) for name, end in variables))
        made.record_aliases()

    return enter


class _ExpressionState:
    """The value of an expression, as the only variable of a state."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value: object = None

    def state(self) -> State:
        """Return the state, whose variable has no name."""

        def put(values: tuple[object, ...]) -> None:
            (self.value,) = values

        return State(lambda: (self.value,), put, (EXPRESSION,), 1)

    def assigned(self, thunk: Run) -> Run:
        """Return a function that assigns the value of a thunk."""

        def run() -> None:
            self.value = thunk()

        return run


def chosen(test: Any, then: Run, orelse: Run, what: str, tested: object = None) -> object:
    """Return the value of a conditional expression, of `and` or of `or`.

    Args:
        tested: the bool of the program that `test` is.
    """
    held = _ExpressionState()
    runs = held.assigned(then), held.assigned(orelse)
    staged_cond(test, *runs, held.state(), what, tested=tested)
    return held.value


class ConditionalResults:
    """The values after a conditional, made of the results of `lax.cond`.

    Args:
        results: the arrays.
        paths: the paths that it chooses from, or the only one.
        heap: the containers from before.
        test: the condition; None for the only path.
    """

    def __init__(
        self,
        results: list[Any],
        paths: Sequence[TracedPath],
        heap: Heap,
        where: SourceLocation | None,
    ) -> None:
        self.results, self._paths, self._heap, self._where = results, paths, heap, where
        # For each path, the new containers with those of which they are copies.
        self._copies: list[list[tuple[Named, Any]]] = [[] for _ in paths]
        self._known: list[tuple[list[object], object]] = []

    def joined_value(self, name: str, value: object, ends: Sequence[PathValue]) -> object:
        """Return the value of a variable, or of a part of a container, from its join."""
        if not isinstance(value, Joined):
            return value
        if value.is_copy:
            ends = [end.as_copy() for end in ends]
        made = self._made(name, value.structure, value.leaves, ends)
        if value.bound is None:
            return made
        return value.bound(self._array(value.defined), made)

    def _array(self, leaf: Any) -> Any:
        return self.results[leaf.at] if isinstance(leaf, PathOutput) else leaf

    def only(self, name: str, end: PathValue) -> object:
        """Return the value that the only path leaves in a place."""
        has_outputs = any(isinstance(leaf, PathOutput) for leaf in end.leaves)
        if not has_outputs or self._heap.holds(end.value):
            return end.value
        if is_possibly_bound(end.value):
            parts: Any = tree_unflatten(end.structure, [self._array(each) for each in end.leaves])
            return partly_bound(name, "has no value on some paths", self._where, *parts)
        return self._made(name, end.structure, end.leaves, [end])

    def _made(
        self, name: str, structure: Any, leaves: list[Any], ends: Sequence[PathValue]
    ) -> object:
        for known, made in self._known:
            if all(value is end.value for value, end in zip(known, ends)):
                return made
        made = tree_unflatten(structure, [self._array(leaf) for leaf in leaves])
        for path, part in mutable_parts(made).items():
            for copies, end in zip(self._copies, ends):
                if path in end.parts:
                    copies.append((Named(name, part), end.parts[path]))
        self._known.append(([end.value for end in ends], made))
        return made

    def record_aliases(self, is_over: bool = False) -> None:
        """Record the new containers that may be the same object as others."""
        outer = STACKS.pairs
        if not any(self._copies) and all(path.pairs == outer for path in self._paths):
            return
        reach = ReadableContainers(is_over=is_over)
        paired = {id(each.owner) for pair in outer for each in (pair.one, pair.other)}

        def persisting(value: Any) -> Named | None:
            holds = reach.may_hold if id(value) in paired else reach.holds
            return Named(reach.name_of(value) or "", value) if holds(value) else None

        for copies, path in zip(self._copies, self._paths):
            record_aliases(aliases_of(copies, path.pairs, persisting), self._where)
