"""Detection of recursion that only a tensor can end.

    fact(n)                           the first call; its body is traced like any other
      if n <= 1: ... else:            a branch of the graph
        fact(n - 1)                   a call like the first, in a branch of it: tracing this call,
                                      too, would go on for ever

At the second call, the trace returns to the first one, which becomes a body that calls itself
(`recursive_functions`). Calls that differ in a Python number or object are not like the first:
Python may end the recursion there. Each is traced separately, as long as there is room on the
stack.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any, NoReturn

from autograph.backends.graph.functions.library_calls import library_replacement
from autograph.backends.graph.source.name_references import refers_to_itself
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state import change_detection as watch
from autograph.backends.graph.state.alias_state import alias_snapshot, roll_back_aliases
from autograph.backends.graph.tracing.arguments import (
    ArgumentsByParameter,
    ArgumentSpecs,
    common_specs,
    joined_specs,
)
from autograph.backends.graph.tracing.trace_call_stack import (
    ActiveCall,
    active_calls,
    calls_around,
    entering_calls,
)
from autograph.backends.graph.values.value_spec import ValueSpec
from autograph.errors import AutographError, NestingError, StagingError
from autograph.operators.frames import code_info_of, original_of
from runtime.core.context import current_recorder
from runtime.core.lazy_imports import lazy_import
from runtime.errors import OpError
from runtime.graph.graph import Graph
from runtime.graph.rollback import roll_back, save_state
from runtime.graph.try_region import TryGraph

forget_snapshots = lazy_import("autograph.backends.graph.exceptions.try_except:forget_snapshots")
graphs_recording = lazy_import("autograph.backends.graph.exceptions.try_except:graphs_recording")

RecursiveFunction = lazy_import(
    "autograph.backends.graph.control.recursive_functions:RecursiveFunction"
)

# The number of nested calls, all told apart by Python, that count as endless recursion once the
# stack has hardly any room for another call.
_MANY = 8
# The number of bodies of one function, each for other numbers, that are traced inside each other:
# each one is traced several times, and every time traces those inside of it.
_MOST_BODIES = 3
# The number of calls inside of one call, all told apart by Python numbers, that are traced each on
# its own: if every call makes two, their number doubles with each level.
_MOST_CALLS = 1000
# The shares of Python's stack that calls may use: calls that differ only in numbers, and all
# others. The rest of the stack is for tracing the functions that they call.
_MUCH, _MOST = 0.7, 0.85
# Of the calls that use more than `_MUCH`, every fourth is checked, since a check is expensive.
_APART = 4
# The numbers of nested calls at which a check happens if no branch is in between: Python may well
# end the recursion itself, and a check takes room on its stack.
_LOOKED_AT = frozenset({50, 100, 200, 400, 800})
_SUSPENDING = 0x20 | 0x80 | 0x200  # generators, coroutines, asynchronous generators


class _RecursionFound(BaseException):
    """Raised to unwind to the first call of a function that turned out to be recursive."""

    def __init__(self, call: ActiveCall) -> None:
        self.call = call


def replacement_of(converted: Any) -> Any:
    """Return the function that a trace calls in place of a converted one, to detect recursion.

    This is the function itself, unless it may call itself again in a branch or loop. A library's
    function has the replacement of `library_replacement`.
    """
    recorder = _recording()
    if recorder is None:
        return converted
    if type(converted) is not FunctionType:
        return converted
    if (called := library_replacement(converted)) is not converted:
        return called
    if recorder.outer is None and active_calls() is None:
        return converted
    if not _may_recur(converted, recorder):
        return converted
    return partial(_called, converted)


def traced(converted: Callable[..., object]) -> Callable[..., object]:
    """Return the function that a trace calls in place of the converted function `converted`."""

    def run(*args: object, **kwargs: object) -> object:
        with entering_calls():
            return _of_function(converted)(*args, **kwargs)

    return run


def _recording() -> Graph | None:
    """Return the graph that is being recorded."""
    recorder = current_recorder()
    while isinstance(recorder, TryGraph) and not recorder.has_begun:
        recorder = recorder.outer
    return recorder if isinstance(recorder, Graph) else None


class RecordingSnapshot:
    """A snapshot of the nodes recorded so far, in every graph that is still open."""

    def __init__(self) -> None:
        self._marks = [
            (graph, save_state(graph), _has_begun(graph)) for graph in graphs_recording()
        ]

    def restore(self) -> None:
        """Remove the nodes recorded since the snapshot."""
        for graph, before, begun in self._marks:
            roll_back(graph, before)
            forget_snapshots(graph)
            if isinstance(graph, TryGraph):
                graph.has_begun = begun


def _has_begun(graph: Graph) -> bool:
    return isinstance(graph, TryGraph) and graph.has_begun


def _of_function(converted: Any) -> Any:
    if type(converted) is MethodType:
        return MethodType(replacement_of(converted.__func__), converted.__self__)
    return replacement_of(converted)


def _may_recur(converted: FunctionType, recorder: Graph) -> bool:
    code = converted.__code__
    if code.co_flags & _SUSPENDING or code_info_of(code) is None:
        return False
    original = original_of(code)
    calls = [
        call for call in active_calls() or () if original_of(call.converted.__code__) is original
    ]
    here = [call for call in calls if call.graph is recorder]
    if here:
        return any(_is_looked_at(call) for call in here)  # otherwise Python decides
    if calls or (recorder.outer is not None and _is_running(original)):
        return True
    return refers_to_itself(converted)


def _is_looked_at(call: ActiveCall) -> bool:
    """Return whether to check a call inside of `call` without a branch in between."""
    call.inside += 1
    return call.is_endless or call.inside in _LOOKED_AT


def _is_running(original: CodeType) -> bool:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and original_of(frame.f_code) is not original:
        frame = frame.f_back
    return frame is not None


def _called(converted: FunctionType, /, *args: object, **kwargs: object) -> object:
    """Call a function that may be called again inside the call."""
    recorder = _recording()
    arguments = ArgumentsByParameter.of(converted, args, kwargs)
    if arguments is None or recorder is None:
        return converted(*args, **kwargs)
    around = calls_around(recorder, lambda call: call.is_of(converted))
    known: dict[str, ValueSpec] = {}
    for call in around:
        if call.recursive is not None:
            if call.recursive.takes(arguments):
                return call.recursive.call(arguments)
        elif (argument_specs := common_specs(call.arguments, arguments, known)) is not None:
            call.is_endless = call.graph is recorder
            _unwind(call, argument_specs)
    bodies = [call.recursive for call in around if call.recursive is not None]
    if len(bodies) >= _MOST_BODIES:
        bodies[-1].widen_for(arguments)
    call = ActiveCall(converted, arguments, recorder)
    _count(around, call)
    used = _share_of_stack_used()
    if used > _MUCH:
        calls = _calls_before(call)
        if len(calls) % _APART == 0:
            _generalize(calls, call, at_least=_MANY)
        if used > _MOST and len(calls) >= _MANY:
            _generalize(calls, call, at_least=1)
            raise _never_ends(calls, call)
    return _attempted(call, args, kwargs)


def _count(around: list[ActiveCall], call: ActiveCall) -> None:
    """Count one more nested call; return to the first one if there are too many.

    Raises:
        StagingError: there are too many, and they differ in more than numbers.
    """
    outermost = next((each for each in reversed(around) if each.recursive is None), None)
    if outermost is None:
        return
    outermost.unrolled += 1
    if outermost.unrolled > _MOST_CALLS:
        _generalize(_calls_before(call), call, at_least=1)
        raise _too_many(outermost)


def _attempted(call: ActiveCall, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    """Trace a call; if the function calls itself, trace it as a recursive function."""
    before, noted = RecordingSnapshot(), alias_snapshot()
    name = call.converted.__name__
    watched = watch.watch(roots=[*call.arguments.values.items(), (name, call.converted)])
    watched.note(call.converted)
    try:
        with entering_calls(call):
            result = call.converted(*args, **kwargs)
        if call.argument_specs is None:
            return result
    except _RecursionFound as unwinding:
        if unwinding.call is not call:
            raise
    except (AutographError, OpError, RecursionError) as error:
        _give_up_unrolling(call, error)
    before.restore()
    roll_back_aliases(noted)
    watch.restore(watched)
    assert call.argument_specs is not None
    try:
        return RecursiveFunction(call, call.argument_specs, watched).first_call()
    except (AutographError, OpError) as error:
        if call.unrolled > _MOST_CALLS:
            raise _too_many(call, error) from error
        raise


def _unwind(call: ActiveCall, argument_specs: ArgumentSpecs) -> NoReturn:
    # Recorded as well: the user's code in between may catch the exception.
    call.argument_specs = argument_specs
    raise _RecursionFound(call)


def _give_up_unrolling(last: ActiveCall, error: Exception) -> NoReturn:
    """Return to the first of the calls that differ only in Python numbers, if there are any.

    Raises:
        Exception: `error` if there are none, or the error for endless recursion that it stands for.
    """
    if error is last.in_vain:
        raise error
    calls = _calls_before(last)
    _generalize(calls, last, at_least=1)
    if isinstance(error, (RecursionError, NestingError)) and len(calls) >= _MANY:
        raise _never_ends(calls, last) from None
    raise error


def _calls_before(last: ActiveCall) -> list[ActiveCall]:
    """Return the calls of the same function that contain `last`, outermost first."""

    def is_wanted(call: ActiveCall) -> bool:
        return call.recursive is None and call.is_of(last.converted) and call is not last

    return calls_around(last.graph, is_wanted)[::-1]


def _generalize(calls: list[ActiveCall], last: ActiveCall, at_least: int) -> None:
    """Return to the first of the calls that differ only in Python numbers, if they are many."""
    found = joined_specs([call.arguments for call in (*calls, last)])
    for first, argument_specs in zip(calls[: len(calls) - at_least + 1], found):
        if argument_specs is not None:
            _unwind(first, argument_specs)


def _never_ends(calls: list[ActiveCall], last: ActiveCall) -> StagingError:
    name = last.converted.__name__
    names = [each for each in last.arguments.values if not _agree(each, calls[-1], last)]
    what = " and ".join(f"'{each}'" for each in names) or "its arguments"
    error = StagingError(
        f"'{name}' calls itself under a condition that is a tensor, each time with "
        f"another Python object as {what}, so that tracing it has no end: let {what} stay the same "
        "object, or be made of tensors and numbers",
        user_location(),
    )
    for call in (*calls, last):
        call.in_vain = error
    return error


def _too_many(first: ActiveCall, error: Exception | None = None) -> StagingError:
    """Return the error for a function that calls itself too often while it is traced."""
    name = first.converted.__name__
    instead = "write it as a loop that keeps the remaining work in a list"
    if error is not None:
        instead += f", or fix the reason why it cannot be one function of the graph: {error}"
    return StagingError(
        f"'{name}' calls itself more than {_MOST_CALLS} times under conditions that "
        f"are tensors, each time with other numbers of Python's: {instead}",
        user_location(),
    )


def _agree(name: str, first: ActiveCall, second: ActiveCall) -> bool:
    pair = [
        ArgumentsByParameter({name: call.arguments.values[name]}, call.arguments.signature)
        for call in (first, second)
    ]
    return joined_specs(pair)[0] is not None


def _share_of_stack_used() -> float:
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back  # type: ignore[assignment]
    return depth / sys.getrecursionlimit()
