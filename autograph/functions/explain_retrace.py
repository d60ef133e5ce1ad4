"""`ag.explain_retrace`: reports the reasons for every trace of a Function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from autograph.errors import SignatureError
from autograph.functions.function import Function
from autograph.functions.trace_cache.covering_signature import CoveringSignature
from autograph.functions.trace_cache.retrace_causes import Retrace, covering_of, latest_retrace
from runtime.core.lazy_imports import lazy_import


@dataclass(frozen=True, slots=True, repr=False)
class RetraceReport:
    """The reasons for the traces of a Function. Printed, it is a text to read.

    Attributes:
        name: the name of the Function.
        count: the number of its traces.
        calls: the number of calls that its traces served.
        traces: the latest of them, oldest first.
        covering: the input signature that would have served all of these, if there is more than
            one.
    """

    name: str
    count: int
    calls: int
    traces: tuple[Retrace, ...]
    covering: CoveringSignature | None

    @property
    def summary(self) -> str:
        """The numbers of traces and calls."""
        return f"{_times(self.count, 'trace')} for {_times(self.calls, 'call')}"

    @property
    def advice(self) -> str:
        """The input signature that serves all traces, or the reason for none; or empty."""
        if self.covering is None:
            return ""
        serves = "one trace serves all of these with "
        return f"{serves if self.covering.specs is not None else ''}{self.covering}"

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.summary}"]
        if self.count > len(self.traces):
            lines.append(f"the latest {len(self.traces)}:")
        for each in self.traces:
            lines += ["", *_lines(each)]
        if self.advice:
            lines += ["", self.advice]
        return "\n".join(lines)

    __repr__ = __str__
    _repr_html_ = lazy_import("autograph.display.reports:retrace_html")


def explain_retrace(f: Callable[..., object]) -> RetraceReport:
    """Report the argument, and its call, that caused each trace of a Function.

    Args:
        f: a Function, or a method of an object that is one.

    Returns:
        A report: the call of each trace, its differences from the most similar one before (old
        against new), the code to write instead, and the input signature that one trace would need.

    Raises:
        SignatureError: `f` is not a Function.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> @ag.function
        ... def scale(x, k):
        ...     return x * k
        >>> for k in (2, 3):
        ...     _ = scale(rt.constant([1.0]), k)
        >>> report = ag.explain_retrace(scale)
        >>> report.count, str(report.traces[1].changes[0])
        (2, 'k: value 2 -> 3; pass a tensor: rt.constant(3), of the dtype that it meets')
        >>> print(report.covering)
        input_signature=[rt.TensorSpec((1,), rt.float32), rt.TensorSpec((), rt.float32)]
    """
    if not isinstance(f, Function):
        raise SignatureError(
            f"explain_retrace() takes a Function, not {f!r}: decorate it with ag.function"
        )
    signature, records = f.call_signature, list(f.traces.history)
    retraces = [latest_retrace(signature, records[: at + 1]) for at in range(len(records))]
    return RetraceReport(
        name=signature.name,
        count=f.traces.count,
        calls=f.traces.calls,
        traces=tuple(retraces),
        covering=covering_of(signature, records),
    )


def _lines(each: Retrace) -> list[str]:
    lines = [f"{each.number}  {each.call}"]
    if each.origin is not None:
        lines.append(f"   at {each.origin}")
        if each.origin.line_text():
            lines.append(f"     {each.origin.line_text()}")
    if each.compared_with is not None and each.changes:
        lines.append(f"   not as in trace {each.compared_with}:")
    for change in each.changes:
        lines.append(f"     {change.name}: {change.kind}, {change.old} -> {change.new}")
        lines.append(f"       {change.remedy}")
    if each.note:
        lines.append(f"   {each.note}")
    return lines


def _times(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
