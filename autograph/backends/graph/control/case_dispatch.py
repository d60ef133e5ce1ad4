"""Case dispatch: a branch for each of several objects, or for an optional value and None."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import reduce
from typing import Any

import runtime as rt
from autograph.backends.backend_registry import register_type_of
from autograph.backends.graph.control.conditional import staged_choice, staged_if
from autograph.backends.graph.tracing.value_tensors import carried_leaves, from_outputs, to_tensors
from autograph.backends.graph.values.branch_facts import known_value
from autograph.backends.graph.values.join import join_all
from autograph.backends.graph.values.one_of_objects import Action, OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.truth import as_python_bool
from autograph.backends.graph.values.value_spec import JoinError, ValueSpec
from autograph.backends.lazy_iterator import LazyIterator
from autograph.errors import StagingError
from autograph.operators.state import State
from runtime.core.context import recording

NOT_DISPATCHED: Any = object()
# Builtins that accept None like any other object; all others raise TypeError for it.
_ACCEPTING_NONE = frozenset(
    "callable dir format getattr hasattr isinstance issubclass repr str type vars".split()
)
# Builtins without effects, which are called for each object without a branch.
_PURE_TESTS = frozenset(("callable", "isinstance", "issubclass"))
# Builtins that return an iterator, which two paths cannot join.
_LAZY = frozenset("enumerate filter iter map reversed zip".split())
# The classes of values, or parts of them, that only a run knows.
_KNOWN_IN_RUNS = (rt.Tensor, rt.Variable, OneOfObjects, OptionalValue)
# Builtins that take the alternatives apart themselves.
_TAKING_ANY = frozenset(("print", "update", "get", "either"))


def dispatch_action(several: OneOfObjects, action: Action, text: str, *given: object) -> Any:
    """Return `action(object)` for the object that is selected at run time.

    Args:
        several: the objects.
        action: the operation on one object.
        text: a description of the operation, for errors.
        given: other values that the operation uses: they are from before it on every path.
    """
    index, options = several.index, several.options
    action = _on_copies(options, action)

    for option in options:
        register_type_of(option)

    def from_range(first: int, last: int) -> object:
        if first == last:
            return action(options[first])
        middle = (first + last - 1) // 2
        return staged_choice(
            _is_among(index, first, middle),
            lambda: from_range(first, middle),
            lambda: from_range(middle + 1, last),
            f"{text} of one of several objects",
            _watched_roots((*options, *given)),
        )

    return from_range(0, len(options) - 1)


def dispatch_statement(
    several: OneOfObjects,
    action: Callable[[Any], None],
    state: State,
    functions: Sequence[Callable[..., object] | None],
) -> None:
    """Run `action(object)`, which changes `state`, for the object that is selected at run time.

    Args:
        several: the objects.
        action: executes the statement for one object.
        state: the variables of the statement.
        functions: the user's functions that the action calls.
    """
    options = several.options
    action = _on_copies(options, action)  # type: ignore[assignment]

    def from_range(first: int, last: int) -> None:
        if first == last:
            return action(options[first])
        middle = (first + last - 1) // 2
        return staged_if(
            _is_among(several.index, first, middle),
            lambda: from_range(first, middle),
            lambda: from_range(middle + 1, last),
            state,
            [each for each in functions if each is not None],
            _watched_roots(options),
        )

    from_range(0, len(options) - 1)


def _is_among(index: rt.Tensor, first: int, last: int) -> rt.Tensor:
    """Return whether an index, which is `first` at least, is `last` at most."""
    return rt.equal(index, first) if first == last else rt.less_equal(index, last)


def _watched_roots(options: Sequence[object]) -> list[tuple[str, object]]:
    """Return the objects, and the functions of lazy iterators among them, by name."""
    lazy = [each for each in options if isinstance(each, LazyIterator)]
    made_by = [(function.__name__, function) for each in lazy for function in each.functions]
    return [*((type(each).__name__, each) for each in options), *made_by]


def _on_copies(options: Sequence[object], action: Action) -> Action:
    """Return the action on copies of lazy iterators: only one of them is consumed."""
    lazy = [each for each in options if isinstance(each, LazyIterator)]
    if not lazy:
        return action
    for each in lazy:
        each.refuse_staged_rest()
    for each in lazy:
        each.mark_rest_staged()
    return lambda each: action(each.copied() if isinstance(each, LazyIterator) else each)


def select_value(several: OneOfObjects, values: Sequence[object], text: str) -> Any:
    """Return the one of `values` at the position of the object that is selected at run time.

    Numbers and objects are looked up by that position. For others, the conditionals follow each
    other and are not nested, so that each one makes a proxy: a change of the result reaches the
    selected container.
    """
    if (spec := _spec_of_scalars(values)) is not None:
        columns = [rt.gather(each, several.index) for each in _columns(spec, values)]
        return from_outputs(spec, columns)
    chosen = values[-1]
    for position in reversed(range(len(values) - 1)):
        then, orelse = values[position], chosen
        chosen = staged_choice(
            rt.equal(several.index, position),
            lambda then=then: then,  # type: ignore[misc]
            lambda orelse=orelse: orelse,  # type: ignore[misc]
            f"{text} of one of several objects",
            [(type(each).__name__, each) for each in (then, orelse)],
        )
    return chosen


def _spec_of_scalars(values: Sequence[object]) -> ValueSpec | None:
    """Return the joined spec of values that scalar tensors carry; None if others are among them."""
    if any(map(rt.nest.is_nested, values)):
        return None
    try:
        spec = join_all([*map(spec_of, values)])
    except (JoinError, StagingError):
        return None
    return spec if all(leaf.tensor_spec.shape.rank == 0 for leaf in carried_leaves(spec)) else None


def _columns(spec: ValueSpec, values: Sequence[object]) -> list[rt.Tensor]:
    """Return for each tensor that carries a value the tensor of those of all values."""
    is_known = not any(isinstance(each, _KNOWN_IN_RUNS) for each in values)
    # The table of values that the trace knows is one constant.
    with recording(None) if is_known else nullcontext():
        return [rt.stack(each) for each in zip(*(to_tensors(spec, each) for each in values))]


def callable_of(several: OneOfObjects, callee: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return a function that calls the converted form of the chosen object."""

    def call(*args: Any, **kwargs: Any) -> Any:
        given = (*args, *kwargs.values())
        return dispatch_action(
            several, lambda each: callee(each)(*args, **kwargs), "a call", *given
        )

    return call


