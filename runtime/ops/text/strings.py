"""Ops on strings, which are bytes; UTF-8 where characters matter."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np

from runtime.core.argument_checks import flag, listed, plain_text, utf8
from runtime.core.dtypes import (
    DType,
    DTypeLike,
    as_dtype,
    float32,
    float64,
    int32,
    int64,
    string,
    uint32,
    uint64,
)
from runtime.core.shapes import AxisLike
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops import infer
from runtime.ops.arguments import static_axes, static_int
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply, define


def _each(function: Callable[..., Any], *arrays: Array, dtype: Any = object) -> Array:
    """Return the array of a Python function's results for the elements of broadcast arrays."""
    results = np.frompyfunc(function, len(arrays), 1)(*arrays)
    array = np.empty(np.shape(results) if isinstance(results, np.ndarray) else (), dtype)
    array[...] = results
    return array


def _join_kernel(*arrays: Array, separator: bytes) -> Array:
    infer.check_same_shape(*(array for array in arrays if array.ndim))
    return _each(lambda *parts: separator.join(parts), *arrays)


def _join_infer(*parts: TensorSpec, separator: bytes) -> TensorSpec:
    """Infer strings of one shape; scalars broadcast to the others."""
    shapes = [part.shape for part in parts]
    if not any(shape.rank is None for shape in shapes):
        infer.check_same_shape(*(part for part in parts if part.shape.rank))
    return infer.broadcast(*parts)


def _reduce_join_kernel(
    x: Array, *, axis: tuple[int, ...] | None, keepdims: bool, separator: bytes
) -> Array:
    axes = range(x.ndim) if axis is None else [infer.axis_of(a, x.ndim) for a in axis]
    rest = [a for a in range(x.ndim) if a not in axes]
    rows = np.transpose(x, [*rest, *axes]).reshape(
        *(x.shape[a] for a in rest), math.prod(x.shape[a] for a in axes)
    )
    joined = np.empty(rows.shape[:-1], object)
    for place in np.ndindex(*joined.shape):
        joined[place] = separator.join(rows[place].tolist())
    return np.expand_dims(joined, tuple(axes)) if keepdims else joined


Unit: TypeAlias = Literal["BYTE", "UTF8_CHAR"]


def _length_kernel(x: Array, *, unit: Unit) -> Array:
    measure = len if unit == "BYTE" else _characters
    return _each(measure, x, dtype=np.int32)


def _characters(text: bytes) -> int:
    return len(text.decode("utf-8", "replace"))


def _letters(method: str) -> Callable[..., Array]:
    """Return a kernel that applies a method to bytes, or to text if `encoding` is utf-8."""

    def kernel(x: Array, *, encoding: Literal["", "utf-8"]) -> Array:
        if encoding == "utf-8":
            return _each(
                lambda text: getattr(text.decode("utf-8", "replace"), method)().encode(), x
            )
        return _each(lambda text: getattr(text, method)(), x)

    return kernel


def _substr_kernel(x: Array, pos: Array, count: Array, *, unit: Unit) -> Array:
    def cut(text: bytes, start: int, size: int) -> bytes:
        letters = text if unit == "BYTE" else text.decode()
        if not -len(letters) <= start <= len(letters):
            raise ArgumentValueError(f"pos {start} out of range for string {text!r}")
        first = start % len(letters) if start < 0 else start
        # As in TensorFlow, a negative length means no limit.
        part = letters[first:] if size < 0 else letters[first : first + size]
        return part if isinstance(part, bytes) else utf8(part)

    return _each(cut, x, pos, count)


def _substr_infer(x: TensorSpec, pos: TensorSpec, count: TensorSpec, *, unit: Unit) -> TensorSpec:
    infer.check_integer(pos, "pos")
    infer.check_integer(count, "len")
    return TensorSpec(x.shape.broadcast(pos.shape).broadcast(count.shape), string)


def _as_string_kernel(
    x: Array, *, precision: int, scientific: bool, shortest: bool, width: int = -1, fill: str = ""
) -> Array:
    form = "e" if scientific else "g" if shortest else "f"
    frame = "%" + fill + (str(width) if width > 0 else "")
    number = frame + ("" if precision < 0 else f".{precision}") + form

    def written(value: Any) -> bytes:
        if isinstance(value, bool):
            return b"true" if value else b"false"
        if isinstance(value, bytes):
            size = max(width, 0)
            return value.ljust(size) if fill == "-" else value.rjust(size)
        if isinstance(value, complex):
            return f"({number % value.real},{number % value.imag})".encode()
        return ((frame + "d" if isinstance(value, int) else number) % value).encode()

    return _each(written, x.astype(object))


