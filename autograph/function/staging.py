"""What a trace runs: the converted form of the user's function, or the function as it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.conversion.convert import to_graph
from autograph.conversion.rules import function_behind
from autograph.conversion.wrappers import Exempt, standing_behind
from autograph.errors import AutographError

_OURS = ("autograph", "runtime")


def staged_form(python_function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what to call while tracing.

    A class, a builtin, an op, a function marked with `do_not_convert` or one whose source cannot
    be found or converted is called as it is: Python runs it, and the ops in it are recorded.

    Example:
        >>> staged_form(len) is len
        True
    """
    if isinstance(python_function, partial):
        inner = staged_form(python_function.func)
        return partial(inner, *python_function.args, **python_function.keywords)
    if _runs_as_it_is(python_function):
        return python_function
    try:
        return to_graph(python_function)
    except AutographError:
        return python_function


def _runs_as_it_is(python_function: Any) -> bool:
    if hasattr(python_function, "python_function"):  # a Function, which converts by itself
        return True
    function = function_behind(python_function)
    if function is None or isinstance(standing_behind(function), Exempt):
        return True
    return function.__module__ is not None and function.__module__.partition(".")[0] in _OURS
