"""What is known of a whole variable, joined over the paths that lead to one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import runtime as rt
from autograph.backends.graph.leaves import (
    Carried,
    Kept,
    Leaf,
    Literal,
    absent,
    carried,
    convert,
    describe,
    join_leaves,
    leaf_of,
)
from autograph.backends.maybe import Absent, Maybe
from autograph.backends.undefined import Elsewhere, Undefined, UndefinedReturnValue

Guard = Callable[[Maybe], None]


class JoinError(Exception):
    """Two paths leave a variable in ways that cannot be one value; `detail` says how."""

    def __init__(self, kind: str, first: str, second: str) -> None:
        super().__init__(kind, first, second)
        self.kind, self.first, self.second = kind, first, second


@dataclass(frozen=True)
class Unbound:
    """No value: the variable is undefined on this path.

    Attributes:
        value: the object that stands for it in Python.
        irrelevant: nobody can read it (a return value before the return; a path that raises), so
            joined with a value it is that value.
    """

    value: object
    irrelevant: bool

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unbound) and other.irrelevant == self.irrelevant

    def __hash__(self) -> int:
        return hash(self.irrelevant)


@dataclass(frozen=True)
class Structure:
    """A value: a structure like `like`, with what is known of each leaf."""

    like: object
    leaves: tuple[Leaf, ...]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Structure) or self.leaves != other.leaves:
            return False
        return _structure_difference(self.like, other.like) is None

    def __hash__(self) -> int:
        return hash(self.leaves)


@dataclass(frozen=True)
class Optional:
    """A value on some paths only."""

    value: Structure
    absent: Absent


Plan = Unbound | Structure | Optional

# Where a branch raises instead of ending, its variables do not matter.
UNREACHED = Unbound(None, irrelevant=True)


def plan_of(value: object) -> Plan:
    """Return what is known of the variable holding `value`."""
    if value is UNREACHED:
        return UNREACHED
    if isinstance(value, Maybe):
        return Optional(_structure_of(value.value), value.absent)
    if isinstance(value, Undefined):
        return Unbound(value, irrelevant=False)
    if isinstance(value, (UndefinedReturnValue, Elsewhere)):
        return Unbound(value, irrelevant=True)
    return _structure_of(value)


def join(a: Plan, b: Plan) -> Plan:
    """Return what holds of a variable that arrives as `a` or as `b`.

    Raises:
        JoinError: if no value can be both.
    """
    if a == b:
        return a
    if isinstance(a, Unbound):
        return _with_unbound(a, b)
    if isinstance(b, Unbound):
        return _with_unbound(b, a)
    if isinstance(a, Structure) and isinstance(b, Structure):
        return _join_structures(a, b)
    kind = a.absent if isinstance(a, Optional) else b.absent  # type: ignore[union-attr]
    return Optional(_join_structures(_inside(a), _inside(b)), kind)


def widen(plan: Plan) -> Plan:
    """Return `plan` with Python numbers as weak tensors: what a loop may change them into."""
    if isinstance(plan, Structure):
        return Structure(plan.like, tuple(_widened(leaf) for leaf in plan.leaves))
    if isinstance(plan, Optional):
        return Optional(widen(plan.value), plan.absent)  # type: ignore[arg-type]
    return plan


def carried_leaves(plan: Plan) -> Iterator[Carried]:
    """Yield the tensors that carry a value of this plan, in order; a flag comes first."""
    if isinstance(plan, Optional):
        yield Carried(rt.TensorSpec((), rt.bool))
        yield from carried_leaves(plan.value)
    elif isinstance(plan, Structure):
        yield from (leaf for leaf in plan.leaves if isinstance(leaf, Carried))


def emit(plan: Plan, value: object) -> list[rt.Tensor]:
    """Return the tensors that carry `value`, converted as `plan` asks, in the current graph."""
    if isinstance(plan, Unbound):
        return []
    if isinstance(plan, Structure):
        return _emit_structure(plan, value)
    if isinstance(value, Maybe):
        return [rt.convert_to_tensor(value.defined), *_emit_structure(plan.value, value.value)]
    if isinstance(value, Undefined):
        return [rt.constant(False), *_emit_structure(plan.value, value)]
    return [rt.constant(True), *_emit_structure(plan.value, value)]


def rebuild(plan: Plan, tensors: Iterator[rt.Tensor], name: str, guard: Guard) -> object:
    """Return the value that `tensors`, taken in order, carry for variable `name`."""
    if isinstance(plan, Unbound):
        return plan.value
    if isinstance(plan, Optional):
        defined = next(tensors)
        return Maybe(name, defined, _rebuild_structure(plan.value, tensors), plan.absent, guard)
    return _rebuild_structure(plan, tensors)


def _structure_of(value: object) -> Structure:
    return Structure(value, tuple(leaf_of(leaf) for leaf in rt.nest.flatten(value)))


def _inside(plan: Plan) -> Structure:
    assert not isinstance(plan, Unbound)
    return plan.value if isinstance(plan, Optional) else plan


def _with_unbound(unbound: Unbound, other: Plan) -> Plan:
    if unbound.irrelevant or isinstance(other, Optional):
        return other
    if isinstance(other, Unbound):
        return unbound if other.irrelevant else other
    # What is read of it is known only when the graph runs: whether there is a value at all.
    return Optional(widen(other), "undefined")  # type: ignore[arg-type]


def _join_structures(a: Structure, b: Structure) -> Structure:
    difference = _structure_difference(a.like, b.like)
    if difference is not None:
        raise JoinError("structure", difference, "")
    leaves = tuple(_join_or_raise(x, y) for x, y in zip(a.leaves, b.leaves))
    return Structure(a.like, leaves)


def _structure_difference(a: object, b: object) -> str | None:
    try:
        rt.nest.assert_same_structure(a, b)
    except (TypeError, ValueError) as error:
        return str(error)
    return None


def _join_or_raise(a: Leaf, b: Leaf) -> Leaf:
    joined = join_leaves(a, b)
    if joined is not None:
        return joined
    if Kept(None) in (a, b):
        raise JoinError("none", describe(a), describe(b))
    left, right = carried(a), carried(b)
    if left is None or right is None:
        raise JoinError("object", describe(a), describe(b))
    raise JoinError("dtype", describe(left), describe(right))


def _widened(leaf: Leaf) -> Leaf:
    if isinstance(leaf, Literal) and not isinstance(leaf.value, (str, bytes)):
        return Carried(rt.TensorSpec((), rt.literal_dtype(leaf.value)), weak=True)
    return leaf


def _emit_structure(plan: Structure, value: object) -> list[rt.Tensor]:
    tensors = [leaf for leaf in plan.leaves if isinstance(leaf, Carried)]
    if isinstance(value, (Undefined, UndefinedReturnValue)) or value is UNREACHED:
        return [absent(leaf) for leaf in tensors]
    values = rt.nest.flatten(value)
    pairs = zip(plan.leaves, values)
    return [convert(v, leaf) for leaf, v in pairs if isinstance(leaf, Carried)]


def _rebuild_structure(plan: Structure, tensors: Iterator[rt.Tensor]) -> object:
    if len(plan.leaves) == 1 and not rt.nest.is_nested(plan.like):
        return _rebuild_leaf(plan.leaves[0], tensors)
    leaves = [_rebuild_leaf(leaf, tensors) for leaf in plan.leaves]
    return rt.nest.unflatten(plan.like, leaves)


def _rebuild_leaf(leaf: Leaf, tensors: Iterator[rt.Tensor]) -> object:
    return next(tensors) if isinstance(leaf, Carried) else leaf.value
