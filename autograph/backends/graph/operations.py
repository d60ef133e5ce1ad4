"""The operations of `GraphBackend.call` that are neither a builtin nor a statement."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import runtime as rt
from autograph.backends.graph.aliases.element_ref import is_written_back
from autograph.backends.graph.aliases.invalidation import record_write_back
from autograph.backends.graph.aliases.may_alias import refuse_possible_alias
from autograph.backends.graph.aliases.stale_reads import check_read
from autograph.backends.graph.arrays.array_elements import (
    array_builtin,
    as_operand,
    in_place_operand,
)
from autograph.backends.graph.arrays.staged_array import StagedArray, as_tensor_operand, is_array
from autograph.backends.graph.containers.dynamic_keys import dynamic_form
from autograph.backends.graph.containers.staged_deque import StagedDeque
from autograph.backends.graph.containers.staged_list import StagedList, repeat
from autograph.backends.graph.control.case_dispatch import (
    NOT_DISPATCHED,
    callable_of,
    dispatch_any,
    dispatch_builtin,
)
from autograph.backends.graph.control.loop import staged_endless_loop
from autograph.backends.graph.exceptions.caught_exception import CaughtKind
from autograph.backends.graph.functions.string_formatting import (
    DynamicSpecText,
    format_method,
    format_percent,
)
from autograph.backends.graph.functions.strings import (
    join_strings,
    print_text,
    refuse_tensor_names,
    staged_text,
    text_of,
)
from autograph.backends.graph.functions.subscripts import TupleMethods, contains, set_item
from autograph.backends.graph.iterators.comprehensions import GeneratorExpression, rows_to_unroll
from autograph.backends.graph.iterators.staged_iterators import can_iterate_in_python
from autograph.backends.graph.iterators.unpacking import (
    add_operand,
    star_arguments,
    star_items,
    unpack_items,
)
from autograph.backends.graph.iterators.unrolling import unrolled_items
from autograph.backends.graph.objects.attribute_reads import namespace
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.source.staging_log import staging
from autograph.backends.graph.state.iterator_consumption import sequence
from autograph.backends.graph.values.dynamic_items import is_staged
from autograph.backends.graph.values.dynamic_shapes import shaped
from autograph.backends.graph.values.iterables import SymbolicRange
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import (
    OptionalValue,
    is_same_object,
    present,
    present_arguments,
)
from autograph.backends.graph.values.truth import as_python_bool, truth
from autograph.backends.lazy_iterator import LazyIterator
from autograph.backends.protocol import Thunk
from autograph.errors import StagingError
from autograph.operators.call_listeners import hold_inputs
from runtime.core.lazy_imports import lazy_import
from runtime.graph.capture import TensorAlias

# Imported on first use: few traced functions use these on tensors.
compare_containers = lazy_import(
    "autograph.backends.graph.containers.comparison:compare_containers"
)
compares_parts = lazy_import("autograph.backends.graph.containers.comparison:compares_parts")
raised_value = lazy_import("autograph.backends.graph.exceptions.raise_statement:raised_value")
uncatchable_guard = lazy_import("autograph.backends.graph.exceptions.uncatchable:UncatchableGuard")
staged_assert = lazy_import("autograph.backends.graph.control.assertions:staged_assert")
python_type_of = lazy_import("autograph.backends.graph.match_subjects:python_type_of")
alternatives_of = lazy_import("autograph.backends.graph.match_subjects:alternatives_of")
item_under = lazy_import("autograph.backends.graph.match_subjects:item_under")
split_sequence = lazy_import("autograph.backends.graph.match_subjects:split_sequence")
methods_of_text = lazy_import("runtime.ops.python.string_methods:methods_of_text")
call_builtin = lazy_import("autograph.backends.graph.builtins:call_builtin")

_CONTAINERS = (list, dict, deque)
_LIST, _DEQUE, _TUPLE, _TEXT = "list.", "deque.", "tuple.", "str."


def operate(
    word: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    again: Callable[..., object] | None = None,
) -> object:
    """Return the result of an operation, a method or a builtin; arguments as for `Backend.call`.

    Raises:
        StagingError: the operation has no meaning on symbolic tensors, or on these.
    """
    if word == "contains":
        return OPERATIONS[word](*args, again)
    operation = OPERATIONS.get(word)
    if operation is not None:
        return operation(*args, **kwargs)
    if word.startswith(_TEXT):
        text, *more = args
        return methods_of_text(text, word.removeprefix(_TEXT))(*more)
    if word.startswith(_LIST):
        return getattr(StagedList(args[0]), word.removeprefix(_LIST))(*args[1:])
    if word.startswith(_DEQUE):
        return getattr(StagedDeque(args[0]), word.removeprefix(_DEQUE))(*args[1:])
    if word.startswith(_TUPLE):
        return getattr(TupleMethods(args[0]), word.removeprefix(_TUPLE))(*args[1:])
    return _builtin(word, args, kwargs, again)


def _builtin(
    name: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    again: Callable[..., object] | None,
) -> object:
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
        args, kwargs = [*map(as_operand, args)], {each: as_operand(kwargs[each]) for each in kwargs}
    for each in args:
        if type(each) in _CONTAINERS:
            check_read(each)
    given = present_arguments(name, args)
    if given is not args and again is not None:
        return again(*given, **kwargs)
    return call_builtin(name, given, kwargs)


def _right_operand(target: Any, value: Any) -> Any:
    """Return the operand of an in-place change of an array or deque.

    A deque takes dynamic items here: Python would drop too many items at its other end.
    """
    is_dynamic = isinstance(value, StagedList) or is_staged(value) or is_staged(target)
    if type(target) is not deque or not is_dynamic:
        return in_place_operand(target, value)
    StagedDeque(target).extend(value)
    return ()


def _assert(test: object, message: Thunk | None) -> None:
    """Record a check that raises AssertionError at run time."""
    with staging("assert", test):
        staged_assert(test, message)


def _same(left: object, right: object) -> object:
    """Return `left is right`; for an optional value and None, its flag.

    Raises:
        StagingError: one is a tuple of inputs, or a container that may be the other one.
    """
    refuse_possible_alias(left, right)
    if hold_inputs(left, right):
        # The tuple is one that the trace made for its inputs, not the program's own. The error
        # makes the next trace take the numbers as constants.
        raise StagingError(
            "`is` compares a tuple with numbers that are inputs of the graph: compare the numbers",
            user_location(),
        )
    for one, other in ((left, right), (right, left)):
        if isinstance(one, CaughtKind):
            return one.is_kind(other)
    same = is_same_object(left, right)
    return as_python_bool(same) if isinstance(same, rt.Tensor) else same


def _contains(item: object, container: object, again: Any) -> object:
    """Record `item in container`."""
    item, container = as_tensor_operand(item), as_tensor_operand(container)
    if isinstance(container, OneOfObjects):
        return dispatch_any(container, lambda each: again(item, each), "`in`")
    if isinstance(container, OptionalValue):
        return again(item, present(container, "argument of type 'NoneType' is not iterable"))
    if isinstance(container, LazyIterator):
        return container.holds(lambda each: again(item, [each]))
    return as_python_bool(contains(item, dynamic_form(container)))


def _returned(did_return: object, value: object) -> object:
    """Return the result of a call some paths of which end without a `return`."""
    if value is None:
        return None
    defined = truth(did_return)
    if isinstance(value, OptionalValue):
        defined, value = rt.logical_and(defined, value.present), value.value
    return OptionalValue(defined, value)


def _callable_of(f: object, callee: Callable[[Any], Any]) -> object:
    """Return the replacement of `f`, which may be one of several functions, or None."""
    if isinstance(f, OptionalValue):
        none = "'NoneType' object is not callable"
        return lambda *args, **kwargs: callee(present(f, none))(*args, **kwargs)
    return callable_of(f, callee) if isinstance(f, OneOfObjects) else f


def _refuse_rebinding(name: str) -> NoReturn:
    """Raise StagingError: a tensor of a function further out cannot change."""
    raise StagingError(
        f"an item of '{name}' is assigned, which is a tensor, and the variable of a function "
        "further out or of the module: say `nonlocal` or `global` of it, since the variable "
        "gets another tensor",
        user_location(),
    )


def _rebinds(target: object) -> bool:
    """Return whether `target` is immutable, as a tensor is."""
    return isinstance(target, (rt.Tensor, OptionalValue)) and not isinstance(target, TensorAlias)


def _reads_copy(owner: object, key: object) -> bool:
    """Return whether an item is a dynamic one, so that each read makes a copy."""
    return isinstance(owner, StagedList) and not owner.has_at_hand(key)


def _put_item(owner: object, key: object, value: object) -> None:
    """Assign an item, which may have been selected from the list before."""
    if isinstance(value, (TensorAlias, StagedArray)):
        return  # It is the stored item, or a view of it.
    item = value.items if isinstance(value, StagedList) else value
    holder = owner.items if isinstance(owner, StagedList) else owner
    if not is_written_back(holder, item):
        before = list(rt.nest.children(holder) or ())
        set_item(owner, key, item)
        record_write_back(holder, item, before)


def _pattern_test(value: object) -> object:
    """Return the truth of the comparison of a subject with a pattern."""
    return truth(value, "the subject of this `match`, compared with a pattern,")


def _print(*values: object, **options: Any) -> None:
    """Record that `print(*values, **options)` prints at run time."""
    print_text(values, **options)


def _format(template: str, *args: object, **kwargs: object) -> object:
    return format_method(template, args, kwargs)


def _joined(text: str, is_kept: bool) -> object:
    """Return a string tensor for a text with marks in it, made at run time."""
    return staged_text(refuse_tensor_names(text) if is_kept else text)


# The meaning of each operation of `MEANINGS` (in `backends/python.py`) that differs from Python's,
# and of methods that the staged list, tuple or text does not have under their own name.
OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "assert": _assert,
    "same": _same,
    "contains": _contains,
    "compares_parts": compares_parts,
    "compare_containers": compare_containers,
    "returned": _returned,
    "callable_of": _callable_of,
    "raised": raised_value,
    "endless_while": staged_endless_loop,
    "uncatchable": uncatchable_guard,
    "sequence": sequence,
    "consuming": unrolled_items,
    "unpack_items": unpack_items,
    "star_items": star_items,
    "star_arguments": star_arguments,
    "rows_to_unroll": lambda iterated: rows_to_unroll(as_operand(iterated)),
    "generator": GeneratorExpression,
    "never_changes": lambda value: isinstance(value, (rt.Tensor, SymbolicRange)),
    "add_operand": add_operand,
    "is_iterable_in_python": can_iterate_in_python,
    "right_operand": _right_operand,
    "rebinds": _rebinds,
    "refuse_rebinding": _refuse_rebinding,
    "reads_copy": _reads_copy,
    "takes_slice": lambda container, index: False,
    "put_item": _put_item,
    "namespace": namespace,
    "shape_owner": shaped,
    "pattern_test": _pattern_test,
    "pattern_kind": python_type_of,
    "pattern_alternatives": alternatives_of,
    "split_sequence": split_sequence,
    "item_under": item_under,
    "text": text_of,
    "sized": DynamicSpecText,
    "joined": _joined,
    "print": _print,
    "list.__mul__": repeat,
    "tuple.__mul__": repeat,
    "str.__mod__": format_percent,
    "str.format": _format,
    "str.join": join_strings,
}
