"""Regular expressions, `split`, `bytes_split` and n-grams."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.argument_checks import flag, utf8
from runtime.core.dtypes import bool_, string
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops.arguments import static_int
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply, define
from runtime.ops.text.regex_translation import compiled, replaced


def _text(item: bytes) -> str:
    return item.decode("utf-8", "surrogateescape")


def _each(function: Callable[[Any], Any], x: Array, dtype: Any = object) -> Array:
    made = np.empty(x.shape, dtype)
    for place in np.ndindex(*x.shape):
        made[place] = function(x[place])
    return made


def vector(items: Sequence[bytes]) -> Array:
    """Return strings as an object array."""
    made = np.empty(len(items), object)
    made[:] = items
    return made


def _replace_kernel(x: Array, *, pattern: str, rewrite: str, replace_global: bool) -> Array:
    form = compiled(pattern)
    return _each(
        lambda item: utf8(replaced(_text(item), form, rewrite, replace_global), "surrogateescape"),
        x,
    )


def _match_kernel(x: Array, *, pattern: str) -> Array:
    form = compiled(pattern)
    return _each(lambda item: form.fullmatch(_text(item)) is not None, x, np.bool_)


def _pattern_infer(x: TensorSpec, *, pattern: str, **attrs: Any) -> TensorSpec:
    compiled(pattern)
    return TensorSpec(x.shape, string if attrs else bool_)


def _split_kernel(x: Array, *, sep: bytes, maxsplit: int) -> Array:
    item: bytes = x.item()
    return vector(item.split(sep or None, maxsplit))


def _bytes_kernel(x: Array) -> Array:
    item: bytes = x.item()
    return vector([item[place : place + 1] for place in range(len(item))])


def one_string(x: TensorSpec, **attrs: Any) -> TensorSpec:
    """Infer a string vector of unknown length from a single string."""
    if x.shape.rank not in (0, None):
        raise ShapeError(
            f"takes one string, not shape {x.shape}: rows of different lengths cannot form a "
            "tensor, so take the strings one by one"
        )
    return TensorSpec((None,), string)


def _ngrams_kernel(
    x: Array,
    *,
    widths: tuple[int, ...],
    separator: bytes,
    pads: tuple[bytes, bytes] | None,
    padding: int,
    short: bool,
) -> Array:
    rows = x.reshape(math.prod(x.shape[:-1]), x.shape[-1])
    made = [_ngrams(row.tolist(), widths, separator, pads, padding, short) for row in rows]
    size = len(_ngrams([b""] * x.shape[-1], widths, separator, pads, padding, short))
    joined = np.empty((len(rows), size), object)
    for place, row in enumerate(made):
        joined[place] = row
    return joined.reshape(*x.shape[:-1], size)


def _ngrams(
    row: list[bytes],
    widths: tuple[int, ...],
    separator: bytes,
    pads: tuple[bytes, bytes] | None,
    padding: int,
    short: bool,
) -> list[bytes]:
    made: list[bytes] = []
    for width in widths:
        count = 0 if pads is None else width - 1 if padding < 0 else min(padding, width - 1)
        before, after = ([] if pads is None else [pad] * count for pad in pads or (b"", b""))
        items = [*before, *row, *after]
        made += [separator.join(items[k : k + width]) for k in range(len(items) - width + 1)]
    return [separator.join(row)] if short and row and not made else made


def _ngrams_infer(
    x: TensorSpec,
    *,
    widths: tuple[int, ...],
    separator: bytes,
    pads: tuple[bytes, bytes] | None,
    padding: int,
    short: bool,
) -> TensorSpec:
    if x.shape.rank == 0:
        raise ShapeError("Data must have rank>0")
    if x.shape.dims is None:
        return TensorSpec(None, string)
    last, size = x.shape.dims[-1], None
    if last is not None:
        size = len(_ngrams([b""] * last, widths, separator, pads, padding, short))
    return TensorSpec(TensorShape.of((*x.shape.dims[:-1], size)), string)


REGEX_REPLACE = define(
    "regex_replace",
    _replace_kernel,
    _pattern_infer,
    kinds="O",
    tensorflow_name="StaticRegexReplace",
)
REGEX_FULL_MATCH = define(
    "regex_full_match",
    _match_kernel,
    _pattern_infer,
    kinds="O",
    tensorflow_name="StaticRegexFullMatch",
)
SPLIT = define(
    "string_split", _split_kernel, one_string, kinds="O", tensorflow_name="StringSplitV2"
)
BYTES_SPLIT = define(
    "bytes_split", _bytes_kernel, one_string, kinds="O", tensorflow_name="StringSplit"
)
NGRAMS = define(
    "string_ngrams", _ngrams_kernel, _ngrams_infer, kinds="O", tensorflow_name="StringNGrams"
)


def regex_replace(
    input: TensorLike,
    pattern: str,
    rewrite: str,
    replace_global: bool = True,
    name: str | None = None,
) -> Tensor:
    """Return the strings with each match of a pattern rewritten (`regex_translation.py`).

    Args:
        rewrite: the new text, where `\\\\1` to `\\\\9` are the groups and `\\\\0` the whole match.
        replace_global: whether to rewrite every match, or only the first.

    >>> print(regex_replace("hello world", r"(\\w+) (\\w+)", r"\\2 \\1"))
    rt.Tensor(b'world hello', shape=(), dtype=string)
    """
    attrs = {"pattern": _word(pattern, "pattern"), "rewrite": _word(rewrite, "rewrite")}
    result: Tensor = apply(
        REGEX_REPLACE,
        (to_tensor(input),),
        **attrs,
        replace_global=flag(replace_global, "replace_global"),
    )
    return result


def regex_full_match(input: TensorLike, pattern: str, name: str | None = None) -> Tensor:
    """Return whether a pattern matches each whole string.

    >>> print(regex_full_match(["abc", "ab"], "a.c"))
    rt.Tensor([ True False], shape=(2,), dtype=bool)
    """
    result: Tensor = apply(REGEX_FULL_MATCH, (to_tensor(input),), pattern=_word(pattern, "pattern"))
    return result


def split(
    input: TensorLike, sep: str | None = None, maxsplit: int = -1, name: str | None = None
) -> Tensor:
    """Return the parts of one string as a vector, like Python's `split`.

    Args:
        input: a scalar; for several strings TensorFlow returns ragged rows, which do not exist
            here.
        sep: the separator of the parts; white space by default.

    >>> print(split("a b  c"))
    rt.Tensor([b'a' b'b' b'c'], shape=(3,), dtype=string)
    """
    mark = b"" if sep is None else utf8(_word(sep, "sep"))
    attrs = {"sep": mark, "maxsplit": static_int(maxsplit, "maxsplit")}
    result: Tensor = apply(SPLIT, (single(input),), **attrs)
    return result


def bytes_split(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the bytes of one string as a vector of strings.

    >>> print(bytes_split("abc"))
    rt.Tensor([b'a' b'b' b'c'], shape=(3,), dtype=string)
    """
    result: Tensor = apply(BYTES_SPLIT, (single(input),))
    return result


