"""The join of two value specs: what two paths can agree on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import reduce

import runtime as rt
from autograph.backends.graph.program.object_identity import identity
from autograph.backends.graph.values.container_identity import is_numbered, is_usable_here
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.leaf_spec import (
    NONE,
    Leaf,
    LiteralSpec,
    StaticSpec,
    TracedSpec,
    carried,
    describe_leaf,
    join_leaves,
    leaf_of,
    widened,
)
from autograph.backends.graph.values.object_values import (
    ArrayRecord,
    Record,
    is_of_region,
    record_of,
)
from autograph.backends.graph.values.path_scope import AS_LEFT
from autograph.backends.graph.values.value_spec import (
    Branch,
    ItemsSpec,
    JoinError,
    OneOfSpec,
    OptionalSpec,
    SameObjectSpec,
    UnboundSpec,
    ValueSpec,
    difference,
    elements_of,
    elements_or,
    have_unlike_orders,
    is_of_array,
    named,
    note_sources,
)
from autograph.operators.user_classes import is_made_in_python
from runtime.errors import with_article

# A variable that is one of more objects than this is a new object on every iteration.
_MOST_OBJECTS = 32
# Objects often lead to many others; what is further away stays what it is.
_DEEPEST = 6


def join(a: ValueSpec, b: ValueSpec) -> ValueSpec:
    """Return the spec of a variable that arrives as `a` or as `b`.

    Raises:
        JoinError: if no value can be both.
    """
    if a == b:
        return _as_both(a, b)
    if isinstance(a, UnboundSpec):
        return _with_unbound(a, _of_here(b))
    if isinstance(b, UnboundSpec):
        return _with_unbound(b, _of_here(a))
    a, b = _unheld(_of_here(a)), _unheld(_of_here(b))
    for absent in ("undefined", "none"):
        if _lacks(a, absent) or _lacks(b, absent):
            return _optional(a, b, absent)
    return _join_values(a, b)


def _as_both(a: ValueSpec, b: ValueSpec) -> ValueSpec:
    """Return one of two equal plans; of a container that is the same, what either path left in it.

    A list may have to carry it by that, as it does where the paths leave more or fewer items.
    """
    if a is b or not isinstance(a, (SameObjectSpec, Branch, ItemsSpec, OptionalSpec)):
        return a
    note_sources(a, b)
    if isinstance(a, SameObjectSpec) and isinstance(b, SameObjectSpec):
        return replace(a, contents=_contents_of_both(a, b))
    if isinstance(a, Branch) and isinstance(b, Branch):
        return replace(a, children=tuple(map(_as_both, a.children, b.children)))
    if isinstance(a, ItemsSpec) and isinstance(b, ItemsSpec):
        return replace(a, element=_as_both(a.element, b.element))
    if isinstance(a, OptionalSpec) and isinstance(b, OptionalSpec):
        return replace(a, value=_as_both(a.value, b.value))
    return a


def _contents_of_both(a: SameObjectSpec, b: SameObjectSpec) -> ValueSpec | None:
    if a.contents is None or b.contents is None:
        return a.contents
    try:
        return join(a.contents, b.contents)
    except JoinError:
        return None if a.is_old else a.contents


def _of_here(plan: ValueSpec) -> ValueSpec:
    """Return a plan of what one of several objects holds, if a path alone knows one of them."""
    if not isinstance(plan, OneOfSpec) or all(map(is_usable_here, plan.options)):
        return plan
    return plan.contents() or plan


def made_anew(plan: ValueSpec, there: Collection[int]) -> ValueSpec:
    """Return a plan of what one of several objects holds, if an iteration has made one of them.

    Args:
        plan: any plan.
        there: the identities of what was there before the loop.
    """
    if not isinstance(plan, OneOfSpec) or all(id(each) in there for each in plan.options):
        return plan
    return plan.contents() or plan


def one_of(options: tuple[object, ...]) -> OneOfSpec:
    """Return a plan of one of several objects, as the path that is looked at has left them."""
    if not AS_LEFT.get():
        return OneOfSpec(options, lambda: _contents_of(options))
    now = _contents_of(options)
    return OneOfSpec(options, lambda: now)


def as_now(plan: ValueSpec) -> ValueSpec:
    """Return a plan made some time ago, with what the objects hold now that it knows.

    A container that only a path around which it was made knows is one by what it holds.
    """
    if isinstance(plan, OneOfSpec):
        return one_of(plan.options)
    if (
        isinstance(plan, SameObjectSpec)
        and plan.contents is not None
        and not is_usable_here(plan.value)
    ):
        return as_now(held_contents(plan))
    if isinstance(plan, Branch):
        return replace(plan, children=tuple(map(as_now, plan.children)))
    if isinstance(plan, ItemsSpec):
        return replace(plan, element=as_now(plan.element))
    return OptionalSpec(as_now(plan.value), plan.absent) if isinstance(plan, OptionalSpec) else plan


def _contents_of(options: Sequence[object]) -> ValueSpec | None:
    """Return a plan of what one of several objects holds; None if no object can be made of it."""
    records = list(filter(None, map(record_of, options)))
    return _joined_contents(list(map(_held_by, records))) if len(records) == len(options) else None


def join_all(plans: Sequence[ValueSpec]) -> ValueSpec:
    """Return the spec of a value that is any of these; unbound if there are none.

    >>> join_all([])
    UnboundSpec(value=None, irrelevant=True)
    """
    start: ValueSpec = UnboundSpec(None, irrelevant=True)
    return reduce(join, plans, start)


def widen(plan: ValueSpec, of_leaf: Callable[[Leaf], Leaf] = widened) -> ValueSpec:
    """Return `plan` with Python numbers as weak tensors: what a loop may change them into.

    Args:
        plan: any plan.
        of_leaf: what becomes of a leaf, if it is something else.
    """
    if isinstance(plan, Branch):
        return replace(plan, children=tuple(widen(each, of_leaf) for each in plan.children))
    if isinstance(plan, ItemsSpec):
        return replace(plan, element=widen(plan.element, of_leaf))
    if isinstance(plan, OptionalSpec):
        return OptionalSpec(widen(plan.value, of_leaf), plan.absent)
    return of_leaf(plan) if isinstance(plan, (LiteralSpec, TracedSpec, StaticSpec)) else plan


def held_contents(plan: SameObjectSpec) -> ValueSpec:
    """Return a plan of what a container holds, which says which one it is if that matters."""
    assert plan.contents is not None, "one that holds something"
    return named(plan.contents) if is_numbered(plan.value) else plan.contents


def by_value(plan: ValueSpec) -> ValueSpec:
    """Return a plan that makes anew the containers that one path alone has made."""
    if isinstance(plan, SameObjectSpec) and not plan.is_old and plan.contents is not None:
        return by_value(held_contents(plan))
    if isinstance(plan, Branch):
        return replace(plan, children=tuple(map(by_value, plan.children)))
    if isinstance(plan, ItemsSpec):
        return replace(plan, element=by_value(plan.element))
    if isinstance(plan, OptionalSpec):
        return OptionalSpec(by_value(plan.value), plan.absent)
    return plan


def of_any_turn(plan: ValueSpec) -> ValueSpec:
    """Return a plan for an item of a list: what one iteration makes is carried by its contents."""
    if isinstance(plan, SameObjectSpec) and not plan.is_lasting and plan.contents is not None:
        return of_any_turn(held_contents(plan))
    if isinstance(plan, Branch):
        return replace(plan, children=tuple(map(of_any_turn, plan.children)))
    if isinstance(plan, OptionalSpec):
        return OptionalSpec(of_any_turn(plan.value), plan.absent)
    return plan


def _unheld(plan: ValueSpec) -> ValueSpec:
    """Return the optional spec of a container that was held and may be absent, any other itself."""
    is_optional = isinstance(plan, SameObjectSpec) and isinstance(plan.contents, OptionalSpec)
    return plan.contents if is_optional else plan  # type: ignore[union-attr,return-value]


def _lacks(plan: ValueSpec, absent: str) -> bool:
    """Tell whether a plan has no value, or perhaps none, in this way."""
    if absent == "none" and plan == NONE:
        return True
    return isinstance(plan, OptionalSpec) and plan.absent == absent


def _optional(a: ValueSpec, b: ValueSpec, absent: str) -> ValueSpec:
    values = [_inside(plan, absent) for plan in (a, b)]
    present = [by_value(plan) for plan in values if plan is not None]
    return OptionalSpec(reduce(join, present), absent)  # type: ignore[arg-type]


def _inside(plan: ValueSpec, absent: str) -> ValueSpec | None:
    """Return the spec of a value where it is there; None where it never is."""
    if absent == "none" and plan == NONE:
        return None
    if isinstance(plan, OptionalSpec) and plan.absent == absent:
        return plan.value
    return plan


def _with_unbound(unbound: UnboundSpec, other: ValueSpec) -> ValueSpec:
    if isinstance(other, UnboundSpec):
        return unbound if other.irrelevant else other
    if unbound.irrelevant or (isinstance(other, OptionalSpec) and other.absent == "undefined"):
        return by_value(other)
    # What is read of it is known only when the graph runs: whether there is a value at all.
    return OptionalSpec(widen(by_value(other)), "undefined")


def _join_values(a: ValueSpec, b: ValueSpec) -> ValueSpec:
    objects = _options(a), _options(b)
    if objects[0] and objects[1]:
        return _one_of(a, b, *objects)
    if _are_unlike_objects(a, b):
        return _one_of(a, b, (a.value,), (b.value,))  # type: ignore[union-attr]
    first, second = _as_value(a, b), _as_value(b, a)
    first, second = elements_or(first, second), elements_or(second, first)
    note_sources(first, second)
    if isinstance(first, Branch) and isinstance(second, Branch):
        unlike = difference(first, second)
        if unlike is None:
            return _join_children(first, second)
        if (classes := unlike_classes(first, second)) is not None:
            raise JoinError("class", *classes)
        if elements_of(first) is None or elements_of(second) is None:
            raise JoinError("structure", unlike, kind_of_both(first, second))
    runs = elements_of(first), elements_of(second)
    if runs[0] is not None and runs[1] is not None:
        is_named = any(getattr(each, "is_named", False) for each in (first, second))
        return ItemsSpec(_join_elements([*runs[0], *runs[1]]), is_named)
    return _join_leaves(first, second)


def _as_value(plan: ValueSpec, other: ValueSpec) -> ValueSpec:
    """Return a container by what it holds, since the other path leaves another one."""
    if isinstance(plan, StaticSpec) and plan != NONE:
        record = record_of(plan.value)
        return (
            plan
            if record is None or not _is_made(other)
            else Branch(record, tuple(map(leaf_of, record.values)))
        )
    if isinstance(plan, OneOfSpec) and _is_made(other):
        return plan.contents() or plan
    if not isinstance(plan, SameObjectSpec):
        return plan
    if plan.contents is None:
        raise JoinError("object", describe(plan), describe(other))
    return held_contents(plan)


def _held_by(value: object, depth: int = 0) -> ValueSpec:
    """Return a plan of what a container, or an object taken apart, holds."""
    if depth > _DEEPEST:
        return leaf_of(value)
    children = rt.nest.children(value)
    record = record_of(value) if children is None else None
    if record is not None:
        return _held_by(record, depth)
    if children is None:
        return leaf_of(value)
    if any(type(child) is DynamicItems for child in children):
        plans = [
            each.element if type(each) is DynamicItems else _held_by(each, depth + 1)
            for each in children
        ]
        return ItemsSpec(_join_elements(plans), is_numbered(value))
    parts = tuple(_held_by(child, depth + 1) for child in children)
    return Branch(value, parts, is_named=is_numbered(value))


def _join_children(a: Branch, b: Branch) -> ValueSpec:
    joined = []
    for step, x, y in zip(_steps(a.like), a.children, b.children):
        try:
            joined.append(join(x, y))
        except JoinError as error:
            error.path = step + error.path
            raise
    any_order = a.any_order or b.any_order or have_unlike_orders(a, b)
    return Branch(a.like, tuple(joined), any_order, a.is_named or b.is_named)


def _steps(like: object) -> list[str]:
    if isinstance(like, Record):
        return [f".{name}" for name in like.names]
    return rt.nest.steps(like)


def _join_elements(plans: Sequence[ValueSpec]) -> ValueSpec:
    try:
        return join_all([widen(of_any_turn(plan)) for plan in plans])
    except JoinError as error:
        error.path = f"[...]{error.path}"
        raise


def _are_unlike_objects(a: ValueSpec, b: ValueSpec) -> bool:
    """Tell whether two objects differ in kind, and hold nothing that one path alone knows."""
    kinds = []
    for plan in (a, b):
        record = record_of(plan.value) if isinstance(plan, SameObjectSpec) else None
        if record is None or is_of_region(record):
            return False
        kinds.append((record.kind, record.names))
    return kinds[0] != kinds[1]


def _holds_nothing_of_a_path(plan: SameObjectSpec) -> bool:
    record = record_of(plan.value)
    return record is not None and not is_of_region(record)


def _is_made(plan: ValueSpec) -> bool:
    """Tell whether a plan is, or can be, that of an object made anew from its attributes."""
    contents = plan.contents if isinstance(plan, SameObjectSpec) else plan
    return isinstance(contents, Branch) and isinstance(contents.like, Record)


def _options(plan: ValueSpec) -> tuple[object, ...]:
    """Return the Python objects a plan stands for, none if it stands for another value."""
    if isinstance(plan, OneOfSpec):
        return plan.options
    if isinstance(plan, SameObjectSpec) and is_of_array(plan.contents):
        return ()  # two arrays of one kind are made one
    if isinstance(plan, SameObjectSpec) and plan.is_old and _is_made(plan):
        return (plan.value,) if plan.is_lasting or _holds_nothing_of_a_path(plan) else ()
    return (plan.value,) if isinstance(plan, StaticSpec) and plan != NONE else ()


def _one_of(
    a: ValueSpec, b: ValueSpec, first: tuple[object, ...], second: tuple[object, ...]
) -> OneOfSpec:
    """Return the plan of one of the objects that one plan stands for, or another one does."""

    def contents() -> ValueSpec | None:
        # As each path has left them.
        parts = [each for each in map(_contents, (a, b)) if each is not None]
        return _joined_contents(parts) if len(parts) == 2 else None

    known = {identity(each) for each in first}
    together = (*first, *(each for each in second if identity(each) not in known))
    if len(together) > _MOST_OBJECTS:
        raise JoinError("object", f"one of {len(first)} objects", "another object on every turn")
    return OneOfSpec(together, contents)


def _contents(plan: ValueSpec) -> ValueSpec | None:
    if isinstance(plan, OneOfSpec):
        return plan.contents()
    if isinstance(plan, SameObjectSpec):
        return None if plan.contents is None else held_contents(plan)
    return _contents_of((plan.value,)) if isinstance(plan, StaticSpec) else None


def _joined_contents(plans: Sequence[ValueSpec]) -> ValueSpec | None:
    try:
        return named(join_all(plans))
    except JoinError:
        return None


def _join_leaves(a: ValueSpec, b: ValueSpec) -> ValueSpec:
    joined = join_leaves(a, b)
    if joined is not None:
        return joined
    left, right = carried(a), carried(b)
    kind = "object" if left is None or right is None else "dtype"
    if isinstance(a, (Branch, ItemsSpec)) or isinstance(b, (Branch, ItemsSpec)):
        raise JoinError("structure", f"the structures differ: {describe(a)} vs {describe(b)}", "")
    shown = (a, b) if left is None or right is None else (left, right)
    raise JoinError(kind, *map(describe, shown))


# -- value specs in the words of error messages ----------------------------------------------------


def describe(plan: ValueSpec) -> str:
    """Return a plan in the words of an error message."""
    if isinstance(plan, OptionalSpec):
        return f"{describe(plan.value)} or {'None' if plan.absent == 'none' else 'unbound'}"
    if isinstance(plan, SameObjectSpec):
        return describe(plan.contents) if plan.contents else f"a {type(plan.value).__name__}"
    if isinstance(plan, Branch):
        if isinstance(plan.like, ArrayRecord):
            return describe(plan.children[0])
        kind = plan.like.kind if isinstance(plan.like, Record) else type(plan.like)
        return f"a {kind.__name__} of {len(plan.children)}"
    if isinstance(plan, OneOfSpec):
        return f"one of {len(plan.options)} objects"
    if isinstance(plan, StaticSpec) and type(plan.value) is DynamicItems:
        return "items known when the graph runs"
    if isinstance(plan, ItemsSpec):
        return "a list"
    if isinstance(plan, UnboundSpec):
        return "unbound"
    return describe_leaf(plan)


def kind_of_both(a: Branch, b: Branch) -> str:
    """Return the kind of container that both are, nothing if they are of two."""
    kinds = (each for each in (tuple, list, dict) if isinstance(a.like, each))
    return next((each.__name__ for each in kinds if isinstance(b.like, each)), "")


def unlike_classes(a: Branch, b: Branch) -> tuple[str, str] | None:
    """Return the class names of two containers if they differ and one class is the user's."""
    kinds = [
        each.like.kind if isinstance(each.like, Record) else type(each.like) for each in (a, b)
    ]
    if kinds[0] is kinds[1] or not any(map(is_made_in_python, kinds)):
        return None
    return with_article(kinds[0].__name__), with_article(kinds[1].__name__)