def has_alternatives(value: object) -> bool:
    """Return whether a value is one of several objects, or an optional value."""
    return isinstance(value, (OneOfObjects, OptionalValue))


def dispatch_any(value: object, action: Action, text: str) -> Any:
    """Return `action(object)` for the alternative of a value that is selected at run time."""
    if isinstance(value, OneOfObjects):
        return dispatch_action(value, action, text)
    assert isinstance(value, OptionalValue)
    present = known_value(value.present)
    if present is not None:
        return action(value.value if present else None)
    return staged_choice(
        value.present,
        lambda: action(value.value),
        lambda: action(None),
        f"{text} of a value that may be None",
        [(type(value.value).__name__, value.value)],
    )


def conditional_options(value: object) -> list[tuple[Any, object]]:
    """Return the alternatives of a value, each with its condition: True, or a bool tensor."""
    if isinstance(value, OneOfObjects):
        return [(rt.equal(value.index, at), each) for at, each in enumerate(value.options)]
    if isinstance(value, OptionalValue):
        return [(value.present, value.value), (rt.logical_not(value.present), None)]
    return [(True, value)]


def dispatch_builtin(
    name: str,
    args: Sequence[Any],
    kwargs: Mapping[str, object],
    again: Callable[..., object],
) -> object:
    """Return a builtin's result, dispatched on an argument with alternatives.

    The result is `NOT_DISPATCHED` if there is no such argument.

    Args:
        name: the backend's name of the builtin.
        args: its arguments.
        kwargs: its keyword arguments.
        again: calls the builtin with other arguments.
    """
    at = next((k for k, arg in enumerate(args) if _is_dispatched(name, arg)), None)
    if at is None:
        return _lazy_iterators(args, again, kwargs) if name in _LAZY else NOT_DISPATCHED
    ask: Action = lambda each: again(*args[:at], each, *args[at + 1 :], **kwargs)  # noqa: E731
    if name in _PURE_TESTS:
        answer = _joined_test(args[at], ask)
        if answer is not NOT_DISPATCHED:
            return answer
    return dispatch_any(args[at], ask, f"{name}()")


def _lazy_iterators(
    args: Sequence[Any], again: Callable[..., object], kwargs: Mapping[str, object]
) -> object:
    """Return one of the iterators that a builtin makes of one of several lazy iterators.

    Creating such an iterator has no effect, so all of them are created. Python's own iterators take
    items later, on any path.
    """
    at = next((k for k, arg in enumerate(args) if isinstance(arg, OneOfObjects)), None)
    if at is None or not args[at].are_all(LazyIterator):
        return NOT_DISPATCHED
    made = [again(*args[:at], each, *args[at + 1 :], **kwargs) for each in args[at].options]
    return OneOfObjects(args[at].index, tuple(made))


def _is_dispatched(name: str, value: object) -> bool:
    if isinstance(value, OneOfObjects):
        return name not in _LAZY and name not in _TAKING_ANY
    return isinstance(value, OptionalValue) and name in _ACCEPTING_NONE


def _joined_test(value: object, ask: Action) -> object:
    """Return the result of a test that is True or False for each alternative, without a branch."""
    options = conditional_options(value)
    answers = [ask(each) for _, each in options]
    if not all(isinstance(answer, bool) for answer in answers):
        return NOT_DISPATCHED
    if len(set(answers)) == 1:
        return answers[0]
    if isinstance(value, OptionalValue):
        return as_python_bool(options[0 if answers[0] else 1][0])
    holding = [test for (test, _), answer in zip(options, answers) if answer]
    return as_python_bool(reduce(rt.logical_or, holding))


OneOfObjects.pick = staticmethod(dispatch_action)
OneOfObjects.choose = staticmethod(select_value)
OptionalValue.choose = staticmethod(dispatch_any)
