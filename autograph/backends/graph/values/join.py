"""The join of two value specs: the spec of a value that arrives on either of two paths."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from contextvars import ContextVar
from dataclasses import fields, is_dataclass, replace
from functools import reduce
from typing import Any

import runtime as rt
from autograph.backends.graph.objects.object_lifetimes import is_of_no_path
from autograph.backends.graph.values.container_identity import is_numbered, is_usable_here
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.leaf_spec import (
    NONE,
    Leaf,
    LiteralSpec,
    StaticSpec,
    TracedSpec,
    as_traced,
    describe_leaf,
    identity,
    join_leaves,
    leaf_spec_of,
    widened,
)
from autograph.backends.graph.values.object_values import (
    ArrayRecord,
    ObjectRecord,
    holds_region_tensor,
    record_of,
)
from autograph.backends.graph.values.value_scope import INSPECTING_PATH
from autograph.backends.graph.values.value_spec import (
    ITEMS,
    ContainerSpec,
    ItemsSpec,
    JoinError,
    OneOfSpec,
    OptionalSpec,
    SameObjectSpec,
    UnboundSpec,
    ValueSpec,
    array_elements_or,
    difference,
    have_unlike_orders,
    is_of_array,
    item_specs,
    join_view_sources,
    known_objects,
    with_number,
)
from autograph.operators.user_classes import is_made_in_python
from runtime.errors import with_article

# More alternatives than this have no join: the variable has a new object in every iteration.
MOST_OBJECTS = 100
# Objects often lead to many others; those further away keep their identity.
_DEEPEST = 6
# Objects that lead to each other in a circle have no join by contents: it would have no end.
_DEPTH: ContextVar[int] = ContextVar("depth", default=0)


def join(a: ValueSpec, b: ValueSpec) -> ValueSpec:
    """Return the spec of a variable that one path leaves as `a` and another one as `b`.

    Raises:
        JoinError: if the specs have no join.
    """
    if a == b:
        return _join_equal(a, b)
    if isinstance(a, UnboundSpec):
        return _with_unbound(a, _optional_contents(_usable_spec(b)))
    if isinstance(b, UnboundSpec):
        return _with_unbound(b, _optional_contents(_usable_spec(a)))
    a, b = _optional_contents(_usable_spec(a)), _optional_contents(_usable_spec(b))
    for absent in ("undefined", "none"):
        if _lacks(a, absent) or _lacks(b, absent):
            return _optional(a, b, absent)
    return _join_values(a, b)


def _join_equal(a: ValueSpec, b: ValueSpec) -> ValueSpec:
    """Return the join of equal specs, in which the contents of one same container are joined.

    The contents are used if a later join carries the container by contents.
    """
    if a is b or not isinstance(a, (SameObjectSpec, ContainerSpec, ItemsSpec, OptionalSpec)):
        return a
    join_view_sources(a, b)
    if isinstance(a, SameObjectSpec) and isinstance(b, SameObjectSpec):
        return replace(a, contents=_contents_of_both(a, b))
    if isinstance(a, ContainerSpec) and isinstance(b, ContainerSpec):
        return replace(a, children=tuple(map(_join_equal, a.children, b.children)))
    if isinstance(a, ItemsSpec) and isinstance(b, ItemsSpec):
        return replace(a, element=_join_equal(a.element, b.element))
    if isinstance(a, OptionalSpec) and isinstance(b, OptionalSpec):
        return replace(a, value=_join_equal(a.value, b.value))
    return a


def _contents_of_both(a: SameObjectSpec, b: SameObjectSpec) -> ValueSpec | None:
    if a.contents is None or b.contents is None:
        return a.contents
    try:
        return join(a.contents, b.contents)
    except JoinError:
        return None if a.is_old else a.contents


def _usable_spec(spec: ValueSpec) -> ValueSpec:
    """Return the spec; by contents, if it selects an object that only one path knows."""
    if not isinstance(spec, OneOfSpec):
        return spec
    if all(is_of_no_path(each) or is_usable_here(each) for each in spec.options):
        return spec
    return spec.contents() or spec


def by_value_if_created(spec: ValueSpec, there: Collection[int]) -> ValueSpec:
    """Return the spec; by contents, if it selects an object that the iteration creates.

    Args:
        spec: any spec.
        there: the identities of the objects from before the loop.
    """
    if not isinstance(spec, OneOfSpec) or all(id(each) in there for each in spec.options):
        return spec
    return spec.contents() or spec


def one_of(options: tuple[object, ...]) -> OneOfSpec:
    """Return the spec of one of several objects, with the contents that the path leaves in them."""
    if not INSPECTING_PATH.get():
        return OneOfSpec(options, lambda: _contents_of(options))
    now = _contents_of(options)
    return OneOfSpec(options, lambda: now)


def as_now(spec: ValueSpec) -> ValueSpec:
    """Return an earlier spec with the current contents of its objects.

    A container that only another path knows is carried by its contents.
    """
    if isinstance(spec, OneOfSpec):
        return one_of(spec.options)
    if (
        isinstance(spec, SameObjectSpec)
        and spec.contents is not None
        and not is_usable_here(spec.value)
    ):
        return as_now(contents_spec(spec))
    if isinstance(spec, ContainerSpec):
        return replace(spec, children=tuple(map(as_now, spec.children)))
    if isinstance(spec, ItemsSpec):
        return replace(spec, element=as_now(spec.element))
    return OptionalSpec(as_now(spec.value), spec.absent) if isinstance(spec, OptionalSpec) else spec


def _contents_of(options: Sequence[object]) -> ValueSpec | None:
    """Return the joined spec of the contents of several objects; None if there is no join."""
    if any(record_of(each) is None for each in options):
        return None
    return _joined_contents(lambda: [*map(_contents_spec, options)])


def join_all(specs: Sequence[ValueSpec]) -> ValueSpec:
    """Return the join of all specs; unbound if there are none.

    >>> join_all([])
    UnboundSpec(value=None, irrelevant=True)
    """
    start: ValueSpec = UnboundSpec(None, irrelevant=True)
    return reduce(join, specs, start)


def widen(spec: ValueSpec, of_leaf: Callable[[Leaf], Leaf] = widened) -> ValueSpec:
    """Return `spec` with Python numbers as weak tensors, since a loop may change them.

    Args:
        spec: any spec.
        of_leaf: the conversion of a leaf, if it is another one.
    """
    if isinstance(spec, ContainerSpec):
        return replace(spec, children=tuple(widen(each, of_leaf) for each in spec.children))
    if isinstance(spec, ItemsSpec):
        return replace(spec, element=widen(spec.element, of_leaf))
    if isinstance(spec, OptionalSpec):
        return OptionalSpec(widen(spec.value, of_leaf), spec.absent)
    return of_leaf(spec) if isinstance(spec, (LiteralSpec, TracedSpec, StaticSpec)) else spec


def contents_spec(spec: SameObjectSpec) -> ValueSpec:
    """Return the spec of a container's contents, with its number if its identity matters."""
    assert spec.contents is not None, "callers check this"
    return with_number(spec.contents) if is_numbered(spec.value) else spec.contents


