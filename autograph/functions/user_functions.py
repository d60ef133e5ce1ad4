"""Users' functions that the runtime calls: converted, and traced once.

dataset.map(f)          f is converted and traced once; each element is a run of the graph
rt.map_fn(f, x)         the same for the elements of a tensor

The runtime calls this module by the hooks of `runtime_hooks`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.final_checks import recording_aliases
from autograph.backends.graph.aliases.proxies import flush_changes
from autograph.backends.graph.aliases.stale_reads import (
    check_left_outside,
    check_read,
    checked_result,
)
from autograph.backends.graph.arrays.staged_array import as_tensor_operand
from autograph.backends.graph.objects.object_contents import Contents, contents_of
from autograph.backends.graph.recursion import RecordingSnapshot, traced
from autograph.backends.graph.source.library_boundary import is_network, users_parts
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state import change_detection as watch
from autograph.backends.graph.state.alias_state import (
    alias_snapshot,
    alias_state,
    roll_back_aliases,
)
from autograph.backends.graph.state.object_paths import entry_name
from autograph.backends.graph.state.reachability import Reach
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.conversion.convert import called
from autograph.errors import ContainerMutationError, TraceEffectWarning
from autograph.functions.decorator import is_of_cell
from autograph.functions.eager import SWITCH
from autograph.functions.function import Function
from autograph.functions.side_effects.leaks import restore_symbolic
from autograph.functions.state.guards import AnyGuard, guards_of, warn_of_stale
from autograph.functions.trace_lookup import FAILURES
from autograph.functions.tracing.trace_target import staged_form
from autograph.operators.call_listeners import StagedGenerators, recording_generators
from runtime.core.context import caller_origin
from runtime.core.source_names import line_name, warn_at


def prepared(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the form of a user's function that a dataset traces.

    It is traced once, so its effects in Python happen once. A change of Python state from before
    warns with a TraceEffectWarning; one that stores a tensor there raises a ContainerMutationError.

    Example:
        >>> import autograph.runtime as rt
        >>> limited = rt.data.Dataset.range(4).map(lambda n: 2 if n > 2 else n)
        >>> [int(number) for number in limited]
        [0, 1, 2, 2]
    """
    if SWITCH.on and isinstance(function, Function):
        function = function.python_function  # Its arguments are tensors of a graph, also here.
    staged, guards, warned = staged_form(function), list[AnyGuard](), set[object]()

    def traced_once(*elements: Any) -> Any:
        watched = _watched_by(function)
        with recording_aliases(check_read):
            result = _traced(staged, elements, watched)
            flush_changes()
            check_left_outside()
            result = rt.nest.map_structure(as_tensor_operand, checked_result(result))
        _warn_of_changes(watched)
        guards[:] = guards_of(watched, (), is_fast=True) if is_of_cell(function) else ()
        return result

    def warn_if_stale(name: str) -> None:
        remedy = "make the dataset anew, too"
        warn_of_stale(guards, warned, name, caller_origin(), once=True, remedy=remedy)

    traced_once.warn_if_stale = warn_if_stale  # type: ignore[attr-defined]
    return traced_once


def traced_by_op(function: Callable[..., Any], op: str) -> Callable[..., Any]:
    """Return the form of a user's function that an op traces as a region of its node.

    Its effects in Python happen once. They cause a warning if a Function is being traced, and none
    in a graph that the user records by hand.

    Args:
        function: a branch, the body of a loop, or the like.
        op: the name of the op, such as "cond".
    """
    staged = called(function)

    def traced_once(*args: Any) -> Any:
        watched = _watched_by(function)
        result = staged(*args)
        if changes := watch.changed(watched):
            _warn_of(_change_text(changes[0], f"that {op} was given"), "in each run")
        return result

    return traced_once if alias_state() is not None else staged


def sketched(call: Callable[[], Any], owner: object) -> Any:
    """Return the result of a call that records a graph for its shapes alone.

    The state of `owner`, a layer, that the call leaves with tensors of that graph has its former
    values afterwards: the graph never runs.
    """
    if is_network(type(owner)) and not users_parts(owner, {}):
        return call()
    watched = watch.watch()
    watched.add("self", owner, watch.DEEPEST)
    try:
        return call()
    finally:
        watched.close()
        restore_symbolic(watched)


def _watched_by(function: Callable[..., Any]) -> Reach:
    """Return a watcher of the objects that a function can change."""
    watched = watch.watch()
    if type(function) is FunctionType:
        watched.add_outer(function, watch.DEEPEST, is_traced=True)
    else:
        watched.add("function", function, watch.DEEPEST)
    watched.note(function)
    return watched


def _traced(
    function: Callable[..., Any], elements: Sequence[Any], watched: list[watch.WatchedObject]
) -> Any:
    """Trace a function; if that fails, trace it again with its generators staged."""
    following: StagedGenerators | None = StagedGenerators()
    while True:
        before, alias_state = RecordingSnapshot(), alias_snapshot()
        assert following is not None
        with recording_generators(following) as called:
            try:
                return traced(function)(*elements)
            except FAILURES as error:
                following = called.next_attempt(error)
                if following is None:
                    raise
                before.restore()
                roll_back_aliases(alias_state)
                watch.restore(watched)
                if watch.changed(watched):
                    raise  # An iterator does not go back.


def _warn_of_changes(watched: list[watch.WatchedObject]) -> None:
    """Warn of changes of Python state; undo and refuse them if one has stored a symbolic tensor."""
    changes = watch.changed(watched)
    if not changes:
        return
    text = _change_text(changes[0], "of a dataset")
    if not any(map(_holds_symbolic, (now for _, now in changes))):
        return _warn_of(text, "for each element")
    watch.restore(watched)
    raise ContainerMutationError(
        f"{text} for each element: return what is to be kept, and gather it in a `for` over "
        "the dataset",
        user_location(),
    )


def _change_text(change: tuple[watch.WatchedObject, Contents], whose: str) -> str:
    """Return the text of a change; `whose` follows "a function"."""
    each, now = change
    keys = [key for key in {**each.contents, **now} if each.contents.get(key) is not now.get(key)]
    name = (entry_name(each, keys[0]) if keys else each.name).removesuffix(".")
    return f"'{name}' is changed by a function {whose}, which is traced once and not called"


def _warn_of(text: str, when: str) -> None:
    place = user_location()
    message = f"{text} {when}: it changes once"
    if place is not None:
        message += f" (at {line_name(place.filename, place.line)})"
    warn_at(place, message, TraceEffectWarning)


def _holds_symbolic(value: object, depth: int = 4) -> bool:
    """Return whether a value is, or contains, a value that only a run knows."""
    if isinstance(
        value, (rt.SymbolicTensor, DynamicItems, OptionalValue, OneOfObjects, PossiblyUnbound)
    ):
        return True
    if depth == 0:
        return False
    inside = value.values() if isinstance(value, dict) else rt.nest.children(value)
    if inside is None:
        inside = (contents_of(value) or {}).values()
    return any(_holds_symbolic(each, depth - 1) for each in inside)
