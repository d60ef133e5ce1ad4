"""While loops: `while` becomes `lax.while_loop`.

    while x > 1:               lax.while_loop(lambda x: x > 1, lambda x: x / 2, x)
        x = x / 2

A loop that has `maximum_iterations` is a scan whose later iterations do nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

from jax import lax

from autograph.errors import StagingError
from autograph.jax.conditionals.conditional import truth
from autograph.jax.conditionals.paths import on_path, recorded
from autograph.jax.heap import Heap
from autograph.jax.internals import drop_if_unused, is_concrete
from autograph.jax.location import location
from autograph.jax.loops.carried_values import RetraceLoop
from autograph.jax.loops.traced_loop import TracedLoop
from autograph.jax.optional_values import facts, learn
from autograph.operators.state import State

Run = Callable[[], object]
# The bound of loops that have none of their own.
MAXIMUM_ITERATIONS: ContextVar[int | None] = ContextVar("maximum_iterations", default=None)


def staged_while(
    test: Run,
    body: Run,
    state: State,
    first: object,
    most: int | None,
    negated: Callable[[object], object],
    tested: Callable[[object], object],
) -> None:
    """Record a `while`.

    Args:
        first: the result of the first test.
        most: the most iterations; None without a bound.
        negated: returns the operand of the `not` that gave a value; None for other values.
        tested: returns the value whose truth is that of a value, as the length of a list.
    """
    what = "the condition of this `while`"
    loop = TracedLoop(state, (body, test), most, False, False)
    loop.has_run = lambda: truth(first, what)
    variables = loop.variables
    known: list[str | None] = [None]
    tests_change: list[bool] = [False]

    def condition(carry: Any) -> Any:
        loop.enter(carry)
        found = tested(test())
        operand = negated(found)
        known[0] = None if operand is None else variables.holds_entry(operand)
        if variables.has_changed():
            tests_change[0] = True
            raise RetraceLoop
        return truth(found, what)

    def learn_test(holds: bool) -> None:
        """Learn from the test about values that exist only on some paths."""
        if variables.has_stand_ins() and not tests_change[0]:
            _, jaxpr, changes = recorded(test, Heap((test,), {}))
            if not jaxpr.effects and not changes:
                learn(tested(test()), holds)

    def iteration(carry: Any) -> Any:
        loop.enter(carry)
        with on_path(lambda: condition_again(carry)), facts():
            learn_test(True)
            body()
        return loop.leave()[0]

    def condition_again(carry: Any) -> Any:
        held = state.get()
        try:
            return condition(carry)
        finally:
            state.set(held)

    def iteration_and_test(carry: Any) -> Any:
        *values, proceed = carry
        loop.enter(values)
        with on_path(lambda: proceed):
            body()
            proceed_next = truth(tested(test()), what)
        return [*loop.leave()[0], proceed_next]

    def record(_: TracedLoop) -> tuple[Any, Any]:
        if tests_change[0]:
            start = [*loop.carry(), truth(first, what)]
            carry = repeated(loop, lambda carry: carry[-1], iteration_and_test, start, most)
            return carry[:-1], []
        return repeated(loop, condition, iteration, loop.carry(), most), []

    drop_if_unused(first)
    loop.trace(record)
    if most is None:
        learn_test(False)
        if known[0] is not None:
            variables.set_known(known[0], True)


def repeated(
    loop: TracedLoop,
    condition: Any,
    iteration: Any,
    start: Any,
    most: int | None,
    is_enough: bool = False,
) -> list[Any]:
    """Return the result of iterations while a condition holds.

    With a bound, it is that of a scan whose iterations do nothing once the condition fails.

    Args:
        is_enough: whether the bound ends no loop.
    """
    if most is None:
        return loop.unbounded(lax.while_loop(condition, iteration, start))

    def step(carry: Any, _: None) -> tuple[Any, None]:
        return lax.cond(condition(carry), iteration, lambda values: values, carry), None

    carry = lax.scan(step, start, None, length=most)[0]
    return carry if is_enough else loop.bounded(carry, condition(carry), most)


def bound_of(opts: Mapping[str, object], is_known: bool = False) -> int | None:
    """Return the option `maximum_iterations` of a loop.

    Args:
        is_known: whether the trace knows how many iterations there are.

    Raises:
        StagingError: it is not a number that the trace knows, or below 0.
    """
    default = None if is_known else MAXIMUM_ITERATIONS.get()
    most: Any = opts.get("maximum_iterations", default)
    if most is None:
        return None
    if not is_concrete(most):
        raise StagingError(
            "maximum_iterations is a number that only a run knows: the length of a scan is known "
            "while tracing, so give a Python number",
            location(),
        )
    found = count_of(most)
    if found is None:
        raise StagingError(refusal_of_count(most), location())
    return found


def count_of(most: Any) -> int | None:
    """Return the number of iterations that a value is; None if it is none."""
    try:
        found = operator.index(most)
    except TypeError:
        return None
    return None if type(most) is bool or found < 0 else found


def refusal_of_count(most: object) -> str:
    """Return the message about a value that is no number of iterations."""
    return f"maximum_iterations={most!r} is no number of iterations: give an int, 0 or more"
