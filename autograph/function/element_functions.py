"""Functions that datasets and ops are given: converted, traced once, and watched.

dataset.map(f)    ->    f is converted and traced once; a run of it per element is a run of a graph
rt.map_fn(f, x)   ->    the same
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.at_the_end import noting_twins
from autograph.backends.graph.aliases.proxies import settle
from autograph.backends.graph.aliases.touching import look_at, touch_left, touched
from autograph.backends.graph.program.arrays import plain
from autograph.backends.graph.program.contents import Contents, contents_of
from autograph.backends.graph.program.places import user_place
from autograph.backends.graph.recursion import RecordedSoFar, traced
from autograph.backends.graph.values.nullable import Nullable
from autograph.backends.graph.values.one_of_objects import Several
from autograph.backends.graph.values.staged_items import StagedItems
from autograph.backends.graph.watching import watch
from autograph.backends.graph.watching.noted import noted, noted_so_far, take_back
from autograph.backends.graph.watching.watched import entry_name
from autograph.backends.maybe import Maybe
from autograph.conversion.convert import called
from autograph.errors import ContainerMutationError, TraceEffectWarning
from autograph.function.eager import SWITCH
from autograph.function.function import Function
from autograph.function.trace_lookup import FAILURES
from autograph.function.trace_target import staged_form
from autograph.operators.call_listeners import Staged, noting_generators


def prepared(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what is traced in place of a function of the user's that is given to a dataset.

    It is traced once, so what it does in Python happens once: the one returned warns where the
    function changes what was there before, with a TraceEffectWarning, and raises a
    ContainerMutationError where it would leave a tensor there that has no value.

    Example:
        >>> import runtime as rt
        >>> limited = rt.data.Dataset.range(4).map(lambda n: 2 if n > 2 else n)
        >>> [int(number) for number in limited]
        [0, 1, 2, 2]
    """
    if SWITCH.on and isinstance(function, Function):
        function = function.python_function  # It is called with tensors of a graph all the same.
    staged = staged_form(function)

    def traced_once(*elements: Any) -> Any:
        # The function is no body of a statement, whose variables would be known by their names.
        watched = _watched_by(function)
        with noting_twins(look_at):
            result = _traced(staged, elements, watched)
            settle()
            touch_left()
            result = rt.nest.map_structure(plain, touched(result))
        _tell_of_changes(watched)
        return result

    return traced_once


def traced_by_op(function: Callable[..., Any], op: str) -> Callable[..., Any]:
    """Return what an op traces in place of a function of the user's that it is given.

    What the function does in Python happens once, and is told, where a function of the user's is
    traced; who records a graph by hand knows.

    Args:
        function: a branch, the body of a loop, or the like.
        op: the name of the op, such as "cond".
    """
    staged = called(function)

    def traced_once(*args: Any) -> Any:
        watched = _watched_by(function)
        result = staged(*args)
        if changes := watch.changed(watched):
            _warn_of(_told(changes[0], f"that {op} was given"), "in each run")
        return result

    return traced_once if noted() is not None else staged


def _watched_by(function: Callable[..., Any]) -> list[watch.Watched]:
    """Return what a function can change, as it is now."""
    watched = watch.watch()
    if type(function) is FunctionType:
        watched.add_outer(function, watch.DEEPEST, is_traced=True)
    else:
        watched.add("function", function, watch.DEEPEST)
    watched.note(function)
    return watched


def _traced(
    function: Callable[..., Any], elements: Sequence[Any], watched: list[watch.Watched]
) -> Any:
    """Trace a function; once more, with generators in it staged, if that fails."""
    following: Staged | None = Staged()
    while True:
        before, noted = RecordedSoFar(), noted_so_far()
        assert following is not None
        with noting_generators(following) as called:
            try:
                return traced(function)(*elements)
            except FAILURES as error:
                following = called.next_try(error)
                if following is None:
                    raise
                before.restore()
                take_back(noted)
                watch.restore(watched)
                if watch.changed(watched):
                    raise  # An iterator does not go back.


def _tell_of_changes(watched: list[watch.Watched]) -> None:
    """Warn of changes that happened once, or undo them and refuse those that a graph would make."""
    changes = watch.changed(watched)
    if not changes:
        return
    told = _told(changes[0], "of a dataset")
    if not any(map(_holds_symbolic, (now for _, now in changes))):
        return _warn_of(told, "for each element")
    watch.restore(watched)
    raise ContainerMutationError(
        f"{told} for each element: return what is to be kept, and gather it in a `for` over "
        "the dataset",
        user_place(),
    )


def _told(change: tuple[watch.Watched, Contents], whose: str) -> str:
    """Return a change in words; `whose` goes on after "a function"."""
    each, now = change
    keys = [key for key in {**each.contents, **now} if each.contents.get(key) is not now.get(key)]
    name = (entry_name(each, keys[0]) if keys else each.name).removesuffix(".")
    return f"'{name}' is changed by a function {whose}, which is traced once and not called"


def _warn_of(told: str, when: str) -> None:
    place = user_place()
    message = f"{told} {when}: it changes once"
    if place is None:
        return warnings.warn(message, TraceEffectWarning, stacklevel=3)
    message = f"{message} (at {place.filename}:{place.line})"
    return warnings.warn_explicit(message, TraceEffectWarning, place.filename, place.line)


def _holds_symbolic(value: object, depth: int = 4) -> bool:
    """Tell whether a value is, or holds, something that only a run of a graph knows."""
    if isinstance(value, (rt.SymbolicTensor, StagedItems, Nullable, Several, Maybe)):
        return True
    if depth == 0:
        return False
    inside = value.values() if isinstance(value, dict) else rt.nest.children(value)
    if inside is None:
        inside = (contents_of(value) or {}).values()
    return any(_holds_symbolic(each, depth - 1) for each in inside)
