"""Conversion between the values of variables and the tensors that carry them through a node."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import record_copy
from autograph.backends.graph.aliases.stale_reads import record_carried, record_copied
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.alias_state import alias_state
from autograph.backends.graph.values.branch_facts import is_known_true, learn
from autograph.backends.graph.values.container_identity import NEW, number_of, record_number
from autograph.backends.graph.values.container_snapshot import ContainerSnapshot, without_contents
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.leaf_spec import (
    INDEX,
    LiteralSpec,
    StaticSpec,
    TracedSpec,
    absent_tensor,
    convert,
    identity,
    is_absent,
)
from autograph.backends.graph.values.object_values import ArrayRecord, ObjectRecord, record_of
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.unknown_key_order import record_unknown_order
from autograph.backends.graph.values.value_spec import (
    UNREACHED,
    ContainerSpec,
    ItemsSpec,
    OneOfSpec,
    OptionalSpec,
    SameObjectSpec,
    UnboundSpec,
    ValueSpec,
)
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import free_message, unbound_message
from autograph.errors import StagingError
from autograph.operators.frames import frames_of_call, user_frames
from runtime.core.context import current_recorder
from runtime.errors import OutOfScopeError
from runtime.graph.structured_control_flow import while_loop
from runtime.ops.containers import lists
from runtime.ops.effects.checks import check

VARIANT = TracedSpec(rt.TensorSpec((), rt.variant))
_INDEX = TracedSpec(rt.TensorSpec((), rt.int32))
_FLAG = TracedSpec(rt.TensorSpec((), rt.bool))


def carried_leaves(spec: ValueSpec) -> Iterator[TracedSpec]:
    """Yield the specs of the tensors that carry a value of a spec, in order.

    The flag of an optional value comes first, and the number of a container last.
    """
    if isinstance(spec, TracedSpec):
        yield spec
    elif isinstance(spec, OptionalSpec):
        yield _FLAG
        yield from carried_leaves(spec.value)
    elif isinstance(spec, ContainerSpec):
        for child in spec.children:
            yield from carried_leaves(child)
    elif isinstance(spec, ItemsSpec):
        yield VARIANT
    elif isinstance(spec, OneOfSpec):
        yield _INDEX
    if isinstance(spec, (ContainerSpec, ItemsSpec)) and spec.has_number:
        yield INDEX


def tensor_count(spec: ValueSpec) -> int:
    """Return the number of tensors that carry a value of a spec."""
    return sum(1 for _ in carried_leaves(spec))


class recording_results:
    """Record the nodes that compute the results of a branch or an iteration.

    Raises:
        StagingError: an object leads to one that is known only in another branch or iteration.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if isinstance(error, OutOfScopeError):
            raise _out_of_reach() from None


def _out_of_reach() -> StagingError:
    return StagingError(
        "an attribute is one of several objects, and these lead to others that one path or "
        "iteration alone has made or changed: keep the objects in a list and assign the place of "
        "the one, as in o.at = 1",
        user_location(),
    )


def to_tensors(spec: ValueSpec, value: object) -> list[rt.Tensor]:
    """Return the tensors that carry `value`, converted as `spec` asks, in the current graph."""
    if isinstance(spec, (UnboundSpec, LiteralSpec, StaticSpec, SameObjectSpec)):
        return []
    if isinstance(spec, OneOfSpec) and not is_absent(value) and value is not UNREACHED:
        return [_index_of(without_contents(value), spec.options)]
    if isinstance(spec, OptionalSpec):
        inside = value.copy if isinstance(value, ContainerSnapshot) else value
        return _optional_to_tensors(
            spec, inside if isinstance(inside, (OptionalValue, PossiblyUnbound)) else value
        )
    container = without_contents(value)
    if isinstance(value, ContainerSnapshot):
        value = value.copy
    if is_absent(value) or value is UNREACHED:
        return absent_tensors(spec)
    if isinstance(spec, TracedSpec):
        return [convert(value.values[0] if isinstance(value, ArrayRecord) else value, spec)]
    assert isinstance(spec, (ContainerSpec, ItemsSpec)), "all other specs return above"
    number = [number_of(container, value)] if spec.has_number else []
    if isinstance(spec, ItemsSpec):
        return [list_handle(spec.element, value), *number]
    children = _children(spec, value)
    parts = (t for child, part in zip(spec.children, children) for t in to_tensors(child, part))
    return [*parts, *number]


