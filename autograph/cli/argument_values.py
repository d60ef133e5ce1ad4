"""Reads arguments of the command line, Python literals and `.npy` files, as tensors.

3  [1.5, 2]  n=3  "{'a': [1, 2]}"  "'text'"  weights.npy
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from autograph.errors import CommandError
from runtime.ops.constant import constant

_KEYWORD = re.compile(r"([^\W\d]\w*)=(?!=)(.*)", re.DOTALL)
_NUMBER = re.compile(r"-(?!-)(\d|\.\d|\(|inf|nan)", re.IGNORECASE)
_SPECIAL = re.compile(r"([+-]?)(inf|nan)", re.IGNORECASE)
_ARRAY_FILE = b"\x93NUMPY"

Arguments = tuple[list[Any], dict[str, Any]]


def arguments_of(texts: Sequence[str], function: Callable[..., Any]) -> Arguments:
    """Return the arguments, after a check that the function takes them.

    Args:
        texts: one text per argument; `name=value` is a keyword argument.
        function: the function to call.

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
    _check_call(function, args, kwargs)
    return args, kwargs


def value_of(text: str) -> Any:
    """Return one argument: numbers and lists become tensors, strings and None do not.

    Raises:
        CommandError: the text is no literal, no tensor can be made of it, or the `.npy` file cannot
            be read.

    >>> value_of("[1, 2]")
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>
    >>> value_of("-inf")
    <rt.Tensor: shape=(), dtype=float32, numpy=-inf>
    >>> value_of("'sum'")
    'sum'
    """
    text = text.strip()
    if text.endswith(".npy"):
        return _array_tensor(_loaded(text), text)
    if _SPECIAL.fullmatch(text):
        return constant(float(text))
    try:
        literal = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise CommandError(
            f"{text!r} is neither a Python literal nor a .npy file (write strings as \"'text'\")"
        ) from None
    return _tensors(literal, text)


def split_call(text: str) -> list[str]:
    """Split the arguments of a call at its commas.

    >>> split_call("3, [1, 2], n=-1")
    ['3', '[1, 2]', 'n=-1']
    """
    try:
        call: Any = ast.parse(f"f({text})", mode="eval").body
        nodes = [*call.args, *call.keywords]
    except (SyntaxError, ValueError, AttributeError):
        return [text]
    found = (ast.get_source_segment(f"f({text})", node) or "" for node in nodes)
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
        raise CommandError(f"{name}{signature}: {error}") from None
