"""Signature checks: container methods raise Python's own errors for wrong arguments."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import signature
from typing import Any, TypeVar

import runtime as rt
from autograph.backends.graph.program.source_location import user_location
from autograph.errors import StagingError

T = TypeVar("T", bound=type)


def takes_arguments_as(kind: type, *names: str) -> Callable[[T], T]:
    """Return a class decorator: methods raise the errors of the type `kind` for wrong arguments.

    Arguments that only Python's method takes are a StagingError.

    >>> @takes_arguments_as(list, "append")
    ... class Items:
    ...     def append(self, item): ...
    >>> Items().append(1, 2)
    Traceback (most recent call last):
    TypeError: list.append() takes exactly one argument (2 given)
    """

    def decorated(made: T) -> T:
        for name in names:
            setattr(made, name, _checked(vars(made)[name], kind, name))
        return made

    return decorated


def refuse_as_python(name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> None:
    """Raise the TypeError of Python's builtin if it does not accept the arguments."""
    builtin = getattr(builtins, name, None)
    if builtin is not None:
        _tried(builtin, [_like(each) for each in args], {k: _like(v) for k, v in kwargs.items()})


def _like(value: object) -> object:
    """Return a Python value that a builtin accepts in place of an argument of the graph."""
    is_number = isinstance(value, rt.Tensor) and value.shape.rank == 0
    return 0 if is_number else []


def _checked(method: Any, kind: type, name: str) -> Callable[..., object]:
    @wraps(method)
    def answer(*args: Any, **kwargs: Any) -> object:
        try:
            return method(*args, **kwargs)
        except TypeError:
            if _takes(method, args, kwargs):
                raise
        # Python's own method raises the error, if there is one.
        _tried(getattr(kind, name), (kind(), *args[1:]), kwargs)
        raise StagingError(
            f"{name}() of a {kind.__name__} whose items the graph knows does not take all that "
            "Python's does: give it fewer arguments, or iterate over the items with `for`",
            user_location(),
        )

    return answer


def _takes(method: Callable[..., object], args: Any, kwargs: Any) -> bool:
    try:
        signature(method).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def _tried(function: Callable[..., object], args: Any, kwargs: Any) -> None:
    """Call a Python function with stand-in arguments; ignore errors about missing items."""
    try:
        function(*args, **kwargs)
    except (LookupError, ValueError):
        return