def all_to_tensors(specs: Sequence[ValueSpec], values: Sequence[object]) -> list[rt.Tensor]:
    """Return the tensors of several values, as `to_tensors` gives those of one."""
    return [tensor for spec, value in zip(specs, values) for tensor in to_tensors(spec, value)]


def _children(spec: ContainerSpec, value: object) -> Sequence[object]:
    """Return the contents of a container, or an object's attributes, in a spec's order."""
    if isinstance(spec.like, ObjectRecord) and isinstance(value, OneOfObjects):
        return [getattr(value, name) for name in spec.like.names]
    if isinstance(spec.like, ObjectRecord) and not isinstance(value, ObjectRecord):
        record = record_of(value)
        return () if record is None else record.values
    return rt.nest.children(value) or ()


def absent_tensors(spec: ValueSpec) -> list[rt.Tensor]:
    """Return the tensors for an absent value."""
    if isinstance(spec, OptionalSpec):
        return [rt.constant(False), *absent_tensors(spec.value)]
    number = [rt.constant(NEW)] if getattr(spec, "has_number", False) else []
    if isinstance(spec, ItemsSpec):
        return [list_handle(spec.element, []), *number]
    if isinstance(spec, OneOfSpec):
        return [rt.constant(0)]
    if isinstance(spec, ContainerSpec):
        return [*(tensor for child in spec.children for tensor in absent_tensors(child)), *number]
    return [absent_tensor(spec)] if isinstance(spec, TracedSpec) else []


def from_tensors(spec: ValueSpec, tensors: Iterator[rt.Tensor], name: str) -> object:
    """Return the value that `tensors`, taken in order, carry for variable `name`."""
    if isinstance(spec, TracedSpec):
        return next(tensors)
    if isinstance(spec, ContainerSpec):
        children = [from_tensors(child, tensors, name) for child in spec.children]
        is_object = isinstance(spec.like, ObjectRecord)
        made = spec.like.create(children) if is_object else rt.nest.rebuild(spec.like, children)  # type: ignore[attr-defined]
        if spec.any_order:
            record_unknown_order(made)
        if spec.has_number:
            record_number(made, next(tensors))
        return made
    if isinstance(spec, OneOfSpec):
        return OneOfObjects(next(tensors), spec.options)
    if isinstance(spec, ItemsSpec):
        handle = [DynamicItems(next(tensors), spec.element)]
        if spec.has_number:
            record_number(handle, next(tensors))
        return handle
    if isinstance(spec, OptionalSpec):
        flag = next(tensors)
        value = from_tensors(spec.value, tensors, name)
        if spec.absent == "none":
            return OptionalValue(flag, value)
        return PossiblyUnbound(name, flag, value, spec.absent, check_bound)
    return spec.value


def _optional_to_tensors(spec: OptionalSpec, value: object) -> list[rt.Tensor]:
    stands_for_it = OptionalValue if spec.absent == "none" else PossiblyUnbound
    if isinstance(value, stands_for_it):
        flag = value.present if isinstance(value, OptionalValue) else value.defined
        return [rt.convert_to_tensor(flag), *to_tensors(spec.value, value.value)]
    missing = value is None if spec.absent == "none" else is_absent(value)
    if missing or value is UNREACHED or is_absent(value):
        return absent_tensors(spec)
    return [rt.constant(True), *to_tensors(spec.value, value)]


def _index_of(value: object, options: tuple[object, ...]) -> rt.Tensor:
    """Return the index of an object, or of one of several objects, among all options."""
    places = {identity(each): place for place, each in enumerate(options)}
    own = value.options if isinstance(value, OneOfObjects) else (value,)
    if not all(identity(each) in places for each in own):
        raise _out_of_reach()
    if not isinstance(value, OneOfObjects):
        return rt.constant(places[identity(value)])
    if len(value.options) <= len(options) and all(map(operator.is_, value.options, options)):
        return value.index
    return rt.gather(rt.constant([places[identity(each)] for each in own]), value.index)