def _as_string_infer(x: TensorSpec, **form: Any) -> TensorSpec:
    if not x.dtype.is_floating and not x.dtype.is_complex:
        if form["precision"] >= 0:
            raise ArgumentValueError(f"precision not supported for datatype {x.dtype.name}")
        if form["scientific"] or form["shortest"]:
            raise ArgumentValueError(
                f"scientific and shortest format not supported for datatype {x.dtype.name}"
            )
    return TensorSpec(x.shape, string)


def _to_number_kernel(x: Array, *, out_type: DType, as_python: bool = False) -> Array:
    parse = float if out_type.is_floating else int

    def number(text: bytes) -> Any:
        try:
            if as_python:
                return parse(text.decode("utf-8", "surrogateescape"))
            found = parse(text.replace(b"_", b"?"))  # Python accepts 1_000, TensorFlow does not.
            if out_type.is_integer and not out_type.min <= found <= out_type.max:
                raise ValueError
            return found
        except ValueError as error:
            shown = text.decode("utf-8", "backslashreplace")
            words = f"could not correctly convert string: {shown} is not a valid {out_type.name}"
            raise ArgumentValueError(str(error) if as_python else words) from None

    return _each(number, x, dtype=out_type.np_dtype)


def _number_infer(x: TensorSpec, *, out_type: DType, as_python: bool = False) -> TensorSpec:
    return TensorSpec(x.shape, out_type)


JOIN = define("string_join", _join_kernel, _join_infer, kinds="O", tensorflow_name="StringJoin")
REDUCE_JOIN = define(
    "reduce_join", _reduce_join_kernel, infer.reduced(), kinds="O", tensorflow_name="ReduceJoin"
)
LENGTH = define(
    "string_length",
    _length_kernel,
    infer.same_shape(int32),
    kinds="O",
    tensorflow_name="StringLength",
)
LOWER = define(
    "string_lower", _letters("lower"), infer.same, kinds="O", tensorflow_name="StringLower"
)
UPPER = define(
    "string_upper", _letters("upper"), infer.same, kinds="O", tensorflow_name="StringUpper"
)
STRIP = define(
    "string_strip",
    lambda x: _each(bytes.strip, x),
    infer.same,
    kinds="O",
    tensorflow_name="StringStrip",
)
SUBSTR = define("substr", _substr_kernel, _substr_infer, kinds="O", tensorflow_name="Substr")
AS_STRING = define(
    "as_string",
    _as_string_kernel,
    _as_string_infer,
    kinds="biufcO",
    tensorflow_name="AsString",
)
TO_NUMBER = define(
    "to_number", _to_number_kernel, _number_infer, kinds="O", tensorflow_name="StringToNumber"
)


def join(inputs: TensorLike, separator: str = "", name: str | None = None) -> Tensor:
    """Return the strings of tensors of one shape, or scalars, joined element by element.

    >>> print(join(["a", ["b", "c"]], separator="-"))
    rt.Tensor([b'a-b' b'a-c'], shape=(2,), dtype=string)
    """
    tensors = [to_tensor(item) for item in listed(inputs, "inputs")]
    if not tensors:
        return to_tensor("")
    result: Tensor = apply(JOIN, tensors, separator=separator_bytes(separator))
    return result