def by_value(spec: ValueSpec) -> ValueSpec:
    """Return a spec in which containers that a path creates are carried by their contents."""
    if isinstance(spec, SameObjectSpec) and not spec.is_old and spec.contents is not None:
        return by_value(contents_spec(spec))
    if isinstance(spec, ContainerSpec):
        return replace(spec, children=tuple(map(by_value, spec.children)))
    if isinstance(spec, ItemsSpec):
        return replace(spec, element=by_value(spec.element))
    if isinstance(spec, OptionalSpec):
        return OptionalSpec(by_value(spec.value), spec.absent)
    return spec


def by_value_in_iterations(spec: ValueSpec) -> ValueSpec:
    """Return a spec in which objects that an iteration creates are carried by their contents."""
    if isinstance(spec, SameObjectSpec) and not spec.is_lasting and spec.contents is not None:
        return by_value_in_iterations(contents_spec(spec))
    if isinstance(spec, ContainerSpec):
        return replace(spec, children=tuple(map(by_value_in_iterations, spec.children)))
    if isinstance(spec, OptionalSpec):
        return OptionalSpec(by_value_in_iterations(spec.value), spec.absent)
    return spec


def _optional_contents(spec: ValueSpec) -> ValueSpec:
    """Return the contents of a container that may be absent; any other spec itself."""
    is_optional = isinstance(spec, SameObjectSpec) and isinstance(spec.contents, OptionalSpec)
    return spec.contents if is_optional else spec  # type: ignore[union-attr,return-value]


