"""Gives a function the argument names of another library, as in `keras.ops.sum(x=...)`.

A spelling lists the arguments in their order, `x:input_tensor, axis=None, keepdims=False`:

    x                 has the same name here
    x:input_tensor    has another name here; `x:` is passed by position
    axis=-1           is optional; a default other than None is passed on
    !sparse=False     is not supported: any other value is an error with its name
    -sorted=False     is accepted without effect
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from runtime.core.argument_checks import unavailable

_EMPTY = inspect.Parameter.empty


@dataclass(frozen=True)
class RenamedArgument:
    """One argument of a spelling.

    Attributes:
        name: its name in the other library.
        here: its name in this package; empty for an argument that is passed by position.
        default: its default.
        is_refused: whether any value but the default is an error.
        is_ignored: whether its value has no effect.
    """

    name: str
    here: str
    default: Any
    is_refused: bool
    is_ignored: bool

    @staticmethod
    def of(text: str) -> RenamedArgument:
        """Return an argument by its part of a spelling.

        >>> RenamedArgument.of("x:input").here, RenamedArgument.of("axis=-1").default
        ('input', -1)
        """
        names, _, default = text.lstrip("!-").partition("=")
        name, colon, here = names.partition(":")
        value = ast.literal_eval(default) if default else _EMPTY
        name_here = here if colon else name
        return RenamedArgument(name, name_here, value, text.startswith("!"), text.startswith("-"))


def with_argument_names(
    function: Callable[..., Any], name: str, spelling: str
) -> Callable[..., Any]:
    """Return a function that takes arguments with the names and in the order of a spelling.

    The function raises a TypeError for an argument that is missing, unknown or given twice, and an
    ArgumentValueError for one that is not supported.

    Args:
        function: the function to call.
        name: the name of the new function.
        spelling: its arguments.

    >>> plus = with_argument_names(lambda x, y: x + y, "plus", "x1:x, x2:y=1")
    >>> plus(2), plus(x2=3, x1=1)
    (3, 4)
    """
    arguments = [RenamedArgument.of(each.strip()) for each in spelling.split(",")]
    by_name = {each.name: each for each in arguments}

    def call(*args: Any, **kwargs: Any) -> Any:
        given = _bound(name, arguments, by_name, args, kwargs)
        places, named = [], {}
        for each in arguments:
            value = given.get(each.name, each.default)
            if each.is_refused:
                unavailable(value, f"{name}: {each.name}", "leave it out", each.default)
            elif not each.here:
                places.append(value)
            elif not each.is_ignored and not (value is None and each.default is None):
                named[each.here] = value
        return function(*places, **named)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = function.__doc__
    call.__signature__ = _signature(arguments)  # type: ignore[attr-defined]
    # The code's name is the frame's name, which a graph uses to name its nodes.
    call.__code__ = call.__code__.replace(co_name=name)
    return call


def _bound(
    name: str,
    arguments: list[RenamedArgument],
    by_name: Mapping[str, RenamedArgument],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> dict[str, Any]:
    if len(args) > len(arguments):
        raise TypeError(f"{name}() takes {len(arguments)} arguments, and {len(args)} are given")
    given = {each.name: value for each, value in zip(arguments, args)}
    for key, value in kwargs.items():
        if key not in by_name:
            raise TypeError(f"{name}() has no argument {key!r}, only {', '.join(by_name)}")
        if key in given:
            raise TypeError(f"{name}() has two values for {key!r}")
        given[key] = value
    for each in arguments:
        if each.default is _EMPTY and each.name not in given:
            raise TypeError(f"{name}() needs {each.name!r}")
    return given


def _signature(arguments: list[RenamedArgument]) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [inspect.Parameter(each.name, kind, default=each.default) for each in arguments]
    )
