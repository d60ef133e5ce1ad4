"""The backend of JAX's tracers: statements on them become `lax.cond`, `while_loop` and `scan`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from autograph.backends.protocol import Thunk
from autograph.backends.python import PythonBackend
from autograph.backends.try_block import TryBlock
from autograph.backends.with_block import WithBlock
from autograph.errors import StagedIterationError, StagingError, UnknownLengthError
from autograph.jax.aliases import check_use
from autograph.jax.conditionals.conditional import chosen, staged_cond, truth
from autograph.jax.conditionals.paths import recorded
from autograph.jax.growing_lists import Appender, PreallocatedList, StackedList
from autograph.jax.heap import Heap
from autograph.jax.internals import SymbolicDimension, Tracer, recorder
from autograph.jax.iterables import TracedIterable, items_of, may_be_empty
from autograph.jax.location import STACKS, location
from autograph.jax.loops.for_loops import staged_for
from autograph.jax.loops.traced_loop import with_room
from autograph.jax.loops.while_loops import bound_of, staged_while
from autograph.jax.operations import (
    ChosenFunction,
    assigned,
    is_traced,
    item_of,
    operate,
)
from autograph.jax.optional_values import (
    TracedOptional,
    derive,
    facts,
    learn,
    narrowed,
    operand_of_not,
    present,
)
from autograph.jax.text import TracedText
from autograph.jax.try_statements import staged_try, staged_with
from autograph.operators.state import State

# Up to so many iterations of a loop over Python's range are unrolled.
_FEW = 3
# The longest expression after `and` or `or` that is computed whether or not Python would need it.
_SHORT = 8


class JaxBackend(PythonBackend):
    """Statements on the arrays of JAX, while a transformation traces them.

    A value that Python can read keeps Python's meaning: outside of a transformation, and also in
    `jax.grad` without `jax.jit`.
    """

    name = "jax"
    recorder = staticmethod(recorder)

    def owned_types(self) -> tuple[type, ...]:
        """Return the types that this backend owns."""
        lists = Appender, StackedList, PreallocatedList
        stand_ins = TracedIterable, *lists, ChosenFunction, TracedText, TracedOptional
        return (Tracer, jax.Array, SymbolicDimension, *stand_ins)

    def stands_in(self, value: object) -> object | None:
        """Return the form of an optional value on this path; check the aliases of a container."""
        if type(value) is TracedOptional:
            return present(value)
        check_use(value)
        return None

    def staging(self) -> bool:
        """Return whether a transformation is tracing."""
        return recorder() is not None

    def cond(self, test: object, body: Thunk, orelse: Thunk, state: State) -> None:
        """Record an `if`."""
        self._cond(test, body, orelse, state, True)

    def _cond(self, test: object, body: Thunk, orelse: Thunk, state: State, is_over: bool) -> None:
        test = _condition(test)
        if not is_traced(test):
            return super().cond(test, body, orelse, state)
        pred = truth(test, "the condition of this `if`")
        truths = ((test, True),) if _is_bool(test) else ()
        operand = operand_of_not(test)
        if operand is not None and _is_bool(operand):
            truths = (*truths, (operand, False))

        def record() -> None:
            staged_cond(
                pred, body, orelse, state, "this `if`", truths, is_over=is_over, tested=test
            )

        try:
            record()
        except UnknownLengthError as error:
            if any(loop.has(error.owner) for loop in STACKS.loops):
                raise
            with_room(record, (body, orelse), state)

    def while_loop(
        self,
        test: Thunk,
        body: Thunk,
        state: State,
        opts: Mapping[str, object],
        first: object,
    ) -> None:
        """Record a `while` from the state it has reached."""
        proceed = _condition(first)
        while not is_traced(proceed):
            if not proceed:
                return None
            body()
            proceed = _condition(test())
        most = bound_of(opts)
        return staged_while(test, body, state, proceed, most, operand_of_not, _condition)

    def for_loop(
        self,
        iterated: Any,
        extra_test: Thunk | None,
        body: Callable[[object], None],
        state: State,
        opts: Mapping[str, object],
    ) -> None:
        """Record a `for` over rows, numbers or pairs of them."""
        items = items_of(iterated) if not _is_known(iterated) else None
        if items is None:
            return self._in_python(iterated, extra_test, body, state)
        is_known = items.is_bounded and not may_be_empty(items.length)
        return staged_for(items, extra_test, body, state, bound_of(opts, is_known))

    def _in_python(
        self, iterated: Any, extra_test: Thunk | None, body: Callable[[object], None], state: State
    ) -> None:
        items = iter(iterated)
        for item in items:
            body(item)
            proceed = True if extra_test is None else extra_test()
            if is_traced(proceed):
                return self.for_rest(proceed, items, extra_test, body, state)  # type: ignore[arg-type]
            if not proceed:
                return None
        return None

    def for_rest(
        self,
        proceed: object,
        items: Iterator[object],
        extra_test: Thunk,
        body: Callable[[object], None],
        state: State,
    ) -> None:
        """Go on with a loop of Python that a condition of the program may end.

        A long range becomes a scan, if its body can do with numbers that only a run knows.
        """
        numbers = _rest_of_range(items)
        if numbers is not None and is_traced(proceed):
            try:
                staged_for(numbers, extra_test, body, state, None, proceed)
            except Exception:
                pass  # Unrolled, it works, or raises the error that the user is to see.
            else:
                deque(items, maxlen=0)
                return
        for item in items:
            if not is_traced(proceed):
                if not proceed:
                    return
                body(item)
            else:
                self._cond(proceed, lambda item=item: body(item), _nothing, state, False)  # type: ignore[misc]
            proceed = extra_test()

    def try_stmt(self, tried: TryBlock, state: State) -> None:
        """Record a `try` whose handlers run on a condition."""
        staged_try(tried, state)

    def with_stmt(self, managed: WithBlock, state: State) -> None:
        """Run a `with`, or record one that suppresses exceptions."""
        staged_with(managed, state)

    def select(self, test: object, then: Thunk, orelse: Thunk, text: str) -> object:
        """Record `then() if test else orelse()`."""
        test = _condition(test)
        if not is_traced(test):
            return then() if test else orelse()
        pred = truth(test, f"the condition `{text}`")
        return chosen(pred, then, orelse, f"the conditional expression on `{text}`", test)

    def logical_and(self, value: object, rest: Thunk, truth: object) -> object:
        """Record `value and rest()`."""
        return self._both(value, rest, truth, "and")

    def logical_or(self, value: object, rest: Thunk, truth: object) -> object:
        """Record `value or rest()`."""
        return self._both(value, rest, truth, "or")

    def _both(self, value: Any, rest: Thunk, tested: object, word: str) -> object:
        is_and = word == "and"
        tested = _condition(tested)
        if not is_traced(tested):
            return (rest() if tested else value) if is_and else (value if tested else rest())
        pred = truth(tested, f"the operand of `{word}`")
        heap = Heap((rest,), {})
        if isinstance(value, PreallocatedList):
            other, *_ = recorded(_knowing(rest, pred, is_and, heap), heap)
            # No result is a list or a bool in JAX: a list counts as its truth.
            value = pred if _is_bool(other) else value
        if _is_bool(value):
            rest = _knowing(rest, value, is_and, heap)
            other, jaxpr, changes = recorded(rest, heap)
            if isinstance(other, PreallocatedList):
                rest = _truth_of(rest)
                other, jaxpr, changes = recorded(rest, heap)
            if other is is_and and not changes:
                return value
            short = len(jaxpr.jaxpr.eqns) <= _SHORT and not jaxpr.effects and not changes
            if _is_bool(other) and short:
                right: Any = rest()
                result: Any = (jnp.logical_and if is_and else jnp.logical_or)(value, right)
                derive(result, word, value, right)
                return result
        then, orelse = (rest, lambda: value) if is_and else (lambda: value, rest)
        found = chosen(pred, then, orelse, f"this `{word}`", tested)
        derive(found, word, tested)
        return found

    def logical_not(self, value: object) -> object:
        """Record `not value`."""
        tested = _condition(value)
        if not is_traced(tested):
            return not tested
        result = jnp.logical_not(truth(tested, "the operand of `not`"))
        derive(result, "not", tested)
        return result

    def get_item(self, container: object, index: object) -> object:
        """Record the choice of an item by an array."""
        return item_of(container, index)

    def set_item(self, target: object, index: object, value: object) -> object:
        """Return the array after an assignment of an item."""
        return assigned(target, index, value)

    def call(
        self,
        word: str,
        args: Sequence[object],
        kwargs: Mapping[str, object],
        again: Callable[..., object] | None = None,
    ) -> Any:
        """Record an operation."""
        return operate(word, args, kwargs, again)

    def refusal(self, message: str, *, iterating: bool = False) -> StagingError:
        """Return the error for an operation that a value does not support, at the user's line."""
        kind = StagedIterationError if iterating else StagingError
        return kind(message, location())


