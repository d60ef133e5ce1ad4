"""Builds values of a call from several outputs: optional values, staged lists, dicts.

The value spec of such a value names the outputs that carry it, in their order. Each call makes a
Python value of them: an EagerTensor for a tensor or number, None if the flag is false, a list with
as many items as the run has appended, a dict without the items that are missing on the path.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.graph.containers.staged_dict import has_optional_items
from autograph.backends.graph.tracing.value_tensors import to_tensors
from autograph.backends.graph.values.container_snapshot import with_contents
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.join import by_value, widen
from autograph.backends.graph.values.leaf_spec import LiteralSpec, StaticSpec, TracedSpec
from autograph.backends.graph.values.object_values import ArrayRecord, ObjectRecord
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.value_spec import (
    ContainerSpec,
    ItemsSpec,
    OneOfSpec,
    OptionalSpec,
    SameObjectSpec,
    ValueSpec,
    holds_number,
)
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import unbound_message
from autograph.functions.results.call_objects import CallObjects, ObjectsById, allocator
from runtime import nest
from runtime.core.tensor import Tensor
from runtime.ops.constant import convert_to_tensor
from runtime.ops.containers.lists import item_tensors, list_items
from runtime.ops.gradient_rules import result_tensor


class OptionalItems:
    """A dict with possibly missing items, as one leaf of a result."""

    __slots__ = ("items",)

    def __init__(self, items: dict[Any, Any]) -> None:
        self.items = items


def as_leaf(result: Any) -> OptionalItems | None:
    """Return a dict with possibly missing items as a leaf; None for other values."""
    return OptionalItems(result) if has_optional_items(result) else None


class DictWithOptionalItems:
    """Builds a dict with possibly missing items, each with a flag among the outputs.

    Args:
        leaf: the dict.
        tensors: the list to which its tensors are appended.
        collect: returns the result structure of an item.
    """

    def __init__(
        self, leaf: OptionalItems, tensors: list[Tensor], collect: Callable[[Any], Any]
    ) -> None:
        self._like = leaf.items
        self._parts = {key: collect(_inside(value)) for key, value in leaf.items.items()}
        self._flags: dict[Any, int] = {}
        for key, value in leaf.items.items():
            if isinstance(value, PossiblyUnbound):
                self._flags[key] = len(tensors)
                tensors.append(convert_to_tensor(value.defined))

    def make(self, arrays: Sequence[np.ndarray]) -> object:
        """Return the dict of a call, of the class that it has in the trace."""
        present = {key for key in self._parts if self._is_present(key, arrays)}
        return self._dict(lambda key: self._parts[key].make(arrays), present)

    def spec(self, specs: Any) -> object:
        """Return the dict with the spec of each item that it may have."""
        return self._dict(lambda key: self._parts[key].spec(specs), set(self._parts))

    def _is_present(self, key: object, arrays: Sequence[np.ndarray]) -> bool:
        return key not in self._flags or bool(arrays[self._flags[key]])

    def _dict(self, make: Callable[[Any], object], present: set[Any]) -> Any:
        keyed = nest.rebuild(self._like, nest.children(dict(zip(self._like, self._like))) or [])
        for key in self._like:
            if key in present:
                keyed[key] = make(key)
            else:
                del keyed[key]
        return keyed


def _inside(value: object) -> object:
    return value.value if isinstance(value, PossiblyUnbound) else value


# -- values by their specs -------------------------------------------------------------------------


Arrays = Iterator[np.ndarray]
_ABSENT: object = object()


class DynamicList:
    """A staged list in a result, as one leaf."""

    __slots__ = ("items",)

    def __init__(self, items: list[object]) -> None:
        self.items = items


def with_dynamic_lists(result: Any) -> Any:
    """Return a result in which a staged list, or a dict with optional items, is one leaf.

    >>> with_dynamic_lists([1, (2,)])
    [1, (2,)]
    """
    children = nest.children(result)
    if children is None:
        return result
    perhaps = as_leaf(result)
    if perhaps is not None:
        return perhaps
    if any(type(child) is DynamicItems for child in children):
        return DynamicList(children)
    inside = [with_dynamic_lists(child) for child in children]
    same = all(a is b for a, b in zip(children, inside))
    return result if same else nest.rebuild(result, inside)


def is_made_at_run_time(leaf: object) -> bool:
    """Return whether several outputs carry a leaf of a result."""
    return isinstance(leaf, (DynamicList, OptionalValue, PossiblyUnbound))


class Materialized:
    """Builds a value from the outputs that its value spec asks for.

    Args:
        leaf: the value in the trace.
        tensors: the list to which its tensors are appended.
        own: the identities of containers from outside, which are not built.
        is_left: whether calls write the value to state, where Python numbers stay Python numbers.
    """

    def __init__(
        self,
        leaf: object,
        tensors: list[Tensor],
        own: Collection[int] = (),
        is_left: bool = False,
    ) -> None:
        value = leaf.items if isinstance(leaf, DynamicList) else leaf
        self.name = leaf.name if isinstance(leaf, PossiblyUnbound) else "an item of the result"
        self._missing = leaf.missing if isinstance(leaf, PossiblyUnbound) else None
        self._spec = by_value(widen(spec_of(with_contents(value))))
        self._start = len(tensors)
        tensors.extend(to_tensors(self._spec, with_contents(value)))
        self._end = len(tensors)
        # A container that is an item several times is built once.
        built = (same for same in _shared_in(self._spec) if id(same.value) not in own)
        self._shared = [(same, Materialized(same.value, tensors, own, is_left)) for same in built]
        self._is_left = is_left

    @property
    def value_spec(self) -> ValueSpec:
        """The spec of the value."""
        return self._spec

    def outputs_in(self, outputs: Sequence[Any]) -> Sequence[Any]:
        """Return the outputs that carry the value, among those of the graph."""
        return outputs[self._start : self._end]

    @property
    def is_named(self) -> bool:
        """Return whether allocation numbers say which containers it holds."""
        return holds_number(self._spec)

    @property
    def options(self) -> list[object]:
        """The objects of the trace that it may be or contain."""
        return list(_options_in(self._spec))

    def make(self, arrays: Any, others: ObjectsById | None = None) -> object:
        """Return the value in one call.

        Args:
            arrays: the outputs of the graph.
            others: the call's objects, by the identity of the trace's objects.

        Raises:
            Exception: Python's error for a missing variable, item or attribute.
        """
        if self._missing is not None and not arrays[self._start]:
            error, argument = self._missing
            raise error(argument)
        beside = {id(s.value): made.make(arrays) for s, made in self._shared}
        of_call = others or getattr(arrays, "made", None)
        shared = CallObjects({**beside, **(of_call or {})}, of_call)
        shared.is_left = self._is_left
        return materialize(self._spec, iter(arrays[self._start : self._end]), self.name, shared)

    def spec(self, specs: Any) -> object:
        """Return the leaf in `structured_outputs`."""
        return _spec(self._spec)


def python_value(array: Any) -> object:
    """Return the number or text of a scalar."""
    value = array.item()
    return value.decode("utf-8", "surrogateescape") if type(value) is bytes else value


def materialize(spec: ValueSpec, arrays: Arrays, name: str, shared: CallObjects) -> Any:
    """Return the value with a spec, made of the next arrays.

    Args:
        spec: the spec of the value.
        arrays: yields the arrays, in the order of the spec.
        name: the variable, for errors.
        shared: the call's objects, by the identity of the trace's objects.

    Raises:
        UnboundLocalError: the variable `name` was not bound on the path that was taken.
    """
    if shared.is_left and _is_number(spec):
        return _number(spec, arrays)
    if isinstance(spec, TracedSpec):
        return _tensor(spec, next(arrays))
    if isinstance(spec, (ContainerSpec, ItemsSpec)):
        made = _made(spec, arrays, name, shared)
        return _container_by_number(made, int(next(arrays)), shared) if spec.has_number else made
    if isinstance(spec, OptionalSpec):
        flag, value = next(arrays), materialize(spec.value, arrays, name, shared)
        if not flag and spec.absent == "undefined":
            raise UnboundLocalError(unbound_message(name))
        return value if flag else None
    if isinstance(spec, OneOfSpec):
        option = spec.options[int(next(arrays))]
        return shared.get(id(option), option)
    if isinstance(spec, SameObjectSpec):
        return shared.get(id(spec.value), spec.value)
    if isinstance(spec, LiteralSpec):
        return rt.convert_to_tensor(spec.value)
    return shared.get(id(spec.value), spec.value)


def _made(
    spec: ContainerSpec | ItemsSpec, arrays: Arrays, name: str, shared: CallObjects
) -> object:
    if isinstance(spec, ItemsSpec):
        array = next(arrays)
        if isinstance(spec.element, TracedSpec) and _is_handed_out(spec.element):
            if not (shared.is_left and _is_number(spec.element)):
                return item_tensors(array)
        items = list_items(array)
        row = _row_of(spec.element)
        if row is not None and not shared.is_left:
            return [row(map(result_tensor, item)) for item in items]
        return [materialize(spec.element, iter(item), name, shared) for item in items]
    if isinstance(spec.like, ArrayRecord):
        return materialize(spec.children[0], arrays, name, shared)
    if isinstance(spec.like, ObjectRecord):
        return _object(spec.like, spec.children, arrays, name, shared)
    return _container(spec, arrays, name, shared)


def _row_of(spec: ValueSpec) -> Callable[[Iterable[object]], object] | None:
    """Return the class of a tuple or list whose parts are tensors alone; None for other items."""
    if (
        not isinstance(spec, ContainerSpec)
        or spec.has_number
        or type(spec.like) not in (tuple, list)
    ):
        return None
    is_plain = all(isinstance(each, TracedSpec) and _is_handed_out(each) for each in spec.children)
    return type(spec.like) if is_plain else None


def _container_by_number(made: object, number: int, shared: CallObjects) -> object:
    """Return the container with a number; the call gives it the contents of `made`."""
    found = shared.find(number, allocator(made), lambda arrays, others: made)
    return made if found is None else found


def _tensor(spec: TracedSpec, array: Any) -> Tensor:
    """Return a tensor; a Python number gets the dtype of such numbers."""
    return result_tensor(array) if _is_handed_out(spec) else rt.convert_to_tensor(array.item())


def _is_handed_out(spec: TracedSpec) -> bool:
    """Return whether an output is the tensor itself, not a number of another dtype."""
    return not _is_number(spec) or spec.tensor_spec.dtype in (rt.string, rt.bool, rt.int32)


def _container(spec: ContainerSpec, arrays: Arrays, name: str, shared: CallObjects) -> Any:
    """Return a container; a dict without the items that are missing on the path."""
    if not isinstance(spec.like, dict):
        return nest.rebuild(
            spec.like, [materialize(c, arrays, name, shared) for c in spec.children]
        )
    parts = [_perhaps(child, arrays, name, shared, materialize) for child in spec.children]
    made: Any = nest.rebuild(spec.like, parts)
    for key in [key for key, item in made.items() if item is _ABSENT]:
        del made[key]
    return made


def _perhaps(
    spec: ValueSpec, arrays: Arrays, name: str, shared: CallObjects, make: Callable[..., object]
) -> object:
    """Return the value of an item or attribute; `_ABSENT` if it is missing."""
    if not (isinstance(spec, OptionalSpec) and spec.absent == "undefined"):
        return make(spec, arrays, name, shared)
    is_there, value = next(arrays), make(spec.value, arrays, name, shared)
    return value if is_there else _ABSENT


def _object(
    like: ObjectRecord, specs: Sequence[ValueSpec], arrays: Arrays, name: str, shared: CallObjects
) -> object:
    """Return an object with the attributes that it has on the path that was taken."""
    values = [_perhaps(spec, arrays, name, shared, _attribute) for spec in specs]
    found = {n: value for n, value in zip(like.names, values) if value is not _ABSENT}
    return ObjectRecord(like.kind, tuple(found), ()).create(tuple(found.values()))


def _attribute(spec: ValueSpec, arrays: Arrays, name: str, shared: CallObjects) -> object:
    """Return the value of an attribute; a Python number stays one."""
    if _is_number(spec):
        return _number(spec, arrays)
    return materialize(spec, arrays, name, shared)


def _is_number(spec: ValueSpec) -> bool:
    """Return whether a value is a Python number or string."""
    if isinstance(spec, TracedSpec):
        return spec.weak and spec.tensor_spec.shape.rank == 0
    return isinstance(spec, LiteralSpec)


def _number(spec: ValueSpec, arrays: Arrays) -> object:
    return spec.value if isinstance(spec, LiteralSpec) else python_value(next(arrays))


def _shared_in(spec: ValueSpec) -> list[SameObjectSpec]:
    """Return the containers that occur in a value several times, each once."""
    if isinstance(spec, SameObjectSpec):
        return [] if spec.contents is None else [spec]
    if isinstance(spec, ContainerSpec):
        inside = [same for child in spec.children for same in _shared_in(child)]
        return list({id(same.value): same for same in inside}.values())
    if isinstance(spec, ItemsSpec):
        return _shared_in(spec.element)
    return _shared_in(spec.value) if isinstance(spec, OptionalSpec) else []


def _options_in(spec: ValueSpec) -> Iterator[object]:
    if isinstance(spec, OneOfSpec):
        yield from spec.options
    elif isinstance(spec, StaticSpec):
        yield spec.value
    elif isinstance(spec, ContainerSpec):
        for child in spec.children:
            yield from _options_in(child)
    elif isinstance(spec, ItemsSpec):
        yield from _options_in(spec.element)
    elif isinstance(spec, OptionalSpec):
        yield from _options_in(spec.value)


def _spec(spec: ValueSpec) -> object:
    """Return a value of `structured_outputs`: a TensorSpec for a tensor, one item for a list."""
    if isinstance(spec, TracedSpec):
        return spec.tensor_spec
    if isinstance(spec, ContainerSpec) and isinstance(spec.like, ArrayRecord):
        return _spec(spec.children[0])
    if isinstance(spec, ContainerSpec) and isinstance(spec.like, ObjectRecord):
        return spec.like.kind
    if isinstance(spec, ContainerSpec):
        return nest.rebuild(spec.like, [_spec(child) for child in spec.children])
    if isinstance(spec, ItemsSpec):
        return [_spec(spec.element)]
    return _spec(spec.value) if isinstance(spec, OptionalSpec) else None
