"""Names available to generated programs: a log, errors, a manager, and operations.

The log is an effect of the graph: what is logged is seen in every call, in the order of the calls.
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
import sys
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from runtime.core.tensor import SymbolicTensor

TRACE: list[Any] = []
_MOST_ENTRIES = 300
_OF_PYTHON = (bool, int, float, str, list, tuple, dict, np.generic, type(None))
# A tensor in a text is known by its value.
_TENSOR = re.compile(r"rt\.Tensor\((.*?), shape=\(\), dtype=\w+\)")


class OutOfFuel(BaseException):
    """A program that goes on for too long is stopped."""


class Oops(Exception):
    """An error with attributes of its own and a constructor of two arguments."""

    def __init__(self, code: object = 0, detail: object = None) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail


class Worse(Oops):
    """A more special error."""


def plain(value: Any) -> Any:
    """Spell a value: the kind of number, the shape and the contents."""
    if isinstance(value, SymbolicTensor):
        return ("symbolic", str(value.dtype))
    if isinstance(value, rt.Tensor):
        value = value.numpy()
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, bool | int | float | np.ndarray | np.generic):
        return _spelled_array(np.asarray(value))
    if isinstance(value, list | tuple):
        return (type(value).__name__, [plain(item) for item in value])
    if isinstance(value, dict):
        return ("dict", [(key, plain(item)) for key, item in value.items()])
    return (type(value).__name__, _TENSOR.sub(r"\1", str(value)))


def _spelled_array(array: np.ndarray) -> Any:
    if array.dtype.kind == "O":
        return ("str", array.item().decode())
    return (array.dtype.kind, array.shape, array.tolist())


def _record(tag: str, value: Any) -> None:
    if len(TRACE) >= _MOST_ENTRIES:
        raise OutOfFuel("trace")
    TRACE.append((tag, plain(value)))


def log(tag: str, value: Any) -> None:
    """Leave a trace, in every call of a graph, too."""
    if value is None:
        _noted(tag, None)
    else:
        _noted(tag, value)


@ag.do_not_convert
def _noted(tag: str, value: Any) -> None:
    if isinstance(value, _OF_PYTHON):
        rt.py_function(lambda: _record(tag, value), [], [])
    else:
        rt.py_function(lambda seen: _record(tag, seen), [value], [])


class Scope:
    """A context manager that is entered and left while tracing."""

    def __init__(self, tag: str) -> None:
        self.tag = tag

    def __enter__(self) -> str:
        return self.tag

    def __exit__(self, *error: object) -> None:
        pass


class Vector(np.ndarray):
    """An array whose parts are no views of it."""

    def __getitem__(self, index: Any) -> Any:
        part = super().__getitem__(index)
        return part.copy() if isinstance(part, np.ndarray) else part

    def __setitem__(self, index: Any, value: Any) -> None:
        np.asarray(self)[index] = value


def vector(values: Any) -> Vector:
    """Return a vector of integers as they are in tensors."""
    return np.array(values, np.int32).view(Vector)


class NumPyOperations:
    """The operations programs call, in plain NumPy."""

    @staticmethod
    def concat(parts: Any, axis: int) -> Any:
        return np.concatenate([vector(part) for part in parts], axis).view(Vector)

    @staticmethod
    def where(test: Any, one: Any, other: Any) -> Any:
        return vector(np.where(test, one, other))

    @staticmethod
    def reduce_sum(values: Any) -> Any:
        return values.sum()

    @staticmethod
    def constant(value: Any) -> Any:
        return value

    @staticmethod
    def print(*values: Any) -> None:
        print(*values, file=sys.stderr)

    @staticmethod
    def range(limit: Any) -> Any:
        return vector(np.arange(limit))


GIVEN = {
    "Oops": Oops,
    "Worse": Worse,
    "log": log,
    "Scope": Scope,
    "contextlib": contextlib,
    "dataclasses": dataclasses,
}
