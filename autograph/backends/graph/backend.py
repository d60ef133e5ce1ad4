"""The backend of `runtime` tensors: statements on them become nodes of the graph being recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import runtime as rt
from autograph.backends.graph.aliases.element_ref import is_written_back
from autograph.backends.graph.aliases.invalidation import note_write_back
from autograph.backends.graph.aliases.may_alias import refuse_possible_alias
from autograph.backends.graph.aliases.stale_reads import check_read
from autograph.backends.graph.containers.dict_views import StagedDictView
from autograph.backends.graph.containers.dynamic_sets import DynamicSet, dynamic_form, iterable_of
from autograph.backends.graph.containers.staged_deque import staged_form
from autograph.backends.graph.containers.staged_dict import StagedDict, has_optional_items
from autograph.backends.graph.containers.staged_list import StagedList, repeat
from autograph.backends.graph.control.case_dispatch import (
    NOT_DISPATCHED,
    callable_of,
    dispatch_any,
    dispatch_builtin,
    dispatch_statement,
)
from autograph.backends.graph.control.conditional import do_nothing, staged_choice, staged_if
from autograph.backends.graph.control.loop import Hidden, LoopParts, Opts, staged_loop
from autograph.backends.graph.exceptions.caught_exception import CaughtError, CaughtKind
from autograph.backends.graph.functions.membership import (
    TupleMethods,
    assigned,
    contains,
    get_item,
    set_item,
)
from autograph.backends.graph.functions.string_formatting import StringMethods
from autograph.backends.graph.iterators.comprehensions import GeneratorExpression, rows_to_unroll
from autograph.backends.graph.iterators.staged_iterators import loop_source_of
from autograph.backends.graph.iterators.unpacking import UnpackingMethods
from autograph.backends.graph.iterators.unrolling import unroll_dict_view, unrolled_items
from autograph.backends.graph.program.array_elements import (
    array_builtin,
    as_operand,
    in_place_operand,
)
from autograph.backends.graph.program.arrays import (
    StagedArray,
    as_tensor_index,
    as_tensor_operand,
    is_array,
)
from autograph.backends.graph.program.attribute_dicts import namespace
from autograph.backends.graph.program.source_location import user_location
from autograph.backends.graph.program.staging_log import staging
from autograph.backends.graph.recursion import replacement_of
from autograph.backends.graph.state.iterator_consumption import note_consumed, refuse_used_up
from autograph.backends.graph.state.speculation import speculating
from autograph.backends.graph.tracing.regions import is_recording_anything
from autograph.backends.graph.values.dynamic_shapes import shaped
from autograph.backends.graph.values.infinite_ranges import count_range
from autograph.backends.graph.values.iterables import StagedIterable, remaining_range
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import (
    OptionalValue,
    is_same_object,
    present_arguments,
    python_builtin,
)
from autograph.backends.graph.values.path_scope import refuse_unavailable
from autograph.backends.graph.values.truth import as_python_bool, truth
from autograph.backends.graph.values.unjoinable import UnjoinableValue
from autograph.backends.lazy_filter import LazyIterator
from autograph.backends.protocol import Compare, Thunk
from autograph.backends.try_block import TryBlock
from autograph.backends.with_block import WithBlock
from autograph.errors import StagingError
from autograph.operators.call_listeners import hold_inputs
from autograph.operators.state import State
from runtime.core.context import current_recorder
from runtime.core.lazy_imports import lazy_import
from runtime.data.base_types import AnyDataset, AnyIterator
from runtime.graph.capture import Alias

if TYPE_CHECKING:
    from autograph.backends.graph.exceptions.uncatchable import UncatchableGuard

staged_and = lazy_import("autograph.backends.graph.control.boolean_operators:staged_and")
staged_or = lazy_import("autograph.backends.graph.control.boolean_operators:staged_or")
staged_try = lazy_import("autograph.backends.graph.exceptions.try_except:staged_try")
uncatchable_guard = lazy_import("autograph.backends.graph.exceptions.uncatchable:UncatchableGuard")
staged_with = lazy_import("autograph.backends.graph.exceptions.with_statement:staged_with")
staged_assert = lazy_import("autograph.backends.graph.tracing.assertions:staged_assert")

T = TypeVar("T")
# Imported on first use: few traced functions use these on tensors.
compare_containers = lazy_import(
    "autograph.backends.graph.containers.comparison:compare_containers"
)
compares_parts = lazy_import("autograph.backends.graph.containers.comparison:compares_parts")
raised_value = lazy_import("autograph.backends.graph.exceptions.raise_statement:raised_value")
python_type_of = lazy_import("autograph.backends.graph.match_subjects:python_type_of")
alternatives_of = lazy_import("autograph.backends.graph.match_subjects:alternatives_of")
item_under = lazy_import("autograph.backends.graph.match_subjects:item_under")
split_sequence = lazy_import("autograph.backends.graph.match_subjects:split_sequence")
call_builtin = lazy_import("autograph.backends.graph.builtins:call_builtin")


class GraphBackend(StringMethods, UnpackingMethods):
    """Statements on the values of a graph while it is recorded.

    The values are tensors, Variables and datasets, containers and iterators whose items only a run
    knows, and stand-ins for one of several values, such as an optional value or a caught exception.
    """

    name = "graph"
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
        if is_array(value) or isinstance(value, Alias):
            return None if (met := as_operand(value)) is value else met
        refuse_used_up(value)
        if has_optional_items(value):
            return StagedDict(value)  # type: ignore[arg-type]
        return staged_form(value) if (keyed := dynamic_form(value)) is value else keyed

    def active(self) -> bool:
        """Return whether a graph is being recorded; eager tensors behave as Python values."""
        return current_recorder() is not None

    def staging(self) -> bool:
        """Return whether the graph being recorded holds anything."""
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
        if isinstance(iterated, OptionalValue):
            iterated = iterated.require_value("'NoneType' object is not iterable")
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
        parts = LoopParts(source.hidden, test, run, functions, at_end=source.at_end)
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
                return note_consumed(items)
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

    def pattern_test(self, value: object) -> object:
        """Return the truth of the comparison of a subject with a pattern."""
        return truth(value, "the subject of this `match`, compared with a pattern,")

    def pattern_kind(self, value: object) -> type:
        """Return the type of a tensor, or of the number that a weak one stands for."""
        return python_type_of(value)

    def split_sequence(
        self, subject: object, ahead: int, behind: int | None
    ) -> tuple[object, Sequence[object], object] | None:
        """Return the items that a sequence pattern takes out of a staged list."""
        return split_sequence(subject, ahead, behind)

    def item_under(self, subject: object, key: object) -> tuple[object, object]:
        """Return whether a mapping has a key, and the value under it."""
        return item_under(subject, key)

    def pattern_alternatives(self, subject: object) -> Sequence[tuple[object, object]]:
        """Return the alternatives of a subject, each with its condition."""
        return alternatives_of(subject)

    def try_stmt(self, tried: TryBlock, state: State) -> None:
        """Record a `try`."""
        staged_try(tried, state)

    def uncatchable(self, kinds: Thunk, message: str) -> UncatchableGuard:
        """Return a guard that refuses nodes which may raise one of the classes."""
        return uncatchable_guard(kinds, message)

    def raised(self, value: object) -> object:
        """Return a stand-in for one of several exceptions."""
        return raised_value(value)

    def with_stmt(self, managed: WithBlock, state: State) -> None:
        """Record a `with`."""
        staged_with(managed, state)

    def assert_(self, test: object, message: Thunk | None) -> None:
        """Record a check that raises AssertionError at run time."""
        with staging("assert", test):
            staged_assert(test, message)

    def returned(self, did_return: object, value: object) -> object:
        """Return the result of a call some paths of which end without a `return`."""
        if value is None:
            return None
        defined = truth(did_return)
        if isinstance(value, OptionalValue):
            defined, value = rt.logical_and(defined, value.present), value.value
        return OptionalValue(defined, value)

    def same(self, left: object, right: object) -> object:
        """Return `left is right`; for an optional value and None, its flag.

        Raises:
            StagingError: one is a tuple of inputs, or a container that may be the other one.
        """
        refuse_possible_alias(left, right)
        if hold_inputs(left, right):
            # The tuple is one that the trace made for its inputs, not the program's own. The error
            # makes the next trace take the numbers as constants.
            raise StagingError(
                "`is` compares a tuple with numbers that are inputs of the graph: compare the "
                "numbers",
                user_location(),
            )
        for one, other in ((left, right), (right, left)):
            if isinstance(one, CaughtKind):
                return one.is_kind(other)
        same = is_same_object(left, right)
        return as_python_bool(same) if isinstance(same, rt.Tensor) else same

    def callable_of(self, f: object, callee: Callable[[Any], Any]) -> Callable[..., Any]:
        """Return the replacement of `f`, which may be one of several functions."""
        return callable_of(f, callee) if isinstance(f, OneOfObjects) else f  # type: ignore[return-value]

    def contains(
        self, item: object, container: object, again: Callable[[object, object], object]
    ) -> object:
        """Record `item in container`."""
        item, container = as_tensor_operand(item), as_tensor_operand(container)
        if isinstance(container, OneOfObjects):
            return dispatch_any(container, lambda each: again(item, each), "`in`")
        if isinstance(container, OptionalValue):
            container = container.require_value("argument of type 'NoneType' is not iterable")
        if isinstance(container, LazyIterator):
            return container.holds(lambda each: again(item, [each]))
        return as_python_bool(contains(item, dynamic_form(container)))

    def compares_parts(self, left: object, right: object) -> bool:
        """Return whether both are containers, of which one may be None."""
        return compares_parts(left, right)

    def compare_containers(self, compare: Compare, left: object, right: object) -> object:
        """Record the comparison of two containers, item by item."""
        return compare_containers(compare, left, right)

    def repeat(self, value: list[Any] | tuple[Any, ...], count: Any) -> object:
        """Return `value * count`: a list is repeated by whole numbers, as in Python."""
        return repeat(value, count)

    def list_method(
        self, target: list[Any] | tuple[Any, ...], name: str, args: Sequence[object]
    ) -> object:
        """Record a method of a list or tuple that compares items, or has a tensor as index."""
        items = TupleMethods(target) if isinstance(target, tuple) else StagedList(target)
        return getattr(items, name)(*args)

    def get_item(self, container: object, index: object) -> object:
        """Record the choice of an item by a tensor."""
        return get_item(as_operand(container), as_tensor_index(index))

    def delete_item(self, target: list[Any], index: object) -> None:
        """Record the removal of items from a list."""
        del StagedList(target)[index]

    def refuse_rebinding(self, name: str) -> NoReturn:
        """Raise StagingError: a tensor of a function further out cannot change."""
        raise StagingError(
            f"an item of '{name}' is assigned, which is a tensor, and the variable of a function "
            "further out or of the module: say `nonlocal` or `global` of it, since the variable "
            "gets another tensor",
            user_location(),
        )

    def rows_to_unroll(self, iterated: object) -> object:
        """Return the rows of a tensor as a list if they are few; other values themselves."""
        return rows_to_unroll(as_operand(iterated))

    def generator(self, iterated: object, over: Callable[..., Iterable[object]]) -> object:
        """Return the generator expression over `iterated`."""
        return GeneratorExpression(iterated, over)

    def reads_copy(self, owner: object, key: object) -> bool:
        """Return whether an item is a dynamic one, so that each read makes a copy."""
        return isinstance(owner, StagedList) and not owner.has_at_hand(key)

    def right_operand(self, target: object, value: object) -> object:
        """Return the operand of an in-place change of an array, if the graph knows either."""
        return in_place_operand(target, value)

    def put_item(self, owner: object, key: object, value: object) -> None:
        """Assign an item, which may have been selected from the list before."""
        if isinstance(value, (Alias, StagedArray)):
            return  # It is the stored item, or a view of it.
        item = value.items if isinstance(value, StagedList) else value
        holder = owner.items if isinstance(owner, StagedList) else owner
        if not is_written_back(holder, item):
            before = list(rt.nest.children(holder) or ())
            set_item(owner, key, item)
            note_write_back(holder, item, before)

    def rebinds(self, target: object) -> bool:
        """Return whether `target` is immutable, as a tensor is."""
        return isinstance(target, (rt.Tensor, OptionalValue)) and not isinstance(target, Alias)

    def set_item(self, target: object, index: object, value: object) -> object:
        """Return the new value of the variable after `target[index] = value`."""
        return assigned(target, index, value)

    def shape_owner(self, value: object) -> object:
        """Return the object whose `shape` is read: a stand-in if a dimension is not known."""
        return shaped(value)

    def namespace(self, owner: object, found: T) -> T:
        """Return the attributes of an object, some of which may exist on some paths only."""
        return namespace(owner, found)

    def builtin(
        self,
        name: str,
        args: Sequence[object],
        kwargs: Mapping[str, object],
        again: Callable[..., object] | None = None,
    ) -> object:
        """Return the result of the builtin called `name` on tensors."""
        if again is not None:
            answer = dispatch_builtin(name, args, kwargs, again)
            if answer is not NOT_DISPATCHED:
                return answer
        for each in (args := tuple(map(dynamic_form, args))):
            if isinstance(each, LazyIterator):
                return each.builtin(name, args, kwargs, again)
        if not name.startswith("np."):
            if args and is_array(args[0]):
                answer = array_builtin(name, *args)
                if answer is not NotImplemented:
                    return answer
            args, kwargs = (
                [*map(as_operand, args)],
                {each: as_operand(kwargs[each]) for each in kwargs},
            )
        present = present_arguments(name, args)
        python = None if present is args else python_builtin(name, present)
        return call_builtin(name, present, kwargs) if python is None else python(*present, **kwargs)


def _calling(body: Callable[[object], None], item: object) -> Callable[[], None]:
    return lambda: body(item)
