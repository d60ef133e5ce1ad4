"""Differences between two value snapshots: in structure, dtype or numbers.

Floating numbers may differ a little, since a graph may compute in another order. The relative
tolerance depends on the dtype (`TOLERANCES`), and the absolute one is a thousandth of it. Integers,
booleans and strings must be equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.checking.value_snapshot import ValueSnapshot

TOLERANCES = {
    "float16": 1e-2,
    "float32": 1e-5,
    "complex64": 1e-5,
    "float64": 1e-9,
    "complex128": 1e-9,
}
_LEAVES = ("tensor", "array", "python")


def difference(
    expected: ValueSnapshot, actual: ValueSnapshot, staged: bool, path: str = ""
) -> str | None:
    """Return the difference of a value from the expected one; None if there is none.

    Args:
        expected: the value in plain Python.
        actual: the value in the other mode.
        staged: whether it is the result of a graph. Then Python numbers and strings may be tensors,
            and an integer may be a floating number, if the two branches of an `if` have both.
        path: the name of the value in the message.
    """
    return next(_differences(expected, actual, staged, path), None)


def _differences(
    expected: ValueSnapshot, actual: ValueSnapshot, staged: bool, path: str
) -> Iterator[str]:
    if expected.kind in _LEAVES and actual.kind in _LEAVES:
        found = _leaf_difference(expected, actual, staged)
        if found is not None:
            yield f"{path}: {found}" if path else found
    elif expected.kind != actual.kind:
        found = f"{_kind_text(actual)} instead of {_kind_text(expected)}"
        yield f"{path}: {found}" if path else found
    elif expected.kind == "object":
        if expected.content != actual.content:
            yield f"{path}: {actual} instead of {expected}"
    else:
        yield from _part_differences(expected, actual, staged, path)


def _part_differences(
    whole: ValueSnapshot, other: ValueSnapshot, staged: bool, path: str
) -> Iterator[str]:
    expected, actual = whole.content, other.content
    if set(expected) != set(actual):
        if all(type(name) is int for name in (*expected, *actual)):
            yield f"{path}: {len(actual)} items instead of {len(expected)}".lstrip(": ")
        else:
            names, wanted = sorted(map(str, actual)), sorted(map(str, expected))
            yield f"{path}: {names} instead of {wanted}".lstrip(": ")
        return
    for name, part in expected.items():
        place = f".{name}" if whole.has_names else f"[{name!r}]"
        yield from _differences(part, actual[name], staged, f"{path}{place}")


def _leaf_difference(expected: ValueSnapshot, actual: ValueSnapshot, staged: bool) -> str | None:
    if not staged and (expected.kind, _type(expected)) != (actual.kind, _type(actual)):
        return f"{_kind_text(actual)} instead of {_kind_text(expected)}"
    if expected.kind == actual.kind == "python":
        same = expected.content is actual.content or _same_python(expected, actual)
        return None if same else f"{actual} instead of {expected}"
    if expected.content is None or actual.content is None:
        return f"{actual} instead of {expected}"
    return _array_difference(expected, actual)


def _type(value: ValueSnapshot) -> Any:
    return type(value.content) if value.kind == "python" else value.content.dtype


def _same_python(expected: ValueSnapshot, actual: ValueSnapshot) -> bool:
    a, b = expected.content, actual.content
    if isinstance(a, (float, complex)) and isinstance(b, (float, complex)):
        return bool(_close(np.asarray(a), np.asarray(b)))
    return type(a) is type(b) and bool(a == b)


def _array_difference(expected: ValueSnapshot, actual: ValueSnapshot) -> str | None:
    a, b = as_array(expected), as_array(actual)
    if a.shape != b.shape:
        return f"shape {b.shape} instead of {a.shape}"
    if not _fitting_dtypes(expected, actual, a, b):
        return f"{actual} instead of {expected}"
    return None if _close(a, b) else f"{actual} instead of {expected}"


def _fitting_dtypes(
    expected: ValueSnapshot, actual: ValueSnapshot, a: np.ndarray, b: np.ndarray
) -> bool:
    if expected.kind != "python" and actual.kind != "python":
        return a.dtype == b.dtype
    # A Python number has no dtype, and may become one of a wider kind at the end of an `if`.
    kinds = "biufc" if a.dtype.kind in "biufc" else a.dtype.kind
    if b.dtype.kind not in kinds:
        return False
    order = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
    return order.get(a.dtype.kind, 0) <= order.get(b.dtype.kind, 0) and (
        (a.dtype.kind == "b") == (b.dtype.kind == "b")
    )


def as_array(value: ValueSnapshot) -> np.ndarray:
    """Return a leaf as an array; a string as bytes, as in tensors."""
    content = value.content
    if isinstance(content, (str, bytes)):
        array = np.empty((), object)
        array[()] = content.encode() if isinstance(content, str) else content
        return array
    if type(content) is int and abs(content) >= 2**63:
        return np.array(content, object)
    return np.asarray(content)


def _close(a: np.ndarray, b: np.ndarray) -> bool:
    names = [x.dtype.name for x in (a, b) if x.dtype.name in TOLERANCES]
    if not names:
        return bool(np.array_equal(a, b))
    tolerance = max(TOLERANCES[name] for name in names)
    with np.errstate(all="ignore"):
        return bool(np.allclose(b, a, rtol=tolerance, atol=tolerance * 1e-3, equal_nan=True))


def _kind_text(value: ValueSnapshot) -> str:
    if value.kind == "tensor":
        return f"a tensor ({value})"
    if value.kind == "array":
        return f"an array ({value})"
    if value.kind == "python":
        return f"{type(value.content).__name__} {value}"
    return str(value) if value.kind == "object" else f"a {value.kind}"
