"""`bin`, `oct`, `hex` and `chr` of tensors: texts made when the graph runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NoReturn

import runtime as rt
from autograph.backends.graph.functions.strings import python_text
from autograph.backends.graph.program.places import user_place
from autograph.backends.graph.values.numbers import scalar, whole_number
from autograph.errors import StagingError
from runtime.ops.effects.io import check

_AFTER_LAST = 0x110000


def _spelled(name: str, form: str, value: object) -> object:
    """Return the digits of a whole number, as `format` spells them."""
    return python_text(format, _whole(name, value), form)


def _letter(value: object) -> object:
    """Return `chr(value)`; ValueError when the graph runs and no letter has that number."""
    number = _whole("chr", value)
    is_one = rt.logical_and(rt.greater_equal(number, 0), rt.less(number, _AFTER_LAST))
    check(is_one, ValueError, "chr() arg not in range(0x110000)")
    return python_text(format, number, "c")


def _whole(name: str, value: object) -> rt.Tensor:
    tensor = whole_number(scalar(value, name))
    if not tensor.dtype.is_integer:
        raise TypeError(
            f"{name}() takes a whole number, not a {tensor.dtype.name} tensor: write int(x)"
        )
    return tensor


def _ord(text: object) -> NoReturn:
    raise StagingError(
        "ord() is given a letter that only the run knows: keep the numbers of the letters instead, "
        "as in [ord(letter) for letter in text], before the graph begins",
        user_place(),
    )


SPELLED: Mapping[str, Callable[..., object]] = {
    "bin": partial(_spelled, "bin", "#b"),
    "chr": _letter,
    "hex": partial(_spelled, "hex", "#x"),
    "oct": partial(_spelled, "oct", "#o"),
    "ord": _ord,
}
