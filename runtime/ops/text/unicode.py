"""Unicode: decoding, encoding and transcoding of strings."""

from __future__ import annotations

import codecs
import functools
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from runtime.core.argument_checks import flag
from runtime.core.dtypes import int32, int64, string
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import static_int
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply, define
from runtime.ops.text.regular_expressions import one_string, single, vector

ENCODINGS = ("UTF-8", "UTF-16-BE", "UTF-32-BE")
_LATIN = ("LATIN-1", "ISO-8859-1", "US-ASCII")
Encoding: TypeAlias = Annotated[str, (*ENCODINGS, *_LATIN)]
Policy: TypeAlias = Literal["replace", "ignore", "strict"]
_REPLACEMENT = 0xFFFD


def decoded(
    item: bytes, *, encoding: Encoding, errors: Policy, replacement: int, control: bool
) -> list[int]:
    """Return the code points of a string; damaged parts are replaced, omitted, or an error."""
    try:
        text = item.decode(encoding)
    except UnicodeDecodeError:
        if errors == "strict":
            raise ArgumentValueError("Invalid formatting on input string") from None
        text = item.decode(encoding, _handler(replacement) if errors == "replace" else errors)
    points = map(ord, text)
    return [replacement if control and _is_control(point) else point for point in points]


@functools.cache
def _handler(replacement: int) -> str:
    """Return the name of an error handler that decodes a damaged part as this code point."""

    def replace(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        return chr(replacement), error.end

    name = f"runtime.replace.{replacement}"
    codecs.register_error(name, replace)
    return name


def _is_control(point: int) -> bool:
    return point < 0x20 and point not in (9, 10, 13) or point == 0x7F


def encoded(points: list[int], encoding: str, errors: Policy, replacement: int) -> bytes:
    """Return code points as a string; invalid ones are replaced, omitted, or an error."""
    letters = []
    for point in points:
        if 0 <= point < 0x110000 and not 0xD800 <= point < 0xE000:
            letters.append(chr(point))
        elif errors == "strict":
            raise ArgumentValueError("Code point is out of range for Unicode, or is a surrogate.")
        elif errors == "replace":
            letters.append(chr(replacement))
    return "".join(letters).encode(encoding)


def _decode_kernel(x: Array, **how: Any) -> Array:
    return np.array(decoded(x.item(), **how), np.int32)


def _decode_infer(x: TensorSpec, **how: Any) -> TensorSpec:
    return one_string(x).with_dtype(int32)


def _split_kernel(x: Array, **how: Any) -> tuple[Array, Array]:
    points = decoded(x.item(), **how)
    letters = [chr(point).encode(how["encoding"]) for point in points]
    ends = np.cumsum([0, *map(len, letters)])[:-1]
    return vector(letters), ends.astype(np.int64)


def _split_infer(x: TensorSpec, **how: Any) -> tuple[TensorSpec, TensorSpec]:
    return one_string(x), TensorSpec((None,), int64)


def _encode_kernel(x: Array, *, encoding: Encoding, errors: Policy, replacement: int) -> Array:
    made = np.empty(x.shape[:-1], object)
    for place in np.ndindex(*made.shape):
        made[place] = encoded(x[place].tolist(), encoding, errors, replacement)
    return made


def _encode_infer(x: TensorSpec, **how: Any) -> TensorSpec:
    infer.check_integer(x, "code points")
    if x.shape.rank == 0:
        raise ShapeError("code points must be a vector, not a scalar: write [point]")
    return TensorSpec(TensorShape.of(None if x.shape.dims is None else x.shape.dims[:-1]), string)


def _transcode_kernel(x: Array, *, target: Encoding, **how: Any) -> Array:
    made = np.empty(x.shape, object)
    for place in np.ndindex(*x.shape):
        item: Any = x[place]
        points = decoded(item, **how)
        made[place] = encoded(points, target, "replace", how["replacement"])
    return made


DECODE = define(
    "unicode_decode",
    _decode_kernel,
    _decode_infer,
    kinds="O",
    tensorflow_name="UnicodeDecode",
    keywords=decoded,
)
UNICODE_SPLIT = define(
    "unicode_split",
    _split_kernel,
    _split_infer,
    kinds="O",
    tensorflow_name="UnicodeDecodeWithOffsets",
    n_outputs=2,
    keywords=decoded,
)
ENCODE = define(
    "unicode_encode", _encode_kernel, _encode_infer, kinds="iu", tensorflow_name="UnicodeEncode"
)
TRANSCODE = define(
    "unicode_transcode",
    _transcode_kernel,
    infer.same,
    kinds="O",
    tensorflow_name="UnicodeTranscode",
    keywords=decoded,
)


def unicode_decode(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the code points of one string as an int32 vector.

    Args:
        input: a scalar; for several strings TensorFlow returns ragged rows, which do not exist
            here.
        input_encoding: UTF-8, UTF-16-BE, UTF-32-BE, LATIN-1, ISO-8859-1 or US-ASCII.
        errors: the treatment of damaged text: "replace", "ignore" or "strict", which raises.

    >>> print(unicode_decode("hé", "UTF-8"))
    rt.Tensor([104 233], shape=(2,), dtype=int32)
    """
    how = _reading(input_encoding, errors, replacement_char, replace_control_characters)
    result: Tensor = apply(DECODE, (single(input),), **how)
    return result


def unicode_split(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    name: str | None = None,
) -> Tensor:
    """Return the characters of one string as a vector of strings; see `unicode_decode`.

    >>> print(unicode_split("hé", "UTF-8"))
    rt.Tensor([b'h' b'\\xc3\\xa9'], shape=(2,), dtype=string)
    """
    return unicode_split_with_offsets(input, input_encoding, errors, replacement_char)[0]


def unicode_split_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the characters of one string and, as int64, their byte offsets.

    >>> print(unicode_split_with_offsets("éa", "UTF-8")[1])
    rt.Tensor([0 2], shape=(2,), dtype=int64)
    """
    how = _reading(input_encoding, errors, replacement_char, False)
    letters, offsets = apply(UNICODE_SPLIT, (single(input),), **how)
    return letters, offsets


def unicode_encode(
    input: TensorLike,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    name: str | None = None,
) -> Tensor:
    """Return strings of code points: one for each row along the last axis.

    >>> print(unicode_encode([104, 105], "UTF-8"))
    rt.Tensor(b'hi', shape=(), dtype=string)
    """
    attrs = {
        "encoding": _encoding(output_encoding, ENCODINGS),
        "errors": _policy(errors),
        "replacement": _letter(replacement_char),
    }
    result: Tensor = apply(ENCODE, (to_tensor(input),), **attrs)
    return result


def unicode_transcode(
    input: TensorLike,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return strings in another encoding.

    >>> print(unicode_transcode("é", "UTF-8", "UTF-16-BE"))
    rt.Tensor(b'\\x00\\xe9', shape=(), dtype=string)
    """
    how = _reading(input_encoding, errors, replacement_char, replace_control_characters)
    target = _encoding(output_encoding, ENCODINGS)
    result: Tensor = apply(TRANSCODE, (to_tensor(input),), target=target, **how)
    return result


def _reading(encoding: str, errors: str, replacement: int, control: bool) -> dict[str, Any]:
    return {
        "encoding": _encoding(encoding, (*ENCODINGS, *_LATIN)),
        "errors": _policy(errors),
        "replacement": _letter(replacement),
        "control": flag(control, "control"),
    }


def _encoding(name: str, known: tuple[str, ...]) -> str:
    if not isinstance(name, str) or name.upper() not in known:
        raise ArgumentValueError(f"the encoding must be one of {', '.join(known)}, not {name!r}")
    return name.upper()


def _letter(replacement: Any) -> int:
    """Return the code point of a character; ArgumentValueError if it is invalid."""
    number = static_int(replacement, "replacement_char")
    if not 0 <= number <= 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        raise ArgumentValueError(f"replacement_char must be a Unicode code point, not {number}")
    return number


def _policy(errors: str) -> str:
    if not isinstance(errors, str) or errors not in ("replace", "ignore", "strict"):
        raise ArgumentValueError(f"errors must be 'replace', 'ignore' or 'strict', not {errors!r}")
    return errors
