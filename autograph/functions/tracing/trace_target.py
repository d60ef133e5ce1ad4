"""The callable that a trace runs: the converted form of a function, or the function itself."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import BuiltinFunctionType, MethodDescriptorType
from typing import Any

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.conversion.convert import called, to_graph
from autograph.conversion.rules import function_behind
from autograph.conversion.wrappers import UnconvertedFunction, wrapped_by
from autograph.errors import AutographError, ConversionError
from autograph.features import Feature
from autograph.operators.frames import code_info_of
from runtime.core.internal_files import is_internal_file
from runtime.core.lazy_imports import lazy_import
from runtime.errors import SymbolicTensorError

without_guess = lazy_import("autograph.functions.tracing.unconverted_advice:without_guess")

_SUSPENDED = {
    inspect.CO_GENERATOR: "a generator",
    inspect.CO_COROUTINE: "a coroutine",
    inspect.CO_ASYNC_GENERATOR: "an asynchronous generator",
}
_OURS = ("autograph", "runtime")


def staged_form(
    python_function: Callable[..., Any],
    include: tuple[str, ...] = (),
    strict: bool = False,
    features: tuple[Feature, ...] = (),
) -> Callable[..., Any]:
    """Return the callable that a trace runs.

    A class, an op, a function marked with `do_not_convert` or one whose source cannot be found or
    converted is called unconverted: Python runs it, and its ops are recorded. A builtin is called
    as in converted code.

    Args:
        python_function: any callable.
        include: names of modules whose functions are converted when called.
        strict: whether a function that cannot be found or converted as a whole is an error.
        features: extra features of the conversion.

    Raises:
        ConversionError: a generator or coroutine, which suspends its execution; or, with `strict`,
            a function that cannot be converted.
        SourceError: with `strict`, a function without source.

    Example:
        >>> import autograph.runtime as rt
        >>> staged_form(rt.exp) is rt.exp
        True
    """
    if isinstance(python_function, functools.partial):
        inner = staged_form(python_function.func, include, strict, features)
        return functools.partial(inner, *python_function.args, **python_function.keywords)
    if _is_builtin(python_function):
        return called(python_function, include)
    if _runs_as_it_is(python_function):
        return python_function
    _refuse_suspended(python_function)
    try:
        return to_graph(
            python_function,
            include=include,
            strict=strict,
            experimental_optional_features=features,
        )
    except AutographError as error:
        if strict:
            raise
        return _explained(python_function, str(error))


def is_converted(staged: Callable[..., Any]) -> bool:
    """Return whether the callable of a trace is the converted form of the user's.

    >>> is_converted(len), is_converted(staged_form(lambda: 1))
    (False, True)
    """
    function = function_behind(staged)
    return function is not None and code_info_of(function.__code__) is not None


def _refuse_suspended(python_function: Callable[..., Any]) -> None:
    """Raise an error at the line of a generator or coroutine, which no graph can run."""
    function: Any = function_behind(python_function)
    flags = function.__code__.co_flags
    kind = next((kind for flag, kind in _SUSPENDED.items() if flags & flag), None)
    if kind is None:
        return
    code = function.__code__
    place = SourceLocation(code.co_filename, code.co_firstlineno, code.co_name)
    raise ConversionError(
        f"'{code.co_name}' is {kind}, which runs in parts, and a graph runs as a whole: return its "
        "values as a list or a tensor",
        place,
    )


def _explained(python_function: Callable[..., Any], reason: str) -> Callable[..., Any]:
    """Return a function whose errors for control flow on tensors explain why it was not staged."""

    @functools.wraps(python_function)
    def unconverted(*args: object, **kwargs: object) -> object:
        try:
            return python_function(*args, **kwargs)
        except SymbolicTensorError as error:
            message = without_guess(error.message)
            error.message = f"{message}; its `if`, `while`, ... stayed Python: {reason}"
            raise

    return unconverted


def _is_builtin(python_function: Any) -> bool:
    """Return whether a callable is a built-in function, method or class."""
    if isinstance(python_function, type):
        return python_function.__module__ == "builtins"
    return isinstance(python_function, (BuiltinFunctionType, MethodDescriptorType))


def _runs_as_it_is(python_function: Any) -> bool:
    if hasattr(python_function, "python_function"):  # a Function, which converts by itself
        return True
    function = function_behind(python_function)
    if function is None or isinstance(wrapped_by(function), UnconvertedFunction):
        return True
    package = (function.__module__ or "").partition(".")[0]
    return package in _OURS and is_internal_file(function.__code__.co_filename)
