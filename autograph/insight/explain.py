"""`ag.explain`: explains a function, or one call of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, overload

from autograph.conversion.convert import explain as explain_function
from autograph.conversion.explanation import Explanation
from autograph.conversion.included_modules import checked_include
from autograph.functions.function import Function
from autograph.functions.options import FunctionOptions
from autograph.insight.call_explanation import CallExplanation
from autograph.insight.explain_call import explain_call


@overload
def explain(fn: object, /, *, include: Iterable[str] = ...) -> Explanation: ...
@overload
def explain(
    fn: object, /, *args: object, include: Iterable[str] = ..., **kwargs: object
) -> CallExplanation: ...
def explain(
    fn: Any, /, *args: Any, include: Iterable[str] = (), **kwargs: Any
) -> Explanation | CallExplanation:
    """Explain line by line the conversion of a function, or, with arguments, one call of it.

    Without arguments nothing is run; the explanation has the outcome of each construct, and the
    reason where one stays Python. With arguments the call is traced as by `ag.function`. For every
    traced function the explanation has the lines that became part of the graph, the reasons for
    their symbolic conditions, the variables that they read and write, the number of iterations that
    Python unrolled, and the number of nodes of each line.

    Args:
        fn: a function, lambda, method, partial, callable object or Function.
        args, kwargs: the arguments of the call; a TensorSpec is allowed in the place of a tensor.
        include: names of modules and packages whose functions are converted when called.

    Returns:
        An Explanation, or a CallExplanation; `print` shows it beside the source. If the trace
        fails, its part up to the failure is explained, and `error` is the exception.

    Raises:
        ConversionError: `fn` cannot be called, or a name in `include` is not that of a module.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> def double_or_nothing(x):
        ...     return x + x if x > 0 else 0 * x
        >>> ag.explain(double_or_nothing, rt.constant([1.5])).call
        'double_or_nothing(x: float32[1])'
    """
    if not (args or kwargs) or not callable(fn):
        return explain_function(fn, include=include)
    names = checked_include(include)
    explained = explain_call(_untraced(fn, names), args, kwargs, names)
    return explained if explained.functions else _without_lines(explained, fn, names)


def _without_lines(
    explained: CallExplanation, fn: Any, include: tuple[str, ...]
) -> CallExplanation:
    """Return the explanation with the reason why the function has no lines to show."""
    explained_function = explain_function(fn, include=include)
    return (
        explained
        if explained_function.lines
        else replace(explained, left_alone=explained_function.reason)
    )


def _untraced(fn: Any, include: tuple[str, ...]) -> Function:
    if isinstance(fn, Function):
        return fn.untraced()
    return Function(fn, FunctionOptions(include=include))
