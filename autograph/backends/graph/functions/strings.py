"""Strings of tensors made at run time: f-strings, `str`, `repr`, `join` and `print`.

Python formats a stand-in for the tensor, which leaves a mark in the text. A text with marks becomes
an op that replaces the marks by the values. `separator.join(parts)` and `print`
of run-time parts become ops, too.
"""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, NamedTuple
from weakref import ref

import runtime as rt
from autograph.backends.graph.arrays.array_elements import as_operand
from autograph.backends.graph.containers.dict_views import StagedDictView
from autograph.backends.graph.containers.display_copies import (
    display_copy,
    is_staged_builtin,
    shows_tensors,
)
from autograph.backends.graph.containers.staged_dict import has_optional_items
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.control.case_dispatch import dispatch_any, has_alternatives
from autograph.backends.graph.iterators.dynamic_loops import collected, rows
from autograph.backends.graph.iterators.iterator_parts import staged_list
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.dynamic_shapes import DynamicShape, DynamicSize, shaped
from autograph.backends.graph.values.iterables import StagedIterable
from autograph.backends.graph.values.leaf_spec import TracedSpec
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.lazy_iterator import LazyIterator
from autograph.errors import StagingError
from runtime.core.context import current_recorder
from runtime.core.weak_tables import IdentityTable
from runtime.diagnostics.exceptions import CaughtPlaceholder
from runtime.errors import DTypeError
from runtime.graph.capture import output_of
from runtime.graph.graph import Graph
from runtime.ops.python.formatting import Form, Pieces, TemplateField, form_of, format_values

# The delimiters of a mark: characters that no text has, in ASCII, so that `ascii` keeps them.
OPENS, _CLOSES = "\x00\x02", "\x03\x00"
_MARK = re.compile(f"{OPENS}([0-9]+){_CLOSES}")
# The text that Python writes for a symbolic tensor inside of another value.
_SHOWN_BY_NAME = re.compile(r'Tensor\((?:"[^"]*", )?shape=[^=]*, dtype=\w+\)')


class _Placeholder(NamedTuple):
    """The value of a mark; `tensor` returns it, since a strong reference would keep the graph."""

    tensor: Callable[[], rt.Tensor | None]
    conversion: str
    spec: str
    called: str
    form: Form


# The marks of each outermost graph; they are of no use after its trace.
_PLACES: IdentityTable[Graph, dict[int, _Placeholder]] = IdentityTable()
_NUMBERS = count()


class StagedText:
    """A stand-in for a tensor while Python formats it.

    Args:
        tensor: the tensor.
        called: its text while tracing; "" for its name.
    """

    __slots__ = ("_called", "_tensor")

    def __init__(self, tensor: rt.Tensor, called: str = "") -> None:
        self._tensor, self._called = tensor, called

    def __format__(self, spec: str) -> str:
        return mark(self._tensor, "", spec, self._called)

    def __str__(self) -> str:
        return _Converted(self._tensor, "s", self._called)

    def __repr__(self) -> str:
        return _Converted(self._tensor, "r", self._called)

    def __getattr__(self, name: str) -> Any:  # "{0.shape}".format(x)
        return text_of(getattr(shaped(self._tensor) if name == "shape" else self._tensor, name))

    def __getitem__(self, key: Any) -> Any:  # "{0[1]}".format(x)
        return text_of(self._tensor[key])


class ShapeText:
    """A stand-in for a shape with sizes that only the run knows, while Python formats it.

    Args:
        shape: the shape.
    """

    __slots__ = ("_shape",)

    def __init__(self, shape: DynamicShape) -> None:
        self._shape = shape

    def __format__(self, spec: str) -> str:
        return format(self._shape, spec) if spec else str(self)

    def __str__(self) -> str:
        return _MarkedText(tuple(self._shown()))

    def __repr__(self) -> str:
        return _MarkedText(f"TensorShape({self._shown()})")

    def __getattr__(self, name: str) -> Any:  # "{0.rank}".format(x.shape)
        return text_of(getattr(self._shape, name))

    def __getitem__(self, key: Any) -> Any:  # "{0[1]}".format(x.shape)
        return text_of(self._shape[key])

    def _shown(self) -> list[int | StagedText]:
        sizes = self._shape.listed()
        return [StagedText(x.read(), "None") if isinstance(x, DynamicSize) else x for x in sizes]


class _MarkedText(str):
    """A text with marks, which a format spec pads as a whole."""

    def __format__(self, spec: str) -> str:
        return format(as_one_mark(str(self)), spec) if spec else str(self)


class ChosenText:
    """A stand-in for one of several objects, or an optional value, while Python formats it.

    Each alternative is formatted on a path of its own.

    Args:
        value: the chosen value.
    """

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, spec: str) -> str:
        return self._made(lambda each: format(each, spec))

    def __str__(self) -> str:
        return self._made(str)

    def __repr__(self) -> str:
        return self._made(repr)

    def __getattr__(self, name: str) -> Any:  # "{0.size}".format(x)
        return text_of(getattr(self._value, name))

    def __getitem__(self, key: Any) -> Any:  # "{0[1]}".format(x)
        value: Any = self._value
        return text_of(value[key])

    def _made(self, how: Callable[[Any], str]) -> str:
        text = dispatch_any(self._value, lambda each: staged_text(how(text_of(each))), "the text")
        return text if isinstance(text, str) else _Converted(text, "")


