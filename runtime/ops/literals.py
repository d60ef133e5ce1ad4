"""Converts Python and NumPy values to arrays with TensorFlow's default dtypes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.core.argument_checks import shown, utf8
from runtime.core.context import current_recorder
from runtime.core.dtypes import (
    ALL,
    KIND_RANK,
    DType,
    as_dtype,
    float32,
    int32,
    int64,
    literal_dtype,
    string,
)
from runtime.core.lazy_imports import lazy_import
from runtime.core.shapes import TensorShape
from runtime.core.tensor import Array
from runtime.errors import DTypeError, DTypeValueError, ShapeError, with_article

name_of = lazy_import("runtime.diagnostics.operand_names:name_of")

SCALARS = (bool, int, float, complex, str, bytes)

_to_bytes = np.frompyfunc(lambda text: utf8(text) if isinstance(text, str) else text, 1, 1)


def array_of(value: Any, dtype: DType | None = None) -> Array:
    """Return a new array of `value`, which contains no tensors.

    Args:
        value: a Python scalar, a NumPy array or scalar, a nested list of those, a TensorShape, or
            an object with `__array__`.
        dtype: the requested dtype; by default int32 and float32 for Python numbers and NumPy's own
            dtype for its values. A NumPy array is cast to it by NumPy's rules.

    Raises:
        DTypeError: `value` cannot become `dtype` without changing its kind, does not fit it, or has
            no tensor dtype.
        ShapeError: a nested list is not rectangular, or a TensorShape is not fully known.

    >>> array_of(np.array([1.5]), int32), array_of([2**63], as_dtype("uint64"))
    (array([1], dtype=int32), array([9223372036854775808], dtype=uint64))
    """
    try:
        natural = natural_array(value)
    except DTypeValueError:
        if dtype is None or dtype.kind not in "ufc" or not _holds_large(value):
            raise
        return _large(value, dtype)
    if dtype is None:
        if current_recorder() is None:
            _check_range(natural, value)
        return natural
    if isinstance(value, (np.ndarray, np.generic)) and natural.dtype.kind in KIND_RANK:
        if dtype.kind in KIND_RANK:
            is_cut = natural.dtype.kind == "c" and dtype.kind != "c"
            return _quietly_cast(natural.real if is_cut else natural, dtype)
    return adopted(natural, dtype, value)


def number_array(value: Any, dtype: DType | None = None) -> Array | None:
    """Return the array of a Python number, as `array_of`; None if that needs the general path.

    >>> number_array(1), number_array(1, float32), number_array(2**40), number_array(1.5, int32)
    (array(1, dtype=int32), array(1., dtype=float32), None, None)
    """
    kind = type(value)
    if dtype is None:
        dtype = _NUMBERS.get(kind)
        if dtype is None:
            return None
    np_dtype = dtype.np_dtype
    if (kind, np_dtype.kind) not in SAFE_KINDS:
        return None
    if np_dtype.kind == "f" and not -SAFE_NUMBER < value < SAFE_NUMBER:
        return None
    try:
        return np.array(value, np_dtype)
    except OverflowError:
        return None


_NUMBERS = {float: float32, int: int32}
# Numbers up to this size fit every float dtype, so that NumPy does not warn.
SAFE_NUMBER = 65504
# The types of Python numbers, with the kinds of dtypes that each may adopt.
SAFE_KINDS = frozenset(((float, "f"), (int, "f"), (int, "i"), (int, "u")))
NATIVE = frozenset(dtype.np_dtype for dtype in ALL if dtype.kind != "O")
"""The dtypes of arrays that become tensors as they are."""


def natural_array(value: Any) -> Array:
    """Return a new array of `value` with its default dtype."""
    if isinstance(value, (np.ndarray, np.generic)):
        return _own_array(value)
    if isinstance(value, SCALARS):
        return _scalar_array(value, literal_dtype(value))
    if value is None:
        name = name_of(None)
        which = "" if name in (None, "None") else f" for {name}"
        raise DTypeValueError(f"None is not a tensor value: give a number or a tensor{which}")
    if isinstance(value, TensorShape):
        return _sizes_array(value)
    if isinstance(value, (list, tuple, range)):
        return _list_array(value)
    if hasattr(value, "__array__"):
        return _own_array(np.asarray(value))
    kind = with_article(type(value).__name__)
    advice = "; give its values, list(d.values())" if isinstance(value, dict) else ""
    raise DTypeValueError(f"{kind} cannot be made a tensor: {shown(value)}{advice}")


def adopted(natural: Array, dtype: DType, value: Any, wider: str = "it needs rt.{}") -> Array:
    """Return the array in another dtype, which must be able to hold numbers of its kind.

    Args:
        value: the value that it was made of, for errors.
        wider: the advice to use the dtype that an integer needs.

    >>> adopted(np.array(1, np.int32), float32, 1)
    array(1., dtype=float32)
    """
    if natural.dtype == dtype.np_dtype:
        return natural
    if is_empty(value):
        return natural.astype(dtype.np_dtype)
    if not adoptable(natural.dtype.kind, dtype):
        text = shown(value)
        advice = remedy(natural.dtype.kind, dtype)
        if isinstance(value, (bool, int, float, complex, list)) and not text.endswith("..."):
            advice = advice.replace("(x", f"({text}")
        raise DTypeError(f"{text} cannot be made {dtype.name} without loss: {advice}")
    if dtype.is_integer and natural.size:
        limits = np.iinfo(dtype.np_dtype)
        if int(natural.min()) < limits.min or int(natural.max()) > limits.max:
            advice = wider.format(as_dtype(natural.dtype).name)
            raise DTypeValueError(f"{shown(value)} does not fit {dtype.name}: {advice}")
    if natural.dtype == float32.np_dtype and dtype.size > float32.size:
        # Converted from the value itself: its float32 array has lost digits.
        return np.array(value, dtype.np_dtype)
    return _quietly_cast(natural, dtype)


def adoptable(kind: str, dtype: DType) -> bool:
    """Return whether literals of this NumPy kind may become `dtype`: bool < int < float < complex.

    >>> adoptable("i", float32), adoptable("f", int32)
    (True, False)
    """
    if kind in "OV" or dtype.kind in "OV":
        return kind == dtype.kind
    return KIND_RANK[kind] <= KIND_RANK[dtype.kind]


def is_empty(value: Any) -> bool:
    """Return whether a nested list has no element, and so no dtype of its own.

    >>> is_empty([]), is_empty([[], ()]), is_empty([0]), is_empty(np.zeros(0))
    (True, True, False, False)
    """
    return isinstance(value, (list, tuple)) and all(map(is_empty, value))


def scan(value: Any, is_tensor: Any) -> str:
    """Return the kind of a nested list: "tensor" if any leaf is one, else "numpy" or "python"."""
    found = "python"
    for item in value:
        if isinstance(item, (list, tuple)):
            inner = scan(item, is_tensor)
        elif isinstance(item, (np.ndarray, np.generic)):
            inner = "numpy"
        else:
            inner = "tensor" if is_tensor(item) else "python"
        if inner == "tensor":
            return inner
        if inner == "numpy":
            found = inner
    return found


def _scalar_array(value: Any, dtype: DType) -> Array:
    if dtype is not string:
        with np.errstate(over="ignore"):
            return np.array(value, dtype.np_dtype)
    array = np.empty((), object)
    array[()] = utf8(value) if isinstance(value, str) else bytes(value)
    return array


def _own_array(value: Any) -> Array:
    """Return a copy of a NumPy value, so that later changes by its owner change no tensor."""
    array = np.array(value)
    if array.dtype in NATIVE:
        return array
    if array.dtype.kind in "OSU":
        return _string_array(array)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    try:
        as_dtype(array.dtype)
    except DTypeError:
        raise DTypeValueError(f"NumPy's {array.dtype.name} has no tensor dtype") from None
    return array


def _list_array(value: Iterable[Any]) -> Array:
    try:
        array = np.array(value)
    except UnicodeDecodeError:
        # NumPy would decode bytes among texts as ASCII.
        return _string_array(np.array(value, object))
    except ValueError:
        raise ShapeError(
            f"the nested list is not rectangular: {shown(value)}: give all its rows one length"
        ) from None
    if array.dtype.kind in "OSU":
        # Through an object array: else NumPy would convert numbers among strings to text.
        return _string_array(np.array(value, object))
    if array.dtype.kind in "uf" and _holds_large(value):
        raise _no_integers(shown(value))
    if scan(value, lambda _: False) == "numpy":
        return _led(_own_array(array), value)
    return _defaulted(array)


def _led(array: Array, value: Any) -> Array:
    """Return the array of a list with NumPy values: float64 and float16 stay if they come first."""
    if array.dtype.kind in "iu":
        return _defaulted(array.astype(np.int64))
    if array.dtype.kind == "c":
        return array.astype(np.complex128)
    if array.dtype.kind != "f":
        return array
    first = _first_dtype(value)
    leads = first is not None and first.kind == "f"
    return _quietly_cast(array, as_dtype(first) if leads else float32)


def _first_dtype(value: Any) -> np.dtype[Any] | None:
    """Return the dtype of the first element of a nested list, or None for a Python value."""
    for item in value:
        if isinstance(item, (list, tuple)):
            return _first_dtype(item)
        return item.dtype if isinstance(item, (np.ndarray, np.generic)) else None
    return None


def _holds_large(value: Any) -> bool:
    """Return whether a value is an int outside the int64 range, or a list of numbers with one."""
    if isinstance(value, (list, tuple)):
        return any(map(_holds_large, value))
    return isinstance(value, (int, np.uint64)) and not -LIMIT <= value < LIMIT


LIMIT = 2**63


def _large(value: Any, dtype: DType) -> Array:
    try:
        with np.errstate(over="ignore"):
            return np.array(value, dtype.np_dtype)
    except (OverflowError, TypeError, ValueError):
        raise DTypeValueError(f"{shown(value)} does not fit {dtype.name}") from None


def _check_range(natural: Array, value: Any) -> None:
    """Reject Python floats that the default dtype float32 would make infinite."""
    if natural.dtype != float32.np_dtype or isinstance(value, (np.ndarray, np.generic)):
        return
    infinite = np.isinf(natural)
    if infinite.any() and np.isfinite(np.asarray(value, np.float64)[infinite]).any():
        raise DTypeValueError(f"{shown(value)} does not fit float32: write dtype=rt.float64")


def _quietly_cast(array: Array, dtype: DType) -> Array:
    """Cast without NumPy's warning of floats too large, which become infinite as in TensorFlow."""
    with np.errstate(all="ignore"):
        return array.astype(dtype.np_dtype)


