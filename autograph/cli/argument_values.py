"""Reads arguments of the command line: Python literals, `.npy` files, shapes with a dtype.

3  [1.5, 2]  n=3  "{'a': [1, 2]}"  "'text'"  weights.npy  f32[3,4]
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from autograph.cli.tensor_specs import as_python, spec_of, with_numbers
from autograph.errors import CommandError
from runtime.core.lazy_imports import lazy_import
from runtime.ops.constant import constant

_KEYWORD = re.compile(r"([^\W\d]\w*)=(?!=)(.*)", re.DOTALL)
_NUMBER = re.compile(r"-(?!-)(\d|\.\d|\(|inf|nan)", re.IGNORECASE)
_SPECIAL = re.compile(r"([+-]?)(inf|nan)", re.IGNORECASE)
_ARRAY_FILE = b"\x93NUMPY"
_UNEXPECTED = re.compile(r"got an unexpected keyword argument '(\w+)'$")
did_you_mean = lazy_import("runtime.core.name_suggestions:did_you_mean")

Arguments = tuple[list[Any], dict[str, Any]]


def arguments_of(
    texts: Sequence[str], function: Callable[..., Any], *, values: bool = True
) -> Arguments:
    """Return the arguments, after a check that the function takes them.

    Args:
        texts: one text per argument; `name=value` is a keyword argument.
        function: the function to call.
        values: whether shapes with a dtype become tensors of random numbers, the same in each
            process; otherwise they are specs.

    Raises:
        CommandError: a text is no literal, a file cannot be read, or the function does not take
            the arguments.
    """
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for text in texts:
        keyword = _KEYWORD.fullmatch(text.strip())
        if keyword is None:
            args.append(value_of(text))
        elif keyword[1] in kwargs:
            raise CommandError(f"{keyword[1]!r} is given twice")
        else:
            kwargs[keyword[1]] = value_of(keyword[2])
    if values:
        random = np.random.default_rng(0)
        args, kwargs = with_numbers(args, random), with_numbers(kwargs, random)
    _check_call(function, args, kwargs)
    return args, kwargs


def value_of(text: str) -> Any:
    """Return one argument: numbers and lists become tensors, strings and None do not.

    A shape with a dtype is a spec.

    Raises:
        CommandError: the text is no literal, no tensor can be made of it, or the `.npy` file cannot
            be read.

    >>> value_of("[1, 2]")
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>
    >>> value_of("-inf")
    <rt.Tensor: shape=(), dtype=float32, numpy=-inf>
    >>> value_of("'sum'")
    'sum'
    >>> value_of("(f32[?], 'sum')")
    (TensorSpec(shape=(None,), dtype=rt.float32, name=None), 'sum')
    """
    text = text.strip()
    if text.endswith(".npy"):
        return _array_tensor(_loaded(text), text)
    if _SPECIAL.fullmatch(text):
        return constant(float(text))
    try:
        return _value_of(ast.parse(as_python(text), mode="eval").body, text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise CommandError(
            f"{text!r} is neither a Python literal, nor a .npy file, nor a shape such as f32[3,4] "
            "(write strings as \"'text'\")"
        ) from None


def _value_of(node: ast.expr, text: str) -> Any:
    """Return the value of an expression: a structure of specs, or a literal."""
    if isinstance(node, ast.Subscript):
        return spec_of(node)
    if not any(isinstance(each, ast.Subscript) for each in ast.walk(node)):
        return _tensors(ast.literal_eval(node), text)
    if isinstance(node, ast.Dict):
        names = [ast.literal_eval(key or "**") for key in node.keys]
        return {name: _value_of(value, text) for name, value in zip(names, node.values)}
    if isinstance(node, (ast.List, ast.Tuple)):
        values = [_value_of(each, text) for each in node.elts]
        return values if isinstance(node, ast.List) else tuple(values)
    raise ValueError("an expression")


def split_call(text: str) -> list[str]:
    """Split the arguments of a call at its commas.

    >>> split_call("3, [1, 2], n=-1")
    ['3', '[1, 2]', 'n=-1']
    """
    source = f"f({as_python(text)})"
    try:
        call: Any = ast.parse(source, mode="eval").body
        nodes = [*call.args, *call.keywords]
    except (SyntaxError, ValueError, AttributeError):
        return [text]
    found = (ast.get_source_segment(source, node) or "" for node in nodes)
    return [word for word in found if word]


def protect_negative_numbers(words: Sequence[str]) -> list[str]:
    """Protect negative numbers from `argparse`, which treats `-1e-3` as an option."""
    return [f" {word}" if _NUMBER.match(word) else word for word in words]


def _tensors(literal: Any, text: str) -> Any:
    if isinstance(literal, dict):
        return {name: _tensors(value, text) for name, value in literal.items()}
    if isinstance(literal, tuple):
        return tuple(_tensors(value, text) for value in literal)
    if not isinstance(literal, (bool, int, float, complex, list)):
        return literal
    try:
        return constant(literal)
    except (TypeError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise CommandError(f"{text} cannot become a tensor: {reason}") from None


def _loaded(filename: str) -> np.ndarray:
    if not Path(filename).is_file():
        raise CommandError(f"there is no file {filename!r}")
    try:
        with open(filename, "rb") as file:
            return _array_in(file, filename)
    except (ValueError, OSError, EOFError):
        raise CommandError(f"{filename} is not a NumPy array file") from None


def _array_in(file: BinaryIO, filename: str) -> np.ndarray:
    # `np.load` would also load an archive of arrays, under any file name.
    if file.read(len(_ARRAY_FILE)) != _ARRAY_FILE:
        raise CommandError(f"{filename} is not a NumPy array file")
    file.seek(0)
    try:
        return np.asarray(np.load(file, allow_pickle=False))
    except ValueError as error:
        if "allow_pickle" not in str(error):
            raise
        raise CommandError(f"{filename} holds Python objects, not numbers") from None


def _array_tensor(array: np.ndarray, filename: str) -> Any:
    try:
        return constant(array)
    except (TypeError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise CommandError(f"{filename} cannot become a tensor: {reason}") from None


def _check_call(function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        name = getattr(function, "__name__", "the function")
        unknown = _UNEXPECTED.search(str(error))
        instead = did_you_mean(unknown[1], signature.parameters) if unknown else ""
        raise CommandError(f"{name}{signature}: {error}{instead}") from None
