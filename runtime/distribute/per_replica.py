"""Per-replica values: one value for each of several replicas, and their reductions.

PerReplica((x0, x1))    ->    x0 in replica 0, x1 in replica 1
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, NamedTuple

from runtime import nest
from runtime.core.argument_checks import shown
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import size
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add_n, maximum


class ReduceOp(Enum):
    """The reduction of the values of replicas.

    >>> ReduceOp("SUM").name
    'SUM'
    """

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation: Any) -> ReduceOp:
        """Return the reduction of an aggregation of variables, SUM or MEAN."""
        return reduction_of(getattr(aggregation, "name", aggregation))


def reduction_of(reduce_op: Any) -> ReduceOp:
    """Return a reduction by its name.

    Raises:
        ArgumentValueError: there is no such reduction.

    >>> reduction_of("mean")
    <ReduceOp.MEAN: 'MEAN'>
    """
    name = getattr(reduce_op, "value", reduce_op)
    if isinstance(name, str) and name.upper() in ReduceOp.__members__:
        return ReduceOp[name.upper()]
    raise ArgumentValueError(f"reduce_op must be 'SUM' or 'MEAN', not {shown(reduce_op)}")


class PerReplica(NamedTuple):
    """One value for each replica, in order.

    >>> print(PerReplica((1, 2)))
    PerReplica:{
      0: 1,
      1: 2
    }
    """

    values: tuple[Any, ...]

    def __repr__(self) -> str:
        lines = ",\n".join(f"  {at}: {value!r}" for at, value in enumerate(self.values))
        return f"PerReplica:{{\n{lines}\n}}"


def part_of(value: Any, index: int) -> Any:
    """Return the part of one replica, in which each PerReplica is its value for that replica.

    >>> part_of({"x": PerReplica((1, 2)), "rate": 0.5}, 1)
    {'x': 2, 'rate': 0.5}
    """
    return _mapped(lambda each: each.values[index], value)


def mapped_per_replica(function: Callable[[Any], Any], value: Any) -> Any:
    """Return a structure with a function applied to each leaf, of which PerReplica is one.

    >>> mapped_per_replica(lambda each: len(each.values), [PerReplica((1, 2))])
    [2]
    """
    if not isinstance(value, PerReplica) and nest.is_nested(value):
        parts = [mapped_per_replica(function, each) for each in nest.children(value) or ()]
        return nest.rebuild(value, parts)
    return function(value)


def _mapped(function: Callable[[PerReplica], Any], value: Any) -> Any:
    """Return a structure with other values for each PerReplica; without one, the same object."""
    if isinstance(value, PerReplica):
        return function(value)
    if not nest.is_nested(value):
        return value
    before = nest.children(value) or []
    after = [_mapped(function, each) for each in before]
    is_same = all(old is new for old, new in zip(before, after))
    return value if is_same else nest.rebuild(value, after)


def per_replica(parts: Sequence[Any]) -> Any:
    """Return the values of all replicas as one structure; leaves that differ are PerReplica.

    An object, number or text that is the same in all replicas stays as it is.

    >>> per_replica([{"x": 1, "name": "a"}, {"x": 2, "name": "a"}])["name"]
    'a'
    """
    first = parts[0]
    if all(each is first for each in parts) or _are_equal_literals(parts):
        return first
    if nest.is_nested(first) and all(_is_like(first, each) for each in parts[1:]):
        children = [nest.children(each) or [] for each in parts]
        return nest.rebuild(first, [per_replica(each) for each in zip(*children)])
    return PerReplica(tuple(parts))


def _are_equal_literals(parts: Sequence[Any]) -> bool:
    first = parts[0]
    return isinstance(first, (bool, int, float, str, bytes)) and all(
        type(each) is type(first) and each == first for each in parts
    )


def _is_like(first: Any, other: Any) -> bool:
    return type(first) is type(other) and nest.steps(first) == nest.steps(other)


# -- reductions ------------------------------------------------------------------------------------


def reduced(kind: ReduceOp, values: Sequence[Any]) -> Any:
    """Return the sum or mean of tensors of one shape; the mean of integers is a float64.

    Raises:
        ShapeError: their shapes differ.

    >>> float(reduced(ReduceOp.MEAN, [1.0, 2.0]))
    1.5
    """
    tensors = [to_tensor(each) for each in values]
    for each in tensors[1:]:
        if not each.shape.is_compatible_with(tensors[0].shape):
            raise ShapeError(
                f"replicas have values of different shapes, {tensors[0].shape} and {each.shape}: "
                "reduce each to one shape first, as rt.reduce_sum does"
            )
    total = add_n(tensors)
    if kind is ReduceOp.SUM:
        return total
    if total.dtype.is_integer:
        total = cast(total, "float64")
    return total / cast(to_tensor(len(tensors)), total.dtype)


def reduced_along(kind: ReduceOp, values: Sequence[Any], axis: Any) -> Any:
    """Return the sum or mean over replicas, and along axes of each value.

    The mean counts all elements alike, also if one replica has more of them.

    >>> float(reduced_along(ReduceOp.MEAN, [[1.0, 2.0], [6.0]], 0))
    3.0
    """
    tensors = [to_tensor(each) for each in values]
    if kind is ReduceOp.MEAN and tensors[0].dtype.is_integer:
        tensors = [cast(each, "float64") for each in tensors]
    sums = [reduce_sum(each, axis) for each in tensors]
    total = add_n(sums)
    if kind is ReduceOp.SUM:
        return total
    counts = [size(each) // maximum(size(part), 1) for each, part in zip(tensors, sums)]
    return total / cast(add_n(counts), total.dtype)


def gathered(values: Sequence[Any], axis: int) -> Any:
    """Return the values of replicas one after the other along an axis.

    >>> gathered([[1], [2, 3]], 0).numpy().tolist()
    [1, 2, 3]
    """
    return concat([to_tensor(each) for each in values], axis)