def _defaulted(array: Array) -> Array:
    if array.dtype.kind == "f":
        return _quietly_cast(array, float32)
    if array.dtype == int64.np_dtype:
        limits = np.iinfo(int32.np_dtype)
        fits = not array.size or (array.min() >= limits.min and array.max() <= limits.max)
        return array.astype(int32.np_dtype) if fits else array
    return array


def _string_array(array: Array) -> Array:
    encoded = np.asarray(_to_bytes(array.astype(object)), object)
    others = [item for item in encoded.flat if not isinstance(item, bytes)]
    if others:
        raise _unfit(array, others)
    return encoded


def _unfit(array: Array, others: list[Any]) -> DTypeError:
    """Return the error for an array in which `others` are not strings."""
    text, numbers = shown(array.tolist()), (*SCALARS, np.generic)
    item = next((item for item in others if not isinstance(item, numbers)), others[0])
    if item is None:
        return DTypeValueError(f"None is not a tensor value, but is one of {text}")
    if not isinstance(item, numbers):
        kind = with_article(type(item).__name__)
        return DTypeValueError(f"{kind} cannot be an element of a tensor: {shown(item)}")
    if len(others) < array.size:
        return DTypeValueError(f"{text} mixes numbers and strings: a tensor holds one or the other")
    return _no_integers(text)


def _no_integers(text: str) -> DTypeError:
    return DTypeValueError(f"{text} has ints that do not fit any integer dtype: write floats")


def remedy(kind: str, dtype: DType) -> str:
    """Return the advice to convert a value of a NumPy kind to a dtype, for errors."""
    if dtype.is_string:
        return "write rt.strings.as_string(x)"
    if kind == "O":
        return f"write rt.strings.to_number(x, rt.{dtype.name})"
    return f"write rt.cast(x, rt.{dtype.name})"


def _sizes_array(shape: TensorShape) -> Array:
    if not shape.is_fully_defined():
        raise ShapeError(f"the shape {shape} is not fully known: use rt.shape(x) for one that is")
    return np.array(shape.as_list(), np.int32)
