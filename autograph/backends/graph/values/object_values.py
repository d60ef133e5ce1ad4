"""Objects of user classes by their contents: a class, and a value for each attribute.

An object that one path, or each iteration, creates cannot be the same object on all paths. Where
the paths join, the trace makes a new object of the class with the attributes of the path taken,
without a call of the class.
"""

from __future__ import annotations

import copy
from abc import ABC, ABCMeta
from collections.abc import Sequence
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, Generic

import runtime as rt
from autograph.backends.graph.arrays.staged_array import (
    StagedArray,
    StagedArrayView,
    elements,
    is_array,
    root_of,
    staged_tensor,
    view_bases,
    view_of,
)
from autograph.backends.graph.objects.object_contents import StoredAttributes, contents_of
from autograph.backends.graph.source.library_boundary import is_library_class
from autograph.operators.call_listeners import is_within
from autograph.operators.user_classes import mro_of, own_attributes
from runtime.core.context import current_recorder

_OURS = ("autograph", "runtime", "numpy")
# The flag of a class made by a `class` statement.
_HEAP = 1 << 9
# Bases without state, which only add methods.
_WITHOUT_STATE: tuple[Any, ...] = (ABC, Generic)
_PLAIN: dict[int, tuple[type, bool]] = {}


class ObjectRecord:
    """An object decomposed into its class and its attributes' values.

    Attributes:
        kind: its class.
        names: its attributes, in the order of their first assignments.
        values: the attributes' values.
    """

    __slots__ = ("kind", "names", "values")

    def __init__(self, kind: type, names: tuple[str, ...], values: Sequence[object]) -> None:
        self.kind, self.names, self.values = kind, names, tuple(values)

    def with_values(self, values: Sequence[object]) -> ObjectRecord:
        """Return a copy with other values."""
        return ObjectRecord(self.kind, self.names, values)

    def create(self, values: Sequence[object]) -> object:
        """Return a new object of the class that holds these values."""
        kind: Any = self.kind
        new: object = kind.__new__(kind)
        for name, value in zip(self.names, values, strict=True):
            object.__setattr__(new, name, value)
        return new

    def __repr__(self) -> str:
        return f"<{self.kind.__name__} of {', '.join(self.names)}>"


class ArrayRecord(ObjectRecord):
    """An array as a record: its one value is the tensor of its elements.

    Args:
        array: the array.

    Attributes:
        sources: the arrays that it may be a view of, on any path.
    """

    __slots__ = ("sources",)

    def __init__(self, array: Any) -> None:
        super().__init__(StagedArray, ("tensor",), (_array_contents(array),))
        self.sources = list(view_bases(array))

    def with_values(self, values: Sequence[object]) -> ObjectRecord:
        like = copy.copy(self)
        like.values = tuple(values)
        return like

    def create(self, values: Sequence[object]) -> object:
        return StagedArray(values[0], self.sources)

    def add_sources(self, other: ArrayRecord) -> None:
        """Add the sources of the array on another path."""
        known = {id(root) for root, _ in self.sources}
        self.sources += [each for each in other.sources if id(each[0]) not in known]


class ViewRead:
    """The elements of a view at one moment, which are computed only if they are used.

    Args:
        view: the view, or the stand-in for the arrays of a list.
        base: the contents of its array at that moment: a tensor, an array that never changes, or
            another `ViewRead`; a tuple of these for several arrays.
    """

    __slots__ = ("_found", "base", "view")

    def __init__(self, view: Any, base: Any) -> None:
        self.view, self.base = view, base
        self._found: Any = None

    @property
    def tensor(self) -> Any:
        """The elements of the view."""
        base = _tensor_of(self.base)
        found, recorder = self._found, current_recorder()
        if found is None and self.view.seen is not None and self.view.seen[0] is base:
            found = self.view.seen[1]
        if found is None or not is_within(recorder, found.graph):
            around = self._graph()
            with nullcontext() if is_within(recorder, around) else around.recording():
                found = self.view.read(rt.nest.map_structure(rt.convert_to_tensor, base))
        self._found = found
        return found

    def _graph(self) -> Any:
        """Return the inner one of the graphs of the array's contents and of the view."""
        graphs = [getattr(each, "graph", None) for each in rt.nest.flatten(_tensor_of(self.base))]
        inner: Any = self.view.graph
        for each in graphs:
            inner = inner if each is None or is_within(inner, each) else each
        return inner

    @property
    def like(self) -> Any:
        """A tensor of the same shape and dtype, such as earlier elements of the view."""
        return self.tensor if self.view.seen is None else self.view.seen[1]


