"""Value specs: the knowledge of a variable's value while tracing, in one of nine forms.

3                    LiteralSpec(3)
a tensor             TracedSpec(spec)
(tensor, None)       ContainerSpec((,), [TracedSpec(spec), StaticSpec(None)])
a list that grew     ItemsSpec(TracedSpec(spec))
None or a tensor     OptionalSpec(TracedSpec(spec), "none")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import runtime as rt
from autograph.backends.graph.values.leaf_spec import LiteralSpec, StaticSpec, TracedSpec, identity
from autograph.backends.graph.values.object_values import (
    ArrayRecord,
    ObjectRecord,
    record_difference,
)
from autograph.backends.possibly_unbound import Absent

# The step of a path from a list or dict to its items, where only a run counts them.
ITEMS = "[...]"


class JoinError(Exception):
    """The error for two paths that leave a variable with values that cannot be joined.

    Attributes:
        kind: "structure", "dtype", "object" or "class".
        first, second: descriptions of the two values; for kind "structure", their difference, and
            the common type of container, if any.
        path: the place inside the variable's value, as the user writes it: `[1]['k']`.
    """

    def __init__(self, kind: str, first: str, second: str, path: str = "") -> None:
        super().__init__(kind, first, second)
        self.kind, self.first, self.second, self.path = kind, first, second, path


@dataclass(eq=False)
class UnboundSpec:
    """No value: the variable is undefined on this path.

    Attributes:
        value: the placeholder that the variable has in Python.
        irrelevant: whether no code can read the variable (a return value before the return; a path
            that raises), so that its join with a value is the value.
    """

    value: object
    irrelevant: bool

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnboundSpec) and other.irrelevant == self.irrelevant

    def __hash__(self) -> int:
        return hash(self.irrelevant)


@dataclass(eq=False)
class ContainerSpec:
    """A container with known parts, which is created anew from them.


    Attributes:
        like: a container of the same type and keys.
        children: the specs of the parts.
        any_order: for a dict, whether another path has its keys in another order.
        has_number: whether the number of the container is carried, too, since its identity matters.
    """

    like: object
    children: tuple[ValueSpec, ...]
    any_order: bool = False
    has_number: bool = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContainerSpec) or self.children != other.children:
            return False
        if difference(self, other) is not None or self.any_order != other.any_order:
            return False
        if self.has_number != other.has_number:
            return False
        return self.any_order or not have_unlike_orders(self, other)

    def __hash__(self) -> int:
        return hash(self.children)


@dataclass(eq=False)
class SameObjectSpec:
    """A list, dict or object that is the same one on every path; slots carry its contents.

    Attributes:
        value: the container.
        contents: the spec of its contents, for joins with a path that leaves another container.
        is_old: whether it is from before the statement. A container that a path creates holds
            values of that path, and cannot keep its identity after it.
        is_lasting: whether it is also from before every loop around the statement.
    """

    HOLDS_FOR_TRACE = True

    value: object
    contents: ValueSpec | None = field(compare=False)
    is_old: bool = field(default=False, compare=False)
    is_lasting: bool = field(default=False, compare=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameObjectSpec) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


@dataclass
class ItemsSpec:
    """A list whose length only a run knows; each item is an `element`.

    Attributes:
        has_number: as in `ContainerSpec`.
    """

    element: ValueSpec
    has_number: bool = False


@dataclass(eq=False)
class OneOfSpec:
    """One of several Python objects, each known by identity.

    Attributes:
        options: the objects.
        contents: returns the joined spec of the objects' contents; None if they have no join.
    """

    options: tuple[object, ...]
    contents: Callable[[], ValueSpec | None] = lambda: None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OneOfSpec) or len(other.options) != len(self.options):
            return False
        return list(map(identity, self.options)) == list(map(identity, other.options))

    def __hash__(self) -> int:
        return hash(tuple(map(identity, self.options)))


@dataclass
class OptionalSpec:
    """A value that exists on some paths only; on others the variable is unbound or None."""

    value: ValueSpec
    absent: Absent


ValueSpec = (
    UnboundSpec
    | LiteralSpec
    | TracedSpec
    | StaticSpec
    | ContainerSpec
    | SameObjectSpec
    | ItemsSpec
    | OneOfSpec
    | OptionalSpec
)

# The spec of all variables at the end of a path that raises.
UNREACHED = UnboundSpec(None, irrelevant=True)


def with_number(spec: ValueSpec) -> ValueSpec:
    """Return the spec of a container with its allocation number carried as well."""
    return replace(spec, has_number=True) if isinstance(spec, (ContainerSpec, ItemsSpec)) else spec


def holds_number(spec: ValueSpec) -> bool:
    """Return whether a spec carries the allocation number of a container."""
    if isinstance(spec, ItemsSpec):
        return spec.has_number or holds_number(spec.element)
    if isinstance(spec, ContainerSpec):
        return spec.has_number or any(map(holds_number, spec.children))
    return isinstance(spec, OptionalSpec) and holds_number(spec.value)


def item_specs(spec: ValueSpec) -> list[ValueSpec] | None:
    """Return the specs of a list's items, one for all dynamic items; None for other values."""
    if isinstance(spec, ItemsSpec):
        return [spec.element]
    if isinstance(spec, ContainerSpec) and isinstance(spec.like, list):
        return list(spec.children)
    return None


def known_objects(spec: ValueSpec) -> Iterator[object]:
    """Yield the objects in a value of a spec that are known by identity."""
    if isinstance(spec, SameObjectSpec):
        yield spec.value
    elif isinstance(spec, OneOfSpec):
        yield from spec.options
    elif isinstance(spec, OptionalSpec):
        yield from known_objects(spec.value)
    elif isinstance(spec, ContainerSpec):
        for child in spec.children:
            yield from known_objects(child)


def is_of_array(spec: ValueSpec | None) -> bool:
    """Return whether a value of the spec is a NumPy array that the trace creates."""
    return isinstance(spec, ContainerSpec) and isinstance(spec.like, ArrayRecord)


def array_elements_or(spec: ValueSpec, other: ValueSpec) -> ValueSpec:
    """Return the spec of an array's elements if `other` is no array, else the spec itself."""
    is_one = is_of_array(spec) and not is_of_array(other)
    return spec.children[0] if is_one else spec  # type: ignore[union-attr]


def join_view_sources(a: ValueSpec, b: ValueSpec) -> None:
    """Give the joined array of two paths the sources that it may be a view of on either one."""
    if isinstance(a, ContainerSpec) and isinstance(b, ContainerSpec):
        if isinstance(a.like, ArrayRecord) and isinstance(b.like, ArrayRecord):
            a.like.add_sources(b.like)


def difference(a: ContainerSpec, b: ContainerSpec) -> str | None:
    """Return the difference of two containers in type, size or keys; None if there is none."""
    if isinstance(a.like, ObjectRecord) and isinstance(b.like, ObjectRecord):
        return record_difference(a.like, b.like)
    try:
        rt.nest.assert_same_structure(_shallow(a), _shallow(b))
    except (TypeError, ValueError) as error:
        return str(error)
    return None


def have_unlike_orders(a: ContainerSpec, b: ContainerSpec) -> bool:
    """Return whether two containers are dicts that have their keys in different orders."""
    if not (isinstance(a.like, dict) and isinstance(b.like, dict)):
        return False
    return list(dict.keys(a.like)) != list(dict.keys(b.like))


def _shallow(spec: ContainerSpec) -> object:
    return rt.nest.rebuild(spec.like, [None] * len(spec.children))
