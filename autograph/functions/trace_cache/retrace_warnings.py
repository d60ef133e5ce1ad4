"""Warnings about repeated retracing."""

from __future__ import annotations

from collections import deque
from types import CodeType
from typing import Any
from weakref import ref

from autograph.conversion.rules import function_behind
from autograph.errors import RetracingWarning
from autograph.functions.arguments.signature import CallSignature
from autograph.functions.concrete_functions.fast_runs import CallCounter
from autograph.functions.trace_cache.cache import TraceCache
from autograph.functions.trace_cache.trace_history import TraceRecord
from runtime.core.internal_files import is_internal_file
from runtime.core.lazy_imports import lazy_import
from runtime.core.source_names import warn_at
from runtime.core.weak_tables import IdentityTable

number_of_operands = lazy_import("runtime.diagnostics.operand_names:number_of_operands")
covering_of = lazy_import("autograph.functions.trace_cache.retrace_causes:covering_of")
latest_retrace = lazy_import("autograph.functions.trace_cache.retrace_causes:latest_retrace")

# `_TRACES` traces in at most `_CALLS` successive calls cause a warning, `_TIMES` times for one
# code.
_TRACES = 5
_CALLS = 10
_TIMES = 2

_warned: IdentityTable[Any, int] = IdentityTable()
# For each code object, the latest Functions made of it: their traces, and the counters of their
# calls. Without callbacks: a Ctrl-C would be lost in Python code that runs when a Function dies.
_made: IdentityTable[CodeType, deque[tuple[ref[TraceCache], deque[CallCounter]]]] = IdentityTable()
# A Function with at most so many calls counts as one that each call creates.
_FEW = 2


def warn_of_retracing(traces: TraceCache, signature: CallSignature, python_function: Any) -> None:
    """Warn at the user's line of a traced call, if there are too many traces.

    Args:
        traces: the traces of the Function.
        signature: its parameters.
        python_function: the user's callable.
    """
    code = getattr(function_behind(python_function), "__code__", None)
    warned_of = traces if code is None else code
    times = _warned.get(warned_of) or 0
    if times >= _TIMES:
        return
    records = list(traces.history)
    message = _arguments_warning(records, signature) or _recreation_warning(
        traces, records, code, signature
    )
    if not message:
        return
    _warned.put(warned_of, times + 1)
    warn_at(records[-1].origin, message, RetracingWarning)


def _arguments_warning(records: list[TraceRecord], signature: CallSignature) -> str:
    """Return the warning about a Function that is called with other arguments each time."""
    # A recursive call with other numbers makes several traces.
    latest = [each for each in records if not each.is_inner][-_TRACES:]
    calls = latest[-1].calls - latest[0].calls + 1
    if len(latest) < _TRACES or calls > _CALLS:
        return ""
    retrace = latest_retrace(signature, records)
    reasons = [str(change) for change in retrace.changes] or [retrace.note]
    covering = covering_of(signature, latest)
    advice = str(covering)
    if covering is not None and covering.specs is not None:
        advice = f"one trace serves these {_TRACES} with {advice}"
    return (
        f"{signature.name} was traced anew by {_TRACES} of its last {calls} calls, which takes "
        f"long. This time: {'; '.join(reasons)}. As to a signature: {advice}. "
        f"ag.explain_retrace({signature.name}) tells of all of them"
    )


def _recreation_warning(
    traces: TraceCache, records: list[TraceRecord], code: CodeType | None, signature: CallSignature
) -> str:
    """Return the warning about a Function that each call creates again."""
    if code is None or len(records) > 1 or is_internal_file(code.co_filename):
        return ""
    made = _made.get_or_put(code, deque(maxlen=_TRACES - 1))
    earlier = tuple(made)
    made.append((ref(traces), traces.counters))
    if len(earlier) < _TRACES - 1 or any(traces() is not None for traces, _ in earlier):
        return ""
    if max(sum(each.calls for each in counters) for _, counters in earlier) > _FEW:
        return ""
    return (
        f"the last {_TRACES} Functions made of {signature.name} were traced and thrown away, which "
        "takes long: make the Function once, outside of the loop; the traces of a method go with "
        "its object, so make that once, too"
    )