def _tensor_of(held: Any) -> Any:
    if isinstance(held, tuple):
        return (*map(_tensor_of, held),)
    return held.tensor if type(held) is ViewRead else held


def _is_of_region(held: Any) -> bool:
    if isinstance(held, tuple):
        return any(map(_is_of_region, held))
    if type(held) is ViewRead:
        return _is_of_region(held.base)
    return isinstance(held, rt.SymbolicTensor) and held.graph.outer is not None


def _array_contents(array: Any) -> object:
    """Return the contents of an array, the same object until a change; of a view, a `ViewRead`."""
    root, several = root_of(array), getattr(array, "arrays", ())
    if several:
        base: Any = (*map(_array_contents, several),)
        return array.readings.setdefault((*map(id, base),), ViewRead(array, base))
    if root is array or not (isinstance(array, StagedArrayView) or staged_tensor(root) is not None):
        return elements(array)
    view = view_of(array, root)
    base = _array_contents(view.base)
    return view.readings.setdefault(id(base), ViewRead(view, base))


rt.nest.register(
    ObjectRecord, lambda record: record.values, lambda like, values: like.with_values(values)
)
rt.nest.register(ArrayRecord, lambda record: record.values, ArrayRecord.with_values)


def record_of(value: object) -> ObjectRecord | None:
    """Return an array, or an object of a plain user class, as a record; None for anything else.

    >>> record_of(SimpleNamespace(x=3))
    <SimpleNamespace of x>
    >>> record_of(3) is None
    True
    """
    if is_array(value):
        return ArrayRecord(value)
    kind = type(value)
    known = _PLAIN.get(id(kind))
    if known is None or known[0] is not kind:
        known = _PLAIN[id(kind)] = (kind, _is_plain(kind))
    if not known[1] or rt.nest.is_nested(value):
        return None
    held: Any = contents_of(StoredAttributes(value)) or {}
    return ObjectRecord(kind, tuple(held), tuple(held.values()))


def holds_region_tensor(record: ObjectRecord) -> bool:
    """Return whether an object holds a tensor of a region: of a branch or a loop's body."""
    return any(map(_is_of_region, rt.nest.flatten(list(record.values))))


def record_difference(a: ObjectRecord, b: ObjectRecord) -> str | None:
    """Return the difference of two records in class or attributes; None if there is none."""
    if a.kind is not b.kind:
        return f"the structures differ: a {a.kind.__name__} vs a {b.kind.__name__}"
    if a.names != b.names:
        lists = [", ".join(each.names) or "none" for each in (a, b)]
        return f"the structures differ: {a.kind.__name__} with attributes {lists[0]} vs {lists[1]}"
    return None


def _is_plain(kind: type) -> bool:
    """Return whether objects of a class are defined by their attributes and can be created anew."""
    if kind is SimpleNamespace:
        return True
    module = str(own_attributes(kind).get("__module__")).partition(".")[0]
    if module in _OURS or type(kind) not in (type, ABCMeta) or is_library_class(kind):
        return False
    if kind.__new__ is not object.__new__ or not kind.__flags__ & _HEAP:
        return False
    bases = [each for each in mro_of(kind)[:-1] if each not in _WITHOUT_STATE]
    return mro_of(kind)[-1] is object and all(map(_is_written_in_python, bases))


def _is_written_in_python(kind: type) -> bool:
    own = own_attributes(kind)
    return (
        isinstance(own.get("__module__"), str)
        and "__del__" not in own
        and not is_library_class(kind)
    )
