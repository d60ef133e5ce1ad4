"""Prints the converted form and the compiled form of a function."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from autograph.conversion.functions import Pipeline, names_seen_by
from autograph.conversion.rules import function_behind, is_staged, name_of
from autograph.conversion.wrappers import wrapped_by
from autograph.errors import ConversionError
from autograph.lowering import Constants, first_line_run, lower
from autograph.options import ConversionOptions
from autograph.syntax import print_tree, source_of, to_ast, to_gast
from autograph.syntax.reserved import for_printing
from runtime.core.internal_files import is_internal_file


def code_text(fn: object, options: ConversionOptions, pipeline: Pipeline) -> str:
    """Return the source of the converted form of `fn` under `options`, with a final line break."""
    function = _undecorated(fn)
    tree = pipeline(source_of(function), options, names_seen_by(function))
    return f"{print_tree(for_printing(tree))}\n"


def compiled_text(
    fn: object, options: ConversionOptions, pipeline: Pipeline, vocabulary: Any
) -> str:
    """Return the source of the compiled form of `fn`, with a final line break.

    Objects that the code references as constants are printed as `ag__.NAME`.
    """
    function = _undecorated(fn)
    source, seen = source_of(function), names_seen_by(function)
    converted = to_ast(pipeline(source, options, seen)).body[-1]
    line = first_line_run(function.__code__)
    lowered = lower(converted, source.definition, line, vocabulary, options, seen)
    names = {id(getattr(vocabulary, name)): name for name in vars(vocabulary)}
    named = _Named(lowered.constants, names, vocabulary).visit(lowered.definition)
    return f"{print_tree(to_gast(named))}\n"


class _Named(ast.NodeTransformer):
    """Replaces the objects that compiled code references by names."""

    def __init__(self, constants: Constants, names: dict[int, str], vocabulary: object) -> None:
        self._constants, self._names, self._vocabulary = constants, names, vocabulary

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        value = self._constants.replaced(node.value)
        if value is node.value:
            return node
        name = "ag__" if value is self._vocabulary else f"ag__.{self._name(value)}"
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def _name(self, value: Any) -> str:
        own = getattr(value, "__name__", None) or type(value).__name__
        return self._names.get(id(value)) or str(own)


def _undecorated(fn: object) -> FunctionType:
    """Return the user's function in decorators of these packages, such as `rt.custom_gradient`."""
    function = convertible(fn)
    while is_internal_file(function.__code__.co_filename) and hasattr(function, "__wrapped__"):
        function = convertible(function.__wrapped__)
    return function


def convertible(fn: object) -> FunctionType:
    """Return the user's function in an argument: a function, method, partial, Function, ...

    Raises:
        ConversionError: there is none.

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
    wrapper = wrapped_by(function)
    return function if wrapper is None else convertible(wrapper.function)


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