def reduce_join(
    inputs: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """Return the strings along `axis` (None: all) joined to one.

    >>> print(reduce_join(["a", "b"], separator="+"))
    rt.Tensor(b'a+b', shape=(), dtype=string)
    """
    attrs = {"axis": static_axes(axis), "keepdims": flag(keepdims, "keepdims")}
    result: Tensor = apply(
        REDUCE_JOIN, (to_tensor(inputs),), **attrs, separator=separator_bytes(separator)
    )
    return result


def length(input: TensorLike, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """Return the int32 lengths, in bytes or (`UTF8_CHAR`) characters.

    >>> print(length(["ab", "é"]), length("é", unit="UTF8_CHAR"))
    rt.Tensor([2 2], shape=(2,), dtype=int32) rt.Tensor(1, shape=(), dtype=int32)
    """
    result: Tensor = apply(LENGTH, (to_tensor(input),), unit=_unit(unit))
    return result


def lower(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Return the strings in lower case; beyond ASCII only with encoding="utf-8".

    >>> print(lower("ABC"))
    rt.Tensor(b'abc', shape=(), dtype=string)
    """
    result: Tensor = apply(LOWER, (to_tensor(input),), encoding=_encoding(encoding))
    return result


def upper(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Return the strings in upper case; beyond ASCII only with encoding="utf-8".

    >>> print(upper("abc"))
    rt.Tensor(b'ABC', shape=(), dtype=string)
    """
    result: Tensor = apply(UPPER, (to_tensor(input),), encoding=_encoding(encoding))
    return result


def strip(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the strings without white space around them.

    >>> print(strip("  a "))
    rt.Tensor(b'a', shape=(), dtype=string)
    """
    result: Tensor = apply(STRIP, (to_tensor(input),))
    return result


def substr(
    input: TensorLike, pos: TensorLike, len: TensorLike, unit: str = "BYTE", name: str | None = None
) -> Tensor:
    """Return `len` bytes (or characters) from `pos` on, which may count from the end.

    >>> print(substr("Hello", 1, 3))
    rt.Tensor(b'ell', shape=(), dtype=string)
    """
    inputs = (to_tensor(input), to_tensor(pos), to_tensor(len))
    result: Tensor = apply(SUBSTR, inputs, unit=_unit(unit))
    return result


def as_string(
    input: TensorLike,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Return numbers as text; floats with six decimals unless `precision` says otherwise.

    Args:
        scientific, shortest: the form of floats: with an exponent, or the shorter form.
        width: the minimum number of characters; shorter texts are padded on the left.
        fill: "0" to pad with zeros, "-" to pad on the right, "+" to show the sign, " " for a blank
            in place of "+".

    Raises:
        ArgumentValueError: there is no such form for these elements.

    >>> print(as_string([1.5]), as_string(True))
    rt.Tensor([b'1.500000'], shape=(1,), dtype=string) rt.Tensor(b'true', shape=(), dtype=string)
    """
    if len(plain_text(fill, "fill")) > 1 or fill not in "0-+ ":
        raise ArgumentValueError(f"fill must be one of '0', '-', '+' and ' ', not {fill!r}")
    if flag(scientific, "scientific") and flag(shortest, "shortest"):
        raise ArgumentValueError("Cannot select both scientific and shortest notation")
    attrs: dict[str, Any] = {
        "precision": static_int(precision, "precision"),
        "scientific": flag(scientific, "scientific"),
        "shortest": flag(shortest, "shortest"),
    }
    if static_int(width, "width") >= 0 or fill:
        attrs.update(width=static_int(width, "width"), fill=fill)
    tensor = to_tensor(input)
    # Checked here, since kernels do not validate attributes.
    AS_STRING.infer(tensor.spec, **attrs)
    result: Tensor = apply(AS_STRING, (tensor,), **attrs)
    return result


def to_number(input: TensorLike, out_type: DTypeLike = float32, name: str | None = None) -> Tensor:
    """Return the numbers in strings; InvalidArgumentError for strings that are not numbers.

    >>> print(to_number(["1.5", "2"]))
    rt.Tensor([1.5 2. ], shape=(2,), dtype=float32)
    """
    target = as_dtype(out_type)
    if target not in (float32, float64, int32, int64, uint32, uint64):
        raise DTypeError(f"out_type must be a number of 32 or 64 bits, not {target.name}")
    result: Tensor = apply(TO_NUMBER, (to_tensor(input),), out_type=target)
    return result


def python_number(text: Tensor, dtype: DType) -> Tensor:
    """Return the result of Python's `int` or `float` for strings, with Python's error messages.

    >>> print(python_number(to_tensor(" 1_000 "), float32))
    rt.Tensor(1000.0, shape=(), dtype=float32)
    """
    result: Tensor = apply(TO_NUMBER, (text,), out_type=dtype, as_python=True)
    return result


def separator_bytes(text: str | bytes) -> bytes:
    """Return the separator of joined strings as bytes; DTypeError when it is no text.

    >>> separator_bytes("-")
    b'-'
    """
    return utf8(plain_text(text, "separator")) if not isinstance(text, bytes) else text


def _encoding(encoding: str) -> str:
    if not isinstance(encoding, str) or encoding not in ("", "utf-8"):
        raise ArgumentValueError(f"encoding must be 'utf-8' or '' (none), not {encoding!r}")
    return encoding


def _unit(unit: str) -> str:
    if not isinstance(unit, str) or unit not in ("BYTE", "UTF8_CHAR"):
        raise ArgumentValueError(f"unit must be BYTE or UTF8_CHAR, not {unit!r}")
    return unit
