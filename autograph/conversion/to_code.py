"""`to_code`: the text of a function's converted form."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from autograph.conversion.functions import Pipeline, names_seen_by
from autograph.conversion.rules import function_behind, is_staged, name_of
from autograph.conversion.wrappers import standing_behind
from autograph.errors import ConversionError
from autograph.operators.frames import is_internal_file
from autograph.options import ConversionOptions
from autograph.syntax import print_tree, source_of
from autograph.syntax.reserved import spelled


def code_text(fn: object, options: ConversionOptions, pipeline: Pipeline) -> str:
    """Print the tree that is compiled for `fn` under `options`; it ends with a line break."""
    function = convertible(fn)
    while is_internal_file(function.__code__.co_filename) and hasattr(function, "__wrapped__"):
        # What a decorator of ours has put around it, such as `rt.custom_gradient`.
        function = convertible(function.__wrapped__)
    tree = pipeline(source_of(function), options, names_seen_by(function))
    return f"{print_tree(spelled(tree))}\n"


def convertible(fn: object) -> FunctionType:
    """Return the user's function in what they pass: a function, method, partial, Function, ...

    Raises:
        ConversionError: there is none, or not one.

    >>> import functools
    >>> convertible(functools.partial(convertible, 3)) is convertible
    True
    """
    inner: Any = fn.python_function if is_staged(fn) else fn  # type: ignore[attr-defined]
    if isinstance(inner, (staticmethod, classmethod)):
        inner = inner.__func__
    function = function_behind(inner)
    if function is None:
        raise ConversionError(_why_not(inner))
    standing = standing_behind(function)
    return function if standing is None else convertible(standing.function)


def _why_not(value: object) -> str:
    name = name_of(value)
    if isinstance(value, type):
        return f"cannot convert {name}: it is a class; convert its methods instead"
    if not callable(value):
        return f"cannot convert {value!r}: it is not a function"
    return (
        f"cannot convert {name}: it is not written in Python; "
        "wrap the call in a function of your own and convert that"
    )
