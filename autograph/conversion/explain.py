"""`explain`: which parts of a function are converted, which stay Python, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from autograph.conversion.callees import Called, calls_in
from autograph.conversion.explanation import Callee, Explanation, lines_of
from autograph.conversion.functions import is_generated, names_seen_by
from autograph.conversion.rules import function_behind, is_staged, name_of
from autograph.conversion.to_code import convertible
from autograph.conversion.wrappers import Exempt, standing_behind
from autograph.converters.report import Report
from autograph.errors import AutographError, ConversionError
from autograph.operators.builtins import OVERLOADS
from autograph.options import ConversionOptions
from autograph.syntax import source_of

# Whether a callable is converted when converted code calls it, and why.
Decision = tuple[bool, str]
_DONE = "this is its converted form"
_OVERLOADED = "it is Python's own, and has a meaning for tensors, too"
_REQUESTED = ConversionOptions(user_requested=True)


def explanation_of(
    fn: object, decide: Callable[[object], Decision], pipeline: Callable[..., Any]
) -> Explanation:
    """Convert a function and tell what became of it.

    Args:
        fn: a function, lambda, method, partial, callable object or Function.
        decide: the converter's decision on a callable.
        pipeline: makes the converted tree of a source, and fills a report.

    Raises:
        ConversionError: `fn` cannot be called at all.
    """
    if not callable(fn) and not isinstance(fn, (staticmethod, classmethod)):
        raise ConversionError(f"cannot explain {fn!r}: it is not a function")
    subject = _asked_about(fn)
    done = is_generated(function_behind(subject))
    is_converted, reason = (True, _DONE) if done else decide(subject)
    explanation = Explanation(name_of(subject), is_converted, reason)
    if isinstance(standing_behind(function_behind(subject)), Exempt):
        return explanation
    try:
        return _with_lines(explanation, subject, decide, pipeline)
    except AutographError as error:
        return Explanation(explanation.name, False, reason if not is_converted else str(error))


def _asked_about(fn: Any) -> Any:
    """Return the function in what converts itself, or in a method that is not bound yet."""
    if isinstance(fn, (staticmethod, classmethod)):
        return _asked_about(fn.__func__)
    if is_staged(fn):
        return _asked_about(fn.python_function)
    standing = standing_behind(function_behind(fn))
    if standing is None or isinstance(standing, Exempt):
        return fn
    is_bound = isinstance(fn, MethodType)
    return MethodType(standing.function, fn.__self__) if is_bound else standing.function


def _with_lines(
    explanation: Explanation, subject: Any, decide: Callable[[object], Decision], pipeline: Any
) -> Explanation:
    function = convertible(subject)
    source, names = source_of(function), names_seen_by(function)
    report = Report(source)
    tree = pipeline(source, _REQUESTED, names, report=report)
    entries = report.entries(tree)
    unchanged = source_of(function)
    called = calls_in(unchanged.node, names, _arguments(subject, function))
    return Explanation(
        explanation.name,
        explanation.is_converted,
        explanation.reason,
        unchanged.filename,
        lines_of(unchanged, entries),
        tuple(_callee(each, decide) for each in called),
    )


def _callee(called: Called, decide: Callable[[object], Decision]) -> Callee:
    if isinstance(called.value, (BuiltinFunctionType, type)) and called.value in OVERLOADS:
        return Callee(called.written, called.line, False, _OVERLOADED)
    is_converted, reason = decide(called.value)
    return Callee(called.written, called.line, is_converted, reason.splitlines()[0])


def _arguments(subject: object, function: FunctionType) -> Mapping[str, object]:
    """Return what is known of the arguments: the object a method is bound to."""
    code = function.__code__
    if not isinstance(subject, MethodType) or not code.co_argcount:
        return {}
    return {code.co_varnames[0]: subject.__self__}