def ngrams(
    data: TensorLike,
    ngram_width: TensorLike,
    separator: str = " ",
    pad_values: TensorLike | None = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return n-grams: `ngram_width` neighbours along the last axis, joined.

    Args:
        data: strings, of rank 1 or more.
        ngram_width: the number of neighbours, or several numbers, whose results follow each other.
        pad_values: a string, or one for the left and one for the right, added around each row.
        padding_width: the maximum number of pad values; one less than the width by default.
        preserve_short_sequences: whether a row that is too short for all widths is one n-gram.

    Raises:
        ArgumentValueError: a width is less than 1, or there are not one or two pad values.
        ShapeError: `data` is a scalar.

    >>> print(ngrams(["a", "b", "c"], 2))
    rt.Tensor([b'a b' b'b c'], shape=(2,), dtype=string)
    """
    given = ngram_width if isinstance(ngram_width, (list, tuple)) else [ngram_width]
    widths = [static_int(each, "ngram_width") for each in given]
    if any(width < 1 for width in widths):
        raise ArgumentValueError(f"All ngram_widths must be greater than 0. Got {ngram_width!s}")
    width = None if padding_width is None else static_int(padding_width, "padding_width")
    if width is not None and width < 1:
        raise ArgumentValueError(f"padding_width must be greater than 0. Got {padding_width}")
    attrs = {
        "widths": tuple(widths),
        "separator": utf8(_word(separator, "separator")),
        "pads": _pads(pad_values),
        "padding": -1 if width is None else width,
        "short": flag(preserve_short_sequences, "preserve_short_sequences"),
    }
    result: Tensor = apply(NGRAMS, (to_tensor(data),), **attrs)
    return result


def _pads(values: Any) -> tuple[bytes, bytes] | None:
    if values is None:
        return None
    pair = values if isinstance(values, (list, tuple)) else (values, values)
    if len(pair) != 2:
        raise ArgumentValueError("pad_values must be one string, or a pair (left, right)")
    left, right = pair
    return utf8(_word(left, "a pad value")), utf8(_word(right, "a pad value"))


def single(value: Any) -> Tensor:
    """Return one string as a tensor."""
    tensor = to_tensor(value)
    if tensor.dtype.is_string:
        one_string(tensor.spec)
    return tensor


def _word(value: Any, what: str) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise ArgumentValueError(f"{what} must be a Python string, not {value!r}")
    return value
