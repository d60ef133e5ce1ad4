"""When two runs of a program agree: results, exceptions, output and changed arguments."""

from __future__ import annotations

import contextlib
import io
import re
import traceback
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import runtime as rt

RELATIVE = {"float16": 1e-2, "float32": 1e-5, "float64": 1e-9}


@dataclass(frozen=True)
class Outcome:
    """Everything the caller of a function can see of one call."""

    result: Any
    error: BaseException | None
    printed: str
    arguments: list[Any]


def outcome_of(function: Callable[..., Any], arguments: list[Any]) -> Outcome:
    """Call `function` and keep its outcome, which may be an exception."""
    printed = io.StringIO()
    result, error = None, None
    with contextlib.redirect_stdout(printed):
        try:
            result = function(*arguments)
        except Exception as raised:
            error = raised
    return Outcome(result, error, printed.getvalue(), arguments)


def spelled(value: Any) -> Any:
    """A value with the types of all its parts written out, so that `==` means exactly equal."""
    if isinstance(value, rt.Tensor):
        return ("tensor", spelled(value.numpy()))
    if isinstance(value, np.ndarray | np.generic):
        return (type(value), value.dtype.name, spelled(value.tolist()))
    if isinstance(value, list | tuple):
        return (type(value), [spelled(item) for item in value])
    if isinstance(value, Mapping):
        return (type(value), [(spelled(key), spelled(item)) for key, item in value.items()])
    if _is_plain_object(value):
        return (type(value), spelled(vars(value)))
    return (type(value), value)


def _is_plain_object(value: Any) -> bool:
    """Tell whether the value of an object that only identity compares is its attributes."""
    kind = type(value)
    return kind.__module__.startswith("tests.programs.") and kind.__eq__ is object.__eq__


def value_difference(
    expected: Any, actual: Any, path: str = "result", differs: Collection[str] = ()
) -> str | None:
    """Where a result on tensors differs from the result on Python values; None if nowhere.

    Structure must be the same. A tensor stands for a number, and its kind must be that of the
    number. What a program may give otherwise stands in `differs`, as in its mark of that name:
    one tensor for a list of numbers ("rows"), a float for an int ("widened").
    """
    if isinstance(actual, rt.Tensor) and not isinstance(expected, list | tuple):
        return _array_difference(_plain(expected), actual, path, differs)
    if isinstance(actual, rt.Tensor) and "rows" in differs:
        return _array_difference(_plain(expected), actual, path, differs)
    if isinstance(expected, rt.Tensor) or type(expected) is not type(actual):
        return f"{path}: {type(actual).__name__} instead of {type(expected).__name__}"
    if isinstance(expected, list | tuple):
        return _sequence_difference(expected, actual, path, differs)
    if isinstance(expected, Mapping):
        return _mapping_difference(expected, actual, path, differs)
    if isinstance(expected, np.ndarray | np.generic):
        kinds = expected.dtype.kind, actual.dtype.kind
        same = kinds[0] == kinds[1] and np.array_equal(expected, actual)
    elif _is_plain_object(expected):
        return _mapping_difference(vars(expected), vars(actual), path, differs)
    else:
        same = expected == actual
    return None if same else f"{path}: {actual!r} instead of {expected!r}"


def _plain(value: Any) -> Any:
    if isinstance(value, rt.Tensor):
        return value.numpy()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _sequence_difference(
    expected: Any, actual: Any, path: str, differs: Collection[str]
) -> str | None:
    if len(expected) != len(actual):
        return f"{path}: {len(actual)} items instead of {len(expected)}"
    for place, (wanted, given) in enumerate(zip(expected, actual)):
        found = value_difference(wanted, given, f"{path}[{place}]", differs)
        if found:
            return found
    return None


def _mapping_difference(
    expected: Mapping[Any, Any], actual: Mapping[Any, Any], path: str, differs: Collection[str]
) -> str | None:
    if list(expected) != list(actual):
        return f"{path}: keys {list(actual)} instead of {list(expected)}"
    for key, wanted in expected.items():
        found = value_difference(wanted, actual[key], f"{path}[{key!r}]", differs)
        if found:
            return found
    return None


def _array_difference(
    expected: Any, actual: rt.Tensor, path: str, differs: Collection[str]
) -> str | None:
    wanted = np.asarray(expected)
    given = np.asarray(actual.numpy())
    if given.dtype.kind == "S":
        given = given.astype(object)
    if wanted.dtype.kind == "U":
        wanted = np.array([text.encode() for text in wanted.ravel()], object).reshape(wanted.shape)
    if wanted.shape != given.shape:
        return f"{path}: shape {given.shape} instead of {wanted.shape}"
    if not _same_kind(wanted.dtype.kind, given.dtype.kind, differs):
        return f"{path}: {given.dtype.name} instead of {wanted.dtype.name}"
    if wanted.dtype.kind == "O":
        same = wanted.tolist() == given.tolist()
        return None if same else f"{path}: {given.tolist()} instead of {wanted.tolist()}"
    tolerance = RELATIVE.get(given.dtype.name, 0.0)
    if not np.allclose(given, wanted, rtol=tolerance, atol=tolerance * 1e-3, equal_nan=True):
        return f"{path}: {given.tolist()} instead of {wanted.tolist()}"
    return None


def _same_kind(wanted: str, given: str, differs: Collection[str]) -> bool:
    return given == wanted or ("widened" in differs and (wanted, given) == ("i", "f"))


def staged_error_difference(
    expected: BaseException | None, actual: BaseException | None
) -> str | None:
    """Return how the exception of a graph differs from Python's; None if in nothing.

    It is the same exception, with the same arguments. Where Python itself refuses, as in a
    division by zero, it may be one of the runtime's that is Python's own as well, in its own words.
    """
    if expected is None or actual is None:
        return None if expected is actual else f"raised {actual!r} instead of {expected!r}"
    if isinstance(actual, rt.errors.OpError) and isinstance(actual, type(expected)):
        if not _is_raised_by_name(expected):
            return None
    elif type(actual) is not type(expected):
        return f"raised {actual!r} instead of {expected!r}"
    return value_difference(expected.args, actual.args, "arguments of the exception")


def _is_raised_by_name(error: BaseException) -> bool:
    """Whether a `raise` or an `assert` of the program made an exception."""
    frames = traceback.extract_tb(error.__traceback__)
    line = (frames[-1].line or "") if frames else "raise"
    return re.search(r"\b(raise|assert)\b", line) is not None


def error_difference(expected: BaseException | None, actual: BaseException | None) -> str | None:
    """How two exceptions differ for the caller: type, arguments, cause and context."""
    if type(expected) is not type(actual):
        return f"raised {actual!r} instead of {expected!r}"
    if expected is None or actual is None:
        return None
    if expected.args != actual.args:
        return f"raised with {actual.args} instead of {expected.args}"
    if type(expected.__cause__) is not type(actual.__cause__):
        return f"cause {actual.__cause__!r} instead of {expected.__cause__!r}"
    return None