def _lacks(spec: ValueSpec, absent: str) -> bool:
    """Return whether a value is, or may be, absent in this way."""
    if absent == "none" and spec == NONE:
        return True
    return isinstance(spec, OptionalSpec) and spec.absent == absent


def _optional(a: ValueSpec, b: ValueSpec, absent: str) -> ValueSpec:
    values = [_inside(spec, absent) for spec in (a, b)]
    present = [by_value(spec) for spec in values if spec is not None]
    return OptionalSpec(reduce(join, present), absent)  # type: ignore[arg-type]


def _inside(spec: ValueSpec, absent: str) -> ValueSpec | None:
    """Return the spec of a value where it is present; None if it never is."""
    if absent == "none" and spec == NONE:
        return None
    if isinstance(spec, OptionalSpec) and spec.absent == absent:
        return spec.value
    return spec


def _with_unbound(unbound: UnboundSpec, other: ValueSpec) -> ValueSpec:
    if isinstance(other, UnboundSpec):
        return unbound if other.irrelevant else other
    if unbound.irrelevant or (isinstance(other, OptionalSpec) and other.absent == "undefined"):
        return by_value(other)
    # A read finds out only at run time whether the variable has a value.
    return OptionalSpec(widen(by_value(other)), "undefined")


def _join_values(a: ValueSpec, b: ValueSpec) -> ValueSpec:
    objects = _options(a), _options(b)
    if _leads_to_its_kind(a) or _leads_to_its_kind(b):
        objects = objects[0] or _old_record(a), objects[1] or _old_record(b)
    if objects[0] and objects[1]:
        return _one_of(a, b, *objects)
    if _are_unlike_objects(a, b):
        return _one_of(a, b, (a.value,), (b.value,))  # type: ignore[union-attr]
    first, second = _as_value(a, b), _as_value(b, a)
    first, second = array_elements_or(first, second), array_elements_or(second, first)
    join_view_sources(first, second)
    if isinstance(first, ContainerSpec) and isinstance(second, ContainerSpec):
        unlike = difference(first, second)
        if unlike is None:
            return _join_children(first, second)
        if (classes := unlike_classes(first, second)) is not None:
            raise JoinError("class", *classes)
        if item_specs(first) is None or item_specs(second) is None:
            raise JoinError("structure", unlike, kind_of_both(first, second))
    elements = item_specs(first), item_specs(second)
    if elements[0] is not None and elements[1] is not None:
        has_number = any(getattr(each, "has_number", False) for each in (first, second))
        return ItemsSpec(_join_elements([*elements[0], *elements[1]]), has_number)
    return _join_leaves(first, second)


def _as_value(spec: ValueSpec, other: ValueSpec) -> ValueSpec:
    """Return the spec of a container by contents, since the other path leaves another value."""
    if isinstance(spec, StaticSpec) and spec != NONE:
        record = record_of(spec.value)
        return (
            spec
            if record is None or not _is_object_spec(other)
            else ContainerSpec(record, tuple(map(leaf_spec_of, record.values)))
        )
    if isinstance(spec, OneOfSpec) and _is_object_spec(other):
        return spec.contents() or spec
    if not isinstance(spec, SameObjectSpec):
        return spec
    if spec.contents is None:
        raise JoinError("object", describe(spec), describe(other))
    return contents_spec(spec)