def _condition(value: Any) -> Any:
    """Return the value whose truth a statement tests: the length of a list."""
    if isinstance(value, StackedList):
        return len(value)
    if isinstance(value, TracedOptional):
        found = narrowed(value)
        if found is not value:
            return _condition(found)
        is_given = jnp.logical_not(value.is_none)
        result = jnp.logical_and(is_given, truth(_condition(value.value), "a value or None"))
        derive(is_given, "not", value.is_none)
        derive(result, "and", is_given)
        return result
    return value.length > 0 if isinstance(value, PreallocatedList) else value


def _knowing(rest: Thunk, value: object, holds: bool, heap: Heap) -> Thunk:
    """Return an operand that is evaluated where another one is known to hold, or not to."""

    def run() -> object:
        with facts():
            learn(value, holds)
            heap.narrow()
            try:
                return rest()
            finally:
                heap.widen()

    return run


def _truth_of(rest: Thunk) -> Thunk:
    """Return an operand that is whether a list has items, in the place of the list."""
    return lambda: truth(_condition(rest()), "a list")


def _is_known(iterated: Any) -> bool:
    """Return whether Python iterates over a value: an array, or a list of a length, it knows."""
    if isinstance(iterated, PreallocatedList):
        return isinstance(iterated.length, int)
    return isinstance(iterated, jax.Array) and not is_traced(iterated)


def _is_bool(value: Any) -> bool:
    if isinstance(value, jax.Array):
        return value.ndim == 0 and bool(value.dtype == jnp.bool_)
    return type(value) is bool


def _rest_of_range(items: Iterator[object]) -> TracedIterable | None:
    """Return the numbers that an iterator over a range still has, if they are not few."""
    if type(items) is not type(iter(range(0))):
        return None
    reduced: Any = items.__reduce__()
    _, (numbers,), *index = reduced
    rest = numbers[index[0] or 0 :] if index else numbers
    return items_of(rest) if len(rest) > _FEW else None


def _nothing() -> None:
    return None
