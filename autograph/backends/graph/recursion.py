"""Finding out that a function calls itself, and that only a tensor can end it.

    fact(n)                           the first call; its body is traced like any other
      if n <= 1: ... else:            a branch of the graph
        fact(n - 1)                   a call like the first, in a branch of it: tracing it as well
                                      would go on for ever

When the second call is met, the trace goes back to the first one, which becomes a body that calls
itself (`recursive`). Calls that Python can tell apart, by a number or another object, are not
alike: there Python may end the recursion, and each is traced on its own, as long as there is room.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any

from autograph.backends.graph import watch
from autograph.backends.graph.arguments import Arguments, Knowledge, joined, met
from autograph.backends.graph.recursive import RecursiveFunction
from autograph.backends.graph.references import refers_to_itself
from autograph.backends.graph.regions import TooDeep
from autograph.backends.graph.trail import Call, calls_around, entered, trail
from autograph.operators.frames import original_of, part_of
from runtime.context import current_recorder
from runtime.graph.graph import Graph
from runtime.graph.undoing import go_back, mark

# So many calls inside each other, all told apart by Python, are taken for endless when there is
# hardly any room for another one.
_MANY = 8
# How much of Python's stack unrolled calls may use; the rest is for tracing what they call.
_MOST_OF_STACK = 0.7
_SUSPENDING = 0x20 | 0x80 | 0x200  # generators, coroutines, asynchronous generators


class _Unwinding(BaseException):
    """A call turned out to be the first of a function that calls itself."""

    def __init__(self, call: Call, known: Knowledge) -> None:
        self.call, self.known = call, known


def around(made: Any) -> Any:
    """Return what to call in place of a converted function, so that recursion is noticed.

    That is the function itself, unless it may be entered again in a branch or loop of its own.
    """
    recorder = current_recorder()
    if not isinstance(recorder, Graph) or (recorder.outer is None and trail() is None):
        return made
    if type(made) is not FunctionType or not _may_recur(made, recorder):
        return made
    return partial(_called, made)


def traced(made: Callable[..., object]) -> Callable[..., object]:
    """Return what the trace of a Function calls in place of `made`, its converted function."""

    def run(*args: object, **kwargs: object) -> object:
        with entered():
            return _of_function(made)(*args, **kwargs)

    return run


def _of_function(made: Any) -> Any:
    if type(made) is MethodType:
        return MethodType(around(made.__func__), made.__self__)
    return around(made)


def _may_recur(made: FunctionType, recorder: Graph) -> bool:
    code = made.__code__
    if code.co_flags & _SUSPENDING or part_of(code) is None:
        return False
    original = original_of(code)
    calls = [call for call in trail() or () if original_of(call.made.__code__) is original]
    if any(call.graph is recorder for call in calls):
        return False  # called without a branch in between, which is up to Python
    if calls or (recorder.outer is not None and _is_running(original)):
        return True
    return refers_to_itself(made)


def _is_running(original: CodeType) -> bool:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and original_of(frame.f_code) is not original:
        frame = frame.f_back
    return frame is not None


def _called(made: FunctionType, /, *args: object, **kwargs: object) -> object:
    """Call a function that may be entered again."""
    recorder = current_recorder()
    arguments = Arguments.of(made, args, kwargs)
    if arguments is None or not isinstance(recorder, Graph):
        return made(*args, **kwargs)
    for call in calls_around(recorder, lambda call: call.is_of(made)):
        if call.function is not None:
            if call.function.takes(arguments):
                return call.function.call(arguments)
        elif (known := met(call.arguments, arguments)) is not None:
            raise _Unwinding(call, known)
    call = Call(made, arguments, recorder)
    if _has_little_room():
        _give_up_unrolling(call)
    return _attempted(call, args, kwargs)


def _attempted(call: Call, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    """Trace a call like any other; should it be entered again, as that of a recursive function."""
    before = mark(call.graph)
    watched = watch.watch(call.made, roots=call.arguments.values.items())
    try:
        with entered(call):
            return call.made(*args, **kwargs)
    except _Unwinding as unwinding:
        if unwinding.call is not call:
            raise
        known = unwinding.known
    except TooDeep:
        _give_up_unrolling(call)
        raise
    go_back(call.graph, before)
    watch.restore(watched)
    return RecursiveFunction(call, known, watched).first_call()


def _give_up_unrolling(last: Call) -> None:
    """Go back to where calls begin that only differ in Python numbers, now taken for tensors."""
    calls = calls_around(last.graph, lambda call: call.function is None and call.is_of(last.made))
    calls = calls[::-1]
    for start in range(len(calls) - _MANY):
        first, *others = calls[start:]
        known = joined(first.arguments, [call.arguments for call in (*others, last)])
        if known is not None:
            raise _Unwinding(first, known)


def _has_little_room() -> bool:
    """Tell whether most of Python's stack is used up."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back  # type: ignore[assignment]
    return depth > _MOST_OF_STACK * sys.getrecursionlimit()
