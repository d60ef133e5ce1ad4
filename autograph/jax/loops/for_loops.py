"""For loops: `for` over a known number of items becomes `lax.scan`, any other `lax.while_loop`.

    for x in xs:               lax.scan(lambda s, x: (s + x, None), s, xs)
        s += x

A loop that may end early is a scan whose later iterations do nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax import lax
from jax.tree_util import tree_map

from autograph.errors import LoopMismatch
from autograph.jax.conditionals.conditional import truth
from autograph.jax.conditionals.paths import on_path
from autograph.jax.heap import Heap
from autograph.jax.internals import SymbolicDimension
from autograph.jax.iterables import TailItems, TracedIterable, may_be_empty
from autograph.jax.location import STACKS
from autograph.jax.loops.carried_values import NeedsFlag
from autograph.jax.loops.traced_loop import TracedLoop
from autograph.jax.loops.while_loops import repeated
from autograph.jax.operations import is_traced
from autograph.operators.state import State

Run = Callable[[], object]


def staged_for(
    items: TracedIterable,
    extra_test: Run | None,
    body: Callable[[Any], object],
    state: State,
    most: int | None,
    begins: Any = None,
) -> None:
    """Record a `for` over items; `extra_test` fails after a `break` or `return`.

    Args:
        begins: whether there is a first iteration; None if there is one for any item.
    """
    if not items.is_bounded:
        return _unbounded(items, extra_test, body, state, most)
    if may_be_empty(items.length):
        return _unbounded(items, extra_test, body, state, most, begins)
    length = items.length if most is None else min(most, items.length)
    try:
        return _bounded(items, length, extra_test, body, state, begins, begins is not None)
    except LoopMismatch as mismatch:
        # A mismatch that remains is not tried again by each loop further out.
        if begins is not None or vars(mismatch).get("is_tried"):
            raise
        # A variable may get its form in the first iteration, as `total` with `total = 0` before.
        # One that was None may be None no more.
        start, pairs = state.get(), STACKS.pairs
        heap = Heap((body, extra_test), dict(zip(state.names, start)))
        try:
            body(items.item(tree_map(lambda each: each[0], items.rows())))
            begins = None if extra_test is None else extra_test()
            if begins is None or is_traced(begins) or begins:
                later = TailItems(items)
                if may_be_empty(later.length):
                    _unbounded(later, extra_test, body, state, most, begins)
                else:
                    _bounded(later, length - 1, extra_test, body, state, begins)
        except Exception as error:
            heap.restore()
            state.set(start)
            STACKS.pairs = pairs
            vars(mismatch)["is_tried"] = True
            raise error if isinstance(mismatch, NeedsFlag) else mismatch from None
    return None


def _bounded(
    items: TracedIterable,
    length: int,
    extra_test: Run | None,
    body: Any,
    state: State,
    begins: Any,
    adds_flags: bool = True,
) -> None:
    if length == 0:
        return
    functions, runs_all = (body, extra_test), extra_test is None
    loop = TracedLoop(state, functions, length, begins is None, runs_all, adds_flags)
    rows, is_cut = items.rows(), length != items.length
    if is_cut:
        rows = tree_map(lambda each: each[:length], rows)

    def iteration(carry: Any, row: Any) -> tuple[Any, Any]:
        loop.enter(carry)
        body(items.item(row))
        return loop.leave()

    def guarded(carry: Any, row: Any) -> tuple[Any, Any]:
        *values, proceed = carry

        def run(values: Any) -> Any:
            loop.enter(values)
            with on_path(lambda: proceed):
                body(items.item(row))
                more = truth(extra_test(), "the condition of this loop")  # type: ignore[misc]
            return [*loop.leave()[0], more]

        return lax.cond(proceed, run, lambda values: [*values, jnp.bool_(False)], values), []

    def record(_: TracedLoop) -> tuple[Any, Any]:
        if extra_test is None:
            carry, stacked = lax.scan(iteration, loop.carry(), rows)
            return loop.bounded(carry, True, length) if is_cut else carry, stacked
        first = jnp.bool_(True) if begins is None else truth(begins, "the condition of this loop")
        carry, _none = lax.scan(guarded, [*loop.carry(), first], rows)
        return loop.bounded(carry, carry[-1], length)[:-1] if is_cut else carry[:-1], []

    loop.trace(record)


def _unbounded(
    items: TracedIterable,
    extra_test: Run | None,
    body: Any,
    state: State,
    most: int | None,
    begins: Any = None,
) -> None:
    room = None if items.is_bounded else items.most
    bounds = [each for each in (most, room) if each is not None]
    bound = min(bounds, default=None)
    loop = TracedLoop(state, (body, extra_test), bound, False, False)
    count: Any = None  # of the iterations, after the loop
    loop.has_run = lambda: count > 0
    is_open = isinstance(items.length, SymbolicDimension)
    length = jnp.asarray(items.length) if is_open else items.length

    def condition(carry: Any) -> Any:
        more = carry[0] < length
        return more if extra_test is None else jnp.logical_and(more, carry[1])

    def iteration(carry: Any) -> Any:
        index, proceed, *values = carry
        loop.enter(values)
        with on_path(lambda: condition(carry)):
            body(items.at(index))
            if extra_test is not None:
                proceed = truth(extra_test(), "the condition of this loop")
        return [index + 1, proceed, *loop.leave()[0]]

    def record(_: TracedLoop) -> tuple[Any, Any]:
        first = jnp.bool_(True) if begins is None else truth(begins, "the condition of this loop")
        start = [0, first, *loop.carry()] if extra_test else [0, 0, *loop.carry()]
        nonlocal count
        count, _, *carry = repeated(loop, condition, iteration, start, bound, bound == room)
        return carry, []

    loop.trace(record)