def list_handle(element: ValueSpec, items: object) -> rt.Tensor:
    """Return a list handle of `items`, each carried by the tensors of the spec `element`."""
    assert isinstance(items, list)
    # Appending to the handle of dynamic items at the start copies nothing.
    begins = bool(items) and type(items[0]) is DynamicItems
    handle = _converted_handle(items[0], element) if begins else lists.list_new()
    for item in items[1:] if begins else items:
        if type(item) is DynamicItems:
            handle = lists.list_extend(handle, _converted_handle(item, element))
        else:
            handle = lists.list_append(handle, *to_tensors(element, item))
            record_carried(element, item, handle)
    return handle


def _converted_handle(items: DynamicItems, element: ValueSpec) -> rt.Tensor:
    """Return the handle of dynamic items; if their spec is not `element`, of converted items."""
    if items.element == element:
        return items.handle
    if isinstance(items.element, UnboundSpec):
        return lists.list_new()  # no path has inserted an item
    # An object that was the same in all items is carried by its contents from now on.
    record_copied(_no_longer_same(items.element, element), items.handle)
    length = lists.list_length(items.handle)

    def append(index: rt.Tensor, handle: rt.Tensor) -> tuple[rt.Tensor, rt.Tensor]:
        item = item_at(items, index)
        return index + 1, lists.list_append(handle, *to_tensors(element, item))

    start = (rt.constant(0), lists.list_new())
    _, handle = while_loop(lambda index, _: rt.less(index, length), append, start)
    if (aliases := alias_state()) is not None:
        aliases.converted_from[id(handle)] = (handle, items.handle)
    return handle


def _no_longer_same(before: ValueSpec, after: ValueSpec) -> Iterator[object]:
    """Yield the containers that `before` carries by identity, and `after` does not."""
    if isinstance(before, OptionalSpec):
        before = before.value
    if isinstance(after, OptionalSpec):
        after = after.value
    if isinstance(before, SameObjectSpec) and not isinstance(after, SameObjectSpec):
        yield before.value
    elif isinstance(before, ContainerSpec) and isinstance(after, ContainerSpec):
        for one, other in zip(before.children, after.children):
            yield from _no_longer_same(one, other)


def item_at(items: DynamicItems, index: object) -> object:
    """Return the dynamic item at an index; IndexError at run time if there is none."""
    value = read_item(items, index)
    record_copy(items.element, value, items.handle)
    return value


def read_item(items: DynamicItems, index: object) -> object:
    """Return the dynamic item at an index, without recording that it is a copy."""
    leaves = lists.list_get(items.handle, index, tensor_specs(items.element))
    return from_outputs(items.element, leaves)


def tensor_specs(spec: ValueSpec) -> tuple[rt.TensorSpec, ...]:
    """Return the specs of the tensors that carry a value of this spec."""
    return tuple(leaf.tensor_spec for leaf in carried_leaves(spec))


def from_outputs(spec: ValueSpec, outputs: Iterable[rt.Tensor], name: str = "an item") -> object:
    """Return the value that the next outputs of a node carry, which become weak as in the spec."""
    leaves = list(carried_leaves(spec))
    tensors = list(islice(outputs, len(leaves)))
    for tensor, leaf in zip(tensors, leaves):
        if isinstance(tensor, rt.SymbolicTensor):
            tensor.weak = leaf.weak
    return from_tensors(spec, iter(tensors), name)


# -- the check recorded at a read of a variable that is bound on some paths only -------------------


def check_bound(variable: PossiblyUnbound) -> None:
    """Record a read of `variable`, with a check that raises at run time if it has no value."""
    if is_known_true(variable.defined):
        return
    error, argument = variable.missing or _unbound(variable.name)
    check(variable.defined, error, argument)
    learn(current_recorder(), variable.defined, True)


def _unbound(name: str) -> tuple[type[Exception], str]:
    """Return the class and message of Python's error for an unbound local or free variable."""
    reader = next(user_frames(sys._getframe(1)), None)
    if reader is not None and name in frames_of_call(reader[1])[-1].f_code.co_freevars:
        return NameError, free_message(name)
    return UnboundLocalError, unbound_message(name)
