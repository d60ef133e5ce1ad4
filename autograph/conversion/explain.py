"""`explain`: the parts of a function that are converted or stay Python, and the reasons."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, NamedTuple

import gast

from autograph.analysis.grammar import FUNCTIONS
from autograph.conversion.explanation import CalleeExplanation, Explanation, lines_of
from autograph.conversion.functions import is_generated, names_seen_by
from autograph.conversion.rules import function_behind, is_staged, name_of
from autograph.conversion.to_code import convertible
from autograph.conversion.wrappers import UnconvertedFunction, wrapped_by
from autograph.converters.report import Report
from autograph.errors import AutographError, ConversionError
from autograph.operators.builtins import OVERLOADS
from autograph.options import ConversionOptions
from autograph.syntax import source_of, walk
from autograph.syntax.names import bound_names, parameter_nodes

_MISSING: Any = object()


class CallSite(NamedTuple):
    """A call whose callee is known before the function runs.

    Attributes:
        written: the callee as the user wrote it, a name or a dotted name.
        line: the line of the first such call.
        value: the callee.
    """

    written: str
    line: int
    value: Any


def calls_in(
    function: Any, names: Mapping[str, object], arguments: Mapping[str, object] | None = None
) -> tuple[CallSite, ...]:
    """Return the calls in a function whose callees are bound outside of it, in source order.

    Args:
        function: the definition of the function.
        names: the values of its globals and free variables.
        arguments: the known values of parameters, such as the object of a bound method.

    >>> from autograph.syntax.tree import parse
    >>> definition = parse("def f(x): return log(len(x)) + x()").body[0]
    >>> [called.written for called in calls_in(definition, {"log": print, "x": print})]
    ['log', 'len']
    """
    known = _known(function, names, arguments or {})
    found: dict[str, CallSite] = {}
    calls = [node for node in walk(function.body) if isinstance(node, gast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        path = _path(call.func)
        written = ".".join(path)
        value = _value(path, known) if path else _MISSING
        if callable(value):
            found.setdefault(written, CallSite(written, call.lineno, value))
    return tuple(found.values())


def _known(
    function: Any, names: Mapping[str, object], arguments: Mapping[str, object]
) -> dict[str, object]:
    """Return the values of the names that the function, and functions in it, do not bind."""
    scopes = [node for node in walk(function.body) if isinstance(node, FUNCTIONS)]
    inside = {name for scope in (function.body, *scopes) for name in bound_names(scope)}
    parameters = {parameter.id for parameter in parameter_nodes(function.args)}
    known = {**vars(builtins), **names}
    known = {name: known[name] for name in known if name not in parameters}
    return {name: v for name, v in {**known, **arguments}.items() if name not in inside}


def _path(node: Any) -> list[str]:
    if isinstance(node, gast.Name):
        return [node.id]
    owner = _path(node.value) if isinstance(node, gast.Attribute) else []
    return [*owner, node.attr] if owner else []


def _value(path: list[str], known: Mapping[str, object]) -> Any:
    """Return the value of a dotted name; no code runs, such as that of a property."""
    value: Any = known.get(path[0], _MISSING)
    for step in path[1:]:
        if value is _MISSING:
            break
        value = inspect.getattr_static(value, step, _MISSING)
        value = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
    return value


# -- `explain` -------------------------------------------------------------------------------------


# The decision whether a called function is converted, and the reason for it.
Decision = tuple[bool, str]
_CONVERTED = "this is its converted form"
_OVERLOADED = "it is Python's own, and has a meaning for tensors, too"
_REQUESTED = ConversionOptions(user_requested=True)


def explanation_of(
    fn: object, decide: Callable[[object], Decision], pipeline: Callable[..., Any]
) -> Explanation:
    """Return the explanation of a function, which is converted for it.

    Args:
        fn: a function, lambda, method, partial, callable object or Function.
        decide: returns the converter's decision on a callable.
        pipeline: converts the tree of a source, and fills a report.

    Raises:
        ConversionError: `fn` cannot be called.
    """
    if not callable(fn) and not isinstance(fn, (staticmethod, classmethod)):
        raise ConversionError(f"cannot explain {fn!r}: it is not a function")
    subject = _subject_of(fn)
    done = is_generated(function_behind(subject))
    is_converted, reason = (True, _CONVERTED) if done else decide(subject)
    explanation = Explanation(name_of(subject), is_converted, reason)
    if isinstance(wrapped_by(function_behind(subject)), UnconvertedFunction):
        return explanation
    try:
        return _with_lines(explanation, subject, decide, pipeline)
    except AutographError as error:
        return Explanation(explanation.name, False, reason if not is_converted else str(error))


def _subject_of(fn: Any) -> Any:
    """Return the function inside a Function, a wrapper or an unbound method."""
    if isinstance(fn, (staticmethod, classmethod)):
        return _subject_of(fn.__func__)
    if is_staged(fn):
        return _subject_of(fn.python_function)
    wrapper = wrapped_by(function_behind(fn))
    if wrapper is None or isinstance(wrapper, UnconvertedFunction):
        return fn
    is_bound = isinstance(fn, MethodType)
    return MethodType(wrapper.function, fn.__self__) if is_bound else wrapper.function


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


def _callee(called: CallSite, decide: Callable[[object], Decision]) -> CalleeExplanation:
    if isinstance(called.value, (BuiltinFunctionType, type)) and called.value in OVERLOADS:
        return CalleeExplanation(called.written, called.line, False, _OVERLOADED)
    is_converted, reason = decide(called.value)
    return CalleeExplanation(called.written, called.line, is_converted, reason.splitlines()[0])


def _arguments(subject: object, function: FunctionType) -> Mapping[str, object]:
    """Return the known arguments of a function: the object of a bound method."""
    code = function.__code__
    if not isinstance(subject, MethodType) or not code.co_argcount:
        return {}
    return {code.co_varnames[0]: subject.__self__}