class ListText:
    """A stand-in for a staged list while Python formats it.

    Args:
        items: the list, or a deque.
    """

    __slots__ = ("_items",)

    def __init__(self, items: list[Any] | deque[Any]) -> None:
        self._items = items

    def __repr__(self) -> str:
        inner = rt.strings.reduce_join(texts_in(list(self._items), _shown), separator=", ")
        start, end = repr(type(self._items)(*self._bound())).split("[]")
        between = TemplateField(0, "", (), "python")
        return _Converted(format_values((f"{start}[", between, f"]{end}"), [inner]), "")

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(self._items, spec) if spec else repr(self)

    def __getitem__(self, key: Any) -> Any:  # "{0[1]}".format(x)
        return text_of(StagedList(list(self._items))[key])

    def _bound(self) -> tuple[Any, ...]:
        return ((), self._items.maxlen) if isinstance(self._items, deque) else ()


class RecordText:
    """A stand-in for a dataclass or attrs instance while Python formats it.

    Its `__repr__` shows stand-ins; a `__str__` or `__format__` of the user's sees the object.

    Args:
        value: the object.
    """

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, spec: str) -> str:
        own: Any = type(self._value).__format__
        is_own = spec or own not in (object.__format__, tuple.__format__)
        return format(self._value, spec) if is_own else str(self)

    def __str__(self) -> str:
        own: Any = type(self._value).__str__
        is_own = own not in (object.__str__, tuple.__str__)
        return as_one_mark(str(self._value)) if is_own else repr(self)

    def __repr__(self) -> str:
        return as_one_mark(repr(display_copy(self._value, text_of)))

    def __getattr__(self, name: str) -> Any:  # "{0.size}".format(x)
        return text_of(getattr(self._value, name))

    def __getitem__(self, key: Any) -> Any:  # "{0[1]}".format(x)
        value: Any = self._value
        return text_of(value[key])


class _Converted(str):
    """The mark of a tensor after `!r` or `!s`, to which a format spec applies."""

    _tensor: rt.Tensor
    _conversion: str

    def __new__(cls, tensor: rt.Tensor, conversion: str, called: str = "") -> _Converted:
        text = super().__new__(cls, mark(tensor, conversion, "", called))
        text._tensor, text._conversion = tensor, conversion
        return text

    def __format__(self, spec: str) -> str:
        return mark(self._tensor, self._conversion, spec)


def as_one_mark(text: str) -> str:
    """Return a text with marks as one mark, which a format spec pads as a whole."""
    whole = staged_text(text)
    return text if whole is text else _Converted(whole, "")


def text_of(value: object) -> Any:
    """Return a stand-in for a tensor, or for a container with tensors in it; else `value`.

    >>> text_of([1, 2])
    [1, 2]
    """
    value = as_operand(value)
    if isinstance(value, rt.Variable):
        return value if current_recorder() is None else StagedText(value.read_value())
    if isinstance(value, rt.SymbolicTensor):
        return StagedText(value)
    if isinstance(value, CaughtPlaceholder):
        return value.as_text()
    if isinstance(value, DynamicShape):
        return ShapeText(value) if value.listed() else value
    if has_alternatives(value):
        return ChosenText(value)
    if is_staged_builtin(value):
        return ListText(value)
    if not shows_tensors(value):
        return value
    return display_copy(value, text_of) if type(value) in (list, tuple, dict) else RecordText(value)


def refuse_tensor_names(text: str) -> str:
    """Return Python's text of an object, after a check that no tensor's `repr` is in it.

    Raises:
        StagingError: one does, where a run would print its value.
    """
    if _SHOWN_BY_NAME.search(text):
        raise StagingError(
            "the text of an object of Python's shows a tensor by its name in the graph, and not "
            "the value that it has when the graph runs: make a text of what the object holds, as "
            "in f'{x}' or str([x])",
            user_location(),
        )
    return text


def staged_text(text: str) -> Any:
    """Return a text itself, or a string tensor if it has marks."""
    if OPENS not in text:
        return text
    tensors: list[rt.Tensor] = []
    return format_values(_pieces(text, tensors), tensors)


def python_text(how: Callable[..., str], *arguments: Any) -> Any:
    """Return `str`, `repr` or `format` of a tensor."""
    tensor, *spec = arguments
    if how is str and is_text(tensor):
        return tensor
    return staged_text(how(text_of(tensor), *spec))


def is_text(value: object) -> bool:
    """Return whether a value stands for a Python string made at run time."""
    return isinstance(value, rt.SymbolicTensor) and value.weak and value.dtype == rt.string


def texts_in(items: list[Any], text: Callable[[Any], object]) -> rt.Tensor:
    """Return the texts of the items of a list as one tensor."""
    return StagedList([collected(text, items)]).tensor()


