"""The backend of `runtime` tensors: statements on them become nodes of the graph being recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.stale_reads import check_read
from autograph.backends.graph.arrays.array_elements import as_operand
from autograph.backends.graph.arrays.staged_array import as_tensor_index, is_array
from autograph.backends.graph.containers.dict_views import StagedDictView
from autograph.backends.graph.containers.dynamic_keys import (
    DynamicSet,
    dynamic_form,
    iterable_of,
)
from autograph.backends.graph.containers.staged_deque import staged_form
from autograph.backends.graph.containers.staged_dict import StagedDict, has_optional_items
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.control.case_dispatch import dispatch_statement
from autograph.backends.graph.control.conditional import do_nothing, staged_choice, staged_if
from autograph.backends.graph.control.loop import Hidden, LoopParts, Opts, staged_loop
from autograph.backends.graph.exceptions.caught_exception import CaughtError, CaughtKind
from autograph.backends.graph.functions.subscripts import assigned, get_item
from autograph.backends.graph.iterators.staged_iterators import loop_source_of
from autograph.backends.graph.iterators.unrolling import unroll_dict_view, unrolled_items
from autograph.backends.graph.operations import operate
from autograph.backends.graph.recursion import replacement_of
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.source.staging_log import staging
from autograph.backends.graph.state.iterator_consumption import record_consumed, refuse_used_up
from autograph.backends.graph.state.speculation import speculating
from autograph.backends.graph.tracing.regions import is_recording_anything
from autograph.backends.graph.values.infinite_ranges import count_range
from autograph.backends.graph.values.iterables import StagedIterable, remaining_range
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.truth import UnjoinableValue, as_python_bool, truth
from autograph.backends.graph.values.value_scope import refuse_unavailable
from autograph.backends.lazy_iterator import LazyIterator
from autograph.backends.protocol import Thunk
from autograph.backends.try_block import TryBlock
from autograph.backends.with_block import WithBlock
from autograph.errors import StagedIterationError, StagingError
from autograph.operators.state import State
from runtime.core.context import current_recorder
from runtime.core.lazy_imports import lazy_import
from runtime.data.base_types import AnyDataset, AnyIterator
from runtime.graph.capture import TensorAlias

staged_and = lazy_import("autograph.backends.graph.control.boolean_operators:staged_and")
staged_or = lazy_import("autograph.backends.graph.control.boolean_operators:staged_or")
staged_try = lazy_import("autograph.backends.graph.exceptions.try_except:staged_try")
staged_with = lazy_import("autograph.backends.graph.exceptions.with_statement:staged_with")


class GraphBackend:
    """The backend of symbolic tensors: each statement on them is recorded in the graph.

    The values are tensors, Variables and datasets, containers and iterators whose items only a run
    knows, and stand-ins for one of several values, such as an optional value or a caught exception.
    """

    name = "graph"
    # Returns the graph that is recorded, or None: eager tensors behave as Python values.
    recorder = staticmethod(current_recorder)
    replacement_of = staticmethod(replacement_of)

    def owned_types(self) -> tuple[type, ...]:
        """Return the types that this backend owns."""
        lists = (StagedIterable, StagedList, StagedDict, StagedDictView, DynamicSet)
        return (
            rt.Tensor,
            rt.Variable,
            AnyDataset,
            AnyIterator,
            *lists,
            OptionalValue,
            OneOfObjects,
            UnjoinableValue,
            CaughtError,
            CaughtKind,
            LazyIterator,
        )

    def stands_in(self, value: object) -> object | None:
        """Return the staged form of a list, deque, dict, set or array; None for other values.

        Only a value of which the graph knows items, keys or elements has one. A use of `value` is
        checked in any case.

        Raises:
            ContainerMutationError: as `check_read`, or for an iterator that is partly consumed.
            StagingError: its class overrides methods of a list or deque, or it has keys that are
                known beside others that are not.
        """
        check_read(value)
        if is_array(value) or isinstance(value, TensorAlias):
            return None if (met := as_operand(value)) is value else met
        refuse_used_up(value)
        if has_optional_items(value):
            return StagedDict(value)  # type: ignore[arg-type]
        return staged_form(value) if (keyed := dynamic_form(value)) is value else keyed

    def staging(self) -> bool:
        """Return whether the graph being recorded contains anything."""
        return is_recording_anything(current_recorder())

    def cond(self, test: object, body: Thunk, orelse: Thunk, state: State) -> None:
        """Record an `if`."""
        pred = truth(test, "the condition of this `if`")
        with staging("if", pred, state):
            staged_if(pred, body, orelse, state)  # type: ignore[arg-type]

    def while_loop(self, test: Thunk, body: Thunk, state: State, opts: Opts, first: object) -> None:
        """Record a `while` from the state it has reached."""
        what = "the condition of this `while`"

        def run(hidden: Hidden) -> Hidden:
            body()
            return []

        def again(hidden: Hidden) -> rt.Tensor:
            return truth(test(), what)

        parts = LoopParts([], again, run, (body, test), truth(first, what))
        with staging("while", parts.first, state):
            staged_loop(parts, state, opts)

    def for_loop(
        self,
        iterated: object,
        extra_test: Thunk | None,
        body: Callable[[object], None],
        state: State,
        opts: Opts,
    ) -> None:
        """Record a `for` over an iterable of the graph.

        A loop over a dict with optional items is unrolled, and one of several lazy iterators gets a
        branch.
        """
        if isinstance(iterated, LazyIterator):
            refuse_unavailable(iterated)
            return iterated.for_each(extra_test, body, state)
        if isinstance(iterated, OneOfObjects) and iterated.are_all(LazyIterator):
            each_loop = lambda each: self.for_loop(each, extra_test, body, state, opts)  # noqa: E731
            return dispatch_statement(iterated, each_loop, state, (body, extra_test))
        iterated = iterable_of(iterated)
        if isinstance(iterated, (StagedDict, StagedDictView)) or has_optional_items(iterated):
            with staging("for", iterated, state):
                return unroll_dict_view(iterated, extra_test, body, state)
        source = loop_source_of(iterated)

        def test(hidden: Hidden) -> rt.Tensor:
            if extra_test is not None and source.draws:
                return source.more_if(lambda: truth(extra_test()), hidden)
            more = source.more(hidden)
            return more if extra_test is None else self.logical_and(more, extra_test, more)  # type: ignore[return-value]

        def run(hidden: Hidden) -> Hidden:
            iteration = source.iteration(hidden)
            if iteration.has_item is None:
                body(iteration.item())
            else:
                called = (body, *source.functions)
                staged_if(
                    iteration.has_item, lambda: body(iteration.item()), do_nothing, state, called
                )
            return iteration.following()

        functions = (body, extra_test, *source.functions)
        target = str(opts.get("iterate_names", "")) if source.is_item else ""
        parts = LoopParts(source.hidden, test, run, functions, None, source.at_end, target)
        with staging("for", iterated, state):
            staged_loop(parts, state, opts)

    def for_rest(
        self,
        proceed: object,
        items: Iterator[object],
        extra_test: Thunk,
        body: Callable[[object], None],
        state: State,
    ) -> None:
        """Unroll the rest of a Python loop, each iteration under the condition to get there.

        The rest of a long range, and of `itertools.count()`, becomes a loop of the graph if
        possible.
        """
        numbers = remaining_range(items) or count_range(items)
        if numbers is not None:
            with speculating() as tried:
                self.for_loop(numbers, extra_test, body, state, {})
            if tried.succeeded:
                return record_consumed(items)
        for item in unrolled_items(items):
            with staging("rest of for", proceed, state):
                run, given = _calling(body, item), [("the item", item)]
                staged_if(truth(proceed), run, do_nothing, state, (body,), given)
            proceed = extra_test()
            if not isinstance(proceed, rt.Tensor) and not proceed:
                return

    def select(self, test: object, then: Thunk, orelse: Thunk, text: str) -> object:
        """Record `then() if test else orelse()`."""
        pred = truth(test, f"the condition `{text}`")
        with staging("conditional expression", pred):
            return staged_choice(pred, then, orelse, text)

    def logical_and(self, value: object, rest: Thunk, truth: object) -> object:
        """Record `value and rest()`."""
        with staging("and", truth):
            return staged_and(value, rest, truth)

    def logical_or(self, value: object, rest: Thunk, truth: object) -> object:
        """Record `value or rest()`."""
        with staging("or", truth):
            return staged_or(value, rest, truth)

    def logical_not(self, value: object) -> object:
        """Record `not value`."""
        with staging("not", value):
            return as_python_bool(rt.logical_not(truth(value, "the operand of `not`")))

    def try_stmt(self, tried: TryBlock, state: State) -> None:
        """Record a `try`."""
        staged_try(tried, state)

    def with_stmt(self, managed: WithBlock, state: State) -> None:
        """Record a `with`."""
        staged_with(managed, state)

    def get_item(self, container: object, index: object) -> object:
        """Record the choice of an item by a tensor."""
        return get_item(as_operand(container), as_tensor_index(index))

    def set_item(self, target: object, index: object, value: object) -> object:
        """Return the new value of the variable after `target[index] = value`."""
        return assigned(target, index, value)

    def call(
        self,
        word: str,
        args: Sequence[object],
        kwargs: Mapping[str, object],
        again: Callable[..., object] | None = None,
    ) -> Any:
        """Record an operation, a method of a list or text, or a builtin."""
        return operate(word, args, kwargs, again)

    def refusal(self, message: str, *, iterating: bool = False) -> StagingError:
        """Return the error for an operation that a value does not support, at the user's line."""
        kind = StagedIterationError if iterating else StagingError
        return kind(message, user_location())


def _calling(body: Callable[[object], None], item: object) -> Callable[[], None]:
    return lambda: body(item)