def _contents_spec(value: object, around: tuple[object, ...] = ()) -> ValueSpec:
    """Return the spec of the contents of a container, or of an object's attributes.

    Raises:
        JoinError: if an object leads to itself: another one made of its contents would not.
    """
    if len(around) > _DEEPEST:
        return leaf_spec_of(value)
    record = None if rt.nest.is_nested(value) else record_of(value)
    if record is not None and around:
        if is_of_no_path(value):
            return leaf_spec_of(value)  # a join with another object asks for its contents
        if any(value is each for each in around):
            raise JoinError("object", f"a {type(value).__name__}", "one that leads to itself")
    children = rt.nest.children(value if record is None else record)
    if children is None:
        return leaf_spec_of(value)
    within = (*around, value)
    if any(type(child) is DynamicItems for child in children):
        specs = [
            each.element if type(each) is DynamicItems else _contents_spec(each, within)
            for each in children
        ]
        return ItemsSpec(_join_elements(specs), is_numbered(value))
    parts = tuple(_contents_spec(child, within) for child in children)
    number = record is None and is_numbered(value)
    return ContainerSpec(value if record is None else record, parts, has_number=number)


def _join_children(a: ContainerSpec, b: ContainerSpec) -> ValueSpec:
    joined, depth = [], _DEPTH.get() + isinstance(a.like, ObjectRecord)
    if depth > _DEEPEST + 2:
        raise JoinError("object", describe(a), describe(b))
    token = _DEPTH.set(depth)
    try:
        for step, x, y in zip(_steps(a.like), a.children, b.children):
            try:
                joined.append(join(x, y))
            except JoinError as error:
                error.path = step + error.path
                raise
    finally:
        _DEPTH.reset(token)
    any_order = a.any_order or b.any_order or have_unlike_orders(a, b)
    return ContainerSpec(a.like, tuple(joined), any_order, a.has_number or b.has_number)


def _steps(like: object) -> list[str]:
    if isinstance(like, ObjectRecord):
        return [f".{name}" for name in like.names]
    return rt.nest.steps(like)


def _join_elements(specs: Sequence[ValueSpec]) -> ValueSpec:
    try:
        return join_all([widen(by_value_in_iterations(spec)) for spec in specs])
    except JoinError as error:
        error.path = f"{ITEMS}{error.path}"
        raise


def _are_unlike_objects(a: ValueSpec, b: ValueSpec) -> bool:
    """Return whether two objects differ in class or attributes, and hold no tensors of a path."""
    kinds = []
    for spec in (a, b):
        record = record_of(spec.value) if isinstance(spec, SameObjectSpec) else None
        if record is None or holds_region_tensor(record):
            return False
        kinds.append((record.kind, record.names))
    return kinds[0] != kinds[1]


def _is_object_spec(spec: ValueSpec) -> bool:
    """Return whether a value of the spec is an object, carried or known by its attributes."""
    contents = spec.contents if isinstance(spec, SameObjectSpec) else spec
    return isinstance(contents, ContainerSpec) and isinstance(contents.like, ObjectRecord)


def _options(spec: ValueSpec) -> tuple[object, ...]:
    """Return the Python objects of a spec that selects by identity; none for other specs."""
    if isinstance(spec, OneOfSpec):
        return spec.options
    if isinstance(spec, SameObjectSpec) and is_of_array(spec.contents):
        return ()  # two arrays of one shape and dtype are joined to one
    if isinstance(spec, SameObjectSpec) and spec.is_old and _is_object_spec(spec):
        is_known = spec.is_lasting or _holds_nothing_of_a_path(spec) or _holds_its_kind(spec)
        return (spec.value,) if is_known else ()
    return (spec.value,) if isinstance(spec, StaticSpec) and spec != NONE else ()


def _holds_nothing_of_a_path(spec: SameObjectSpec) -> bool:
    record = record_of(spec.value)
    return record is not None and not holds_region_tensor(record)


def _holds_its_kind(spec: SameObjectSpec) -> bool:
    """Return whether an attribute of an object is, or may be, another object of its class."""
    kind = type(spec.value)
    inside = getattr(spec.contents, "children", ())
    return any(type(each) is kind for child in inside for each in known_objects(child))


def _leads_to_its_kind(spec: ValueSpec) -> bool:
    """Return whether a dataclass instance has, or may have, another one of its class in a field.

    The nodes of a linked list or a tree are known by identity; other instances are joined by their
    contents, since those are compared.
    """
    if not isinstance(spec, SameObjectSpec) or not is_dataclass(type(spec.value)):
        return False
    # The fields of the class: a read of the instance would be reported.
    kind: Any = type(spec.value)
    if any(kind.__name__ in re.findall(r"\w+", str(each.type)) for each in fields(kind)):
        return True
    return _holds_its_kind(spec)


