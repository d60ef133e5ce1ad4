"""Formatting at run time: `%`, format specs with tensors, `bin`, `hex` and `chr`.

template % values          text of tensors, made at run time
f"{name:>{width}}"         a Python value with a format spec that only a run knows
bin(n), chr(n)             texts of tensors, made at run time
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NoReturn

import runtime as rt
from autograph.backends.graph.functions.strings import (
    OPENS,
    field_of,
    index_of,
    mark,
    python_text,
    refuse_tensor_names,
    staged_text,
    text_of,
)
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.iterables import as_weak
from autograph.backends.graph.values.number_builtins import scalar, whole_number
from autograph.errors import StagingError
from runtime.diagnostics.traceback_lines import without_internal_frames
from runtime.errors import with_article
from runtime.ops.effects.checks import check
from runtime.ops.python.formatting import TemplateField, form_of, format_values

_NONE: Any = object()
_DIRECTIVE = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[#0\- +]*)(?P<width>\*|\d+)?(?:\.(?P<digits>\*|\d+))?"
    r"[hlL]?(?P<kind>[diouxXeEfFgGcrsa%])"
)


def format_percent(template: str, values: Any) -> Any:
    """Return `template % values`, where a tensor is among the values."""
    tensors: list[rt.Tensor] = []
    pieces: list[str | TemplateField] = []
    arguments = iter(values if isinstance(values, tuple) else (values,))
    end, used = 0, 0
    for found in _DIRECTIVE.finditer(template):
        pieces.append(template[end : found.start()])
        pieces.append(_filled_directive(found, values, arguments, tensors))
        end, used = found.end(), used + (found["kind"] != "%" and not found["key"])
    pieces.append(template[end:])
    if next(arguments, _NONE) is not _NONE and not isinstance(values, Mapping):
        raise TypeError("not all arguments converted during string formatting")
    return format_values(tuple(pieces), tensors)


def _filled_directive(
    found: re.Match[str], values: Any, arguments: Any, tensors: list[rt.Tensor]
) -> str | TemplateField:
    if found["kind"] == "%":
        return "%"
    if "*" in (found["width"], found["digits"]):
        raise StagingError("`*` in a % format of tensors: write the width itself", user_location())
    value = values[found["key"]] if found["key"] is not None else next(arguments, _NONE)
    if value is _NONE:
        raise TypeError("not enough arguments for format string")
    directive = found.group().replace(f"({found['key']})", "") if found["key"] else found.group()
    if not isinstance(value, (rt.SymbolicTensor, rt.Variable)):
        shown = directive % (text_of(value),)
        shown = refuse_tensor_names(shown)
        return shown if OPENS not in shown else field_of(staged_text(shown), tensors)
    tensor = rt.convert_to_tensor(value)
    return TemplateField(index_of(tensor, tensors), "%", (directive,), form_of(tensor))


# -- format specs with run-time values -------------------------------------------------------------


# The dtypes of Python values whose format spec only a run knows.
_DTYPES = {str: rt.string, bool: rt.bool, int: rt.int64, float: rt.float64}


class DynamicSpecText:
    """A stand-in for a Python value whose format spec is known at run time: `f"{name:>{width}}"`.

    Args:
        value: the value.
    """

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, spec: str) -> str:
        try:
            return _formatted(self._value, spec)
        except BaseException as error:  # The user's `with` may see it before any boundary does.
            error.__traceback__ = without_internal_frames(error.__traceback__)
            raise

    def __str__(self) -> str:
        return _DynamicSpecStr(self._value)

    def __repr__(self) -> str:
        return _DynamicSpecStr(repr(self._value))

    def __getattr__(self, name: str) -> Any:  # "{0.size}".format(x)
        return dynamic_spec_text(getattr(self._value, name))

    def __getitem__(self, key: Any) -> Any:  # "{0[1]}".format(x)
        value: Any = self._value
        return dynamic_spec_text(value[key])


class _DynamicSpecStr(str):
    """The string of such a value after `!r` or `!s`, to which the format spec applies."""

    def __format__(self, spec: str) -> str:
        try:
            return _formatted(str(self), spec)
        except BaseException as error:
            error.__traceback__ = without_internal_frames(error.__traceback__)
            raise


def _formatted(value: Any, spec: str) -> str:
    if OPENS not in spec:
        return format(value, spec)
    if type(value) not in _DTYPES:
        raise StagingError(
            f"{with_article(type(value).__name__)} is formatted in a way that is known only when "
            "the graph runs: make a text of it first, as in f'{str(x):>{width}}'",
            user_location(),
        )
    return mark(as_weak(rt.constant(value, _DTYPES[type(value)])), "", spec)


def dynamic_spec_text(value: object) -> Any:
    """Return a stand-in for a value whose format spec may be known only at run time."""
    stand_in = text_of(value)
    return DynamicSpecText(value) if stand_in is value else stand_in


def format_method(template: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Return `template.format(*args, **kwargs)` where a tensor is among the arguments."""
    named = {name: dynamic_spec_text(value) for name, value in kwargs.items()}
    return staged_text(template.format(*map(dynamic_spec_text, args), **named))


# -- bin, hex, oct, chr and ord --------------------------------------------------------------------


_AFTER_LAST = 0x110000


def _digits(name: str, form: str, value: object) -> object:
    """Return the digits of an integer, as `format` writes them."""
    return python_text(format, _whole(name, value), form)


def _chr(value: object) -> object:
    """Return `chr(value)`; ValueError at run time for a number that is no character."""
    number = _whole("chr", value)
    is_one = rt.logical_and(rt.greater_equal(number, 0), rt.less(number, _AFTER_LAST))
    check(is_one, ValueError, "chr() arg not in range(0x110000)")
    return python_text(format, number, "c")


def _whole(name: str, value: object) -> rt.Tensor:
    tensor = whole_number(scalar(value, name))
    if not tensor.dtype.is_integer:
        raise TypeError(
            f"{name}() takes a whole number, not {with_article(tensor.dtype.name)} tensor: "
            "write int(x)"
        )
    return tensor


def _ord(text: object) -> NoReturn:
    raise StagingError(
        "ord() is given a letter that only the run knows: keep the numbers of the letters instead, "
        "as in [ord(letter) for letter in text], before the graph begins",
        user_location(),
    )


SPELLING_BUILTINS: Mapping[str, Callable[..., object]] = {
    "bin": partial(_digits, "bin", "#b"),
    "chr": _chr,
    "hex": partial(_digits, "hex", "#x"),
    "oct": partial(_digits, "oct", "#o"),
    "ord": _ord,
}