def as_text_item(item: object) -> object:
    """Return an item that is a string as a tensor."""
    check_text(item, 0)
    return rt.constant(item) if isinstance(item, str) else item


def check_text(item: object, position: int) -> None:
    """Raise Python's TypeError for an item of `join` that is not a string."""
    if isinstance(item, str) or is_text(item):
        return
    if isinstance(item, rt.Tensor) and item.dtype.is_string:
        raise DTypeError(
            f"sequence item {position}: expected str instance, string tensor found: write "
            "rt.strings.join(strings, separator)",
            user_location(),
        )
    kind = type(item).__name__
    raise TypeError(f"sequence item {position}: expected str instance, {kind} found")


def _shown(item: object) -> object:
    return as_text_item(python_text(repr, item))


def field_of(text: rt.Tensor, tensors: list[rt.Tensor]) -> TemplateField:
    """Return the field of a template that inserts a text as it is, and list the tensor."""
    return TemplateField(index_of(text, tensors), "", (), "python")


def mark(tensor: rt.Tensor, conversion: str, spec: str, called: str = "") -> str:
    """Return a marker to put into a Python string for a tensor; StagingError outside of a trace.

    Args:
        tensor: the tensor to format.
        conversion: `r`, `s` or `a` of a format field, or an empty string.
        spec: the format specification.
        called: the function that formats the tensor, if it is not a format field.
    """
    graph = _outermost()
    if graph is None:
        raise StagingError(f"{tensor} is formatted where no graph is recorded", user_location())
    number = next(_NUMBERS)
    place = _Placeholder(_reference(tensor), conversion, spec, called, form_of(tensor))
    _PLACES.get_or_put(graph, {})[number] = place
    return f"{OPENS}{number}{_CLOSES}"


def _reference(tensor: rt.Tensor) -> Callable[[], rt.Tensor | None]:
    # A stand-in may be deleted before the tensor that it stands for.
    return ref(output_of(tensor)) if isinstance(tensor, rt.SymbolicTensor) else lambda: tensor


def _outermost() -> Graph | None:
    graph: Any = current_recorder()
    while graph is not None and graph.outer is not None:
        graph = graph.outer
    return graph


def _pieces(text: str, tensors: list[rt.Tensor]) -> Pieces:
    """Return a text with marks as a template; `tensors` gets the values for its gaps."""
    graph = _outermost()
    places = (_PLACES.get(graph) or {}) if graph is not None else {}
    pieces: list[str | TemplateField] = []
    for position, part in enumerate(_MARK.split(text)):
        if position % 2 and int(part) in places:
            place = places[int(part)]
            tensor = place.tensor()
            assert tensor is not None, "a mark outlives what the graph has recorded"
            inner, index = _pieces(place.spec, tensors), index_of(tensor, tensors)
            pieces.append(TemplateField(index, place.conversion, inner, place.form, place.called))
        elif part:
            pieces.append(part)
    return tuple(pieces)


def index_of(tensor: rt.Tensor, tensors: list[rt.Tensor]) -> int:
    """Return the index of a tensor in a list, by identity; append the tensor if it is missing."""
    for index, known in enumerate(tensors):
        if known is tensor:
            return index
    tensors.append(tensor)
    return len(tensors) - 1


# -- join and print --------------------------------------------------------------------------------


def join_strings(separator: str, parts: Any) -> Any:
    """Return `separator.join(parts)`, where a text made at run time is among the parts."""
    parts = parts.listed() if isinstance(parts, LazyIterator) else parts
    parts = rows(parts) if isinstance(parts, StagedIterable) else parts
    grown = staged_list(StagedDictView(parts, "keys") if has_optional_items(parts) else parts)
    if grown is not None:
        items = grown.as_dynamic()
        is_one = isinstance(items.element, TracedSpec)
        texts = StagedList([items]).tensor() if is_one else texts_in([items], as_text_item)
        text = rt.strings.reduce_join(texts, separator=separator)
        return format_values((TemplateField(0, "", (), "python"),), [text])
    parts = list(parts)
    for position, part in enumerate(parts):
        if isinstance(part, OptionalValue):
            words = f"sequence item {position}: expected str instance, NoneType found"
            part = parts[position] = part.require_value(words)
        check_text(part, position)
    tensors: list[rt.Tensor] = []
    pieces = [part if isinstance(part, str) else field_of(part, tensors) for part in parts]
    spaced = [each for piece in pieces for each in (separator, piece)]
    return format_values(tuple(spaced[1:]), tensors)


def print_text(
    values: Sequence[object],
    sep: str | None = None,
    end: str | None = None,
    file: Any = None,
    flush: bool = False,
) -> None:
    """Record `print(*values, sep=, end=, file=)`."""
    parts = [staged_text(str(text_of(value))) for value in values]
    text = join_strings(" " if sep is None else sep, parts)
    rt.print(
        join_strings("", [text, "\n" if end is None else end]),
        end="",
        output_stream=sys.stdout if file is None else file,
    )