def _old_record(spec: ValueSpec) -> tuple[object, ...]:
    """Return the dataclass instance of a spec, if it is from before every statement around."""
    is_old = isinstance(spec, SameObjectSpec) and spec.is_lasting
    return (spec.value,) if is_old and is_dataclass(type(spec.value)) else ()  # type: ignore[union-attr]


def _one_of(
    a: ValueSpec, b: ValueSpec, first: tuple[object, ...], second: tuple[object, ...]
) -> OneOfSpec:
    """Return the spec of one of the objects of two specs."""

    def contents() -> ValueSpec | None:
        # The contents that each path has left.
        parts = [each for each in map(_contents, (a, b)) if each is not None]
        return _joined_contents(lambda: parts) if len(parts) == 2 else None

    known = {identity(each) for each in first}
    together = (*first, *(each for each in second if identity(each) not in known))
    if len(together) > MOST_OBJECTS:
        raise JoinError("objects", f"one of {len(first)} objects", "one of more")
    return OneOfSpec(together, contents)


def _contents(spec: ValueSpec) -> ValueSpec | None:
    if isinstance(spec, OneOfSpec):
        return spec.contents()
    if isinstance(spec, SameObjectSpec):
        return None if spec.contents is None else contents_spec(spec)
    return _contents_of((spec.value,)) if isinstance(spec, StaticSpec) else None


def _joined_contents(specs: Callable[[], Sequence[ValueSpec]]) -> ValueSpec | None:
    try:
        return with_number(join_all(specs()))
    except JoinError:
        return None


def _join_leaves(a: ValueSpec, b: ValueSpec) -> ValueSpec:
    joined = join_leaves(a, b)
    if joined is not None:
        return joined
    left, right = as_traced(a), as_traced(b)
    kind = "object" if left is None or right is None else "dtype"
    if isinstance(a, (ContainerSpec, ItemsSpec)) or isinstance(b, (ContainerSpec, ItemsSpec)):
        raise JoinError("structure", f"the structures differ: {describe(a)} vs {describe(b)}", "")
    shown = (a, b) if left is None or right is None else (left, right)
    raise JoinError(kind, *map(describe, shown))


# -- descriptions of value specs for error messages ------------------------------------------------


def describe(spec: ValueSpec) -> str:
    """Return the description of a spec for an error message."""
    if isinstance(spec, OptionalSpec):
        return f"{describe(spec.value)} or {'None' if spec.absent == 'none' else 'unbound'}"
    if isinstance(spec, SameObjectSpec):
        name = type(spec.value).__name__
        return describe(spec.contents) if spec.contents else with_article(name)
    if isinstance(spec, ContainerSpec):
        if isinstance(spec.like, ArrayRecord):
            return describe(spec.children[0])
        kind = spec.like.kind if isinstance(spec.like, ObjectRecord) else type(spec.like)
        return f"{with_article(kind.__name__)} of {len(spec.children)}"
    if isinstance(spec, OneOfSpec):
        return f"one of {len(spec.options)} objects"
    if isinstance(spec, StaticSpec) and type(spec.value) is DynamicItems:
        return "items known when the graph runs"
    if isinstance(spec, ItemsSpec):
        return "a list"
    if isinstance(spec, UnboundSpec):
        return "unbound"
    return describe_leaf(spec)


def kind_of_both(a: ContainerSpec, b: ContainerSpec) -> str:
    """Return the common type of two containers; an empty text if there is none."""
    kinds = (each for each in (tuple, list, dict) if isinstance(a.like, each))
    return next((each.__name__ for each in kinds if isinstance(b.like, each)), "")


def unlike_classes(a: ContainerSpec, b: ContainerSpec) -> tuple[str, str] | None:
    """Return the class names of two containers if they differ and one is a user class."""
    likes = (a.like, b.like)
    kinds = [like.kind if isinstance(like, ObjectRecord) else type(like) for like in likes]
    if kinds[0] is kinds[1] or not any(map(is_made_in_python, kinds)):
        return None
    return with_article(kinds[0].__name__), with_article(kinds[1].__name__)
