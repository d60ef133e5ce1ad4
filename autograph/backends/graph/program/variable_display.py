"""The display of a variable in reports: its dtype and shape, or its value."""

from __future__ import annotations

from typing import NamedTuple

import runtime as rt
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import StoredElsewhere, Undefined, UndefinedReturnValue

_LONGEST = 40
_MOST_ITEMS = 4
UNBOUND, PERHAPS_UNBOUND, PERHAPS_NONE = "unbound", "perhaps unbound", "perhaps None"
DYNAMIC_LIST = "dynamic list"


class DisplayedVariable(NamedTuple):
    """The display of one variable at one point of a trace.

    Attributes:
        name: the variable, as in the state of the statement.
        text: its value in short: `float32[2,?]`, `3`, `(int32[], 'a')`.
        marks: any of `unbound`, `perhaps unbound`, `perhaps None`, `dynamic list`.
        dtype: the dtype of a tensor.
        shape: the shape of a tensor.
    """

    name: str
    text: str
    marks: tuple[str, ...] = ()
    dtype: rt.DType | None = None
    shape: rt.TensorShape | None = None

    def __str__(self) -> str:
        words = [self.text, *(f"({mark})" for mark in self.marks)]
        return f"{self.name}: {' '.join(word for word in words if word)}"


def displayed_variable(name: str, value: object) -> DisplayedVariable:
    """Return the display of the variable `name` with `value`.

    >>> str(displayed_variable("x", rt.constant([1.0, 2.0])))
    'x: float32[2]'
    >>> str(displayed_variable("n", 3))
    'n: 3'
    """
    if isinstance(value, PossiblyUnbound):
        inner = displayed_variable(name, value.value)
        mark = PERHAPS_NONE if value.absent == "none" else PERHAPS_UNBOUND
        return DisplayedVariable(name, inner.text, (mark, *inner.marks), inner.dtype, inner.shape)
    if type(value).__name__ == "OptionalValue":
        inner = displayed_variable(name, getattr(value, "value", None))
        return DisplayedVariable(
            name, inner.text, (PERHAPS_NONE, *inner.marks), inner.dtype, inner.shape
        )
    if isinstance(value, (Undefined, UndefinedReturnValue, StoredElsewhere)):
        return DisplayedVariable(name, "", (UNBOUND,))
    if isinstance(value, (rt.Tensor, rt.Variable)):
        return DisplayedVariable(name, described(value), (), value.dtype, value.shape)
    return DisplayedVariable(name, described(value), (DYNAMIC_LIST,) if _is_dynamic(value) else ())


def described(value: object) -> str:
    """Return the short text of a value.

    >>> described((rt.constant(1), "a"))
    "(int32[], 'a')"
    """
    if isinstance(value, (rt.Tensor, rt.Variable)):
        shape = _dims(value.shape)
        return f"{value.dtype.name}{shape}"
    if type(value) in (bool, int, float, complex, str, bytes, type(None)):
        return _short(repr(value))
    if type(value) is tuple or isinstance(value, list):
        return _sequence(value)
    if type(value) is dict:
        return _short("{" + ", ".join(f"{k!r}: {described(v)}" for k, v in value.items()) + "}")
    return type(value).__name__


def _sequence(values: list[object] | tuple[object, ...]) -> str:
    if _is_dynamic(values):
        return "list"
    items = [described(value) for value in values[:_MOST_ITEMS]]
    if len(values) > _MOST_ITEMS:
        items.append(f"... {len(values)} items")
    if isinstance(values, list):
        return f"[{', '.join(items)}]"
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _is_dynamic(value: object) -> bool:
    return isinstance(value, list) and any(type(item).__name__ == "DynamicItems" for item in value)


def _dims(shape: rt.TensorShape) -> str:
    if shape.dims is None:
        return "[...]"
    return f"[{','.join('?' if dim is None else str(dim) for dim in shape.dims)}]"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
